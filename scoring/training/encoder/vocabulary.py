"""Chooses the words that the encoder knows: python vocabulary.py ROWS. Writes vocabulary.txt beside this file.

Kept of the original vocabulary: the special tokens, every single Latin letter, digit and mark with its continuation, every
piece that at least two of the labelled texts use, and the most frequent whole words, which come first in the original's order. Any other word
is spelled in the pieces that are left.
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path

from encoder import VOCABULARY, package_file
from tokenizers import BertWordPieceTokenizer

MOST_FREQUENT = 9_000
FEWEST_TEXTS = 2


def main():
    path = package_file("vocab.txt")
    words = Path(path).read_text().splitlines()
    encode = BertWordPieceTokenizer(path, lowercase=True)
    used = Counter()
    with open(sys.argv[1]) as file:
        next(file)
        for line in file:
            row = json.loads(line)
            used.update(set(encode.encode(f"{row['company'] or ''} {row['text']} {row['body']}").ids))
    first = words.index("the")
    is_latin = re.compile(r"(?:##)?[!-~¡-ſ–—‘’“”•…€£¥₹%]").fullmatch
    is_special = re.compile(r"\[(?:PAD|UNK|CLS|SEP|MASK)\]").fullmatch
    kept = [
        word
        for at, word in enumerate(words)
        if is_special(word) or is_latin(word) or used[at] >= FEWEST_TEXTS or (first <= at < first + MOST_FREQUENT and word.isascii())
    ]
    VOCABULARY.write_text("".join(f"{word}\n" for word in kept))
    print(f"{len(kept)} of {len(words)} kept, {len(used)} used")


main()
