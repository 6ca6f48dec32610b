"""Fine-tunes the encoder: python train.py ROWS OUT [--hold AUTHOR ...] [--epochs N] [--threads N].

ROWS is what rows.ts writes. All heads are learnt jointly over the mean and the first position of the last layer: the sign, by
style of the set; the sizes of both directions; actionability; the group of the event. Writes OUT/encoder.pt and the
probabilities of the authors held out. The same rows, seed and number of threads give the same weights.
"""

import argparse
import json
import math
import random
import time
from collections import defaultdict
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional as F

from encoder import STYLES, Reader, tokens_of, tokenizer

SEED = 7
MOST_TOKENS = 96
BATCH = 32
LAYER_DECAY = 0.9
WARMUP = 0.06
LOSS = {"sign": 1.0, "short": 0.15, "long": 0.1, "action": 0.5, "group": 0.5}


EPOCHS = 3
RATE = 2e-4
#: How often an epoch shows a row of a kind. The public sets are labelled by other rules than the lines.
PUBLIC = 0.25
#: Rows that name a company whose sign is that of the whole text teach little.
SAME = 0.5
#: Rows of companies whose sign is not that of the text or of another company in it: one line in six has them.
DIFFERING = 2


def read_rows(path):
    with open(path) as file:
        head, *rows = [json.loads(line) for line in file]
    return head["groups"], rows


def with_differing(rows):
    """Marks rows of companies whose sign is not that of the whole text, and all rows of companies that fare differently."""
    texts = []
    for row in rows:
        if row["company"] is None:
            texts.append([])
        texts[-1].append(row)
    for whole, *companies in texts:
        whole["differing"] = False
        apart = len({row["label"] for row in companies}) > 1
        for row in companies:
            row["differing"] = apart or row["label"] != whole["label"]
    return rows


def epoch_rows(rows, rng):
    def times(row):
        if row["style"] != "lines":
            return PUBLIC
        if row["differing"]:
            return DIFFERING
        return SAME if row["company"] else 1

    seen = []
    for row in rows:
        wanted = times(row)
        seen += [row] * (int(wanted) + (rng.random() < wanted % 1))
    return seen


def batches(rows, rng):
    """Texts of like length together, in random order."""
    rows = rows[:]
    rng.shuffle(rows)
    pools = [rows[at : at + 50 * BATCH] for at in range(0, len(rows), 50 * BATCH)]
    cut = []
    for pool in pools:
        pool.sort(key=lambda row: len(row["ids"][0]))
        cut += [pool[at : at + BATCH] for at in range(0, len(pool), BATCH)]
    rng.shuffle(cut)
    return cut


def tensors(batch):
    length = max(len(row["ids"][0]) for row in batch)
    pad = lambda values: values + [0] * (length - len(values))
    ids = torch.tensor([pad(row["ids"][0]) for row in batch])
    kinds = torch.tensor([pad(row["ids"][1]) for row in batch])
    mask = torch.tensor([pad([1] * len(row["ids"][0])) for row in batch])
    return ids, mask, kinds


def loss_of(out, batch, groups):
    total = 0.0
    for style in STYLES:
        at = [i for i, row in enumerate(batch) if row["style"] == style]
        if at:
            wanted = torch.tensor([batch[i]["label"] for i in at])
            loss = F.cross_entropy(out[f"sign_{style}"][at], wanted, label_smoothing=0.05, reduction="sum")
            total = total + LOSS["sign"] * loss
    for name in ("short", "long"):
        at = [i for i, row in enumerate(batch) if row[name] is not None]
        if at:
            wanted = torch.tensor([batch[i][name] for i in at], dtype=torch.float)
            total = total + LOSS[name] * F.smooth_l1_loss(out[name][at], wanted, reduction="sum")
    at = [i for i, row in enumerate(batch) if row["actionable"] is not None]
    if at:
        wanted = torch.tensor([float(batch[i]["actionable"]) for i in at])
        total = total + LOSS["action"] * F.binary_cross_entropy_with_logits(out["action"][at], wanted, reduction="sum")
    at = [i for i, row in enumerate(batch) if row["group"] is not None]
    if at:
        wanted = torch.tensor([groups.index(batch[i]["group"]) for i in at])
        total = total + LOSS["group"] * F.cross_entropy(out["group"][at], wanted, label_smoothing=0.05, reduction="sum")
    return total / len(batch)


def optimizer_of(model):
    layers = model.base.config.num_hidden_layers
    by_rate = defaultdict(list)
    for name, weight in model.named_parameters():
        depth = layers + 1
        if name.startswith("base.embeddings"):
            depth = 0
        elif name.startswith("base.encoder.layer."):
            depth = 1 + int(name.split(".")[3])
        own = RATE * LAYER_DECAY ** (layers + 1 - depth) * (5 if depth == layers + 1 else 1)
        by_rate[own, weight.ndim > 1].append(weight)
    return torch.optim.AdamW(
        [{"params": weights, "lr": own, "weight_decay": 0.01 * decays} for (own, decays), weights in by_rate.items()],
        fused=True,
    )


