/**
 * How much the rules, the named features and the experts' wording count for a text of unknown kind. Each text is judged by
 * parts that were not trained on its set (headlines, tweets) or its fifth (our own lines), as with a new kind of text.
 */
import {
  type ExpertHead,
  expertOdds,
  gramProbabilities,
  type Mixture,
  type Mixtures,
  mixed,
  namedProbabilities,
  type Probabilities,
} from "../src/flash/heads/heads.ts";
import type { Corpus, Example, Sets } from "./corpus.ts";
import { loneExpert, three } from "./experts.ts";
import { balance, classShares, emptied, foldOf, withoutPart } from "./folds.ts";
import { type Fitted, fit, type Options } from "./regression.ts";

const namedOptions: Options = { buckets: 0, epochs: 8, rate: 0.1, l2: 1e-4, seeds: [12], sharing: 0 };
const folds = 5;

/** Named features over all sets, with equal class weights. */
export function trainTransfer({ headlines, tweets, plain, prose, wire }: Sets): Fitted {
  const { examples, weights } = balance([headlines, tweets, plain, prose, wire], true);
  return fit(examples, namedOptions, weights);
}

/** How often each class came under each direction of the rules, with equal weights of classes and sets. */
export function ruleTable({ headlines, tweets, prose }: Sets): readonly Probabilities[] {
  const counted = [headlines, tweets, prose].map(({ examples }) => ({
    examples,
    shares: classShares(examples),
  }));
  return Array.from({ length: 11 }, (_, index): Probabilities => {
    const rows = counted.flatMap(({ examples, shares }) => {
      const inside = examples.filter(({ ruleDirection }) => ruleDirection === index - 5);
      if (inside.length < 20) return [];
      const lifted = shares.map(
        (share, label) => (inside.filter((example) => example.label === label).length + 0.5) / share,
      );
      const total = lifted.reduce((sum, value) => sum + value, 0);
      return [lifted.map((value) => value / total)];
    });
    if (rows.length === 0) return index < 5 ? [0.85, 0.1, 0.05] : [0.05, 0.1, 0.85];
    const mean = (label: number): number =>
      rows.reduce((sum, row) => sum + (row[label] ?? 0), 0) / rows.length;
    return three([mean(0), mean(1), mean(2)]);
  });
}

/** A text with the judgement of each part. */
interface Row {
  readonly label: number;
  readonly ruled: Probabilities;
  readonly transferred: Probabilities;
  readonly worded: readonly [number, number, number];
  readonly weight: number;
}

/** Texts of one set; since class shares differ between sets, each has a prior of its own. */
type Group = readonly Row[];

function rowsOf(
  examples: readonly Example[],
  table: readonly Probabilities[],
  transfer: Fitted,
  experts: readonly ExpertHead[],
  weight: number,
): Group {
  return examples.map(({ label, grams, features, ruleDirection }) => ({
    label,
    ruled: table[ruleDirection + 5] ?? [0, 1, 0],
    transferred: namedProbabilities(transfer, features),
    worded: expertOdds(
      experts,
      experts.map((expert) => gramProbabilities(expert, grams, features)),
    ),
    weight,
  }));
}

/** A public set judged by the others. */
function leftOutRows(sets: Sets, left: "headlines" | "tweets", other: readonly ExpertHead[]): Group {
  const rest = { ...sets, [left]: emptied(sets[left]) };
  const { examples } = sets[left];
  return rowsOf(examples, ruleTable(rest), trainTransfer(rest), other, 1 / Math.max(1, examples.length));
}

/** Our own lines, each fifth judged by the rest of them and the public sets. */
function ownRows(sets: Sets, experts: readonly ExpertHead[]): { prose: Group; wire: Group } {
  const groups = Array.from({ length: folds }, (_, index) => {
    const own = withoutPart(sets, index, folds);
    const rest = { ...own, headlines: sets.headlines, tweets: sets.tweets };
    const [table, transfer] = [ruleTable(rest), trainTransfer(rest)];
    const tested = ({ examples }: Corpus): Group =>
      rowsOf(foldOf(examples, index, folds).test, table, transfer, experts, 1 / Math.max(1, examples.length));
    return { prose: tested(sets.prose), wire: tested(sets.wire) };
  });
  return { prose: groups.flatMap(({ prose }) => prose), wire: groups.flatMap(({ wire }) => wire) };
}

