/** Multinomial logistic regressions over named features and hashed n-grams. */
import type { Features } from "./features.ts";
import type { Grams } from "./ngrams.ts";

/** What a head reads of a text. */
export interface HeadInput {
  readonly title: Grams;
  /** Words and pairs of the lead; null when only the headline is known. */
  readonly lead: Grams | null;
  readonly features: Features;
  /** The same features, looked up once for all heads. */
  readonly numbered: Numbered;
}

const featureIds = new Map<string, number>();

/** A number for a feature's name, the same in all heads: names are looked up once a text, not once a head. */
export function featureId(name: string): number {
  const known = featureIds.get(name);
  if (known !== undefined) return known;
  featureIds.set(name, featureIds.size);
  return featureIds.size - 1;
}

/** Features by their numbers. */
export interface Numbered {
  readonly ids: readonly number[];
  readonly values: readonly number[];
}

export function numbered(features: Features): Numbered {
  const ids: number[] = [];
  const values: number[] = [];
  for (const [name, value] of features) {
    ids.push(featureId(name));
    values.push(value);
  }
  return { ids, values };
}

export interface LinearHead {
  /** Number of classes; weights come in rows of this many. */
  readonly classes: number;
  readonly weights: ReadonlyMap<string, readonly number[]>;
  readonly bias: readonly number[];
  /** A row of weights per bucket; empty for named features alone. */
  readonly grams: Int8Array;
  /** Value of one unit of `grams`. */
  readonly gramScale: number;
  /** Divides the scores, so that the stated probabilities come true as often as stated. */
  readonly temperature: number;
}

/** A word is more informative than a run of letters, of which there are ten times as many. */
export const wordValue = 2;
/** The lead counts less than the headline. */
export const leadValue = 1;

export const gramCount = ({ words, pairs, letters }: Grams): number =>
  words.length + pairs.length + letters.length;

/** Divides the sum of n-gram weights, so that long texts are no surer than short ones. */
export const gramUnit = ({ title, lead }: HeadInput): number =>
  1 / Math.sqrt(Math.max(1, gramCount(title) + 0.5 * (lead === null ? 0 : gramCount(lead))));

/** Makes scores the powers of e that sum to 1. */
function normalized(scores: Float64Array): Float64Array {
  let top = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < scores.length; at += 1) top = Math.max(top, scores[at] ?? 0);
  let sum = 0;
  for (let at = 0; at < scores.length; at += 1) {
    const power = Math.exp((scores[at] ?? 0) - top);
    scores[at] = power;
    sum += power;
  }
  for (let at = 0; at < scores.length; at += 1) scores[at] = (scores[at] ?? 0) / sum;
  return scores;
}

/** Probabilities of classes from their scores; they sum to 1. */
export const softmax = (scores: readonly number[]): Float64Array => normalized(new Float64Array(scores));

/** Probabilities of a head's classes from their scores, which begin at `from`, by its temperature. */
export function tempered({ temperature, classes }: LinearHead, scores: Float64Array, from = 0): Float64Array {
  const own = new Float64Array(classes);
  for (let label = 0; label < classes; label += 1) own[label] = (scores[from + label] ?? 0) / temperature;
  return normalized(own);
}
