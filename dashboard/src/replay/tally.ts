import type { ReplayEntry } from "../core/types.ts";
import type { Stretch } from "./ahead.ts";

const mostBuckets = 120;
const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const sizesMs = [
  secondMs,
  5 * secondMs,
  15 * secondMs,
  minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  hourMs,
  6 * hourMs,
  24 * hourMs,
];

interface Bucket {
  items: number;
  actionable: number;
  scored: number;
  directions: number;
}

/** Counts what a replay has shown so far, over the whole of its stretch. */
export class Tally {
  /** Length of a bucket, in ms. */
  readonly bucketMs: number;
  readonly #firstMs: number;
  readonly #buckets: Bucket[];
  items = 0;
  actionable = 0;

  constructor({ fromMs, toMs }: Stretch) {
    const spanMs = Math.max(secondMs, toMs - fromMs);
    this.bucketMs =
      sizesMs.find((size) => spanMs / size <= mostBuckets) ??
      Math.ceil(spanMs / mostBuckets / hourMs) * hourMs;
    this.#firstMs = Math.floor(fromMs / this.bucketMs) * this.bucketMs;
    const count = Math.ceil((toMs - this.#firstMs) / this.bucketMs) + 1;
    this.#buckets = Array.from({ length: count }, () => ({
      items: 0,
      actionable: 0,
      scored: 0,
      directions: 0,
    }));
  }

  add(entries: readonly ReplayEntry[]): void {
    for (const { logged_at, data } of entries) {
      const bucket = this.#buckets[Math.floor((Date.parse(logged_at) - this.#firstMs) / this.bucketMs)];
      if (bucket === undefined) continue;
      const { actionability, sentiment_short } = data.scoring;
      const isActionable = actionability === true ? 1 : 0;
      bucket.items++;
      bucket.actionable += isActionable;
      this.items++;
      this.actionable += isActionable;
      if (sentiment_short === null) continue;
      bucket.scored++;
      bucket.directions += sentiment_short;
    }
  }

  /** Starts of the buckets, in seconds. */
  get times(): readonly number[] {
    return this.#buckets.map((_, at) => (this.#firstMs + at * this.bucketMs) / 1_000);
  }
  get counts(): readonly number[] {
    return this.#buckets.map(({ items }) => items);
  }
  get actionables(): readonly number[] {
    return this.#buckets.map(({ actionable }) => actionable);
  }
  /** Mean short direction; null where nothing was scored. */
  get means(): readonly (number | null)[] {
    return this.#buckets.map(({ scored, directions }) => (scored === 0 ? null : directions / scored));
  }
}
