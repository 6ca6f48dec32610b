/** Full jitter: a random time up to a bound that doubles with each attempt. */
export const backoffMs = (attempt: number, leastMs: number, mostMs: number) =>
  Math.random() * Math.min(mostMs, leastMs * 2 ** attempt);
