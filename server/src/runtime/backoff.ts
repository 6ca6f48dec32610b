/**
 * Delay before the next try: doubles per failure, capped, with 20 % jitter either way, so that many waiting at once do
 * not return at once.
 * @param failures failures in a row, 1 or more
 * @param random 0..1
 */
export function backoffMs(
  failures: number,
  { baseMs, maxMs }: { baseMs: number; maxMs: number },
  random = Math.random(),
): number {
  const doubled = Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 30));
  return Math.round(doubled * (0.8 + 0.4 * random));
}
