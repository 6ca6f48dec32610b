import { type Amount, amountAt, comparable, isDate } from "../words/amounts.ts";
import { PhraseIndex, type PhraseMatch } from "../words/phrase-index.ts";
import type { Word } from "../words/scan.ts";
import { judged, measureSign } from "./measure-sign.ts";
import type { RawCue } from "./types.ts";

type Time = "then" | "now";

/** Words that say when the amount beside them was true. */
const times = new PhraseIndex<Time>([
  [
    "then",
    `year|years|month|months|quarter|quarters ago|earlier|before|previously
     last|previous|prior|preceding|foregoing year|quarter|month|period|season|autumn|spring|summer|winter
     same|corresponding|comparable|comparison|comparative|reference ~1 period|quarter|months|month|time|figure|number|year
     having|had been
     used to be
     ^ compared|against|from
     earlier view|forecast|estimate|guidance|target`,
  ],
  ["now", "year|years|quarter|months later"],
]);

interface Placed {
  readonly amount: Amount;
  readonly at: number;
}

const timeSpan = /^(?:days?|weeks?|months?|quarters?|years?|hours?)$/;

const isMotion = (word: Word | undefined): boolean => (word?.info?.move ?? 0) !== 0;

function amountsIn(words: readonly Word[]): readonly Placed[] {
  const found: Placed[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const amount = amountAt(words, at);
    if (amount === null || isDate(amount) || timeSpan.test(words[amount.after]?.word ?? "")) continue;
    // After "by" and "up", as in "by 3 million" and "up 62%", the amount is the change itself.
    const before = words[at - 1];
    const isChange =
      before?.word === "by" || words[at - 2]?.word === "by" || (amount.percent && isMotion(before));
    if (!isChange) found.push({ amount, at });
  }
  return found;
}

interface Measure {
  readonly sign: number;
  readonly index: number;
}

function measureIn(words: readonly Word[], from: number, to: number): Measure | null {
  for (let index = to - 1; index >= from; index -= 1) {
    const sign = measureSign(words, index);
    if (sign !== 0) return { sign, index };
  }
  return null;
}

const leadIn = new Set([
  "a",
  "the",
  "one",
  "in",
  "some",
  "twelve",
  "six",
  "nine",
  "three",
  "two",
  "which",
  "for",
  "of",
]);

/** "; twelve months ago": whether the mark, with its small words, begins a clause. */
function opensClause(words: readonly Word[], from: number): boolean {
  let at = from;
  while (at > 0 && from - at < 3 && (words[at]?.gap ?? 0) === 0 && leadIn.has(words[at - 1]?.word ?? ""))
    at -= 1;
  return at === 0 || (words[at]?.gap ?? 0) >= 1;
}

/** Which of two amounts a mark belongs to: the next one if the mark begins a clause, else the one before it. */
function ownerOf({ from, to }: PhraseMatch<Time>, words: readonly Word[], pair: readonly [Placed, Placed]) {
  const before = pair.findLast(({ at }) => at < from);
  const after = pair.find(({ at }) => at >= to);
  const opens = opensClause(words, from);
  return after !== undefined && (opens || before === undefined) ? after : before;
}

/**
 * Two amounts of one measure, one of which words of time mark as the earlier: "EPS: 0.56; a year ago: 0.41", "the occupancy,
 * 71% a year before, was only 58%". Null when a second measure stands between them.
 */
export function thenAndNowCue(words: readonly Word[]): RawCue | null {
  const amounts = amountsIn(words);
  for (const percent of [false, true]) {
    const [first, second, ...more] = amounts.filter(({ amount }) => amount.percent === percent);
    if (first === undefined || second === undefined || more.length > 0) continue;
    if (!comparable(first.amount, second.amount)) continue;
    const [mark] = times.matches(words);
    if (mark === undefined) return null;
    const leading = measureIn(words, 0, first.at);
    const between = measureIn(words, first.amount.after, second.at);
    const measure = leading ?? between;
    if (measure === null || (leading !== null && between !== null)) continue;
    const owner = ownerOf(mark, words, [first, second]);
    if (owner === undefined) continue;
    const earlier = (owner === first) === (mark.value === "then") ? first : second;
    const later = earlier === first ? second : first;
    const weight = measure.sign * judged(later.amount.value, earlier.amount.value);
    if (weight === 0) continue;
    const begin = Math.min(measure.index, first.at);
    return {
      start: words[begin]?.start ?? 0,
      end: words[second.amount.after - 1]?.end ?? words[second.at]?.end ?? 0,
      weight,
      label: "Now against before",
      feature: "compare",
      at: first.at,
      first: begin,
    };
  }
  return null;
}
