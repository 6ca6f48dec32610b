import type { Features } from "./features.ts";
import type { Grams } from "./ngrams.ts";

/** Probabilities of negative, neutral, positive; they sum to 1. */
export type Probabilities = readonly [number, number, number];

/** A multinomial logistic regression over named features: three weights per name, in the order of the classes. */
export interface NamedHead {
  readonly weights: ReadonlyMap<string, Probabilities>;
  readonly bias: Probabilities;
  readonly temperature: number;
}

/** A head that also uses wording, by hashed n-grams. */
export interface GramHead extends NamedHead {
  /** Three weights per bucket. */
  readonly grams: Int8Array;
  /** Value of one unit of `grams`. */
  readonly gramScale: number;
}

/** A head for texts of one kind, with the class shares among them. */
export interface ExpertHead extends GramHead {
  /** Shares of the classes among the texts it was trained on. */
  readonly prior: Probabilities;
}

/**
 * How much each part counts for a text of unknown kind, in log odds. The class shares of the training sets are taken out of
 * the parts, because they differ most between sets; `prior` replaces them by likely shares.
 */
export interface Mixture {
  readonly rules: number;
  readonly transfer: number;
  readonly experts: number;
  readonly prior: Probabilities;
}

export interface Mixtures {
  /** For texts of unknown kind that end in a full stop, and for those that do not. */
  readonly sentence: Mixture;
  readonly headline: Mixture;
  /** Where the experts are not used: their labels do not fit, or they were not trained on such texts. */
  readonly unworded: Mixture;
}

export interface Heads {
  /** Classifies the kind of text as headline, other or tweet, in the positions of the three classes. */
  readonly kind: GramHead;
  readonly headlines: ExpertHead;
  readonly tweets: ExpertHead;
  /** Named features only, which mean the same in any text; trained with equal class weights. */
  readonly transfer: NamedHead;
  /** How often each class was right under each direction of the rules, -5..+5, with equal class weights; index 5 is neutral. */
  readonly ruleTable: readonly Probabilities[];
  readonly mixtures: Mixtures;
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

/** A word is more informative than a run of letters, of which there are ten times as many. */
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

/** A probability of 0 in one part alone must not rule a class out. */
const least = 1e-3;
const log = (probability: number): number => Math.log(Math.max(least, probability));

/** Log odds by the experts' wording, each without its prior; zero when there is no expert. */
export function expertOdds(
  experts: readonly ExpertHead[],
  probabilities: readonly Probabilities[],
): readonly [number, number, number] {
  const mean = (label: 0 | 1 | 2): number =>
    experts.reduce(
      (sum, { prior }, at) => sum + log(probabilities[at]?.[label] ?? 0) - log(prior[label]),
      0,
    ) / Math.max(1, experts.length);
  return [mean(0), mean(1), mean(2)];
}

export function mixed(
  { rules, transfer, experts, prior }: Mixture,
  ruled: Probabilities,
  transferred: Probabilities,
  worded: readonly [number, number, number],
): Probabilities {
  const score = (label: 0 | 1 | 2): number =>
    log(prior[label]) +
    rules * log(ruled[label]) +
    transfer * log(transferred[label]) +
    experts * worded[label];
  return softmax(score(0), score(1), score(2));
}

/** Features of a text, and the rules' own direction, -5..+5. */
export interface RuleView {
  readonly features: Features;
  readonly direction: number;
}

function general(
  mixture: Mixture,
  heads: Heads,
  { features, direction }: RuleView,
  worded: readonly [number, number, number],
): Probabilities {
  const ruled = heads.ruleTable[direction + 5] ?? [0, 1, 0];
  return mixed(mixture, ruled, namedProbabilities(heads.transfer, features), worded);
}

/** By the rules and the named features alone: no expert was trained on titles of filings. */
export const unwordedProbabilities = (heads: Heads, view: RuleView): Probabilities =>
  general(heads.mixtures.unworded, heads, view, [0, 0, 0]);

/** A head without training data has no opinion. */
const isTrained = ({ weights }: ExpertHead): boolean => weights.size > 0;

/**
 * A post with neither link nor cashtag looks like any headline. For it the share of the general reading, and how much of the
 * tweets' class shares is taken out, were chosen by leave-one-domain-out, as large as possible while tweets lose at most a
 * tenth of a point.
 */
const unmarkedShare = 0.25;
const unmarkedPrior = 0.4;

const isMarked = (features: Features): boolean => features.has("link") || features.has("cashtag");

/** @param amount 0 leaves the class shares of the head's own set in, 1 takes them out */
function withoutPrior(probabilities: Probabilities, prior: Probabilities, amount: number): Probabilities {
  const score = (label: 0 | 1 | 2): number => log(probabilities[label]) - amount * log(prior[label]);
  return softmax(score(0), score(1), score(2));
}

/** A direction this large comes from a phrase that leaves no doubt; wording may not overrule it. */
const certainRule = 4;
/**
 * Share of rules and named features alone for a text on a known company, by the size of the rules' direction. The tweets'
 * labels call a company's business (orders, offerings, plants) neutral, which is wrong for news on the company. For texts
 * without a known company cross-validation found no gain from any share.
 */
const linkedShares = [0, 0.2, 0.75, 0.8] as const;

/**
 * Each expert counts as much as the text is probably of its kind; the general mixture has the rest.
 * @param isCompanyNews the text is about a known symbol and no user's post
 */
export function decide(heads: Heads, grams: Grams, view: RuleView, isCompanyNews: boolean): Probabilities {
  const experts = [heads.headlines, heads.tweets].filter(isTrained);
  const byExpert = experts.map((expert) => gramProbabilities(expert, grams, view.features));
  const { sentence, headline: short } = heads.mixtures;
  const mixture = view.features.has("full stop") ? sentence : short;
  const whole = general(mixture, heads, view, expertOdds(experts, byExpert));
  const size = Math.abs(view.direction);
  if (size >= certainRule) return unwordedProbabilities(heads, view);
  const [headline, , tweet] = gramProbabilities(heads.kind, grams, view.features);
  const plain = isCompanyNews ? (linkedShares[size] ?? 0) : 0;
  const free = 1 - plain;
  const marked = isMarked(view.features);
  const parts = experts.map((expert, at): readonly [number, Probabilities] => {
    const own = byExpert[at] ?? whole;
    if (expert === heads.headlines) return [free * headline, own];
    if (marked) return [free * tweet, own];
    return [free * tweet * (1 - unmarkedShare), withoutPrior(own, expert.prior, unmarkedPrior)];
  });
  const rest = free - parts.reduce((sum, [share]) => sum + share, 0);
  return blend([...parts, [rest, whole], [plain, unwordedProbabilities(heads, view)]]);
}
