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

/** Weights of named features in rows by feature number; made at a head's first use. */
const rowsByHead = new WeakMap<ReadonlyMap<string, readonly number[]>, Float64Array>();

function rowsOf({ weights, classes }: LinearHead): Float64Array {
  const known = rowsByHead.get(weights);
  if (known !== undefined) return known;
  const ids = [...weights.keys()].map(featureId);
  const rows = new Float64Array((Math.max(-1, ...ids) + 1) * classes);
  for (const [at, row] of [...weights.values()].entries()) rows.set(row, (ids[at] ?? 0) * classes);
  rowsByHead.set(weights, rows);
  return rows;
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

/** Adds `value` times the rows of the hashes. The sum of a row's weights is exact: they are whole numbers. */
function addHashes(
  scores: Float64Array,
  { grams, classes }: LinearHead,
  hashes: readonly number[],
  value: number,
): void {
  const mask = grams.length / classes - 1;
  const sums = new Int32Array(classes);
  for (let index = 0; index < hashes.length; index += 1) {
    const at = ((hashes[index] ?? 0) & mask) * classes;
    for (let label = 0; label < classes; label += 1)
      sums[label] = (sums[label] ?? 0) + (grams[at + label] ?? 0);
  }
  for (let label = 0; label < classes; label += 1)
    scores[label] = (scores[label] ?? 0) + value * (sums[label] ?? 0);
}

/** Scores of the classes, before the temperature. */
function scoresOf(head: LinearHead, input: HeadInput): Float64Array {
  const scores = new Float64Array(head.bias);
  if (head.grams.length > 0) {
    const unit = gramUnit(input) * head.gramScale;
    addHashes(scores, head, input.title.words, wordValue * unit);
    addHashes(scores, head, input.title.pairs, wordValue * unit);
    addHashes(scores, head, input.title.letters, unit);
    if (input.lead !== null) {
      addHashes(scores, head, input.lead.words, leadValue * unit);
      addHashes(scores, head, input.lead.pairs, leadValue * unit);
    }
  }
  const rows = rowsOf(head);
  const { ids, values } = input.numbered;
  for (let index = 0; index < ids.length; index += 1) {
    const at = (ids[index] ?? 0) * head.classes;
    if (at >= rows.length) continue;
    const value = values[index] ?? 0;
    for (let label = 0; label < head.classes; label += 1)
      scores[label] = (scores[label] ?? 0) + (rows[at + label] ?? 0) * value;
  }
  return scores;
}

/** Probabilities of a head's classes from their scores, by its temperature. */
export const tempered = ({ temperature }: LinearHead, scores: Float64Array): Float64Array =>
  softmax(scores.map((score) => score / temperature));

/** Probabilities of classes from their scores; they sum to 1. */
export function softmax(scores: Float64Array | readonly number[]): Float64Array {
  const powers = new Float64Array(scores);
  let top = Number.NEGATIVE_INFINITY;
  for (const score of powers) top = Math.max(top, score);
  let sum = 0;
  for (let at = 0; at < powers.length; at += 1) {
    powers[at] = Math.exp((powers[at] ?? 0) - top);
    sum += powers[at] ?? 0;
  }
  for (let at = 0; at < powers.length; at += 1) powers[at] = (powers[at] ?? 0) / sum;
  return powers;
}

export function probabilitiesOf(head: LinearHead, input: HeadInput): Float64Array {
  return tempered(head, scoresOf(head, input));
}
