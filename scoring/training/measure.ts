import {
  type Bin,
  type ClassMeasures,
  calibrationBins,
  classMeasures,
  sentimentLabels,
} from "../eval/metrics.ts";
import { groupProbabilities, type Heads, Opinions, type Probabilities } from "../src/flash/heads/heads.ts";
import type { Example, Line, Sets } from "./corpus.ts";
import { authorsOf, foldOf, withoutAuthor, withoutPart } from "./folds.ts";
import { trainHeads } from "./heads.ts";

export interface Measured {
  readonly name: string;
  readonly n: number;
  readonly measures: ClassMeasures;
  readonly bins: readonly Bin[];
}

/** What is measured on an author's lines, beside the sign. */
export interface MeasuredAuthor extends Measured {
  /** Of what the author calls actionable. */
  readonly actionF1: number;
  /** Share of the lines with a known kind whose group the group head names. */
  readonly groupRight: number;
  /** Share of the contrast groups in which every line has the right sign. */
  readonly pairsRight: number;
}

interface Guess {
  readonly label: number;
  readonly probabilities: Probabilities;
}

const signOf = (probabilities: Probabilities): number => probabilities.indexOf(Math.max(...probabilities));

function measured(name: string, guesses: readonly Guess[]): Measured {
  const rows = guesses.map(({ label, probabilities }) => ({
    label: sentimentLabels[label] ?? "neutral",
    guess: sentimentLabels[signOf(probabilities)] ?? "neutral",
    confidence: Math.max(...probabilities),
  }));
  return {
    name,
    n: rows.length,
    measures: classMeasures(rows),
    bins: calibrationBins(
      rows.map(({ label, guess, confidence }) => ({ p: confidence, hit: label === guess })),
    ),
  };
}

const guess = <T extends Example>(heads: Heads, examples: readonly T[], isCompanyNews: boolean) =>
  examples.map((example) => ({
    example,
    label: example.label,
    probabilities: new Opinions(heads, example).direction(isCompanyNews),
  }));

function f1(rows: readonly { readonly called: boolean; readonly wanted: boolean }[]): number {
  const right = rows.filter(({ called, wanted }) => called && wanted).length;
  const all = rows.filter(({ called }) => called).length + rows.filter(({ wanted }) => wanted).length;
  return (2 * right) / Math.max(1, all);
}

const share = (rows: readonly boolean[]): number => rows.filter(Boolean).length / Math.max(1, rows.length);

function pairsRight(rows: readonly { readonly pair: string | null; readonly right: boolean }[]): number {
  const pairs = new Map<string, boolean>();
  for (const { pair, right } of rows) if (pair !== null) pairs.set(pair, (pairs.get(pair) ?? true) && right);
  return share([...pairs.values()]);
}

function likeliest(heads: Heads, line: Line): string {
  const probabilities = groupProbabilities(heads, line);
  return heads.groupNames[probabilities.indexOf(Math.max(...probabilities))] ?? "none";
}

function measuredAuthor(name: string, heads: Heads, lines: readonly Line[]): MeasuredAuthor {
  const guesses = guess(heads, lines, true);
  return {
    ...measured(name, guesses),
    actionF1: f1(
      lines.map((line) => ({
        called: new Opinions(heads, line).action >= heads.actionFrom,
        wanted: line.actionable,
      })),
    ),
    groupRight: share(
      lines.filter(({ group }) => group !== null).map((line) => likeliest(heads, line) === line.group),
    ),
    pairsRight: pairsRight(
      guesses.map(({ example, label, probabilities }) => ({
        pair: example.pair,
        right: signOf(probabilities) === label,
      })),
    ),
  };
}

/**
 * Each author's lines judged by heads that were trained without them, as news on a company.
 * @param named only the authors whose name begins so
 */
export const leaveAuthorsOut = (sets: Sets, named = ""): readonly MeasuredAuthor[] =>
  authorsOf(sets.lines)
    .filter((author) => author.startsWith(named))
    .map((author) =>
      measuredAuthor(
        author,
        trainHeads(withoutAuthor(sets, author)),
        sets.lines.filter((line) => line.author === author),
      ),
    );

/** Lines that are in no training set. */
export const measureLines = (heads: Heads, name: string, lines: readonly Line[]): MeasuredAuthor =>
  measuredAuthor(name, heads, lines);

const folds = 5;

/** The public sets, each fifth judged by the rest, as texts of unknown kind. */
export function crossValidated(sets: Sets): readonly Measured[] {
  const parts = Array.from({ length: folds }, (_, index) => {
    const heads = trainHeads(withoutPart(sets, index, folds));
    const tested = (examples: readonly Example[]) => guess(heads, foldOf(examples, index, folds).test, false);
    return { headlines: tested(sets.headlines.examples), tweets: tested(sets.tweets.examples) };
  });
  return [
    measured(
      "headlines, 5-fold",
      parts.flatMap(({ headlines }) => headlines),
    ),
    measured(
      "tweets, 5-fold",
      parts.flatMap(({ tweets }) => tweets),
    ),
  ];
}
