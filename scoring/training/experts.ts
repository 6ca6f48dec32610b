/** The heads that use wording: one for headlines, one for tweets, and one for the kind of text. */
import {
  type ExpertHead,
  type GramHead,
  gramProbabilities,
  type NamedHead,
  type Probabilities,
} from "../src/flash/heads/heads.ts";
import type { Corpus, Example, Sets } from "./corpus.ts";
import { balance, classShares, foldOf } from "./folds.ts";
import { type Fitted, fit, fitTogether, type Options } from "./regression.ts";

const expertOptions: Options = {
  buckets: 1 << 16,
  epochs: 5,
  rate: 0.1,
  l2: 1e-5,
  seeds: [11, 12, 13],
  sharing: 0.5,
};
const kindOptions: Options = {
  buckets: 1 << 15,
  epochs: 8,
  rate: 0.1,
  l2: 1e-5,
  seeds: [13],
  sharing: 0,
};

/** Rounds the n-gram weights to 8 bits. */
function quantized(weights: Float64Array): { grams: Int8Array; gramScale: number } {
  let most = 1e-9;
  for (const weight of weights) most = Math.max(most, Math.abs(weight));
  const gramScale = most / 127;
  return { grams: Int8Array.from(weights, (weight) => Math.round(weight / gramScale)), gramScale };
}

const rounded = (value: number): number => Math.round(value * 1e4) / 1e4;
export const three = ([a, b, c]: Probabilities): Probabilities => [rounded(a), rounded(b), rounded(c)];

export function namedHead(fitted: Fitted, temperature: number): NamedHead {
  return {
    weights: new Map([...fitted.weights].map(([name, weights]) => [name, three(weights)])),
    bias: three(fitted.bias),
    temperature: rounded(temperature),
  };
}

const temperatures = Array.from({ length: 36 }, (_, index) => 0.5 + index * 0.1);

/** The temperature that maximises the likelihood of `examples`. */
function bestTemperature(fitted: Fitted, examples: readonly Example[]): number {
  const head = { ...fitted, ...quantized(fitted.grams) };
  const loss = (temperature: number): number =>
    examples.reduce((sum, { grams, features, label }) => {
      const said = gramProbabilities({ ...head, temperature }, grams, features)[label] ?? 0;
      return sum - Math.log(Math.max(1e-9, said));
    }, 0);
  return temperatures.reduce(
    (best, temperature) => {
      const now = loss(temperature);
      return now < best.loss ? { temperature, loss: now } : best;
    },
    { temperature: 1, loss: Number.POSITIVE_INFINITY },
  ).temperature;
}

const gramHead = (fitted: Fitted, temperature: number): GramHead => ({
  ...namedHead(fitted, temperature),
  ...quantized(fitted.grams),
});

/** Experts of the two sets, trained together; temperatures by a held-out quarter. */
export function trainExperts(
  headlines: Corpus,
  tweets: Corpus,
): { readonly headlines: ExpertHead; readonly tweets: ExpertHead } {
  const sets = [headlines.examples, tweets.examples];
  const held = sets.map((examples) => foldOf(examples, 0, 4));
  const trial = fitTogether(
    held.map(({ train }) => train),
    expertOptions,
  );
  const [first, second] = fitTogether(sets, expertOptions).map((fitted, at): ExpertHead => {
    const tried = trial[at] ?? fitted;
    // Training gives each head the names of both sets, but a set without texts has no opinion.
    const weights = sets[at]?.length === 0 ? new Map() : fitted.weights;
    return {
      ...gramHead({ ...fitted, weights }, bestTemperature(tried, held[at]?.test ?? [])),
      prior: three(classShares(sets[at] ?? [])),
    };
  });
  if (first === undefined || second === undefined) throw new RangeError("two sets make two experts");
  return { headlines: first, tweets: second };
}

/** An expert for one set alone, trained quickly, to see how its wording does on texts of another kind. */
export function loneExpert({ examples }: Corpus): ExpertHead {
  const [seed = 0] = expertOptions.seeds;
  const held = foldOf(examples, 0, 4);
  const options = { ...expertOptions, seeds: [seed], sharing: 0 };
  const temperature = bestTemperature(fit(held.train, options), held.test);
  return { ...gramHead(fit(examples, options), temperature), prior: three(classShares(examples)) };
}

/** Examples of three kinds, each labelled by its kind. */
export function trainKind({ headlines, tweets, plain, prose, wire }: Sets): GramHead {
  const others = [plain, prose, wire].flatMap(({ examples }) => examples);
  const labelled = [headlines, { name: "others", examples: others }, tweets].map(
    ({ name, examples }, label) => ({ name, examples: examples.map((example) => ({ ...example, label })) }),
  );
  const { examples, weights } = balance(labelled, false);
  const held = foldOf(examples, 0, 4);
  const trial = fit(
    held.train,
    kindOptions,
    weights.filter((_, at) => at % 4 !== 0),
  );
  return gramHead(fit(examples, kindOptions, weights), bestTemperature(trial, held.test));
}
