/** How far a price usually moved, over spans that are measured as an item's is. */
import { placeAt, type Series } from "./prices.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
const halfDayMs = dayMs / 2;
const weekMs = 7 * dayMs;
/** The usual move comes from as many past spans, and from no fewer than `leastSpans`. */
const mostSpans = 100;
const leastSpans = 20;
/** Offsets whose spans are kept: daily closes have few, prices by the minute hundreds. */
const mostKept = 32;

/** Places of the first and the last price of a move, and the return between them less that of the index. */
export interface Measured {
  readonly base: number;
  readonly end: number;
  readonly abnormal: number;
}

export interface UsualMovesOptions {
  readonly index: Series | null;
  readonly horizonMs: number;
  /** A move from a time on; null: it has none. */
  readonly measure: (startMs: number) => Measured | null;
}

/**
 * A move spans whole steps between prices: after a day, from noon, that is two days of daily closes. So the usual move comes from
 * spans that begin at the item's time of day, and hold as many prices, and the night where the item's does.
 */
export class UsualMoves {
  readonly #times: Float64Array;
  readonly #measure: UsualMovesOptions["measure"];
  readonly #stepMs: number;
  /** Offsets within a step at which a span gets other prices. From one to the next all spans are the same. */
  readonly #offsets: Float64Array;
  /** By the place of the offset, and by `waitOf`. */
  readonly #spans = new Map<number, readonly Spans[]>();

  constructor(series: Series, { index, horizonMs, measure }: UsualMovesOptions) {
    this.#times = series.times;
    this.#measure = measure;
    // Over more than a day the number of prices depends on the weekday too.
    this.#stepMs = horizonMs <= dayMs ? dayMs : Math.ceil(horizonMs / weekMs) * weekMs;
    this.#offsets = offsetsOf(series, index, { horizonMs, stepMs: this.#stepMs });
  }

  /**
   * Root mean square of the moves that had ended by `atMs`.
   * @param base place of the last price known then
   * @returns null: they are too few, or the price never moved
   */
  at(atMs: number, base: number): number | null {
    const place = placeAt(this.#offsets, modulo(atMs, this.#stepMs));
    const spans = this.#spansOf(place);
    const { ends, squares } = spans[waitOf(this.#times, atMs, base)] ?? none;
    const last = placeAt(ends, atMs);
    const count = Math.min(last + 1, mostSpans);
    if (count < leastSpans) return null;
    const sum = (squares[last] ?? 0) - (squares[last - count] ?? 0);
    return sum > 0 ? Math.sqrt(sum / count) : null;
  }

  #spansOf(place: number): readonly Spans[] {
    const known = this.#spans.get(place);
    if (known !== undefined) return known;
    if (this.#spans.size >= mostKept) this.#spans.clear();
    const made = this.#spansFrom(this.#offsets[place] ?? 0);
    this.#spans.set(place, made);
    return made;
  }

  #spansFrom(offsetMs: number): readonly Spans[] {
    const times = this.#times;
    const growing = [new Growing(), new Growing(), new Growing()];
    const firstMs = Math.floor((times[0] ?? 0) / this.#stepMs) * this.#stepMs + offsetMs;
    for (let startMs = firstMs; startMs <= (times.at(-1) ?? 0); startMs += this.#stepMs) {
      const move = this.#measure(startMs);
      if (move !== null) growing[waitOf(times, startMs, move.base)]?.add(move, times[move.end] ?? 0);
    }
    return growing.map((one) => one.done());
  }
}

interface Spans {
  readonly ends: Float64Array;
  /** Sum of the squared moves up to and with each span. */
  readonly squares: Float64Array;
}
const none: Spans = { ends: new Float64Array(), squares: new Float64Array() };

class Growing {
  readonly #ends: number[] = [];
  readonly #squares: number[] = [];
  #lastBase = -1;

  add({ base, abnormal }: Measured, endMs: number): void {
    // Both days of a weekend have one move.
    if (base === this.#lastBase) return;
    this.#lastBase = base;
    this.#ends.push(endMs);
    this.#squares.push((this.#squares.at(-1) ?? 0) + abnormal * abnormal);
  }

  done(): Spans {
    return { ends: Float64Array.from(this.#ends), squares: Float64Array.from(this.#squares) };
  }
}

/**
 * How many half days pass until the next price, up to 2: at one time of day, that tells a weekend from the days before and after
 * it. Only prices of the move itself tell: none that comes after it.
 */
function waitOf(times: Float64Array, startMs: number, base: number): number {
  const waitMs = (times[base + 1] ?? Number.POSITIVE_INFINITY) - startMs;
  return Math.max(0, Math.min(2, Math.ceil(waitMs / halfDayMs) - 1));
}

interface OffsetOptions {
  readonly horizonMs: number;
  readonly stepMs: number;
}

function offsetsOf(series: Series, index: Series | null, { horizonMs, stepMs }: OffsetOptions): Float64Array {
  const found = new Set([0, ...(index === null ? [] : minutesOf(index, stepMs))]);
  // A span that ends at the very time of a price has it; one that ends 1 ms later has the next.
  for (const minute of minutesOf(series, stepMs))
    for (const beforeMs of [0, halfDayMs, dayMs, horizonMs - 1]) found.add(modulo(minute - beforeMs, stepMs));
  return Float64Array.from(found).sort();
}

/** Within a step. A file of trades would have as many as trades, were they not rounded. */
function minutesOf({ times }: Series, stepMs: number): Set<number> {
  const found = new Set<number>();
  for (const time of times) found.add(modulo(Math.floor(time / minuteMs) * minuteMs, stepMs));
  return found;
}

const modulo = (timeMs: number, stepMs: number) => timeMs - Math.floor(timeMs / stepMs) * stepMs;
