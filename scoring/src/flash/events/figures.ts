/** The figures of a sentence with their signs, and the words that mark one of them as expected. */
import { type Amount, amountAt, isDate } from "../words/amounts.ts";
import { PhraseIndex } from "../words/phrase-index.ts";
import type { Word } from "../words/scan.ts";

export const expectation = new PhraseIndex<true>([
  [
    true,
    `expect|expected|expecting|expectation|expectations|forecast|forecasts|forecasted|consensus|est|ests|estimate|estimates|estimated
     predicted|prediction|poll|polled|projected|projection|projections|street|f'cast|fcast|exp|survey|surveyed|penciled|pencilled
     analysts|economists|market|markets ~2 seen|had|see|saw|looked
     had looked
     average|trade guess|guesses
     vs|versus ~3 seen
     trade was|at|looked|saw
     pencilled|penciled|priced in
     view|views`,
  ],
]);

/** Words that stand for what was expected. */
const marks = new Set(
  "consensus estimate estimates est ests forecast forecasts expectations expected street views view analysts".split(
    " ",
  ),
);

/** "91.2, consensus 89.7": the figure after such a word is the expected one. */
export const leading = new Set(
  "consensus poll est ests estimate estimates f'cast fcast forecast survey street exp".split(" "),
);

/** Words that make the amount after them, or before them, a fall or a loss. */
const falls = new Set(
  "loss losses lost lose loses shed sheds fell fall falls drop drops dropped decline declines declined contracted contraction shrank shrink shrinks decrease decreased down deficit dipped slipped minus negative draw drawdown withdrawal plunge plunges plunged slump slumps slumped tumble tumbles tumbled sink sinks sank slide slides slid contracts".split(
    " ",
  ),
);
const rises = new Set(
  "rose rise rises gain gains gained grew growth up increase increased profit surplus plus build injection surge surges surged jump jumps jumped climb climbs climbed soar soars soared leap leaps leapt grow grows expand expands expanded rebounds rebounded".split(
    " ",
  ),
);
const timeSpan = /^(?:days?|weeks?|months?|quarters?|years?|hours?|basis|bps?)$/;

/** "3 months"; in "5.0% month on month" the month is no unit. */
const isTimeSpan = (words: readonly Word[], { percent, after }: Amount): boolean =>
  !percent && timeSpan.test(words[after]?.word ?? "");

export interface Figure {
  readonly amount: Amount;
  readonly at: number;
  /** With the sign that the words beside it give; null when they give none. */
  readonly sign: 1 | -1 | null;
  /** A plus or a minus stands before it. */
  readonly isWritten: boolean;
}

/** "$(0.12)", "($0.12)": a loss as accounts write it. After a figure the bracket has another one: "$0.38 ($0.35)". */
const isLossInBracket = (words: readonly Word[], at: number, { percent, after }: Amount): boolean =>
  words[at]?.bracketed === true &&
  !percent &&
  after === at + 1 &&
  (words[after]?.gap ?? 2) >= 2 &&
  words[at - 1]?.digits !== true &&
  (words[at]?.money === true || words[at]?.word.includes(".") === true);

/** Words that set a figure against the expected one. */
export const outdoes = new Set(
  "beat beats beating top tops topped exceed exceeds exceeded miss misses missed missing trail trails trailed lag lags above below".split(
    " ",
  ),
);

/** Words after an amount that tell how far it is from the expected figure: "3 cents below consensus". */
const apart = new Set(["above", "below", "ahead", "short", "shy", "better", "worse", "more", "less"]);

/** Words after "below" up to the mark, and after the mark up to the expected figure itself. */
const reachToExpected = 3;

/** "3 cents below consensus", "misses by 3 cents": a difference. In "$0.41, below consensus of $0.45" the amount is the figure. */
function isDifference(words: readonly Word[], at: number, after: number): boolean {
  if (words[at - 1]?.word === "by")
    return words.slice(Math.max(0, at - 5), at - 1).some(({ word }) => outdoes.has(word));
  if (!apart.has(words[after]?.word ?? "") || words[after]?.gap !== 0) return false;
  const mark = words.slice(after + 1, after + 1 + reachToExpected).findIndex(({ word }) => marks.has(word));
  if (mark < 0) return false;
  const next = after + 2 + mark;
  return !words.slice(next, next + reachToExpected).some(({ digits, gap }) => digits && gap < 2);
}

/** "3.8 million barrel build": the sign follows the unit. */
const goodsUnits = new Set("barrel barrels bbl bbls bcf bushel bushels tonne tonnes".split(" "));

/** How far from an amount its sign is looked for, in words. */
const signReach = 3;

function signOf(words: readonly Word[], at: number, amount: Amount, floor: number): 1 | -1 | null {
  const written = words[at]?.sign ?? 0;
  if (written !== 0) return written;
  if (isLossInBracket(words, at, amount)) return -1;
  // "Drops to 46.4", "in contraction at 49.8": the level, not the fall.
  if (words[at - 1]?.word === "to" || words[at - 1]?.word === "at") return null;
  for (let index = at - 1; index >= Math.max(floor, at - signReach); index -= 1) {
    const word = words[index]?.word ?? "";
    if (falls.has(word)) return -1;
    if (rises.has(word)) return 1;
  }
  const after = goodsUnits.has(words[amount.after]?.word ?? "") ? amount.after + 1 : amount.after;
  const next = words[after]?.word ?? "";
  if (falls.has(next)) return -1;
  return rises.has(next) ? 1 : null;
}

export function figuresOf(words: readonly Word[]): readonly Figure[] {
  const figures: Figure[] = [];
  let floor = 0;
  for (let at = 0; at < words.length; at += 1) {
    const amount = amountAt(words, at);
    if (amount === null || isDate(amount) || isTimeSpan(words, amount)) continue;
    if (isDifference(words, at, amount.after)) continue;
    figures.push({ amount, at, sign: signOf(words, at, amount, floor), isWritten: words[at]?.sign !== 0 });
    floor = amount.after;
  }
  return figures;
}
