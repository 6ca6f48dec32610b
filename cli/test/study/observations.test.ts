import assert from "node:assert/strict";
import { test } from "node:test";
import { Observer } from "../../src/study/observations.ts";
import { pricesOf, type Series } from "../../src/study/prices.ts";
import { entryOf } from "./world.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const firstMs = Date.parse("2026-01-05T21:00:00Z");

/** Prices on these days from `firstMs`. */
function daily(days: readonly number[]): Series {
  return {
    symbol: "DEMO:A",
    times: Float64Array.from(days, (day) => firstMs + day * dayMs),
    prices: Float64Array.from(days, (day) => 100 + day),
  };
}

function observerOf(series: Series, horizonsMs: readonly number[], late = false) {
  return new Observer({ prices: pricesOf([series], 1), index: null, horizonsMs, copies: false, late });
}

const item = { id: "a", symbol: "DEMO:A", atMs: firstMs + dayMs + hourMs, direction: -3, score: 90 };

test("an item whose symbol pauses counts at the horizons that end near a price", () => {
  const observer = observerOf(daily([0, 1, 15, 16]), [hourMs, dayMs, 14 * dayMs, 60 * dayMs]);
  observer.take(entryOf(item));
  const [one] = observer.observations;
  assert.deepEqual(
    one?.moves.map((move) => move?.end ?? null),
    [null, null, 3, null],
  );
  assert.deepEqual([...observer.excluded], []);
});

test("an item without a move at any horizon is left out for the reason of the shortest", () => {
  const observer = observerOf(daily([0, 1, 15]), [hourMs, 60 * dayMs]);
  observer.take(entryOf(item));
  observer.take(entryOf({ ...item, id: "b", atMs: firstMs + 16 * dayMs }));
  assert.deepEqual(
    [...observer.excluded],
    [
      ["long pause", 1],
      ["no price after", 1],
    ],
  );
});

test("an item that was logged more than an hour after its publication is no news then", () => {
  const publishedAtMs = item.atMs - hourMs;
  const entries = [
    entryOf({ ...item, publishedAtMs }),
    entryOf({ ...item, id: "b", publishedAtMs: publishedAtMs - 1 }),
    // Published in the future: a source's clock is ahead.
    entryOf({ ...item, id: "c", publishedAtMs: item.atMs + dayMs }),
  ];
  const [without, withLate] = [false, true].map((late) => {
    const observer = observerOf(daily([0, 1, 2, 3]), [dayMs], late);
    for (const entry of entries) observer.take(entry);
    return { studied: observer.observations.length, late: observer.excluded.get("late") };
  });
  assert.deepEqual(without, { studied: 2, late: 1 });
  assert.deepEqual(withLate, { studied: 3, late: undefined });
});
