/** A figure beside the figure that was expected: "CPI rose 0.5% against 0.3% expected", "EPS $1.34 vs. consensus $1.18". */
import type { PhraseMatch } from "../words/phrase-index.ts";
import { hasTwoFigures, type Word } from "../words/scan.ts";
import { expectation, type Figure, figuresOf, leading } from "./figures.ts";
import { isAlike, linkedPairs, type Pair, rangesAsOne } from "./linked-figures.ts";
import { changedViews, formerViews } from "./prior-views.ts";
import { type EventKind, measures, type Proof } from "./table.ts";

/** How far from an amount its mark and its measure are looked for, in words. */
const markReach = 5;
const measureReach = 14;
/** "91.2, consensus 89.7": the figure after such a word is rather the expected one than the figure before it. */
const precedingCost = 2;

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

/** The figures of a sentence that are in no pair, and the one of them that is marked as expected; found once for all measures. */
interface Compared {
  readonly figures: readonly Figure[];
  readonly expected: Expected;
}

type Mark = PhraseMatch<true>;

function comparedIn(
  words: readonly Word[],
  figures: readonly Figure[],
  marks: readonly Mark[],
): Compared | null {
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
      isAlike(figure, expected.figure) &&
      Math.abs(figure.at - measure.from) <= measureReach,
  );
  const actual = near.find(({ at }) => at >= measure.to) ?? near.findLast(({ at }) => at < measure.from);
  return actual === undefined ? null : { actual, expected: expected.figure, mark: expected.mark };
}

function outcome(words: readonly Word[], pair: Pair): EventKind["surprise"] {
  if (saidInLine(words, pair)) return "in_line";
  const { actual, expected } = pair;
  // "Jumps to 11.2; Street had looked for -3": a minus is written where it is meant.
  const sign = actual.sign ?? (expected.isWritten ? 1 : expected.sign) ?? 1;
  const now = actual.amount.value * sign;
  const before = expected.amount.value * (expected.sign ?? sign);
  if (Math.abs(now - before) <= 1e-9 * Math.abs(before)) return "in_line";
  return now > before ? "above" : "below";
}

/** Sums from here on are sales and the like, of which a hundredth more or less is as expected; a cent of earnings is not. */
const largeSum = 1e6;
const hair = 0.01;

/**
 * What surprises nobody in a figure of the economy: a tenth of a point of a survey or of a rate of growth, three in a hundred of a
 * count. Prices and unemployment are watched to the tenth.
 */
const tenth = 0.1001;
const countFrom = 1000;
const hairOfCount = 0.03;
const hairOfRate = 0.06;
const hairOfSurvey = 0.007;
const watched = /^(?:cpi|ppi|wages|unemployment)_/;

function isTenth({ actual, expected }: Pair, kind: EventKind): boolean {
  const before = expected.amount.value;
  const apart = Math.abs(actual.amount.value - before);
  if (before >= countFrom) return apart < hairOfCount * before;
  if (!expected.amount.percent) return apart < tenth || apart < hairOfSurvey * before;
  if (watched.test(kind.name)) return apart < tenth / 2;
  return apart < tenth && apart < hairOfRate * before;
}

const isFaint = (pair: Pair, kind: EventKind): boolean => {
  const [now, before] = [pair.actual.amount.value, pair.expected.amount.value];
  if (kind.group === "economy" && isTenth(pair, kind)) return true;
  return Math.min(now, before) >= largeSum && Math.abs(now - before) < hair * before;
};

/** A count of jobs that is off by half of what was expected, and a rise of prices by a quarter of a point. */
const farOfCount = 0.5;
const farOfPrices = 0.2501;
const ofJobs = /^payrolls_/;
const ofPrices = /^(?:cpi|ppi)_/;

function isFar({ actual, expected }: Pair, { name }: EventKind): boolean {
  const before = Math.abs(expected.amount.value);
  const apart = Math.abs(actual.amount.value - expected.amount.value);
  if (ofJobs.test(name)) return before >= countFrom && apart >= farOfCount * before;
  return ofPrices.test(name) && expected.amount.percent && apart >= farOfPrices;
}

/** "177,000 jobs, about in line with 175,000": the words say what the figures do not. */
const saidInLine = (words: readonly Word[], { actual, expected }: Pair): boolean =>
  words
    .slice(actual.amount.after, expected.at)
    .some(({ word }, at, between) => word === "line" && between[at - 1]?.word === "in");

type MeasureMatch = PhraseMatch<EventKind>;
type Owned = readonly [MeasureMatch, Pair];

/** Words from a measure to a pair: none where it stands between the figures, and fewer before them than after. */
function stepsTo({ actual, expected }: Pair, { from, to }: MeasureMatch): number {
  if (to <= actual.at) return actual.at - to;
  if (from >= expected.amount.after) return 2 * (from - expected.amount.after) + 1;
  return 0;
}

/** Words of expectation are no measure: in "$0.41 estimate, sales $1.92B" nobody estimates sales. */
const isMarked = (pairs: readonly Pair[], { from, to }: MeasureMatch): boolean =>
  pairs.some(({ mark }) => mark >= from && mark < to);

