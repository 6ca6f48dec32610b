import {
  type GramHead,
  gramProbabilities,
  type Heads,
  type NamedHead,
  namedProbabilities,
  type Probabilities,
} from "../src/heads.ts";
import type { Corpus, Example } from "./corpus.ts";
import { type Fitted, fit, type Options } from "./regression.ts";

export const expertOptions: Options = { buckets: 1 << 16, epochs: 5, rate: 0.1, l2: 1e-5, seed: 11 };
export const namedOptions: Options = { buckets: 0, epochs: 8, rate: 0.1, l2: 1e-4, seed: 12 };
const kindOptions: Options = { buckets: 1 << 15, epochs: 8, rate: 0.1, l2: 1e-5, seed: 13 };
/** Chosen by leave-one-domain-out: the rules hold better on a set they never met than weights from another set do. */
const ruleShare = 0.6;

/** Rounds the n-gram weights to 8 bits. */
function quantized(weights: Float64Array): { grams: Int8Array; gramScale: number } {
  let most = 1e-9;
  for (const weight of weights) most = Math.max(most, Math.abs(weight));
  const gramScale = most / 127;
  return { grams: Int8Array.from(weights, (weight) => Math.round(weight / gramScale)), gramScale };
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;
const three = ([a, b, c]: Probabilities): Probabilities => [rounded(a), rounded(b), rounded(c)];

function namedHead(fitted: Fitted, temperature: number): NamedHead {
  return {
    weights: new Map([...fitted.weights].map(([name, weights]) => [name, three(weights)])),
    bias: three(fitted.bias),
    temperature: rounded(temperature),
  };
}

const temperatures = Array.from({ length: 36 }, (_, index) => 0.5 + index * 0.1);

/** The temperature at which the probabilities of `examples` are likeliest. */
function bestTemperature(
  examples: readonly Example[],
  probabilities: (example: Example, temperature: number) => Probabilities,
): number {
  const loss = (temperature: number): number =>
    examples.reduce(
      (sum, example) =>
        sum - Math.log(Math.max(1e-9, probabilities(example, temperature)[example.label] ?? 0)),
      0,
    );
  return temperatures.reduce(
    (best, temperature) => {
      const now = loss(temperature);
      return now < best.loss ? { temperature, loss: now } : best;
    },
    { temperature: 1, loss: Number.POSITIVE_INFINITY },
  ).temperature;
}

export interface Fold {
  readonly train: readonly Example[];
  readonly test: readonly Example[];
}

/**
 * Every `folds`-th example is for testing: the sets come in no order that matters.
 * @param together examples in a row that stay in one part
 */
export function foldOf(examples: readonly Example[], index: number, folds: number, together = 1): Fold {
  const partOf = (at: number): number => Math.floor(at / together) % folds;
  return {
    train: examples.filter((_, at) => partOf(at) !== index),
    test: examples.filter((_, at) => partOf(at) === index),
  };
}

function gramHead(examples: readonly Example[], options: Options, weights?: readonly number[]): GramHead {
  const held = foldOf(examples, 0, 4);
  const heldWeights = weights?.filter((_, at) => at % 4 !== 0);
  const trial = fit(held.train, options, heldWeights);
  const rough = quantized(trial.grams);
  const temperature = bestTemperature(held.test, ({ grams, features }, value) =>
    gramProbabilities({ ...trial, ...rough, temperature: value }, grams, features),
  );
  const fitted = fit(examples, options, weights);
  return { ...namedHead(fitted, temperature), ...quantized(fitted.grams) };
}

/** Sets weigh alike, whatever their size; a small one is not blown up more than tenfold. */
function balanced(corpora: readonly Corpus[]): { examples: readonly Example[]; weights: readonly number[] } {
  const largest = Math.max(...corpora.map(({ examples }) => examples.length));
  return {
    examples: corpora.flatMap(({ examples }) => examples),
    weights: corpora.flatMap(({ examples }) =>
      examples.map(() => Math.min(10, largest / Math.max(1, examples.length))),
    ),
  };
}

/** For each set: the head of the others on it, which is what a text of a new kind will meet. */
function transferTemperature(corpora: readonly Corpus[]): number {
  const found = corpora.map((left) => {
    const { examples, weights } = balanced(corpora.filter((corpus) => corpus !== left));
    const head = fit(examples, namedOptions, weights);
    return bestTemperature(left.examples, ({ features }, temperature) =>
      namedProbabilities({ ...head, temperature }, features),
    );
  });
  return found.reduce((sum, value) => sum + value, 0) / Math.max(1, found.length);
}

/** How often each class came under each direction of the rules, the sets weighing alike. */
function ruleTable(corpora: readonly Corpus[]): readonly Probabilities[] {
  return Array.from({ length: 11 }, (_, index) => {
    const shares = corpora.flatMap(({ examples }) => {
      const inside = examples.filter(({ ruleDirection }) => ruleDirection === index - 5);
      return inside.length < 20
        ? []
        : [
            [0, 1, 2].map(
              (label) => inside.filter((example) => example.label === label).length / inside.length,
            ),
          ];
    });
    const mean = (label: number): number =>
      shares.reduce((sum, share) => sum + (share[label] ?? 0), 0) / Math.max(1, shares.length);
    const fallback: Probabilities = index < 5 ? [0.85, 0.1, 0.05] : [0.05, 0.1, 0.85];
    return shares.length === 0 ? fallback : three([mean(0), mean(1), mean(2)]);
  });
}

/** Examples of three kinds, each labelled by its kind. */
function kinds(headlines: Corpus, prose: Corpus, tweets: Corpus): GramHead {
  const labelled = [headlines, prose, tweets].map(({ name, examples }, label) => ({
    name,
    examples: examples.map((example) => ({ ...example, label })),
  }));
  const { examples, weights } = balanced(labelled);
  return gramHead(examples, kindOptions, weights);
}

/** The sets that heads are trained on; an empty one leaves its head without an opinion. */
export interface Sets {
  readonly headlines: Corpus;
  readonly tweets: Corpus;
  /** Lines of our own. */
  readonly prose: Corpus;
}

export function assemble({ headlines, tweets, prose }: Sets): Heads {
  const experts = [headlines, tweets].filter(({ examples }) => examples.length > 0);
  const all = [...experts, prose];
  const { examples, weights } = balanced(all);
  return {
    kind: kinds(headlines, prose, tweets),
    headlines: gramHead(headlines.examples, expertOptions),
    tweets: gramHead(tweets.examples, expertOptions),
    transfer: namedHead(fit(examples, namedOptions, weights), transferTemperature(all)),
    ruleShare,
    ruleTable: ruleTable(experts),
  };
}
