import assert from "node:assert/strict";
import { test } from "node:test";
import { type PollFacts, pollIntervalMs } from "../../../src/ingest/polling/poll-interval.ts";

const s = 1_000;
const min = 60 * s;
const hour = 60 * min;
const day = 24 * hour;
const unknown: Omit<PollFacts, "intervalMs"> = {
  typicalGapMs: null,
  quietForMs: null,
  ttlMs: null,
  freshForMs: null,
};

function check(cases: readonly (readonly [facts: Partial<PollFacts>, wantedMs: number])[]): void {
  for (const [facts, wantedMs] of cases) {
    const ms = pollIntervalMs({ intervalMs: min, ...unknown, ...facts });
    assert.equal(ms, wantedMs, JSON.stringify(facts));
  }
}

test("a source of which nothing is known is polled at the operator's interval", () => {
  check([
    [{}, min],
    [{ intervalMs: s }, s],
    [{ intervalMs: day }, day],
  ]);
});

test("ten polls an item: the shorter of the usual gap and the silence decides, at most twice the interval", () => {
  check([
    [{ typicalGapMs: 15 * min, quietForMs: hour }, 90 * s],
    [{ typicalGapMs: hour, quietForMs: 15 * min }, 90 * s],
    [{ quietForMs: 15 * min }, 90 * s],
    [{ typicalGapMs: 20 * min, quietForMs: 20 * min }, 2 * min],
    [{ typicalGapMs: day, quietForMs: day }, 2 * min],
    [{ quietForMs: 365 * day }, 2 * min],
  ]);
});

test("a source that is busy, or has just spoken, is polled at the interval", () => {
  check([
    [{ typicalGapMs: 5 * min, quietForMs: day }, min],
    [{ typicalGapMs: 0, quietForMs: day }, min],
    [{ typicalGapMs: day, quietForMs: 0 }, min],
    [{ typicalGapMs: day, quietForMs: null }, min],
    // Its newest item bears a time to come.
    [{ typicalGapMs: day, quietForMs: -hour }, min],
  ]);
});

test("what a source asks for is honoured above the interval, up to four times of it", () => {
  check([
    [{ ttlMs: 90 * s }, 90 * s],
    [{ freshForMs: 3 * min }, 3 * min],
    [{ ttlMs: 90 * s, freshForMs: 3 * min }, 3 * min],
    [{ ttlMs: 3 * min, freshForMs: 90 * s }, 3 * min],
    [{ ttlMs: 30 * s, freshForMs: 0 }, min],
    [{ ttlMs: 4 * min }, 4 * min],
    [{ ttlMs: day }, 4 * min],
    [{ freshForMs: 365 * day }, 4 * min],
  ]);
});

test("of what a quiet source allows and what it asks for the longer one counts", () => {
  check([
    [{ quietForMs: day, ttlMs: 90 * s }, 2 * min],
    [{ quietForMs: day, ttlMs: 3 * min }, 3 * min],
  ]);
});
