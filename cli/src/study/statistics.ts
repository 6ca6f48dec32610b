/**
 * Estimates with 95 % intervals. Observations of one cluster (clusters.ts) move together, so an interval counts clusters,
 * not observations: the variance of an estimate is that of the clusters' summed influences (Liang and Zeger 1986), with
 * Student's t for few clusters.
 */

export interface Estimate {
  readonly value: number;
  /** null: there are fewer than two clusters. */
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

/** One value per observation, and the cluster of each: those of a cluster stand together. */
export interface Sample {
  readonly values: readonly number[];
  readonly clusters: readonly number[];
}

/** @returns null for an empty sample */
export function mean({ values, clusters }: Sample): Estimate | null {
  const n = values.length;
  if (n === 0) return null;
  const value = values.reduce((sum, one) => sum + one, 0) / n;
  const { error, degrees } = spread(
    values.map((one) => (one - value) / n),
    clusters,
  );
  if (degrees < 1) return { value, low: null, high: null, n };
  const reach = student(degrees) * error;
  return { value, low: value - reach, high: value + reach, n };
}

/** The share of values that are 1. Wilson's interval, which stays within 0 and 1, for the sample that clusters leave. */
export function share(sample: Sample): Estimate | null {
  const { values, clusters } = sample;
  const plain = mean(sample);
  if (plain === null) return null;
  const { value, n } = plain;
  const { error, degrees } = spread(
    values.map((one) => (one - value) / n),
    clusters,
  );
  if (degrees < 1) return { ...plain, low: null, high: null };
  const effective = error > 0 ? Math.min(n, (value * (1 - value)) / error ** 2) : degrees + 1;
  const z = student(degrees);
  const middle = (value + z ** 2 / (2 * effective)) / (1 + z ** 2 / effective);
  const reach =
    (z * Math.sqrt((value * (1 - value)) / effective + z ** 2 / (4 * effective ** 2))) /
    (1 + z ** 2 / effective);
  return { value, low: Math.max(0, middle - reach), high: Math.min(1, middle + reach), n };
}

export interface RankSample {
  readonly scores: readonly number[];
  readonly labels: readonly boolean[];
  readonly clusters: readonly number[];
}

/**
 * Area under the ROC curve: how often a labelled observation has the higher score of a pair; ties count half. Its influences
 * are the structural components of DeLong et al. 1988.
 * @returns null where one of the two classes is empty
 */
export function auc({ scores, labels, clusters }: RankSample): Estimate | null {
  const ranks = ranksOf(scores, labels);
  const { positives, negatives } = ranks;
  if (positives === 0 || negatives === 0) return null;
  const components = scores.map((score, at) =>
    labels[at] === true ? ranks.negativesBelow(score) / negatives : ranks.positivesAbove(score) / positives,
  );
  const ofPositives = components.filter((_, at) => labels[at] === true);
  const value = ofPositives.reduce((sum, one) => sum + one, 0) / positives;
  const influences = components.map(
    (one, at) => (one - value) / (labels[at] === true ? positives : negatives),
  );
  const { error, degrees } = spread(influences, clusters);
  const n = scores.length;
  if (degrees < 1) return { value, low: null, high: null, n };
  const reach = student(degrees) * error;
  return { value, low: Math.max(0, value - reach), high: Math.min(1, value + reach), n };
}

function ranksOf(scores: readonly number[], labels: readonly boolean[]) {
  const counts = new Map<number, { positive: number; negative: number }>();
  for (const [at, score] of scores.entries()) {
    const count = counts.get(score) ?? { positive: 0, negative: 0 };
    counts.set(score, count);
    count[labels[at] === true ? "positive" : "negative"] += 1;
  }
  const below = new Map<number, { positive: number; negative: number }>();
  let positives = 0;
  let negatives = 0;
  for (const [score, { positive, negative }] of [...counts].sort(([a], [b]) => a - b)) {
    below.set(score, { positive: positives + positive / 2, negative: negatives + negative / 2 });
    positives += positive;
    negatives += negative;
  }
  return {
    positives,
    negatives,
    negativesBelow: (score: number) => below.get(score)?.negative ?? 0,
    positivesAbove: (score: number) => positives - (below.get(score)?.positive ?? 0),
  };
}

/**
 * Standard error of a sum of influences, by clusters. An estimate leans towards a cluster that has much of the sample, which
 * makes that cluster's influence look small: it is taken as what the estimate changes by without the cluster (the jackknife,
 * CR3 of MacKinnon, Nielsen and Webb 2023).
 */
function spread(
  influences: readonly number[],
  clusters: readonly number[],
): { error: number; degrees: number } {
  let count = 0;
  let squares = 0;
  for (let at = 0; at < influences.length; count += 1) {
    const cluster = clusters[at];
    const from = at;
    let sum = 0;
    for (; at < influences.length && clusters[at] === cluster; at += 1) sum += influences[at] ?? 0;
    squares += (sum / (1 - (at - from) / influences.length)) ** 2;
  }
  const degrees = count - 1;
  return { error: degrees < 1 ? 0 : Math.sqrt((squares * degrees) / count), degrees };
}

const z = 1.959964;
const firstStudent = [12.706, 4.303, 3.182, 2.776];

/** The 97.5 % point of Student's t: a table for the first, then the expansion of Fisher and Cornish. */
function student(degrees: number): number {
  const known = firstStudent[degrees - 1];
  if (known !== undefined) return known;
  const first = (z ** 3 + z) / 4;
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + first / degrees + second / degrees ** 2 + third / degrees ** 3;
}
