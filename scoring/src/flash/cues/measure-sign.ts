/** The meaning of one amount compared with another. */
import type { Word } from "../words/scan.ts";
import { isSetApart } from "./moves.ts";

function hasRatioAfter(words: readonly Word[], index: number): boolean {
  for (let at = index + 1; at < index + 4; at += 1) {
    const next = words[at];
    if (next !== undefined && next.gap < 2 && next.word === "ratio") return true;
  }
  return false;
}

/**
 * +1 or -1 for a word that names a measure which is good or bad to have more of, else 0. For a ratio the whole counts: more
 * debt to earnings is bad, and most other ratios have no known sign.
 */
export function measureSign(words: readonly Word[], index: number): number {
  const { word = "", info } = words[index] ?? {};
  if (word === "ratio") {
    const parts = words.slice(Math.max(0, index - 4), index);
    return parts.some((part) => part.word === "combined" || (part.info?.noun ?? 0) < 0) ? -1 : 0;
  }
  const noun = info?.noun ?? 0;
  return noun === 0 || isSetApart(words, index) || hasRatioAfter(words, index) ? 0 : noun;
}

export function judged(now: number, before: number): number {
  const change = (now - before) / Math.abs(before);
  if (Math.abs(change) < 0.015 || Math.abs(change) > 50) return 0;
  return Math.sign(change) * (Math.abs(change) > 0.15 ? 1.8 : 1.3);
}
