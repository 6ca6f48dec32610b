/** Two bins per octave: a quantile is right to within a fifth. The last bin holds everything from 2^15 ms on. */
const binsPerOctave = 2;
const octaves = 15;
export const latencyBins = binsPerOctave * octaves + 1;

/** The bin of a duration: bin n begins at 2^(n / 2) ms; the first also holds what is shorter than 1 ms. */
export function latencyBin(ms: number): number {
  const bin = Math.floor(Math.log2(Math.max(1, ms)) * binsPerOctave);
  return Math.min(bin, latencyBins - 1);
}

/**
 * @param counts by bin
 * @param share 0..1
 * @returns milliseconds, the middle of its bin; null when nothing was counted
 */
export function latencyQuantile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let below = 0;
  const bin = counts.findIndex((count) => {
    below += count;
    return below >= share * total && count > 0;
  });
  return Math.round(2 ** ((bin + 0.5) / binsPerOctave));
}
