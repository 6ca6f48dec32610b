import type { Filter } from "@tapewire/contract/filter.ts";
import { tagDimensions } from "@tapewire/contract/tags.ts";
import { isCopy, type Term, type TermKind, termGroups, termsOf } from "../filter.ts";
import type { FeedItem } from "../item.ts";
import { listKey } from "../list-key.ts";
import { titleWords, wordNumbers } from "../title-words.ts";
import type { TermSets, WindowEntry } from "./types.ts";

/** The members that filters use beside terms and time. null: not judged, so no score filter matches. */
export interface Judgement {
  readonly actionability: boolean | null;
  readonly sentiment: number | null;
  /** sentiment_conviction and actionability_score, 0..100. */
  readonly conviction: number | null;
  readonly score: number | null;
  readonly copy: boolean;
}

/** Numbers of values that are not words; those of words follow. */
const actionable = { no: 0, yes: 1 } as const;
const original = 2;
const firstSentiment = 3;
const sentiments = 11;
/** Of conviction and of the actionability score, each. */
const percents = 101;
const firstConviction = firstSentiment + sentiments;
const firstScore = firstConviction + percents;
/** The numbers of scores, and of "first of its story", are below it. */
export const firstWord = firstScore + percents;

/** The axes of scores. actionability_score: in bins of ten. */
const scoreAxes = {
  actionability: { from: actionable.no, to: actionable.yes + 1 },
  actionability_score: { from: firstScore, to: firstScore + percents },
  sentiment: { from: firstSentiment, to: firstSentiment + sentiments },
} as const;
type ScoreAxis = keyof typeof scoreAxes;

/** The axes by whose values items are counted. ticker: symbols without their exchange. */
export const countAxes = [
  "aggregator",
  "ticker",
  "exchange",
  "actionability",
  "actionability_score",
  "sentiment",
  "event",
  ...tagDimensions,
] as const satisfies readonly (TermKind | "ticker" | ScoreAxis)[];
export type CountAxis = (typeof countAxes)[number];

const sentimentNumbers = numbersFrom(firstSentiment, 0, sentiments - 1);

/** The terms that tell what counts say of an item's scores. */
export const judgementTerms = {
  actionable: [actionable.yes],
  scored: sentimentNumbers,
  /** For each binary digit of the sentiment, lowest first, the terms of the sentiments that have it. */
  sentimentBits: [0, 1, 2, 3].map((bit) =>
    sentimentNumbers.filter((number) => (((number - firstSentiment) >> bit) & 1) === 1),
  ),
} as const;

/**
 * Numbers for the values that filters look for. The scores and "first of its story" have numbers like all other
 * values, so that a filter without its time bounds is a list of sets. Values are never forgotten: there are as many
 * as the table of terms has.
 */
export class WindowTerms {
  readonly #numbers = new Map<string, number>();
  /** The term of each number from `firstWord` on. */
  readonly #words: Term[] = [];
  /** How often each value was seen: the rarest set of a filter is looked up first. */
  readonly #seen: number[] = Array.from({ length: firstWord }, () => 0);

  get size(): number {
    return this.#numbers.size;
  }

