import { type Amount, amountAt, comparable, currencies, isDate } from "../words/amounts.ts";
import type { Word } from "../words/scan.ts";
import { judged, measureSign } from "./measure-sign.ts";
import type { RawCue } from "./types.ts";

const linkWords = new Set([
  "from",
  "versus",
  "vs",
  "against",
  "compared",
  "over",
  "than",
  "down",
  "up",
  "while",
]);
const strictLinks = new Set(["versus", "vs", "v", "against", "compared", "opposed"]);
/** Words that may stand between an amount and the word of comparison, or between that word and the second amount. */
const filler = new Set(
  (
    "a an the of in on at for to with from and profit loss net operating pretax pre tax about around some only year years ago earlier previous prior last " +
    "same corresponding comparable comparative period quarter first second third fourth half half-year nine six three twelve months month week " +
    "q1 q2 q3 q4 fy h1 h2 1h 2h was were it which is as result income per share january february march april may june july august " +
    "september october november december approximately nearly over level or before"
  ).split(" "),
);

/** The second amount, within a few filler words after `from`. */
function nextAmount(words: readonly Word[], from: number): { amount: Amount; at: number } | null {
  for (let at = from; at < Math.min(words.length, from + 14); at += 1) {
    const word = words[at];
    if (word === undefined || word.gap >= 3) return null;
    const amount = amountAt(words, at);
    if (amount !== null && !isDate(amount)) {
      if (
        amount.scaled ||
        amount.percent ||
        !/^(?:months?|quarters?|weeks?|years?|q\d)$/.test(words[amount.after]?.word ?? "")
      )
        return { amount, at };
      continue;
    }
    if (amount === null && !filler.has(word.word) && !currencies.has(word.word)) return null;
  }
  return null;
}

/** The word that compares the amount ending before `from` with another: next to it, or after words of time. */
function linkAfter(words: readonly Word[], from: number): number {
  for (let at = from; at < Math.min(words.length, from + 12); at += 1) {
    const word = words[at];
    if (word === undefined || word.gap >= 3) return -1;
    if (at === from ? linkWords.has(word.word) : strictLinks.has(word.word)) return at;
    if ((word.word === "down" || word.word === "up") && words[at + 1]?.word === "from") return at + 1;
    if (word.word === "from" && word.gap <= 1 && at - from <= 6) return at;
    const date = amountAt(words, at);
    const passes =
      filler.has(word.word) ||
      currencies.has(word.word) ||
      (date !== null && isDate(date)) ||
      word.word === "euros";
    if (!passes) return -1;
  }
  return -1;
}

interface Measure {
  readonly sign: number;
  readonly word: Word;
}

function nounBefore(words: readonly Word[], at: number): Measure | null {
  for (let index = at - 1; index >= Math.max(0, at - 12); index -= 1) {
    const word = words[index];
    if (word === undefined || (words[index + 1]?.gap ?? 0) >= 3) return null;
    const noun = measureSign(words, index);
    if (noun !== 0) return { sign: noun, word };
  }
  return null;
}

/** +1 or -1 when the words around the second amount say that it was a profit or a loss, else null. */
function ownSign(
  words: readonly Word[],
  link: number,
  second: { amount: Amount; at: number },
): number | null {
  for (let at = link; at < Math.min(words.length, second.amount.after + 2); at += 1) {
    const word = words[at];
    if (at > second.at && (word?.gap ?? 0) >= 1) return null;
    if (word?.word === "loss" || word?.word === "losses") return -1;
    if (word?.word === "profit" || word?.word === "profits") return 1;
  }
  return null;
}

/** Index of the amount in the round bracket that opens at `from`: "13.1 (8.7)", "0.15 ( profit of 0.10 )"; or -1. */
function bracketedAmount(words: readonly Word[], from: number): number {
  if (words[from]?.bracketed !== true) return -1;
  for (let at = from; at < from + 4; at += 1) {
    const word = words[at];
    if (word === undefined) return -1;
    if (word.digits) return at;
    if (!filler.has(word.word) && !currencies.has(word.word) && word.word !== "loss") return -1;
  }
  return -1;
}

/** Change between the amount at `at` and the one it is compared with; 0 when there is none. */
function comparedAt(
  words: readonly Word[],
  at: number,
  first: Amount,
): { cue: RawCue; resume: number } | null {
  const direct = words[first.after];
  const rising = direct?.word === "to" && (words[at - 1]?.word === "from" || words[at - 2]?.word === "from");
  const opened = bracketedAmount(words, first.after);
  const bracket = opened === -1 ? null : amountAt(words, opened);
  const link = rising ? first.after : linkAfter(words, first.after);
  const second =
    link >= 0
      ? nextAmount(words, link + 1)
      : bracket !== null && first.scaled
        ? { amount: { ...bracket, scaled: first.scaled }, at: opened }
        : null;
  const noun = nounBefore(words, at);
  // "From 68 to 59 percent" gives the unit once.
  const now = rising && second?.amount.percent === true ? { ...first, percent: true } : first;
  if (second === null || noun === null || isDate(second.amount) || !comparable(now, second.amount))
    return null;
  const isResult = noun.word.word === "loss" || noun.word.info?.kind === "profit";
  const from = link >= 0 ? link : first.after;
  const other = isResult ? (ownSign(words, from, second) ?? noun.sign) : noun.sign;
  const a = first.value * noun.sign;
  const b = second.amount.value * other;
  const weight = rising ? judged(b, a) : judged(a, b);
  const end = words[second.amount.after - 1]?.end ?? noun.word.end;
  const cue = {
    start: noun.word.start,
    end,
    weight,
    label: weight === 0 ? "As before" : "Now against before",
    feature: weight === 0 ? "level" : "compare",
    at,
    first: at,
  };
  return { cue, resume: second.amount.after - 1 };
}

/**
 * Now compared with before: "profit of 13.1 mn compared with 8.7 mn", "a profit of 3.1 mn vs a 2.5 mn loss", "sales fell to
 * 90 mn from 95 mn", "from X to Y", "13.1 (8.7)". A change under 1.5% counts as none.
 */
export function comparisonCues(words: readonly Word[]): readonly RawCue[] {
  const found: RawCue[] = [];
  for (let at = 0; at < words.length; at += 1) {
    if (words[at]?.digits !== true) continue;
    const first = amountAt(words, at);
    if (first === null || isDate(first)) continue;
    const compared = comparedAt(words, at, first);
    if (compared === null) continue;
    found.push(compared.cue);
    at = compared.resume;
  }
  return found;
}
