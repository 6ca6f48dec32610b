/** Intervals over items whose moves share prices. In these worlds no news moves a price, and the intervals must say so. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Observer, type StudiedEntry } from "../../src/study/observations.ts";
import { pricesOf, type Series } from "../../src/study/prices.ts";
import { reportOf } from "../../src/study/report.ts";
import type { Estimate } from "../../src/study/statistics.ts";
import { entryOf, generator, indexName, normal } from "./world.ts";

const dayMs = 86_400_000;
/** A Monday, at the close. */
const firstCloseMs = Date.parse("2026-01-05T21:00:00Z");
const days = 140;
const horizons = ["1d", "5d", "20d"];
const horizonsMs = [dayMs, 5 * dayMs, 20 * dayMs];

interface NullWorld {
  /** Symbols with news on every day. */
  readonly daily: number;
  /** Symbols with news on one day in twenty. */
  readonly quiet: number;
  /** Prices from Monday to Friday; items come on every day. */
  readonly hasWeekends: boolean;
  /** Standard deviation of the daily returns of a market that all symbols follow. */
  readonly marketNoise: number;
}

/** Each symbol walks at random, and all its news is good. */
function studied({ daily, quiet, hasWeekends, marketNoise }: NullWorld, seed: number) {
  const random = generator(seed);
  const closes = Array.from({ length: days }, (_, day) => day).filter((day) => !hasWeekends || day % 7 < 5);
  const times = Float64Array.from(closes, (day) => firstCloseMs + day * dayMs);
  const walk = (symbol: string, returns: readonly number[]): Series => {
    let price = 100;
    const prices = Float64Array.from(returns, (move) => {
      price *= 1 + move;
      return price;
    });
    return { symbol, times, prices };
  };
  const market = closes.map(() => marketNoise * normal(random));
  const series = [walk(indexName, market)];
  const entries: StudiedEntry[] = [];
  for (let at = 0; at < daily + quiet; at += 1) {
    const symbol = `DEMO:N${at}`;
    series.push(
      walk(
        symbol,
        market.map((move) => move + 0.01 * normal(random)),
      ),
    );
    for (let day = 1; day < days; day += 1) {
      if (at >= daily && random() > 0.05) continue;
      const atMs = firstCloseMs + day * dayMs - dayMs / 3;
      entries.push(entryOf({ id: `${symbol} ${day}`, symbol, atMs, direction: 3, score: 50 }));
    }
  }
  const prices = pricesOf(series, 1);
  const observer = new Observer({
    prices,
    index: prices.find(indexName),
    horizonsMs,
    copies: false,
    late: false,
  });
  for (const entry of entries) observer.take(entry);
  return reportOf(observer, { horizons, abnormalFrom: 2, index: indexName }).horizons;
}

/** null: there is no interval. */
function misses(estimate: Estimate | null, truth: number): boolean | null {
  if (estimate?.low == null || estimate.high === null) return null;
  return estimate.low > truth || estimate.high < truth;
}

const worlds = 200;
const plain: NullWorld = { daily: 6, quiet: 0, hasWeekends: false, marketNoise: 0 };
const kinds: Readonly<Record<string, NullWorld>> = {
  "daily news of one symbol": { ...plain, daily: 1 },
  "daily news of one symbol, with weekends": { ...plain, daily: 1, hasWeekends: true },
  "daily news of six symbols": plain,
  "daily news of six symbols, with weekends": { ...plain, hasWeekends: true },
  "daily news of three symbols, and news of twenty quiet ones": { ...plain, daily: 3, quiet: 20 },
  "news of symbols that follow the market": { ...plain, quiet: 10, marketNoise: 0.01 },
};
for (const [name, world] of Object.entries(kinds))
  test(`intervals over ${name} hold at each horizon`, () => {
    const missed = horizons.map(() => ({ mean: 0, hit: 0 }));
    for (let seed = 1; seed <= worlds; seed += 1)
      for (const [at, { mean_move, hit_rate }] of studied(world, seed).entries()) {
        const counts = missed[at] ?? assert.fail();
        const ofMean = misses(mean_move, 0);
        // One symbol has too few spans of the longest horizon for an interval now and then.
        assert.ok(ofMean !== null || world.daily === 1);
        counts.mean += Number(ofMean);
        counts.hit += Number(misses(hit_rate, 0.5));
      }
    // True intervals of 95 % miss in 5 % of worlds. Where blocks are few, some more do.
    for (const [at, { mean, hit }] of missed.entries())
      assert.ok(Math.max(mean, hit) <= 0.12 * worlds, `${horizons[at]}: ${mean} and ${hit} of ${worlds}`);
  });