function nearestPair(pairs: readonly Pair[], match: MeasureMatch): Pair | null {
  let best: Pair | null = null;
  let least = measureReach + 1;
  for (const pair of pairs) {
    const steps = stepsTo(pair, match);
    if (steps >= least) continue;
    best = pair;
    least = steps;
  }
  return best;
}

/** The measures of each pair: of those that no other pair is nearer to, the nearest, and those that the same words name. */
function owners(pairs: readonly Pair[], all: readonly MeasureMatch[]): readonly Owned[] {
  const named = all
    .filter((match) => !isMarked(pairs, match))
    .map((match) => ({ match, pair: nearestPair(pairs, match) }));
  return pairs.flatMap((pair) => {
    const own = named.flatMap((found) => (found.pair === pair ? [found.match] : []));
    const [nearest] = own.toSorted((a, b) => stepsTo(pair, a) - stepsTo(pair, b));
    if (nearest === undefined) return [];
    return own
      .filter(({ from, to }) => from < nearest.to && nearest.from < to)
      .map((match): Owned => [match, pair]);
  });
}

/** The measures of the one figure that is compared: those that stand before it, or, where none does, those after it. */
function singles(compared: Compared, all: readonly MeasureMatch[]): readonly Owned[] {
  const found = all.flatMap((match): Owned[] => {
    const pair = pairFor(compared, match);
    return pair === null ? [] : [[match, pair]];
  });
  const leading = found.filter(([{ to }, { actual }]) => to <= actual.at);
  return leading.length > 0 ? leading : found;
}

const longest = 31;

function proofOf(words: readonly Word[], match: MeasureMatch, pair: Pair): readonly PhraseMatch<Proof>[] {
  if (outcome(words, pair) !== match.value.surprise) return [];
  const ends = [match.from, match.to - 1, pair.actual.at, pair.expected.at, pair.mark];
  const from = Math.min(...ends);
  const to = Math.max(...ends) + 1;
  if (to - from > longest) return [];
  const mask = ends.reduce((bits, at) => bits | (1 << (at - from)), 0);
  const value = {
    kind: match.value,
    turned: false,
    faint: isFaint(pair, match.value),
    far: isFar(pair, match.value),
  };
  return [{ value, order: match.order, from, to, mask }];
}

/** "Flash estimate", "as expected": no figure that was expected stands beside these. */
const noMark = new Set("as flash advance first second third final preliminary initial".split(" "));
const isNoMark = (before: string | undefined): boolean => before !== undefined && noMark.has(before);

const views = new Set(["view", "views"]);

/** "EPS $2.09 vs. $1.41 view" has the market's view; "backs FY EPS view" the company's. */
function isOwnView(words: readonly Word[], at: number): boolean {
  if (!views.has(words[at]?.word ?? "")) return false;
  const figure = [1, 2].find((by) => words[at - by]?.digits === true) ?? 0;
  return figure === 0 || !/^(?:vs|versus|v|against)$/.test(words[at - figure - 1]?.word ?? "");
}

export interface Surprises {
  readonly matches: readonly PhraseMatch<Proof>[];
  /** Words [from, to) of figures that were set against the expected ones: no phrase says better how they came out. */
  readonly settled: readonly (readonly [number, number])[];
  /** The same of forecasts that were set against the company's former ones. */
  readonly forecasts: readonly (readonly [number, number])[];
}

const noSurprises: Surprises = { matches: [], settled: [], forecasts: [] };

/** The kinds whose measure stands beside a figure and the expected one, on the side where the figure came out. */
export function surprises(words: readonly Word[]): Surprises {
  if (!hasTwoFigures(words)) return noSurprises;
  const former = formerViews(words);
  const marks = expectation
    .matches(words)
    .filter(
      ({ from, to }) =>
        !isNoMark(words[from - 1]?.word) &&
        !isOwnView(words, from) &&
        !former.some((own) => from < own.to && own.from < to),
    );
  if (marks.length === 0 && former.length === 0) return noSurprises;
  const all = figuresOf(words);
  const changed = former.length === 0 ? [] : changedViews(words, all, former);
  const figures = rangesAsOne(
    words,
    all.filter(({ at }) => !changed.some(({ from, to }) => at >= from && at < to)),
  );
  const pairs = linkedPairs(words, figures, marks);
  const measured = measures.matches(words);
  const owned = owners(pairs, measured);
  const known = new Set(owned.map(([match]) => match));
  const paired = new Set(pairs.flatMap(({ actual, expected }) => [actual, expected]));
  const compared = comparedIn(
    words,
    figures.filter((figure) => !paired.has(figure)),
    marks.filter(({ from }) => !pairs.some(({ mark }) => mark === from)),
  );
  const single =
    compared === null
      ? []
      : singles(
          compared,
          measured.filter((match) => !known.has(match)),
        );
  return {
    matches: [...changed, ...[...owned, ...single].flatMap(([match, pair]) => proofOf(words, match, pair))],
    settled: [...new Set(owned.map(([, pair]) => pair))].map(
      ({ actual, expected }) => [actual.at, expected.amount.after] as const,
    ),
    forecasts: changed.map(({ from, to }) => [from, to] as const),
  };
}
