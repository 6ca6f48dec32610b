/** A world whose effects are known: daily closes of invented companies, and items that move them as told. */
import type { StudiedEntry } from "../../src/study/observations.ts";
import type { Prices, Series } from "../../src/study/prices.ts";
import { pricesOf } from "../../src/study/prices.ts";

const dayMs = 86_400_000;
const firstDayMs = Date.parse("2026-01-05T21:00:00Z");

export interface World {
  readonly entries: readonly StudiedEntry[];
  readonly prices: Prices;
  readonly series: readonly Series[];
}

export interface WorldOptions {
  readonly seed: number;
  readonly symbols: number;
  readonly days: number;
  /** How often the direction of an item is that of its effect. */
  readonly rightShare: number;
  /** Abnormal return that an item causes on its day. */
  readonly effect: number;
  /** Standard deviation of daily returns: of the index, and of a company beside it. */
  readonly marketNoise: number;
  readonly noise: number;
}

export const plain: WorldOptions = {
  seed: 1,
  symbols: 12,
  days: 260,
  rightShare: 0.7,
  effect: 0.03,
  marketNoise: 0.01,
  noise: 0.01,
};

export const indexName = "DEMO:ALL";

/** An item comes at noon on every seventh day of a company, before the close that it moves; of two, one is rated actionable. */
export function makeWorld(options: WorldOptions): World {
  const random = generator(options.seed);
  const market = Array.from({ length: options.days }, () => options.marketNoise * normal(random));
  const entries: StudiedEntry[] = [];
  const series = [seriesOf(indexName, market)];
  for (let at = 0; at < options.symbols; at += 1) {
    const symbol = `DEMO:${String.fromCharCode(65 + (at % 26))}${String(at).padStart(3, "0")}`;
    const returns = market.map((move, day) => {
      const own = move + options.noise * normal(random);
      if (day < 40 || (day + at) % 7 !== 0) return own;
      const { entry, effect } = itemOf({ options, random, symbol, day });
      entries.push(entry);
      return own + effect;
    });
    series.push(seriesOf(symbol, returns));
  }
  entries.sort((a, b) => (a.logged_at < b.logged_at ? -1 : 1));
  return { entries, series, prices: pricesOf(series, series.length * options.days) };
}

interface ItemOptions {
  readonly options: WorldOptions;
  readonly random: () => number;
  readonly symbol: string;
  readonly day: number;
}

function itemOf({ options, random, symbol, day }: ItemOptions): { entry: StudiedEntry; effect: number } {
  const truth = random() < 0.5 ? 1 : -1;
  const told = random() < options.rightShare ? truth : -truth;
  const isActionable = random() < 0.5;
  const score = Math.round(isActionable ? 40 + 60 * random() : 60 * random());
  const id = `${symbol} ${day}`;
  const at = { id, symbol, atMs: firstDayMs + day * dayMs - 9 * 3_600_000 };
  return {
    entry: entryOf({ ...at, direction: 3 * told, score, isActionable }),
    effect: isActionable ? truth * options.effect : 0,
  };
}

export interface EntryOptions {
  readonly id: string;
  readonly symbol: string;
  readonly atMs: number;
  /** Absent: when it was logged. */
  readonly publishedAtMs?: number;
  readonly direction: number;
  readonly score: number;
  readonly isActionable?: boolean;
  readonly revision?: number;
}

export function entryOf(options: EntryOptions): StudiedEntry {
  const {
    id,
    symbol,
    atMs,
    publishedAtMs = atMs,
    direction,
    score,
    isActionable = score >= 50,
    revision = 0,
  } = options;
  return {
    logged_at: new Date(atMs).toISOString(),
    data: {
      id,
      revision,
      status: revision === 0 ? "published" : "revised",
      source: "Demo Wire",
      published_at: new Date(publishedAtMs).toISOString(),
      event: isActionable ? "guidance" : null,
      symbols: [{ symbol }],
      scoring: {
        locked: false,
        actionability: isActionable,
        actionability_score: score,
        sentiment_short: direction,
        sentiment_conviction: 70,
      },
    },
  };
}

function seriesOf(symbol: string, returns: readonly number[]): Series {
  let price = 50;
  const prices = Float64Array.from(returns, (move) => {
    price *= 1 + move;
    return price;
  });
  return { symbol, times: Float64Array.from(returns.keys(), (day) => firstDayMs + day * dayMs), prices };
}

/** Marsaglia's xorshift of 32 bits. */
export function generator(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