type Weights = Omit<Mixture, "prior">;
const start: Weights = { rules: 0.4, transfer: 0.4, experts: 0.3 };
const unwordedStart: Weights = { rules: 0.6, transfer: 0.5, experts: 0 };
/** Regularisation towards the start, relative to the mean log loss: parts that agree would share weight at random. */
const ridge = 0.02;
const rounds = 400;
const rate = 0.5;

/** Gradients of a mixture's weights and a group's prior, summed over the group. */
function slopeOf(group: Group, mixture: Mixture): { weights: Weights; prior: readonly number[] } {
  const weights = { rules: 0, transfer: 0, experts: 0 };
  const prior = [0, 0, 0];
  for (const { label: right, weight, ruled, transferred, worded } of group) {
    const said = mixed(mixture, ruled, transferred, worded);
    for (const label of [0, 1, 2] as const) {
      const error = (said[label] - (right === label ? 1 : 0)) * weight;
      weights.rules += error * Math.log(Math.max(1e-3, ruled[label]));
      weights.transfer += error * Math.log(Math.max(1e-3, transferred[label]));
      weights.experts += error * worded[label];
      prior[label] = (prior[label] ?? 0) + error;
    }
  }
  return { weights, prior };
}

/** Weights common to all groups and a prior for each, by gradient descent on the mean log loss of the groups. */
function fitMixture(
  groups: readonly Group[],
  from: Weights,
): { weights: Weights; priors: readonly number[][] } {
  let weights = from;
  const priors = groups.map(() => [0, 0, 0]);
  for (let round = 0; round < rounds; round += 1) {
    const slopes = groups.map((group, at) => {
      const [a = 0, b = 0, c = 0] = priors[at] ?? [];
      return slopeOf(group, { ...weights, prior: [Math.exp(a), Math.exp(b), Math.exp(c)] });
    });
    slopes.forEach(({ prior }, at) => {
      priors[at] = (priors[at] ?? []).map((value, label) => value - 2 * rate * (prior[label] ?? 0));
    });
    const stepped = (part: keyof Weights): number => {
      const slope = slopes.reduce((sum, one) => sum + one.weights[part], 0) / Math.max(1, groups.length);
      return weights[part] - (rate / 4) * (slope + ridge * (weights[part] - from[part]));
    };
    weights = { rules: stepped("rules"), transfer: stepped("transfer"), experts: stepped("experts") };
  }
  return { weights, priors };
}

/** Mean prior of the groups, as shares. */
function meanPrior(priors: readonly number[][]): Probabilities {
  const mean = (label: number): number =>
    Math.exp(priors.reduce((sum, prior) => sum + (prior[label] ?? 0), 0) / Math.max(1, priors.length));
  const [a, b, c] = [mean(0), mean(1), mean(2)];
  return three([a / (a + b + c), b / (a + b + c), c / (a + b + c)]);
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;

function mixtureOf(groups: readonly Group[], from: Weights): Mixture {
  const { weights, priors } = fitMixture(groups, from);
  return {
    rules: rounded(weights.rules),
    transfer: rounded(weights.transfer),
    experts: rounded(weights.experts),
    prior: priors.length === 0 ? [0.3, 0.4, 0.3] : meanPrior(priors),
  };
}

const unworded = (group: Group): Group => group.map((row) => ({ ...row, worded: [0, 0, 0] }));

export function trainMixtures(sets: Sets): Mixtures {
  const lone = (corpus: Corpus): readonly ExpertHead[] =>
    corpus.examples.length === 0 ? [] : [loneExpert(corpus)];
  const [byHeadlines, byTweets] = [lone(sets.headlines), lone(sets.tweets)];
  const { prose, wire } = ownRows(sets, [...byHeadlines, ...byTweets]);
  const short = [
    leftOutRows(sets, "headlines", byTweets),
    leftOutRows(sets, "tweets", byHeadlines),
    wire,
  ].filter((group) => group.length > 0);
  const long = [prose].filter((group) => group.length > 0);
  return {
    sentence: mixtureOf(long.length > 0 ? long : short, start),
    headline: mixtureOf(short, start),
    unworded: mixtureOf([...short, ...long].map(unworded), unwordedStart),
  };
}
