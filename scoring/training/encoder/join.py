"""Joins the encoder with pro's rules and flash's heads: python join.py HELD JUDGED OUT.

HELD is what train.py says of the authors that it held out, JUDGED what judged.ts says of the same. The log odds of both are
added with weights that make the authors' labels likeliest. Prints how each author is judged by weights of the others.
"""

import json
import sys

import numpy as np
from scipy.optimize import minimize

LABELS = ["negative", "neutral", "positive"]
sign = lambda value: (value > 0) - (value < 0)


def log_softmax(scores):
    scores = np.array(scores) - max(scores)
    return scores - np.log(np.exp(scores).sum())


def of_rules(short, conviction):
    """What a direction with its conviction says of the three classes; joint.ts has the same."""
    sure = min(0.95, max(0.34, conviction / 100))
    shares = np.full(3, (1 - sure) / 2)
    shares[sign(short) + 1] = sure
    return np.log(shares)


def of_fact(fact):
    """The sign that the headline tells as a plain fact, in its main clause and aside."""
    found = np.zeros((2, 3))
    if fact["sign"] != 0:
        found[int(fact["aside"])][fact["sign"] + 1] = 1
    return found


def scores(weights, encoder, rules, fact):
    z = weights[0] * encoder + weights[1] * rules + weights[2] * fact[:, 0] + weights[3] * fact[:, 1]
    z += np.array([weights[4], 0, weights[5]])
    return z - np.log(np.exp(z).sum(1, keepdims=True))


def fitted(rows):
    encoder, rules, fact, label = (np.array([row[at] for row in rows]) for at in (1, 2, 3, 4))

    def loss(weights):
        said = scores(weights, encoder, rules, fact)
        size = (weights[0] - 1) ** 2 + (weights[1:4] ** 2).sum()
        return -said[np.arange(len(label)), label].mean() + 1e-3 * size

    return minimize(loss, [1, 0.3, 0, 0, 0, 0]).x


def measured(rows, weights):
    encoder, rules, fact, label = (np.array([row[at] for row in rows]) for at in (1, 2, 3, 4))
    p = np.exp(scores(weights, encoder, rules, fact))
    sure, hit = p.max(1), p.argmax(1) == label
    bins = np.minimum(9, (10 * sure).astype(int))
    ece = sum(abs(sure[bins == at].sum() - hit[bins == at].sum()) for at in range(10)) / len(hit)
    alone = [100 * (part.argmax(1) == label).mean() for part in (encoder, rules)]
    return f"joint {100 * hit.mean():.1f}, ECE {100 * ece:.1f}; encoder alone {alone[0]:.1f}, rules alone {alone[1]:.1f}"


def fitted_action(rows):
    said, wanted = np.array([row[1] for row in rows]), np.array([row[2] for row in rows])
    loss = lambda w: np.where(wanted, np.log1p(np.exp(-said @ w)), np.log1p(np.exp(said @ w))).mean()
    return minimize(loss, [0, 1, 0.2]).x


def f1(rows, weights, threshold):
    called = 1 / (1 + np.exp(-np.array([row[1] for row in rows]) @ weights)) >= threshold
    wanted = np.array([row[2] for row in rows])
    return 200 * (called & wanted).sum() / (called.sum() + wanted.sum())


def left_out(what, rows, fit, show):
    authors = sorted({row[0] for row in rows})
    for author in authors:
        others = [row for row in rows if row[0] != author]
        own = [row for row in rows if row[0] == author]
        print(f"{what:10} {author}: {show(own, fit(others), others)}")


def main():
    held, judged, out = sys.argv[1:]
    read = lambda path: [json.loads(line) for line in open(path)]
    said = {(row["author"], row["text"], row["body"], row["company"]): row["said"] for row in read(held)}
    whole, company, action = [], [], []
    for row in read(judged):
        key = (row["author"], row["text"], row["body"])
        own = said[*key, None]
        rules = of_rules(row["short"], row["conviction"])
        label = LABELS.index(row["label"])
        whole.append((row["author"], log_softmax(own[:3]), rules, of_fact(row["fact"]), label))
        score = min(0.99, max(0.01, row["score"] / 100))
        action.append((row["author"], [1, own[11], np.log(score / (1 - score))], row["actionable"]))
        for one in row["companies"]:
            own = said[*key, one["name"]]
            rules = of_rules(one["short"], one["conviction"])
            fact = of_fact(one["fact"])
            company.append((row["author"], log_softmax(own[:3]), rules, fact, sign(one["direction"]) + 1))
    thresholds = [at / 100 for at in range(25, 60, 5)]
    best = lambda rows, weights: max(thresholds, key=lambda at: f1(rows, weights, at))
    left_out("whole", whole, fitted, lambda own, weights, _: measured(own, weights))
    left_out("company", company, fitted, lambda own, weights, _: measured(own, weights))
    left_out("action", action, fitted_action, lambda own, w, others: f"F1 {f1(own, w, best(others, w)):.1f}")
    named = lambda w: dict(zip(("encoder", "rules", "told", "aside", "negative", "positive"), (round(float(v), 3) for v in w)))
    weights = fitted_action(action)
    found = {
        "whole": named(fitted(whole)),
        "company": named(fitted(company)),
        "action": dict(zip(("bias", "encoder", "rules"), (round(float(v), 3) for v in weights)))
        | {"threshold": best(action, weights)},
    }
    with open(out, "w") as file:
        file.write(json.dumps(found, indent=2) + "\n")
    print(json.dumps(found))


main()
