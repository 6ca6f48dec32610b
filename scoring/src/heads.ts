import type { Features } from "./features.ts";
import type { Grams } from "./ngrams.ts";

/** Probabilities of negative, neutral, positive; they sum to 1. */
export type Probabilities = readonly [number, number, number];

/** A multinomial logistic regression over named features: three weights a name, in the order of the classes. */
export interface NamedHead {
  readonly weights: ReadonlyMap<string, Probabilities>;
  readonly bias: Probabilities;
  readonly temperature: number;
}

/** A head that also knows wording, by hashed n-grams. */
export interface GramHead extends NamedHead {
  /** Three weights a bucket. */
  readonly grams: Int8Array;
  /** Value of one unit of `grams`. */
  readonly gramScale: number;
}

export interface Heads {
  /** Tells the kind of text: headline, company prose, tweet; in the places of the three classes. */
  readonly kind: GramHead;
  readonly headlines: GramHead;
  readonly tweets: GramHead;
  /** For prose, and texts that are of neither kind. */
  readonly transfer: NamedHead;
  /** Share of the rules' own verdict in what is said of such a text. */
  readonly ruleShare: number;
  /** How often each class was right under each direction of the rules, -5..+5; index 5 is neutral. */
  readonly ruleTable: readonly Probabilities[];
}

export function softmax(a: number, b: number, c: number): Probabilities {
  const top = Math.max(a, b, c);
  const x = Math.exp(a - top);
  const y = Math.exp(b - top);
  const z = Math.exp(c - top);
  const sum = x + y + z;
  return [x / sum, y / sum, z / sum];
}

/** Adds the named features' weights to three scores. */
function addNamed(scores: number[], head: NamedHead, features: Features): void {
  for (const [name, value] of features) {
    const weights = head.weights.get(name);
    if (weights === undefined) continue;
    for (let label = 0; label < 3; label += 1)
      scores[label] = (scores[label] ?? 0) + (weights[label] ?? 0) * value;
  }
}

export const gramCount = ({ words, pairs, letters }: Grams): number =>
  words.length + pairs.length + letters.length;

/** A word says more than a run of letters, of which there are ten times as many. */
export const wordValue = 2;

function addGrams(scores: number[], expert: GramHead, grams: Grams): void {
  const table = expert.grams;
  const mask = table.length / 3 - 1;
  let a = 0;
  let b = 0;
  let c = 0;
  const addAll = (hashes: readonly number[], value: number): void => {
    for (const hash of hashes) {
      const at = (hash & mask) * 3;
      a += value * (table[at] ?? 0);
      b += value * (table[at + 1] ?? 0);
      c += value * (table[at + 2] ?? 0);
    }
  };
  addAll(grams.words, wordValue);
  addAll(grams.pairs, wordValue);
  addAll(grams.letters, 1);
  const unit = expert.gramScale / Math.sqrt(Math.max(1, gramCount(grams)));
  scores[0] = (scores[0] ?? 0) + a * unit;
  scores[1] = (scores[1] ?? 0) + b * unit;
  scores[2] = (scores[2] ?? 0) + c * unit;
}

function calibrated(scores: readonly number[], temperature: number): Probabilities {
  const [a = 0, b = 0, c = 0] = scores;
  return softmax(a / temperature, b / temperature, c / temperature);
}

export function gramProbabilities(expert: GramHead, grams: Grams, features: Features): Probabilities {
  const scores = [...expert.bias];
  addNamed(scores, expert, features);
  addGrams(scores, expert, grams);
  return calibrated(scores, expert.temperature);
}

export function namedProbabilities(head: NamedHead, features: Features): Probabilities {
  const scores = [...head.bias];
  addNamed(scores, head, features);
  return calibrated(scores, head.temperature);
}

const blend = (parts: readonly (readonly [number, Probabilities])[]): Probabilities => {
  const sums = [0, 0, 0];
  for (const [share, probabilities] of parts)
    for (let label = 0; label < 3; label += 1)
      sums[label] = (sums[label] ?? 0) + share * (probabilities[label] ?? 0);
  const total = (sums[0] ?? 0) + (sums[1] ?? 0) + (sums[2] ?? 0);
  return [(sums[0] ?? 0) / total, (sums[1] ?? 0) / total, (sums[2] ?? 0) / total];
};

/** What is said of a text that no expert knows: the rules' verdict with its record, and the named features' head. */
export function transferProbabilities(
  heads: Heads,
  features: Features,
  ruleDirection: number,
): Probabilities {
  const byRule = heads.ruleTable[ruleDirection + 5] ?? [0, 1, 0];
  return blend([
    [heads.ruleShare, byRule],
    [1 - heads.ruleShare, namedProbabilities(heads.transfer, features)],
  ]);
}

/** Below this share a head changes nothing that shows; it is not asked. */
const leastShare = 0.03;

/**
 * Each expert counts as much as the text is of its kind; the rest is said by rules and named features, which hold on texts
 * of any kind.
 */
function predict(heads: Heads, grams: Grams, features: Features, ruleDirection: number): Probabilities {
  const [headline, prose, tweet] = gramProbabilities(heads.kind, grams, features);
  const parts: (readonly [number, Probabilities])[] = [];
  if (headline > leastShare) parts.push([headline, gramProbabilities(heads.headlines, grams, features)]);
  if (tweet > leastShare) parts.push([tweet, gramProbabilities(heads.tweets, grams, features)]);
  if (prose > leastShare) parts.push([prose, transferProbabilities(heads, features, ruleDirection)]);
  return blend(parts);
}

/** A direction this far was found in a phrase that leaves no doubt; wording may not overrule it. */
const certainRule = 4;
/**
 * Share of the rules beside the experts in what is said of a known company, by the size of their direction. The tweets'
 * labels call what a company does (orders, offerings, plants) neutral; on news of a company that is a mistake. On texts
 * about no known company cross-validation found no gain in any share.
 */
const linkedShares = [0, 0.2, 0.75, 0.8] as const;

/** Features of a text with the rules' own direction, -5..+5. */
export interface RuleView {
  readonly features: Features;
  readonly direction: number;
}

/** @param isCompanyNews the text is about a known symbol and no user's post */
export function decide(
  heads: Heads,
  grams: Grams,
  { features, direction }: RuleView,
  isCompanyNews: boolean,
): Probabilities {
  const size = Math.abs(direction);
  const general = transferProbabilities(heads, features, direction);
  if (size >= certainRule) return general;
  const share = isCompanyNews ? (linkedShares[size] ?? 0) : 0;
  return blend([
    [share, general],
    [1 - share, predict(heads, grams, features, direction)],
  ]);
}
