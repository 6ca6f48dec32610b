/** Measures of a classifier and of a ranking. Pure. */

export const sentimentLabels = ["negative", "neutral", "positive"] as const;
export type SentimentLabel = (typeof sentimentLabels)[number];

export interface Judged {
  readonly label: SentimentLabel;
  readonly guess: SentimentLabel;
  /** 0..1: the model's confidence in its guess. */
  readonly confidence: number;
}

export interface ClassMeasures {
  readonly accuracy: number;
  readonly macroF1: number;
  /** F1 of negative, neutral, positive. */
  readonly f1: readonly number[];
  /** Rows are labels, columns guesses, in the order negative, neutral, positive. */
  readonly confusion: readonly (readonly number[])[];
  readonly ece: number;
}

export function classMeasures(rows: readonly Judged[]): ClassMeasures {
  const count = (label: SentimentLabel, guess: SentimentLabel): number =>
    rows.filter((row) => row.label === label && row.guess === guess).length;
  const confusion = sentimentLabels.map((label) => sentimentLabels.map((guess) => count(label, guess)));
  const f1 = sentimentLabels.map((_, index) => {
    const hit = confusion[index]?.[index] ?? 0;
    const actual = (confusion[index] ?? []).reduce((sum, value) => sum + value, 0);
    const claimed = confusion.reduce((sum, line) => sum + (line[index] ?? 0), 0);
    return (2 * hit) / Math.max(1, actual + claimed);
  });
  const right = rows.filter(({ label, guess }) => label === guess).length;
  return {
    accuracy: right / Math.max(1, rows.length),
    macroF1: f1.reduce((sum, value) => sum + value, 0) / f1.length,
    f1,
    confusion,
    ece: calibrationError(
      rows.map(({ label, guess, confidence }) => ({ p: confidence, hit: label === guess })),
    ),
  };
}

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly n: number;
  /** Mean stated probability. */
  readonly stated: number;
  /** Share that came true. */
  readonly observed: number;
}

/** Equal-width bins of stated probability; empty ones are left out. */
export function calibrationBins(
  rows: readonly { readonly p: number; readonly hit: boolean }[],
  bins = 10,
): readonly Bin[] {
  return Array.from({ length: bins }, (_, index) => {
    const inside = rows.filter(({ p }) => Math.min(bins - 1, Math.floor(p * bins)) === index);
    const n = inside.length;
    const stated = inside.reduce((sum, { p }) => sum + p, 0) / Math.max(1, n);
    const observed = inside.filter(({ hit }) => hit).length / Math.max(1, n);
    return { from: index / bins, to: (index + 1) / bins, n, stated, observed };
  }).filter(({ n }) => n > 0);
}

/** Expected calibration error over ten bins, 0..1. */
export function calibrationError(rows: readonly { readonly p: number; readonly hit: boolean }[]): number {
  const total = Math.max(1, rows.length);
  return calibrationBins(rows).reduce(
    (sum, { n, stated, observed }) => sum + (n / total) * Math.abs(stated - observed),
    0,
  );
}

/** Wilson score interval of a share at 95%. */
export function wilson(share: number, n: number): readonly [number, number] {
  if (n === 0) return [0, 1];
  const z = 1.96;
  const centre = share + (z * z) / (2 * n);
  const spread = z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  const scale = 1 + (z * z) / n;
  return [Math.max(0, (centre - spread) / scale), Math.min(1, (centre + spread) / scale)];
}

export interface Ranked {
  readonly score: number;
  readonly positive: boolean;
}

/** Area under the ROC curve by ranks, ties counted half; 0.5 when a class is missing. */
export function areaUnderCurve(rows: readonly Ranked[]): number {
  const ordered = rows.toSorted((a, b) => a.score - b.score);
  const positives = rows.filter(({ positive }) => positive).length;
  const negatives = rows.length - positives;
  if (positives === 0 || negatives === 0) return 0.5;
  let rankSum = 0;
  for (let from = 0; from < ordered.length; ) {
    let to = from;
    while (to < ordered.length && ordered[to]?.score === ordered[from]?.score) to += 1;
    const rank = (from + 1 + to) / 2;
    for (let index = from; index < to; index += 1) if (ordered[index]?.positive === true) rankSum += rank;
    from = to;
  }
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives);
}

/** Share of positives among the tenth with the highest scores; a tie at the edge counts by its own share. */
export function precisionAtTenth(rows: readonly Ranked[]): number {
  const wanted = Math.max(1, Math.round(rows.length / 10));
  const ordered = rows.toSorted((a, b) => b.score - a.score);
  const edge = ordered[wanted - 1]?.score ?? 0;
  const above = ordered.filter(({ score }) => score > edge);
  const tied = ordered.filter(({ score }) => score === edge);
  const share = tied.filter(({ positive }) => positive).length / Math.max(1, tied.length);
  return (above.filter(({ positive }) => positive).length + share * (wanted - above.length)) / wanted;
}
