/** How a price moved after an item, and how far it usually moves in as long. */
import { type Prices, placeAt, type Series } from "./prices.ts";
import { type Measured, UsualMoves } from "./usual-moves.ts";

const dayMs = 86_400_000;
/** Longer than a weekend with a holiday on each side. */
const mostGapMs = 5 * dayMs;

export interface Move {
  /** Return from the last price known at the item to the first one after the horizon, less that of the index. */
  readonly abnormal: number;
  /** Absolute `abnormal` in units of the usual move before the item; null: too little is known of the time before it. */
  readonly size: number | null;
  /** The prices of the symbol ended for good within the horizon: the last one stands for the end. */
  readonly isDelisted: boolean;
  /** Places of the first and the last price among those of the symbol. */
  readonly base: number;
  readonly end: number;
}

export type NoMove = "no price before" | "no price after" | "long pause" | "no index price";

interface Span {
  /** What is measured begins here: an item, or as many days before one. */
  readonly startMs: number;
  readonly base: number;
  readonly end: number;
}

/** The moves of one symbol over one horizon. */
export class SymbolMoves {
  readonly #series: Series;
  readonly #index: Series | null;
  readonly #horizonMs: number;
  /** Where the horizon must end for the last price to stand for it; null: the prices of the symbol go on. */
  readonly #delistedUntilMs: number | null;
  readonly #usual: UsualMoves;

  /** @param index the market, whose moves are subtracted; null: none */
  constructor(
    series: Series,
    { index, horizonMs, prices }: { index: Series | null; horizonMs: number; prices: Prices },
  ) {
    this.#series = series;
    this.#index = index;
    this.#horizonMs = horizonMs;
    // A stock has no price at a weekend, when a coin in the same file has: only a longer silence says that it is gone.
    const isGone = prices.lastMs - (series.times.at(-1) ?? 0) > mostGapMs;
    this.#delistedUntilMs = isGone ? prices.lastMs : null;
    this.#usual = new UsualMoves(series, { index, horizonMs, measure: (startMs) => this.#measured(startMs) });
  }

  /** @param atMs when the item was logged (Unix time, ms): nothing that was known later decides where the move begins */
  after(atMs: number): Move | NoMove {
    const { times } = this.#series;
    const reached = this.#spanFrom(atMs);
    const isDelisted = reached === "no price after" && this.#isDelistedWithin(atMs);
    const span = isDelisted ? { startMs: atMs, base: placeAt(times, atMs), end: times.length - 1 } : reached;
    if (typeof span === "string") return span;
    const abnormal = abnormalReturn(this.#series, this.#index, span);
    if (abnormal === null) return "no index price";
    const usual = this.#usual.at(atMs, span.base);
    const { base, end } = span;
    return { abnormal, size: usual === null ? null : Math.abs(abnormal) / usual, isDelisted, base, end };
  }

  #spanFrom(startMs: number): Span | NoMove {
    const { times } = this.#series;
    const base = placeAt(times, startMs);
    if (base < 0 || startMs - (times[base] ?? 0) > mostGapMs) return "no price before";
    const endMs = startMs + this.#horizonMs;
    const end = firstAt(times, endMs);
    if (end === null) return "no price after";
    return (times[end] ?? 0) - endMs > mostGapMs ? "long pause" : { startMs, base, end };
  }

  #isDelistedWithin(atMs: number): boolean {
    const hasLaterPrice = (this.#series.times.at(-1) ?? 0) > atMs;
    return hasLaterPrice && this.#delistedUntilMs !== null && atMs + this.#horizonMs <= this.#delistedUntilMs;
  }

  #measured(startMs: number): Measured | null {
    const span = this.#spanFrom(startMs);
    if (typeof span === "string") return null;
    const abnormal = abnormalReturn(this.#series, this.#index, span);
    return abnormal === null ? null : { base: span.base, end: span.end, abnormal };
  }
}

function firstAt(times: Float64Array, atMs: number): number | null {
  const before = placeAt(times, atMs);
  const at = before >= 0 && times[before] === atMs ? before : before + 1;
  return at < times.length ? at : null;
}

/** null: the index has no price of the last days at the beginning or at the end. */
function abnormalReturn(
  { times, prices }: Series,
  index: Series | null,
  { startMs, base, end }: Span,
): number | null {
  const own = (prices[end] ?? 0) / (prices[base] ?? 1) - 1;
  if (index === null) return own;
  // At the item, and not at a price before it that may be older.
  const from = priceKnownAt(index, startMs);
  const to = priceKnownAt(index, times[end] ?? 0);
  return from === null || to === null ? null : own - (to / from - 1);
}

function priceKnownAt({ times, prices }: Series, atMs: number): number | null {
  const place = placeAt(times, atMs);
  return place < 0 || atMs - (times[place] ?? 0) > mostGapMs ? null : (prices[place] ?? null);
}
