import { gramCount, type NamedHead, type Probabilities, softmax, wordValue } from "../src/heads.ts";
import type { Example } from "./corpus.ts";
import { seededRandom, shuffled } from "./random.ts";

export interface Options {
  /** Power of two; 0 for named features only. */
  readonly buckets: number;
  readonly epochs: number;
  readonly rate: number;
  readonly l2: number;
  readonly seed: number;
}

export interface Fitted extends NamedHead {
  /** Three weights a bucket. */
  readonly grams: Float64Array;
}

/** A name seen less often is noise. */
const leastCount = 5;

interface Row {
  readonly label: number;
  readonly weight: number;
  readonly grams: Int32Array;
  /** Of `grams`, how many come first that are words or pairs. */
  readonly words: number;
  readonly unit: number;
  readonly names: Int32Array;
  readonly values: Float64Array;
}

function namesOf(examples: readonly Example[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { features } of examples)
    for (const name of features.keys()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= leastCount)
    .map(([name]) => name)
    .sort();
}

function rowOf(example: Example, index: ReadonlyMap<string, number>, buckets: number, weight: number): Row {
  const known = [...example.features].filter(([name]) => index.has(name));
  const { words, pairs, letters } = example.grams;
  const hashes = buckets === 0 ? [] : [...words, ...pairs, ...letters];
  return {
    label: example.label,
    weight,
    grams: Int32Array.from(hashes, (hash) => (hash & (buckets - 1)) * 3),
    words: buckets === 0 ? 0 : words.length + pairs.length,
    unit: 1 / Math.sqrt(Math.max(1, gramCount(example.grams))),
    names: Int32Array.from(known, ([name]) => (index.get(name) ?? 0) * 3),
    values: Float64Array.from(known, ([, value]) => value),
  };
}

/** Weights with the running sums of squared gradients that AdaGrad divides by. */
class Table {
  readonly values: Float64Array;
  readonly #sums: Float64Array;
  readonly #squares: Float64Array;
  #added = 0;

  constructor(size: number) {
    this.values = new Float64Array(size);
    this.#sums = new Float64Array(size);
    this.#squares = new Float64Array(size);
  }

  /** Takes the weights as they are now into the mean. */
  remember(): void {
    this.#added += 1;
    for (let at = 0; at < this.values.length; at += 1)
      this.#sums[at] = (this.#sums[at] ?? 0) + (this.values[at] ?? 0);
  }

  /** Mean of the remembered weights: steadier than the last ones. */
  mean(): Float64Array {
    return this.#sums.map((sum) => sum / Math.max(1, this.#added));
  }

  step(at: number, gradient: number, rate: number, l2: number): void {
    const whole = gradient + l2 * (this.values[at] ?? 0);
    const square = (this.#squares[at] ?? 0) + whole * whole;
    this.#squares[at] = square;
    this.values[at] = (this.values[at] ?? 0) - (rate * whole) / Math.sqrt(square + 1e-8);
  }
}

class Learner {
  readonly grams: Table;
  readonly named: Table;
  readonly bias = new Table(3);
  readonly #options: Options;

  constructor(options: Options, names: number) {
    this.#options = options;
    this.grams = new Table(options.buckets * 3);
    this.named = new Table(names * 3);
  }

  probabilities(row: Row): Probabilities {
    const scores = [0, 0, 0];
    for (let label = 0; label < 3; label += 1) {
      let sum = 0;
      row.grams.forEach((at, index) => {
        sum += (index < row.words ? wordValue : 1) * (this.grams.values[at + label] ?? 0);
      });
      sum *= row.unit;
      row.names.forEach((at, index) => {
        sum += (this.named.values[at + label] ?? 0) * (row.values[index] ?? 0);
      });
      scores[label] = sum + (this.bias.values[label] ?? 0);
    }
    return softmax(scores[0] ?? 0, scores[1] ?? 0, scores[2] ?? 0);
  }

  remember(): void {
    for (const table of [this.grams, this.named, this.bias]) table.remember();
  }

  learn(row: Row): void {
    const { rate, l2 } = this.#options;
    const probabilities = this.probabilities(row);
    for (let label = 0; label < 3; label += 1) {
      const error = ((probabilities[label] ?? 0) - (row.label === label ? 1 : 0)) * row.weight;
      row.grams.forEach((at, index) => {
        const value = index < row.words ? wordValue * row.unit : row.unit;
        this.grams.step(at + label, error * value, rate, l2);
      });
      row.names.forEach((at, index) => {
        this.named.step(at + label, error * (row.values[index] ?? 0), rate, l2);
      });
      this.bias.step(label, error, rate, 0);
    }
  }
}

/**
 * Multinomial logistic regression by AdaGrad over hashed n-grams and named features.
 * @param weights of the examples, in their order; 1 each when left out
 */
export function fit(examples: readonly Example[], options: Options, weights?: readonly number[]): Fitted {
  const names = namesOf(examples);
  const index = new Map(names.map((name, at) => [name, at]));
  const rows = examples.map((example, at) => rowOf(example, index, options.buckets, weights?.[at] ?? 1));
  const learner = new Learner(options, names.length);
  const random = seededRandom(options.seed);
  for (let epoch = 0; epoch < options.epochs; epoch += 1) {
    const order = shuffled(rows, random);
    order.forEach((row, at) => {
      learner.learn(row);
      if (epoch > 0 && at % Math.ceil(order.length / 4) === 0) learner.remember();
    });
  }
  learner.remember();
  const named = learner.named.mean();
  const three = (values: Float64Array, at: number): Probabilities => [
    values[at] ?? 0,
    values[at + 1] ?? 0,
    values[at + 2] ?? 0,
  ];
  return {
    grams: learner.grams.mean(),
    weights: new Map(names.map((name, at) => [name, three(named, at * 3)])),
    bias: three(learner.bias.mean(), 0),
    temperature: 1,
  };
}