  numberOf(term: Term): number {
    const { kind, value } = term;
    const key = `${kind}:${value}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const made = firstWord + this.#numbers.size;
    this.#numbers.set(key, made);
    this.#words.push(term);
    return made;
  }

  entryOf(item: FeedItem): WindowEntry {
    const { scoring } = item;
    const words = termsOf(item).map((term) => this.numberOf(term));
    return {
      seq: item.seq,
      key: listKey(Date.parse(item.published_at), item.id),
      terms: this.numbersOf(words, {
        actionability: scoring.actionability,
        sentiment: scoring.sentiment_score,
        conviction: scoring.sentiment_conviction,
        score: scoring.actionability_score,
        copy: isCopy(item),
      }),
      title: wordNumbers(titleWords(item)),
    };
  }

  /** All numbers of an item. @param words the numbers of its terms */
  numbersOf(words: readonly number[], judgement: Judgement): number[] {
    const numbers = [...words, ...judgementNumbers(judgement)];
    for (const number of numbers) this.#seen[number] = (this.#seen[number] ?? 0) + 1;
    return numbers;
  }

  /** For each number whether it is a value of the axis: 1 or 0. */
  valuesOf(axis: CountAxis): Uint8Array {
    const found = new Uint8Array(firstWord + this.#words.length);
    if (isOfScores(axis)) return found.fill(1, scoreAxes[axis].from, scoreAxes[axis].to);
    const wanted = axis === "ticker" ? "symbol" : axis;
    for (const [at, { kind, value }] of this.#words.entries())
      if (kind === wanted && !(axis === "ticker" && value.includes(":"))) found[firstWord + at] = 1;
    return found;
  }

  /** The term that has the number; null: it is one of scores. */
  termOf(number: number): Term | null {
    return this.#words[number - firstWord] ?? null;
  }

  /** The filter without its time bounds; null: no item ever had any of the values of one axis. */
  setsOf(filter: Filter): TermSets | null {
    const sets = [...judgementSets(filter), ...termGroups(filter).map((group) => this.#known(group))];
    if (sets.some((set) => set.length === 0)) return null;
    return sets
      .map((set) => ({ set, seen: set.reduce((sum, number) => sum + (this.#seen[number] ?? 0), 0) }))
      .sort((x, y) => x.seen - y.seen)
      .map(({ set }) => set);
  }

  #known({ kind, values }: ReturnType<typeof termGroups>[number]): number[] {
    return values.flatMap((value) => this.#numbers.get(`${kind}:${value}`) ?? []).sort((x, y) => x - y);
  }
}

export const isOfScores = (axis: string): axis is ScoreAxis => axis in scoreAxes;

/** The numbers [from, to) of the axis. */
export const scoreNumbers = (axis: ScoreAxis): { readonly from: number; readonly to: number } =>
  scoreAxes[axis];

/** A score of 100 is in the bin of 90. */
const lastBin = 90;

/** The numbers of scores that are counted as one with this one: its own, or those of its bin. */
export function countedWith(number: number): readonly number[] {
  if (number < firstScore) return [number];
  const least = Math.min(lastBin, 10 * Math.floor((number - firstScore) / 10));
  return numbersFrom(firstScore, least, least === lastBin ? percents - 1 : least + 9);
}

/** The value that a number of such an axis stands for, as text; of a bin the number of its least score. */
export function judgementText(number: number): string {
  if (number <= actionable.yes) return String(number === actionable.yes);
  return String(number - (number < firstScore ? firstSentiment : firstScore));
}

/** The numbers of an item's scores. */
export function judgementNumbers({ actionability, sentiment, conviction, score, copy }: Judgement): number[] {
  const numbers: number[] = [];
  if (actionability !== null) numbers.push(actionability ? actionable.yes : actionable.no);
  if (sentiment !== null) numbers.push(firstSentiment + sentiment);
  if (conviction !== null) numbers.push(firstConviction + conviction);
  if (score !== null) numbers.push(firstScore + score);
  if (!copy) numbers.push(original);
  return numbers;
}

/** What a filter asks of scores, as sets of their numbers. */
export function judgementSets(filter: Filter): number[][] {
  const { actionability, sentimentMin, sentimentMax, minConviction, minActionability, storyCopies } = filter;
  const sets: number[][] = [];
  if (actionability !== undefined) sets.push([actionability ? actionable.yes : actionable.no]);
  if (sentimentMin !== undefined || sentimentMax !== undefined)
    sets.push(numbersFrom(firstSentiment, sentimentMin ?? 0, sentimentMax ?? sentiments - 1));
  if (minConviction !== undefined) sets.push(numbersFrom(firstConviction, minConviction, percents - 1));
  if (minActionability !== undefined) sets.push(numbersFrom(firstScore, minActionability, percents - 1));
  if (storyCopies === false) sets.push([original]);
  return sets;
}

/** The numbers of the scores `least` .. `most`, of which that of 0 has the number `first`. */
function numbersFrom(first: number, least: number, most: number): number[] {
  return Array.from({ length: Math.max(0, most - least + 1) }, (_, n) => first + least + n);
}