def judged(model, rows):
    """What the model says of each row, in their order."""
    model.eval()
    order = sorted(range(len(rows)), key=lambda at: len(rows[at]["ids"][0]))
    said = [None] * len(rows)
    with torch.inference_mode():
        for from_ in range(0, len(order), 64):
            at = order[from_ : from_ + 64]
            out = model(*tensors([rows[i] for i in at]))
            values = torch.cat([out[name].reshape(len(at), -1) for name in model.names], 1).tolist()
            for i, value in zip(at, values):
                said[i] = value
    return said


def measures(rows, said, groups):
    """Sign, macro-F1, group, F1 of actionable, contrast groups whole, direction of companies: per cent."""
    share = lambda hits: 100 * sum(hits) / max(1, len(hits))
    best = lambda values: max(range(len(values)), key=values.__getitem__)
    whole = [(row, value) for row, value in zip(rows, said) if row["company"] is None]
    signs = [(row, best(value[0:3]) == row["label"]) for row, value in whole]
    acts = [(value[11] > 0, row["actionable"]) for row, value in whole]
    pairs = defaultdict(list)
    for row, hit in signs:
        if row["pair"]:
            pairs[row["pair"]].append(hit)
    return {
        "n": len(whole),
        "sign": share([hit for _, hit in signs]),
        "group": share([groups[best(value[12:])] == row["group"] for row, value in whole if row["group"]]),
        "action_f1": 100 * 2 * sum(c and w for c, w in acts) / max(1, sum(c for c, _ in acts) + sum(w for _, w in acts)),
        "pairs": share([all(hits) for hits in pairs.values()]),
        "company": share([best(v[0:3]) == row["label"] for row, v in zip(rows, said) if row["company"]]),
        "differing": share([best(v[0:3]) == row["label"] for row, v in zip(rows, said) if row["differing"]]),
    }


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("rows")
    ask.add_argument("out", type=Path)
    ask.add_argument("--hold", nargs="*", default=[])
    ask.add_argument("--epochs", type=int, default=EPOCHS)
    ask.add_argument("--threads", type=int, default=2)
    ask.add_argument("--most", type=int, default=0, help="steps at most, for a trial")
    args = ask.parse_args()
    torch.manual_seed(SEED)
    torch.set_num_threads(args.threads)
    rng = random.Random(SEED)
    groups, rows = read_rows(args.rows)
    encode = tokenizer()
    for row in with_differing(rows):
        row["ids"] = tokens_of(encode, row["company"], row["text"], row["body"], MOST_TOKENS)
    held = {name: [row for row in rows if row["author"] == name] for name in args.hold}
    rows = [row for row in rows if row["author"] not in held]
    model = Reader(groups)
    epochs = [batches(epoch_rows(rows, rng), rng) for _ in range(args.epochs)]
    steps = sum(map(len, epochs))
    optimizer = optimizer_of(model)
    warm = WARMUP * steps
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: step / warm if step < warm else 0.5 + 0.5 * math.cos(math.pi * (step - warm) / (steps - warm))
    )
    print(f"{len(rows)} rows, {steps} steps", flush=True)
    args.out.mkdir(parents=True, exist_ok=True)
    began, step, recent = time.time(), 0, []
    for number, epoch in enumerate(epochs):
        model.train()
        for batch in epoch:
            with torch.autocast("cpu", dtype=torch.bfloat16):
                out = model(*tensors(batch))
            loss = loss_of({name: value.float() for name, value in out.items()}, batch, groups)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            step += 1
            recent.append(loss.item())
            if step % 100 == 0:
                print(f"step {step} loss {sum(recent) / len(recent):.3f} {time.time() - began:.0f} s", flush=True)
                recent = []
            if step == args.most:
                break
        torch.save(model.state_dict(), args.out / "encoder.pt")
        said = {name: judged(model, own) for name, own in held.items()}
        for name, own in held.items():
            found = measures(own, said[name], groups)
            print(f"epoch {number + 1} {name}", " ".join(f"{key} {value:.1f}" for key, value in found.items()), flush=True)
        if step == args.most:
            break
    with open(args.out / "held.jsonl", "w") as file:
        for name, own in held.items():
            for row, value in zip(own, said[name]):
                ids = row.pop("ids")
                file.write(json.dumps({**row, "said": [round(v, 4) for v in value]}) + "\n")


if __name__ == "__main__":
    main()
