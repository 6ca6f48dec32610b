"""Writes the trained encoder for the service: python export.py ENCODER.pt ROWS FOLDER.

FOLDER gets encoder.onnx (weights of 8 bits; inputs input_ids, attention_mask, token_type_ids; output `said`, whose columns are
told in encoder.json), encoder.json and tokenizer.json, and SHA256SUMS over the three.
"""

import hashlib
import json
import sys
import tempfile
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import nn

from encoder import Reader, tokenizer
from train import MOST_TOKENS, read_rows


class SideBySide(nn.Module):
    def __init__(self, reader):
        super().__init__()
        self.reader = reader

    def forward(self, input_ids, attention_mask, token_type_ids):
        out = self.reader(input_ids, attention_mask, token_type_ids)
        return torch.cat([out[name].reshape(input_ids.shape[0], -1) for name in self.reader.names], 1)


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
