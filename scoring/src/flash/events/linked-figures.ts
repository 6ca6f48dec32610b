/** Figures that words tie to the one that was expected: "EPS 38c vs 41c Est", "$0.45 beats $0.41 estimate", "+0.5% (est +0.3%)". */
import { comparable } from "../words/amounts.ts";
import type { PhraseMatch } from "../words/phrase-index.ts";
import type { Word } from "../words/scan.ts";
import { type Figure, leading, outdoes } from "./figures.ts";

export interface Pair {
  readonly actual: Figure;
  readonly expected: Figure;
  /** The word that marks the figure as expected. */
  readonly mark: number;
}

type Mark = PhraseMatch<true>;

/** Words that set a figure against the next one. */
const setsAgainst = new Set(["vs", "versus", "v", "against", "compared"]);

/** Words between a figure and the word that sets it against the next one; between that word and the next; and up to a mark. */
const reachToLink = 6;
const reachFromLink = 4;
const reachToMark = 2;
/** Two figures of one measure differ by less; "38c" is not compared with "$1.92B". */
const mostTimes = 100;

const partsSentence = (words: readonly Word[], from: number, to: number): boolean => {
  for (let at = from; at <= to; at += 1) if ((words[at]?.gap ?? 0) >= 3) return true;
  return false;
};

export const isAlike = (a: Figure, b: Figure): boolean => {
  const [x, y] = [a.amount.value, b.amount.value];
  return comparable(a.amount, b.amount) && x <= y * mostTimes && y <= x * mostTimes;
};

/** The two ends of a range stand next to each other, or have "to" between them. */
const reachOfRange = 2;

export const isRange = (a: Figure | undefined, b: Figure): a is Figure =>
  a !== undefined && b.at - a.amount.after < reachOfRange && isAlike(a, b);

/** The ends of a forecast lie close together. */
const widest = 2;

/** "from 2.5 to 2.6" is a change, and two figures that a comma parts are two. */
function isForecastRange(words: readonly Word[], a: Figure, b: Figure): boolean {
  const between = words[a.amount.after]?.word ?? "";
  const isOpen = b.at === a.amount.after ? words[b.at]?.gap === 0 : /^(?:to|and)$/.test(between);
  const isChange = words[a.at - 1]?.word === "from";
  return (
    isOpen &&
    !isChange &&
    isRange(a, b) &&
    a.amount.value < b.amount.value &&
    b.amount.value < widest * a.amount.value
  );
}

/** A range as one figure, its middle: "sees EPS $2.50-$2.60, consensus $2.58" is below. */
export function rangesAsOne(words: readonly Word[], figures: readonly Figure[]): readonly Figure[] {
  const joined: Figure[] = [];
  for (const figure of figures) {
    const before = joined.at(-1);
    if (before === undefined || !isForecastRange(words, before, figure)) {
      joined.push(figure);
      continue;
    }
    const value = (before.amount.value + figure.amount.value) / 2;
    joined[joined.length - 1] = {
      ...figure,
      amount: { ...figure.amount, value },
      sign: before.sign ?? figure.sign,
    };
  }
  return joined;
}

/** The word that sets `actual` against `expected`; -1 for none. */
function linkBetween(words: readonly Word[], actual: Figure, expected: Figure): number {
  for (let at = expected.at - 1; at >= actual.amount.after && expected.at - at <= reachFromLink; at -= 1) {
    const word = words[at]?.word ?? "";
    if (setsAgainst.has(word) || outdoes.has(word))
      return at - actual.amount.after <= reachToLink &&
        !partsSentence(words, actual.amount.after, expected.at)
        ? at
        : -1;
  }
  return -1;
}

/** "+0.5% (est +0.3%)": the mark stands right before the expected figure, which follows the other at once. */
function markBetween(
  words: readonly Word[],
  marks: readonly Mark[],
  actual: Figure,
  expected: Figure,
): number {
  const mark = marks.find(
    ({ from, to }) =>
      leading.has(words[from]?.word ?? "") &&
      from >= actual.amount.after &&
      from - actual.amount.after <= reachToMark &&
      to <= expected.at &&
      expected.at - to < reachToMark,
  );
  if (mark === undefined || partsSentence(words, actual.amount.after, expected.at)) return -1;
  return mark.from;
}

/** "35c, est 41c": the mark is that of the figure after it. */
const isOfNext = (words: readonly Word[], { from, to }: Mark): boolean =>
  leading.has(words[from]?.word ?? "") &&
  (words[from]?.gap ?? 0) >= 1 &&
  words.slice(to, to + 2).some(({ digits, gap }, at) => digits && (at === 0 || gap === 0));

/** The mark right after the expected figure, or between the link and the figure: "vs 41c est", "vs consensus of 41c". */
function markOf(words: readonly Word[], marks: readonly Mark[], link: number, expected: Figure): number {
  const { after } = expected.amount;
  const own = marks.find(
    (mark) =>
      (mark.from > link && mark.to <= expected.at) ||
      (mark.from >= after &&
        mark.from - after <= reachToMark &&
        !partsSentence(words, after, mark.from) &&
        !isOfNext(words, mark)),
  );
  return own?.from ?? -1;
}

function pairOf(
  words: readonly Word[],
  marks: readonly Mark[],
  actual: Figure,
  expected: Figure,
): Pair | null {
  if (!isAlike(actual, expected)) return null;
  const link = linkBetween(words, actual, expected);
  const mark = link >= 0 ? markOf(words, marks, link, expected) : markBetween(words, marks, actual, expected);
  return mark < 0 ? null : { actual, expected, mark };
}

/**
 * The pairs of a sentence in their order; each figure is in one. A figure that is set against another without a mark is that of
 * the year before: in "EPS 38c vs 35c, est 41c" nothing is paired.
 */
export function linkedPairs(
  words: readonly Word[],
  figures: readonly Figure[],
  marks: readonly Mark[],
): readonly Pair[] {
  const pairs: Pair[] = [];
  for (let at = 1; at < figures.length; at += 1) {
    const [actual, expected] = [figures[at - 1], figures[at]];
    if (actual === undefined || expected === undefined) continue;
    const pair = pairOf(words, marks, actual, expected);
    if (pair === null) {
      if (linkBetween(words, actual, expected) >= 0) at += 1;
      continue;
    }
    pairs.push(pair);
    at += 1;
  }
  return pairs;
}
