import { gramUnit, type HeadInput, leadValue, softmax, wordValue } from "../src/flash/heads/linear.ts";
import type { Example } from "./corpus.ts";
import { seededRandom, shuffled } from "./random.ts";

export interface Options {
  readonly classes: number;
  /** Power of two; 0 for named features only. */
  readonly buckets: number;
  /** Letters of titles count, beside words and pairs. */
  readonly letters: boolean;
  readonly epochs: number;
  readonly rate: number;
  readonly l2: number;
  /** One run for each; the weights are the mean of the runs, which varies less. */
  readonly seeds: readonly number[];
  /** How much the weights common to all sets count beside each set's own; 0 for none. */
  readonly sharing: number;
}

export interface Fitted {
  readonly classes: number;
  readonly weights: ReadonlyMap<string, readonly number[]>;
  readonly bias: readonly number[];
  /** A row of weights per bucket. */
  readonly grams: Float64Array;
}

/** A name seen less often is noise. */
const leastCount = 5;

interface Row {
  readonly label: number;
  readonly weight: number;
  /** Index of its set. */
  readonly set: number;
  readonly grams: Int32Array;
  readonly gramValues: Float64Array;
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

/** Hashes of a text with their values. */
function gramsOf(input: HeadInput, letters: boolean): readonly (readonly [number, number])[] {
  const unit = gramUnit(input);
  const valued = (hashes: readonly number[], value: number): readonly (readonly [number, number])[] =>
    hashes.map((hash) => [hash, value * unit]);
  return [
    ...valued(input.title.words, wordValue),
    ...valued(input.title.pairs, wordValue),
    ...(letters ? valued(input.title.letters, 1) : []),
    ...valued(input.lead?.words ?? [], leadValue),
    ...valued(input.lead?.pairs ?? [], leadValue),
  ];
}

function rowOf(
  example: Example,
  index: ReadonlyMap<string, number>,
  { buckets, classes, letters }: Options,
  set: number,
  weight: number,
): Row {
  const known = [...example.features].filter(([name]) => index.has(name));
  const grams = buckets === 0 ? [] : gramsOf(example, letters);
  return {
    label: example.label,
    weight,
    set,
    grams: Int32Array.from(grams, ([hash]) => (hash & (buckets - 1)) * classes),
    gramValues: Float64Array.from(grams, ([, value]) => value),
    names: Int32Array.from(known, ([name]) => (index.get(name) ?? 0) * classes),
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

  /** Adds the present weights to the mean. */
  remember(): void {
    this.#added += 1;
    for (let at = 0; at < this.values.length; at += 1)
      this.#sums[at] = (this.#sums[at] ?? 0) + (this.values[at] ?? 0);
  }

  /** Mean of the remembered weights, which varies less than the last ones. */
  mean(): Float64Array {
    return this.#sums.map((sum) => sum / Math.max(1, this.#added));
  }

  step(at: number, gradient: number, rate: number, l2: number): void {
    const whole = gradient + l2 * (this.values[at] ?? 0);
    const square = (this.#squares[at] ?? 0) + whole * whole;
    this.#squares[at] = square;
    this.values[at] = (this.values[at] ?? 0) - (rate * whole) / Math.sqrt(square + 1e-8);
  }

  /** Sum of the weights at `places`, each times its value. */
  sum(places: Int32Array, values: Float64Array, label: number): number {
    let sum = 0;
    for (let at = 0; at < places.length; at += 1)
      sum += (this.values[(places[at] ?? 0) + label] ?? 0) * (values[at] ?? 0);
    return sum;
  }

  stepAll(places: Int32Array, values: Float64Array, label: number, error: number, options: Options): void {
    for (let at = 0; at < places.length; at += 1)
      this.step((places[at] ?? 0) + label, error * (values[at] ?? 0), options.rate, options.l2);
  }
}

/** One regression's weights: n-grams, names, bias. */
class Layer {
  readonly grams: Table;
  readonly named: Table;
  readonly bias: Table;

  constructor(buckets: number, names: number, classes: number) {
    this.grams = new Table(buckets * classes);
    this.named = new Table(names * classes);
    this.bias = new Table(classes);
  }

  score(row: Row, label: number): number {
    const { grams, gramValues, names, values } = row;
    return (
      this.grams.sum(grams, gramValues, label) +
      this.named.sum(names, values, label) +
      (this.bias.values[label] ?? 0)
    );
  }

  learn(row: Row, label: number, error: number, options: Options): void {
    this.grams.stepAll(row.grams, row.gramValues, label, error, options);
    this.named.stepAll(row.names, row.values, label, error, options);
    this.bias.step(label, error, options.rate, 0);
  }

  remember(): void {
    for (const table of [this.grams, this.named, this.bias]) table.remember();
  }
}

/** The score of a row is that of its own set's layer plus `sharing` times that of the common layer. */
class Learner {
  readonly own: readonly Layer[];
  readonly common: Layer;
  readonly #options: Options;

  constructor(options: Options, sets: number, names: number) {
    const { buckets, sharing, classes } = options;
    this.#options = options;
    this.own = Array.from({ length: sets }, () => new Layer(buckets, names, classes));
    this.common = sharing === 0 ? new Layer(0, 0, classes) : new Layer(buckets, names, classes);
  }

  learn(row: Row): void {
    const own = this.own[row.set];
    if (own === undefined) return;
    const { sharing, classes } = this.#options;
    const score = (label: number): number =>
      own.score(row, label) + (sharing === 0 ? 0 : sharing * this.common.score(row, label));
    const probabilities = softmax(Array.from({ length: classes }, (_, label) => score(label)));
    for (let label = 0; label < classes; label += 1) {
      const error = ((probabilities[label] ?? 0) - (row.label === label ? 1 : 0)) * row.weight;
      own.learn(row, label, error, this.#options);
      if (sharing !== 0) this.common.learn(row, label, sharing * error, this.#options);
    }
  }

  remember(): void {
    for (const layer of [...this.own, this.common]) layer.remember();
  }
}

function learned(rows: readonly Row[], sets: number, names: number, options: Options, seed: number): Learner {
  const learner = new Learner(options, sets, names);
  const random = seededRandom(seed);
  for (let epoch = 0; epoch < options.epochs; epoch += 1) {
    const order = shuffled(rows, random);
    order.forEach((row, at) => {
      learner.learn(row);
      if (epoch > 0 && at % Math.ceil(order.length / 4) === 0) learner.remember();
    });
  }
  learner.remember();
  return learner;
}

/** Mean over the runs of one set's table with `sharing` times the common one. */
function meanTable(
  runs: readonly Learner[],
  set: number,
  sharing: number,
  of: (layer: Layer) => Table,
): Float64Array {
  const sums = runs.map((run) => {
    const own = run.own[set] ?? run.common;
    const common = of(run.common).mean();
    return of(own)
      .mean()
      .map((value, at) => value + (sharing === 0 ? 0 : sharing * (common[at] ?? 0)));
  });
  const [first = new Float64Array()] = sums;
  return first.map((_, at) => sums.reduce((sum, values) => sum + (values[at] ?? 0), 0) / sums.length);
}

/**
 * Multinomial logistic regressions by AdaGrad over hashed n-grams and named features, one for each set, trained together:
 * what the sets have in common is learnt from all of them (Daumé III, "Frustratingly Easy Domain Adaptation", ACL 2007).
 * @param weights of the examples of each set, in their order; by default 1 each
 */
export function fitTogether(
  sets: readonly (readonly Example[])[],
  options: Options,
  weights: readonly (readonly number[])[] = [],
): readonly Fitted[] {
  const names = namesOf(sets.flat());
  const index = new Map(names.map((name, at) => [name, at]));
  const rows = sets.flatMap((examples, set) =>
    examples.map((example, at) => rowOf(example, index, options, set, weights[set]?.[at] ?? 1)),
  );
  const runs = options.seeds.map((seed) => learned(rows, sets.length, names.length, options, seed));
  return sets.map((_, set) => {
    const mean = (of: (layer: Layer) => Table): Float64Array => meanTable(runs, set, options.sharing, of);
    const named = mean((layer) => layer.named);
    const { classes } = options;
    return {
      classes,
      grams: mean((layer) => layer.grams),
      weights: new Map(
        names.map((name, at) => [name, [...named.subarray(at * classes, (at + 1) * classes)]]),
      ),
      bias: [...mean((layer) => layer.bias)],
    };
  });
}

/** One regression over one set. @param weights of the examples, in their order */
export function fit(examples: readonly Example[], options: Options, weights?: readonly number[]): Fitted {
  const [fitted] = fitTogether([examples], options, weights === undefined ? [] : [weights]);
  if (fitted === undefined) throw new RangeError("one set makes one regression");
  return fitted;
}
