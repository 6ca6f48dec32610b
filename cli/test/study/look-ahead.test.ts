import assert from "node:assert/strict";
import { test } from "node:test";
import { SymbolMoves } from "../../src/study/moves.ts";
import { Observer, type StudiedEntry } from "../../src/study/observations.ts";
import { pricesOf, type Series } from "../../src/study/prices.ts";
import { reportOf } from "../../src/study/report.ts";
import { entryOf, generator, indexName, makeWorld, plain } from "./world.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = Date.parse("2026-03-02T14:00:00Z");

function observed(entries: readonly StudiedEntry[], series: readonly Series[], horizonMs = dayMs) {
  const prices = pricesOf(series, 1);
  const observer = new Observer({
    prices,
    index: prices.find(indexName),
    horizonsMs: [horizonMs],
    copies: false,
    late: false,
  });
  for (const entry of entries) observer.take(entry);
  return observer;
}

/** Prices by the hour from `startMs`. */
function hourly(symbol: string, prices: readonly number[]): Series {
  return {
    symbol,
    times: Float64Array.from(prices.keys(), (at) => startMs + at * hourMs),
    prices: Float64Array.from(prices),
  };
}

test("scores that were made in hindsight do not count", () => {
  const { entries, series } = makeWorld({ ...plain, rightShare: 0.5, symbols: 60 });
  const prices = pricesOf(series, 1);
  const perfect = entries.map(({ data }) => {
    const symbol = data.symbols[0]?.symbol ?? "";
    const atMs = Date.parse(entries.find((one) => one.data.id === data.id)?.logged_at ?? "");
    const moves = new SymbolMoves(prices.find(symbol) ?? hourly("", []), {
      index: prices.find(indexName),
      horizonMs: dayMs,
      prices,
    });
    const move = moves.after(atMs);
    const direction = typeof move === "string" ? 0 : 5 * Math.sign(move.abnormal);
    return entryOf({ id: data.id, symbol, atMs: atMs + 3 * dayMs, direction, score: 99, revision: 1 });
  });
  const observer = observed([...entries, ...perfect], series);
  const [horizon] = reportOf(observer, { horizons: ["1d"], abnormalFrom: 2, index: null }).horizons;
  assert.equal(observer.excluded.get("later"), perfect.length);
  assert.ok(Math.abs((horizon?.hit_rate?.value ?? 1) - 0.5) < 0.05, `${horizon?.hit_rate?.value}`);
});

test("a move that was over when the item came is not the item's", () => {
  const series = hourly("DEMO:A", [100, 100, 130, 130, 130]);
  const entry = entryOf({
    id: "late",
    symbol: "DEMO:A",
    atMs: startMs + 2 * hourMs + 60_000,
    direction: 5,
    score: 90,
  });
  const [one] = observed([entry], [series], hourMs).observations;
  assert.equal(one?.moves[0]?.abnormal, 0);
});

test("what happens after the horizon changes nothing", () => {
  const random = generator(4);
  const prices = Array.from({ length: 1_000 }, () => 90 + 20 * random());
  const item = entryOf({ id: "a", symbol: "DEMO:A", atMs: startMs + 700 * hourMs, direction: 5, score: 90 });
  const other = prices.map((price, at) => (at > 705 ? 1_000 * random() + 1 : price));
  const moveOf = (some: number[]) =>
    observed([item], [hourly("DEMO:A", some)], 5 * hourMs).observations[0]?.moves[0];
  const move = moveOf(prices);
  assert.ok(move?.size != null);
  assert.deepEqual(moveOf(other), move);
  assert.notDeepEqual(moveOf(prices.map((price, at) => (at === 705 ? 2 * price : price))), move);
});

test("a company whose prices end within the horizon counts to its last price", () => {
  const gone = hourly("DEMO:A", [100, 100, 40]);
  const others = hourly(
    "DEMO:B",
    Array.from({ length: 200 }, () => 100),
  );
  const at = (hours: number, id: string) =>
    entryOf({ id, symbol: "DEMO:A", atMs: startMs + hours * hourMs, direction: -5, score: 90 });
  const observer = observed([at(1, "before"), at(2, "after the last price")], [gone, others]);
  assert.deepEqual(
    observer.observations.map(({ moves }) => moves),
    [[{ abnormal: -0.6, size: null, isDelisted: true, base: 1, end: 2 }]],
  );
  assert.equal(observer.delisted, 1);
  assert.equal(observer.excluded.get("no price after"), 1);
});

test("a stock at a weekend is not delisted because a coin in the same file has prices", () => {
  const stock = hourly("DEMO:A", [100, 100, 40]);
  const entry = entryOf({ id: "a", symbol: "DEMO:A", atMs: startMs + hourMs, direction: -5, score: 90 });
  /** @param hours how long the coin has prices */
  const observedUntil = (hours: number) => {
    const coin = hourly(
      "DEMO:B",
      Array.from({ length: hours + 1 }, () => 100),
    );
    const { delisted, excluded } = observed([entry], [stock, coin]);
    return { delisted, unknown: excluded.get("no price after") ?? 0 };
  };
  assert.deepEqual(observedUntil(60), { delisted: 0, unknown: 1 });
  // The stock's last price is five days old, and then older.
  assert.deepEqual(observedUntil(2 + 5 * 24), { delisted: 0, unknown: 1 });
  assert.deepEqual(observedUntil(3 + 5 * 24), { delisted: 1, unknown: 0 });
});

test("an item without scores at first counts from its first version that has them", () => {
  const series = hourly("DEMO:A", [100, 110, 121, 121]);
  const scored = entryOf({
    id: "a",
    symbol: "DEMO:A",
    atMs: startMs + hourMs,
    direction: 3,
    score: 80,
    revision: 1,
  });
  const unscored = entryOf({ id: "a", symbol: "DEMO:A", atMs: startMs, direction: 3, score: 80 });
  const without = {
    ...unscored,
    data: { ...unscored.data, scoring: { ...unscored.data.scoring, actionability_score: null } },
  };
  const observer = observed(
    [without, scored, { ...scored, data: { ...scored.data, revision: 2 } }],
    [series],
    hourMs,
  );
  assert.deepEqual(
    observer.observations.map(({ atMs }) => atMs),
    [startMs + hourMs],
  );
  assert.deepEqual(
    [...observer.excluded],
    [
      ["unscored", 1],
      ["later", 1],
    ],
  );
});
