import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Log } from "./log.ts";

export type Labels = Readonly<Record<string, string>>;

/** The value of a metric: one number, or one for each set of labels. */
export type Reading = number | Iterable<readonly [Labels, number]>;
type Read = () => Reading | Promise<Reading>;

/** Counts by the value of one label. */
export function labelled(
  label: string,
  counts: Readonly<Record<string, number>> | ReadonlyMap<string, number>,
): Reading {
  const entries = counts instanceof Map ? [...counts] : Object.entries(counts);
  return entries.map(([value, count]) => [{ [label]: value }, count] as const);
}

/** A metric as docs/metrics.md lists it. */
export interface About {
  /** By the conventions of Prometheus: base units, `_total` for what only rises. */
  readonly name: string;
  readonly help: string;
  /** Their values are few and fixed in the code: never names that callers or operators choose. */
  readonly labels?: readonly string[];
}

/** A metric whose reading takes longer than this is left out of the scrape. */
const readWithinMs = 2_000;

/**
 * The metrics of one service. Its parts count in plain fields, which are read during a scrape, so an unread metric costs
 * nothing. A metric that cannot be read has no value in that scrape; the others still have theirs.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #log: Log;
  #scrape = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All of them, in the text format of Prometheus. */
  text(): Promise<string> {
    this.#scrape += 1;
    return this.#registry.metrics();
  }

  /** @param read returns the count since the process started */
  counter(about: About, read: Read): void {
    const made: Counter = new Counter({
      ...this.#config(about),
      collect: () => this.#refresh(made, about, read),
    });
  }

  gauge(about: About, read: Read): void {
    const made: Gauge = new Gauge({
      ...this.#config(about),
      collect: () => this.#refresh(made, about, read),
    });
  }

  /**
   * @param about buckets: upper bounds
   * @returns makes the recorder of one set of labels, which is called with each value; make it once per set
   */
  histogram(
    about: About & { readonly buckets: readonly number[] },
  ): (labels: Labels) => (value: number) => void {
    const made = new Histogram({ ...this.#config(about), buckets: [...about.buckets] });
    return (labels) => {
      made.zero(labels);
      const child = made.labels(labels);
      return (value) => child.observe(value);
    };
  }

  /** @returns a reader that calls `read` once per scrape, for several metrics with the same origin */
  shared<T>(read: () => T): () => T {
    let kept: { readonly scrape: number; readonly value: T } | null = null;
    return () => {
      if (kept?.scrape !== this.#scrape) kept = { scrape: this.#scrape, value: read() };
      return kept.value;
    };
  }

  #config({ name, help, labels = [] }: About) {
    return { name, help, labelNames: [...labels], registers: [this.#registry] };
  }

  /** Removes the old values in the same turn that sets the new ones, because scrapes may overlap. */
  async #refresh(metric: Counter | Gauge, { name, labels = [] }: About, read: Read): Promise<void> {
    const reading = await this.#reading(name, read);
    metric.reset();
    if (typeof reading === "number") metric.inc(reading);
    else if (reading !== null) for (const [of, value] of reading) metric.inc(of, value);
    // Without labels, reset() leaves a zero, which would be a wrong value.
    else if (labels.length === 0) metric.remove();
  }

  async #reading(name: string, read: Read): Promise<Reading | null> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error("not in time")), readWithinMs);
    try {
      return await Promise.race([read(), late.promise]);
    } catch (error) {
      this.#log.warn({ err: error, metric: name }, "a metric could not be read");
      return null;
    } finally {
      clearTimeout(timer);
    }
  }
}
