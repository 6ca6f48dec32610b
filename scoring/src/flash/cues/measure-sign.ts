/** The meaning of one amount compared with another. */
import { lexicon } from "../words/lexicon.ts";
import type { Word } from "../words/scan.ts";
import { isSetApart } from "./moves.ts";

/**
 * +1 or -1 for a word that names a measure which is good or bad to have more of, else 0. For a ratio the whole counts: more
 * debt to earnings is bad, and most other ratios have no known sign.
 */
export function measureSign(words: readonly Word[], index: number): number {
  const word = words[index]?.word ?? "";
  if (word === "ratio") {
    const parts = words.slice(Math.max(0, index - 4), index);
    return parts.some(({ word: part }) => part === "combined" || (lexicon.get(part)?.noun ?? 0) < 0) ? -1 : 0;
  }
  const ratioNear = words
    .slice(index + 1, index + 4)
    .some(({ word: next, gap }) => next === "ratio" && gap < 2);
  return ratioNear || isSetApart(words, index) ? 0 : (lexicon.get(word)?.noun ?? 0);
}

export function judged(now: number, before: number): number {
  const change = (now - before) / Math.abs(before);
  if (Math.abs(change) < 0.015 || Math.abs(change) > 50) return 0;
  return Math.sign(change) * (Math.abs(change) > 0.15 ? 1.8 : 1.3);
}
