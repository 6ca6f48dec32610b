/** When a source is polled next: after an answer, and after a failure. */
import { backoffMs } from "../../runtime/backoff.ts";

/** What the next poll of a source depends on. */
export interface PollFacts {
  /** The shortest time between polls, as the operator set it, ms. */
  readonly intervalMs: number;
  /** Typical time between two items, ms; null: unknown. */
  readonly typicalGapMs: number | null;
  /** Time since its newest item, ms; null: it has none. */
  readonly quietForMs: number | null;
  /** How long the document asks its readers to wait, ms. */
  readonly ttlMs: number | null;
  /** How long the answer stays fresh by HTTP, ms. */
  readonly freshForMs: number | null;
}

/** A quiet source is polled less often, but at most half as often, since its next item is news. */
const mostWhileQuiet = 2;
/** The longest wait at a source's own request, in intervals; many ask for hours out of habit. */
const mostByRequest = 4;
/** Polls per expected item. */
const pollsPerItem = 10;

/** Time until the next poll of a source that answered, ms, without the jitter. */
export function pollIntervalMs({
  intervalMs,
  typicalGapMs,
  quietForMs,
  ttlMs,
  freshForMs,
}: PollFacts): number {
  const expectedMs = Math.min(typicalGapMs ?? Number.POSITIVE_INFINITY, quietForMs ?? 0) / pollsPerItem;
  const whileQuietMs = Math.min(expectedMs, mostWhileQuiet * intervalMs);
  const byRequestMs = Math.min(Math.max(ttlMs ?? 0, freshForMs ?? 0), mostByRequest * intervalMs);
  return Math.max(intervalMs, whileQuietMs, byRequestMs);
}

const firstBackoffMs = 30_000;
const longestBackoffMs = 3_600_000;

/** Time until the next try of a source that failed, ms. A source with a short interval is tried again soon. */
export function retryIntervalMs(intervalMs: number, failures: number): number {
  return backoffMs(failures, { baseMs: Math.min(firstBackoffMs, 2 * intervalMs), maxMs: longestBackoffMs });
}
