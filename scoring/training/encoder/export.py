"""Writes the trained encoder for the service: python export.py ENCODER.pt ROWS FOLDER.

FOLDER gets encoder.onnx (weights of 8 bits; inputs input_ids, attention_mask, token_type_ids; output `said`, whose columns are
told in encoder.json), encoder.json and tokenizer.json, and SHA256SUMS over the three; encoder-sample.jsonl beside the tests gets what
the encoder says of some texts in another runtime.
"""

import hashlib
import json
import sys
import tempfile
from pathlib import Path

import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import nn

from encoder import Reader, tokenizer, tokens_of
from train import MOST_TOKENS, read_rows, tensors

SAMPLE_FILE = Path(__file__).parents[2] / "test" / "pro" / "encoder-sample.jsonl"
#: Company, title, body: about issuers that do not exist.
SAMPLE = [
    (None, "Halvorn withdraws 2026 guidance", ""),
    (None, "Halvorn denies that it withdraws its 2026 guidance", ""),
    ("Halvorn", "Halvorn to be acquired by Brackwell for $31 a share in cash", ""),
    ("Brackwell", "Halvorn to be acquired by Brackwell for $31 a share in cash", ""),
    (None, "QUILLMARK 2Q ADJ EPS $1.42, EST. $1.58", "Revenue was $884M. The company keeps its outlook."),
    (None, "Tessaro names new head of investor relations", ""),
    (None, "U.S. CPI RISES 0.5% M/M IN SEPT; EST. +0.3%", ""),
    (None, "$OND shorts getting squeezed lol, nothing new here 😀", ""),
    (None, "Ångström Façade’s naïve “plan” – €5 m", ""),
    ("Ondrey Marine", "Vellmar sues Ondrey Marine over tanker contract", "Vellmar seeks 40 million euros. " * 40),
]


class SideBySide(nn.Module):
    def __init__(self, reader):
        super().__init__()
        self.reader = reader

    def forward(self, input_ids, attention_mask, token_type_ids):
        out = self.reader(input_ids, attention_mask, token_type_ids)
        return torch.cat([out[name].reshape(input_ids.shape[0], -1) for name in self.reader.names], 1)


def write_sample(path):
    encode = tokenizer()
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    rows = []
    for company, title, body in SAMPLE:
        ids, mask, kinds = tensors([{"ids": tokens_of(encode, company, title, body, MOST_TOKENS)}])
        feeds = {"input_ids": ids.numpy(), "attention_mask": mask.numpy(), "token_type_ids": kinds.numpy()}
        said = [round(value, 3) for value in session.run(["said"], feeds)[0][0].tolist()]
        rows.append({"company": company, "title": title, "body": body, "said": said})
    SAMPLE_FILE.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def main():
    weights, rows, folder = sys.argv[1:]
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    groups, _ = read_rows(rows)
    reader = Reader(groups)
    reader.load_state_dict(torch.load(weights, weights_only=True))
    reader.eval()
    ids = torch.ones(2, 16, dtype=torch.long)
    names = ["input_ids", "attention_mask", "token_type_ids"]
    sizes = {name: {0: "texts", 1: "tokens"} for name in names} | {"said": {0: "texts"}}
    with tempfile.TemporaryDirectory() as temporary:
        whole = str(Path(temporary) / "whole.onnx")
        torch.onnx.export(
            SideBySide(reader), (ids, ids, ids * 0), whole,
            input_names=names, output_names=["said"], dynamic_axes=sizes, opset_version=17, dynamo=False,
        )
        quantize_dynamic(whole, str(folder / "encoder.onnx"), weight_type=QuantType.QInt8, per_channel=True)
    write_sample(str(folder / "encoder.onnx"))
    columns, at = {}, 0
    for name in reader.names:
        size = reader.heads[name].out_features
        columns[name] = [at, at + size]
        at += size
    said = {"most_tokens": MOST_TOKENS, "columns": columns, "groups": groups}
    (folder / "encoder.json").write_text(json.dumps(said, indent=2) + "\n")
    tokenizer().save(str(folder / "tokenizer.json"), pretty=False)
    sums = [f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n"
            for name in ("encoder.onnx", "encoder.json", "tokenizer.json")]
    (folder / "SHA256SUMS").write_text("".join(sums))
    print("".join(f"{path.name} {path.stat().st_size}\n" for path in sorted(folder.iterdir())))


main()
