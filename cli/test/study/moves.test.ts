import assert from "node:assert/strict";
import { test } from "node:test";
import { SymbolMoves } from "../../src/study/moves.ts";
import { pricesOf, type Series } from "../../src/study/prices.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A Monday. */
const firstMs = Date.parse("2025-01-06T00:00:00Z");
const isWeekday = (day: number) => day % 7 < 5;

/** @param returns of each price to the one before it */
function seriesOf(symbol: string, times: readonly number[], returns: (atMs: number) => number): Series {
  let price = 100;
  const prices = Float64Array.from(times, (atMs) => {
    price *= 1 + returns(atMs);
    return price;
  });
  return { symbol, times: Float64Array.from(times), prices };
}

/** Days from `firstMs` with prices at these hours. */
function weekdays(days: number, hours: readonly number[]): number[] {
  return Array.from({ length: days }, (_, day) => day)
    .filter(isWeekday)
    .flatMap((day) => hours.map((hour) => firstMs + day * dayMs + hour * hourMs));
}

function movesOf(series: Series, horizonMs: number, index: Series | null = null) {
  return new SymbolMoves(series, { index, horizonMs, prices: pricesOf([series], 1) });
}

/** Items at each hour of a week, far from both ends of 400 days. */
const everyHour = Array.from({ length: 7 * 24 }, (_, hour) => firstMs + 350 * dayMs + (hour + 0.25) * hourMs);

test("where a price moves by the same with every close, each move is a usual one, at any hour of any weekday", () => {
  const series = seriesOf("DEMO:A", weekdays(400, [21]), () => 0.01);
  for (const horizonMs of [hourMs, dayMs / 2, dayMs, 2 * dayMs, 5 * dayMs]) {
    const moves = movesOf(series, horizonMs);
    for (const atMs of everyHour) {
      const move = moves.after(atMs);
      assert.ok(typeof move !== "string" && move.size !== null);
      assert.ok(Math.abs(move.size - 1) < 1e-9, `${new Date(atMs).toISOString()} ${horizonMs}: ${move.size}`);
    }
  }
});

test("a night is a usual move of items that come at night, and none of those that come by day", () => {
  const series = seriesOf("DEMO:A", weekdays(400, [14, 15, 16, 17, 18, 19, 20, 21]), (atMs) =>
    (atMs % dayMs) / hourMs === 14 ? 0.02 : 0.001,
  );
  const moves = movesOf(series, hourMs);
  for (const atMs of everyHour) {
    const move = moves.after(atMs);
    assert.ok(typeof move !== "string" && move.size !== null);
    assert.ok(Math.abs(move.size - 1) < 1e-9, `${new Date(atMs).toISOString()}: ${move.size}`);
  }
});

test("where the index has no price of the last five days, there is no move", () => {
  const series = seriesOf("DEMO:A", weekdays(400, [21]), () => 0.01);
  const paused = weekdays(400, [21]).filter(
    (atMs) => atMs < firstMs + 100 * dayMs || atMs > firstMs + 200 * dayMs,
  );
  const moves = movesOf(
    series,
    5 * dayMs,
    seriesOf("DEMO:ALL", paused, () => 0.01),
  );
  const after = (day: number) => {
    const move = moves.after(firstMs + day * dayMs);
    return typeof move === "string" ? move : Math.abs(move.abnormal) < 1e-9;
  };
  assert.deepEqual([90, 98, 150, 199].map(after), [
    true,
    "no index price",
    "no index price",
    "no index price",
  ]);
  assert.equal(after(202), true);
});

test("a pause of more than five days after an item is no end of the prices", () => {
  const times = weekdays(100, [21]).filter(
    (atMs) => atMs < firstMs + 50 * dayMs || atMs > firstMs + 63 * dayMs,
  );
  const after = (horizonMs: number) =>
    movesOf(
      seriesOf("DEMO:A", times, () => 0.01),
      horizonMs,
    ).after(firstMs + 49.5 * dayMs);
  assert.equal(after(dayMs), "long pause");
  assert.equal(typeof after(20 * dayMs), "object");
  assert.equal(after(60 * dayMs), "no price after");
});
