/** Amounts of a sentence, with their units. */
import type { Word } from "./scan.ts";

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
  ["c", 0.01],
  ["¢", 0.01],
  ["p", 0.01],
  ["cent", 0.01],
  ["cents", 0.01],
  ["pence", 0.01],
]);
const joined = /^(\d+(?:\.\d+)?)(k|m|mn|mln|mm|bn|bln|b|cr|c|¢|p)?$/;
export const currencies: ReadonlySet<string> = new Set(
  "eur usd gbp sek nok dkk chf inr rs jpy cad aud eek lvl ltl rub pln euro euros dollars pounds rupees kroons".split(
    " ",
  ),
);

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** The figure and the unit of "3.5bn"; null for "3rd" and "1-2". */
function figureAndUnit(word: string): readonly [number, string | undefined] | null {
  let end = 0;
  while (isDigit(word.charCodeAt(end))) end += 1;
  if (word.charCodeAt(end) === 46)
    do end += 1;
    while (isDigit(word.charCodeAt(end)));
  // Figures without a unit are nearly all.
  if (end === word.length && isDigit(word.charCodeAt(0)) && isDigit(word.charCodeAt(end - 1)))
    return [Number(word), undefined];
  const parts = joined.exec(word);
  return parts === null ? null : [Number(parts[1]), parts[2]];
}

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
  const parts = figureAndUnit(word.word);
  if (parts === null) return null;
  const [figure, joinedUnit] = parts;
  const next = words[at + 1];
  // "+0.1% m/m" is a change within a month, no million.
  const scale = next !== undefined && !word.percent && scales.has(next.word) ? next.word : null;
  const unit = joinedUnit ?? scale;
  const after = unit !== null && joinedUnit === undefined ? at + 2 : at + 1;
  const percent = word.percent || isPercentWord(words, at + 1);
  const money = word.money || currencies.has(words[at - 1]?.word ?? "");
  const value = figure * (unit === null ? 1 : (scales.get(unit) ?? 1));
  const bracketed = word.bracketed || (money && words[at - 1]?.bracketed === true);
  return { value, scaled: unit !== null || money, after, percent, bracketed };
}

/** A year or a day of the month is no amount. */
export const isDate = ({ value, scaled, percent }: Amount): boolean =>
  !scaled && !percent && ((value >= 1980 && value <= 2099) || Number.isNaN(value));

/** Whether two amounts are of one kind: both percentages, or money in like units. */
export const comparable = (a: Amount, b: Amount): boolean =>
  a.percent === b.percent && a.value >= 0 && b.value > 0 && (a.scaled === b.scaled || !b.scaled);
