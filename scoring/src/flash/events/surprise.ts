/** A figure beside the figure that was expected: "CPI rose 0.5% against 0.3% expected", "EPS $1.34 vs. consensus $1.18". */
import { type Amount, amountAt, comparable, isDate } from "../words/amounts.ts";
import { PhraseIndex, type PhraseMatch } from "../words/phrase-index.ts";
import type { Word } from "../words/scan.ts";
import { type EventKind, measures, type Proof } from "./table.ts";

const expectation = new PhraseIndex<true>([
  [
    true,
    `expect|expected|expecting|expectation|expectations|forecast|forecasts|forecasted|consensus|est|ests|estimate|estimates|estimated
     predicted|prediction|poll|polled|projected|projection|projections|street|f'cast|fcast|exp|survey|surveyed|penciled|pencilled
     analysts|economists|market|markets ~2 seen|had|see|saw|looked
     had looked
     pencilled|penciled|priced in`,
  ],
]);

/** "91.2, consensus 89.7": the figure after such a word is the expected one. */
const leading = new Set(
  "consensus poll est ests estimate estimates f'cast fcast forecast survey street exp".split(" "),
);
const precedingCost = 2;

/** Words that make the amount after them, or before them, a fall or a loss. */
const falls = new Set(
  "loss losses lost fell fall falls drop drops dropped decline declines declined contracted contraction shrank shrink shrinks decrease decreased down deficit dipped slipped minus negative".split(
    " ",
  ),
);
const rises = new Set(
  "rose rise rises gain gains gained grew growth up increase increased profit surplus plus".split(" "),
);
const timeSpan = /^(?:days?|weeks?|months?|quarters?|years?|hours?|basis|bps?)$/;

interface Figure {
  readonly amount: Amount;
  readonly at: number;
  /** With the sign that the words beside it give; null when they give none. */
  readonly sign: 1 | -1 | null;
}

/** How far from an amount its sign, its mark and its measure are looked for, in words. */
const signReach = 3;
const markReach = 5;
const measureReach = 14;

function signOf(words: readonly Word[], at: number, after: number, floor: number): 1 | -1 | null {
  const written = words[at]?.sign ?? 0;
  if (written !== 0) return written;
  // "Drops to 46.4": the level, not the fall.
  if (words[at - 1]?.word === "to") return null;
  for (let index = at - 1; index >= Math.max(floor, at - signReach); index -= 1) {
    const word = words[index]?.word ?? "";
    if (falls.has(word)) return -1;
    if (rises.has(word)) return 1;
  }
  const next = words[after]?.word ?? "";
  if (falls.has(next)) return -1;
  return rises.has(next) ? 1 : null;
}

function figuresOf(words: readonly Word[]): readonly Figure[] {
  const figures: Figure[] = [];
  let floor = 0;
  for (let at = 0; at < words.length; at += 1) {
    const amount = amountAt(words, at);
    if (amount === null || isDate(amount) || timeSpan.test(words[amount.after]?.word ?? "")) continue;
    figures.push({ amount, at, sign: signOf(words, at, amount.after, floor) });
    floor = amount.after;
  }
  return figures;
}

/** A clause mark parts a figure from a mark of expectation like so many words: "EPS 0.84; analysts had looked for 0.71". */
const clauseCost = 3;

/** Words between a figure and a mark of an expectation; infinite where a full stop parts them. */
function distance(words: readonly Word[], figure: Figure, from: number, to: number): number {
  const [first, last] = to <= figure.at ? [to, figure.at] : [figure.amount.after, from];
  let marks = 0;
  for (let at = first; at <= last; at += 1) {
    const gap = words[at]?.gap ?? 0;
    if (gap >= 3) return Number.POSITIVE_INFINITY;
    marks += gap === 2 ? clauseCost : gap;
  }
  return Math.max(0, last - first) + marks;
}

interface Expected {
  readonly figure: Figure;
  /** The word that marks it as expected. */
  readonly mark: number;
}

interface Pair {
  readonly actual: Figure;
  readonly expected: Figure;
  readonly mark: number;
}

/** The figures of a sentence, and the one that is marked as expected; found once for all measures. */
interface Compared {
  readonly figures: readonly Figure[];
  readonly expected: Expected;
}

function comparedIn(words: readonly Word[]): Compared | null {
  const marks = expectation.matches(words);
  if (marks.length === 0) return null;
  const figures = figuresOf(words);
  if (figures.length < 2) return null;
  let best: Expected | null = null;
  let least = markReach + 1;
  for (const { from, to } of marks)
    for (const figure of figures) {
      const isBefore = figure.at < from && leading.has(words[from]?.word ?? "");
      const between = distance(words, figure, from, to) + (isBefore ? precedingCost : 0);
      if (between >= least) continue;
      best = { figure, mark: from };
      least = between;
    }
  return best === null ? null : { figures, expected: best };
}

function pairFor({ figures, expected }: Compared, measure: { from: number; to: number }): Pair | null {
  const near = figures.filter(
    (figure) =>
      figure !== expected.figure &&
      comparable(figure.amount, expected.figure.amount) &&
      Math.abs(figure.at - measure.from) <= measureReach,
  );
  const actual = near.find(({ at }) => at >= measure.to) ?? near.findLast(({ at }) => at < measure.from);
  return actual === undefined ? null : { actual, expected: expected.figure, mark: expected.mark };
}

function outcome({ actual, expected }: Pair): EventKind["surprise"] {
  const sign = actual.sign ?? expected.sign ?? 1;
  const now = actual.amount.value * sign;
  const before = expected.amount.value * (expected.sign ?? sign);
  if (Math.abs(now - before) <= 1e-9 * Math.abs(before)) return "in_line";
  return now > before ? "above" : "below";
}

/** The kinds whose measure stands beside a figure and the expected one, on the side where the figure came out. */
export function surprises(words: readonly Word[]): readonly PhraseMatch<Proof>[] {
  if (!words.some(({ digits }) => digits)) return [];
  const compared = comparedIn(words);
  if (compared === null) return [];
  const found: PhraseMatch<Proof>[] = [];
  for (const match of measures.matches(words)) {
    const pair = pairFor(compared, match);
    if (pair === null || outcome(pair) !== match.value.surprise) continue;
    const ends = [match.from, match.to - 1, pair.actual.at, pair.expected.at, pair.mark];
    const from = Math.min(...ends);
    const to = Math.max(...ends) + 1;
    if (to - from > 31) continue;
    const mask = ends.reduce((bits, at) => bits | (1 << (at - from)), 0);
    found.push({ value: { kind: match.value, turned: false }, order: match.order, from, to, mask });
  }
  return found;
}
