/** What the next poll of a source depends on. */
export interface PollFacts {
  /** The shortest time between polls, as the operator set it, ms. */
  readonly intervalMs: number;
  /** Typical time between two items, ms; null: not known. */
  readonly typicalGapMs: number | null;
  /** Since its newest item, ms; null: it has none. */
  readonly quietForMs: number | null;
  /** How long the document asks its readers to wait, ms. */
  readonly ttlMs: number | null;
  /** How long HTTP says that the answer stays good, ms. */
  readonly freshForMs: number | null;
}

/** A quiet source is asked less often, but what it says when it speaks is news: at most half as often. */
const mostWhileQuiet = 2;
/** What a source asks for is honoured up to here; many ask for hours out of habit. */
const mostByRequest = 4;
/** Polls for each item that is expected. */
const pollsPerItem = 10;

/** Time until the next poll of a source that answered, ms, before the jitter. */
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
