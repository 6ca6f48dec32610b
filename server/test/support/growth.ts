const sizes = [25_000, 100_000] as const;
const tries = 5;
/** Between the 4 of linear growth and the 16 of quadratic. */
const mostGrowth = 8;
/** Processor time is counted in steps of some milliseconds on many a machine. */
const tickUs = 4_000;

/**
 * Whether a function's time grows no faster than its text: by ratios of the least processor time of some tries at two
 * lengths, since a busy machine, and a compiler that comes late, only add to it.
 * @param piece repeated to the length
 */
export function growsLinearly(work: (text: string) => unknown, piece: string): boolean {
  const [small, large] = sizes.map((size) => ({
    text: piece.repeat(Math.ceil(size / piece.length)),
    bestUs: Number.POSITIVE_INFINITY,
  }));
  if (small === undefined || large === undefined) return false;
  for (let n = 0; n < tries; n++) {
    for (const one of [small, large]) {
      const before = process.threadCpuUsage();
      work(one.text);
      const { user, system } = process.threadCpuUsage(before);
      one.bestUs = Math.min(one.bestUs, Math.max(tickUs, user + system));
    }
    // One good pair is proof: nothing makes a long text faster than it is.
    if (n > 0 && large.bestUs < mostGrowth * small.bestUs) return true;
  }
  return false;
}
