/** Amounts in a sentence, and the meaning of one compared with another. */
import { lexicon } from "../words/lexicon.ts";
import type { Word } from "../words/scan.ts";
import { isSetApart } from "./moves.ts";

const scales: ReadonlyMap<string, number> = new Map([
  ["thousand", 1e3],
  ["k", 1e3],
  ["lakh", 1e5],
  ["lakhs", 1e5],
  ["mn", 1e6],
  ["mln", 1e6],
  ["m", 1e6],
  ["mm", 1e6],
  ["million", 1e6],
  ["crore", 1e7],
  ["crores", 1e7],
  ["cr", 1e7],
  ["bn", 1e9],
  ["bln", 1e9],
  ["b", 1e9],
  ["billion", 1e9],
  ["trillion", 1e12],
]);
const joined = /^(\d+(?:\.\d+)?)(k|m|mn|mln|mm|bn|bln|b|cr)?$/;
export const currencies =
  /^(?:eur|usd|gbp|sek|nok|dkk|chf|inr|rs|jpy|cad|aud|eek|lvl|ltl|rub|pln|euro|euros|dollars|pounds|rupees|kroons)$/;

export interface Amount {
  readonly value: number;
  readonly scaled: boolean;
  /** Word after the amount. */
  readonly after: number;
  readonly percent: boolean;
  readonly bracketed: boolean;
}

const isPercentWord = (words: readonly Word[], at: number): boolean => {
  const word = words[at]?.word;
  return word === "percent" || word === "pct" || (word === "per" && words[at + 1]?.word === "cent");
};

export function amountAt(words: readonly Word[], at: number): Amount | null {
  const word = words[at];
  if (word === undefined || !word.digits) return null;
  const parts = joined.exec(word.word);
  if (parts === null) return null;
  const next = words[at + 1];
  const unit = parts[2] ?? (next !== undefined && scales.has(next.word) ? next.word : null);
  const after = unit !== null && parts[2] === undefined ? at + 2 : at + 1;
  const percent = word.percent || isPercentWord(words, at + 1);
  const money = word.money || currencies.test(words[at - 1]?.word ?? "");
  const value = Number(parts[1]) * (unit === null ? 1 : (scales.get(unit) ?? 1));
  const bracketed = word.bracketed || (money && words[at - 1]?.bracketed === true);
  return { value, scaled: unit !== null || money, after, percent, bracketed };
}

/** A year or a day of the month is no amount. */
export const isDate = ({ value, scaled, percent }: Amount): boolean =>
  !scaled && !percent && ((value >= 1980 && value <= 2099) || Number.isNaN(value));

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

/** Whether two amounts are of one kind: both percentages, or money in like units. */
export const comparable = (a: Amount, b: Amount): boolean =>
  a.percent === b.percent && a.value >= 0 && b.value > 0 && (a.scaled === b.scaled || !b.scaled);

export function judged(now: number, before: number): number {
  const change = (now - before) / Math.abs(before);
  if (Math.abs(change) < 0.015 || Math.abs(change) > 50) return 0;
  return Math.sign(change) * (Math.abs(change) > 0.15 ? 1.8 : 1.3);
}
