/**
 * The score that older clients read, kept beside direction and conviction.
 * @param shortDirection integer -5..+5
 * @returns 0 (most bearish) .. 10 (most bullish)
 */
export function sentimentScore(shortDirection: number): number {
  return 5 + shortDirection;
}
