/** How a price moved after an item, and how far it usually moves in as long. */
import { type Prices, placeAt, type Series } from "./prices.ts";

const dayMs = 86_400_000;
/** Longer than a weekend with a holiday on each side. */
const mostGapMs = 5 * dayMs;
/** The usual move comes from as many past windows, and from no fewer than `leastWindows`. */
const mostWindows = 100;
const leastWindows = 20;

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

export type NoMove = "no price before" | "no price after";

/** The moves of one symbol over one horizon. */
export class SymbolMoves {
  readonly #series: Series;
  readonly #index: Series | null;
  readonly #horizonMs: number;
  /** Where the horizon must end for the last price to stand for it; null: the prices of the symbol go on. */
  readonly #delistedUntilMs: number | null;
  readonly #windows: Windows;

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
    this.#windows = windowsOf(series, { index, horizonMs });
  }

  /** @param atMs when the item was logged (Unix time, ms): nothing that was known later decides where the move begins */
  after(atMs: number): Move | NoMove {
    const { times } = this.#series;
    const base = placeAt(times, atMs);
    if (base < 0 || atMs - (times[base] ?? 0) > mostGapMs) return "no price before";
    const endMs = atMs + this.#horizonMs;
    const next = firstAt(times, endMs);
    const isDelisted =
      next === null &&
      base < times.length - 1 &&
      this.#delistedUntilMs !== null &&
      endMs <= this.#delistedUntilMs;
    const end = isDelisted ? times.length - 1 : next;
    if (end === null || (times[end] ?? 0) - endMs > mostGapMs) return "no price after";
    const abnormal = abnormalReturn(this.#series, this.#index, { base, end, atMs });
    if (abnormal === null) return "no price before";
    const usual = usualMove(this.#windows, atMs);
    return { abnormal, size: usual === null ? null : Math.abs(abnormal) / usual, isDelisted, base, end };
  }
}

function firstAt(times: Float64Array, atMs: number): number | null {
  const before = placeAt(times, atMs);
  const at = before >= 0 && times[before] === atMs ? before : before + 1;
  return at < times.length ? at : null;
}

interface Span {
  readonly base: number;
  readonly end: number;
  /** The index is read at the item, and not at a price before it that may be older. */
  readonly atMs: number;
}

/** null: the index has no price at the beginning. */
function abnormalReturn(
  { times, prices }: Series,
  index: Series | null,
  { base, end, atMs }: Span,
): number | null {
  const own = (prices[end] ?? 0) / (prices[base] ?? 1) - 1;
  if (index === null) return own;
  const from = placeAt(index.times, atMs);
  const to = placeAt(index.times, times[end] ?? 0);
  if (from < 0) return null;
  return own - ((index.prices[to] ?? 0) / (index.prices[from] ?? 1) - 1);
}

/** Windows of the horizon's length that follow one another, as an item would be measured: nights and weekends are in some. */
interface Windows {
  readonly ends: Float64Array;
  /** Sum of the squared abnormal returns up to and with each window. */
  readonly squares: Float64Array;
}

function windowsOf(
  series: Series,
  { index, horizonMs }: { index: Series | null; horizonMs: number },
): Windows {
  const { times } = series;
  const ends: number[] = [];
  const squares: number[] = [];
  let sum = 0;
  for (let base = 0; base < times.length; ) {
    const atMs = times[base] ?? 0;
    const end = firstAt(times, atMs + horizonMs);
    if (end === null) break;
    const move = abnormalReturn(series, index, { base, end, atMs });
    if (move !== null && (times[end] ?? 0) - atMs - horizonMs <= mostGapMs) {
      sum += move * move;
      ends.push(times[end] ?? 0);
      squares.push(sum);
    }
    base = end;
  }
  return { ends: Float64Array.from(ends), squares: Float64Array.from(squares) };
}

/** Root mean square of the moves that had ended by `atMs`; null: they are too few, or the price never moved. */
function usualMove({ ends, squares }: Windows, atMs: number): number | null {
  const last = placeAt(ends, atMs);
  const count = Math.min(last + 1, mostWindows);
  if (count < leastWindows) return null;
  const sum = (squares[last] ?? 0) - (squares[last - count] ?? 0);
  return sum > 0 ? Math.sqrt(sum / count) : null;
}
