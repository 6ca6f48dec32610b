"""
A backtest by replay: what a signal would have earned, with the scores that the stream carried then.

    npm run -s example -- backtest [PRICES.csv]

PRICES.csv has the columns time, symbol and price, times in RFC 3339. Items whose horizon ends after the last price of their
symbol do not count. Without the file prices are a random walk: then the mean is luck alone, and t is between -2 and 2 in 19 of
20 runs.
"""

import csv
import random
import sys
from bisect import bisect_right
from collections import defaultdict
from datetime import datetime, timedelta, timezone
from statistics import mean, stdev

from tapewire import Tapewire

HORIZON = timedelta(minutes=30)


def time_of(text):
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def prices_of(path):
    """The last known price at or before a time; None where there is none, and after the last one, when nobody knows."""
    series = defaultdict(list)
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            series[row["symbol"]].append((time_of(row["time"]), float(row["price"])))
    for known in series.values():
        known.sort()

    def price(symbol, at):
        known = series.get(symbol, [])
        place = bisect_right(known, (at, float("inf")))
        is_over = not known or at > known[-1][0]
        return known[place - 1][1] if place > 0 and not is_over else None

    return price


def random_walk(_symbol, _at):
    return 100 * random.lognormvariate(0, 0.01)


def signals(events):
    """Of the first version of an item only, since a later one comes too late."""
    for event in events:
        scores = event.item["scoring"]
        if event.item["revision"] > 0 or not scores["sentiment_short"] or not event.item["symbols"]:
            continue
        side = 1 if scores["sentiment_short"] > 0 else -1
        yield time_of(event.at), event.item["symbols"][0]["symbol"], side


def main():
    price = prices_of(sys.argv[1]) if len(sys.argv) > 1 else random_walk
    day = datetime.now(timezone.utc) - timedelta(days=1)
    returns = []
    with Tapewire() as tw:
        for at, symbol, side in signals(tw.replay({"actionability": True, "story_copies": False}, since=day)):
            before, after = price(symbol, at), price(symbol, at + HORIZON)
            if before is not None and after is not None:
                returns.append(side * (after / before - 1))
    if len(returns) < 2:
        print(f"{len(returns)} signals with prices: too few to measure")
        return
    hits = mean(one > 0 for one in returns)
    t = mean(returns) / stdev(returns) * len(returns) ** 0.5
    print(f"{len(returns)} signals, {hits:.0%} right, mean {10_000 * mean(returns):.1f} bp, t {t:.2f}")


main()
