import { type Calibration, probabilitiesOf, type Reading, readScores, uncalibrated } from "./calibration.ts";
import { type ClassName, type ClassScores, classNames } from "./types.ts";

/** A labelled text and what the model said of it. */
export interface Labelled {
  readonly scores: ClassScores;
  readonly label: ClassName;
  /** -5..+5; null: the label says no more than the class. */
  readonly short: number | null;
}

/** Fewer lines, or fewer of a class, say nothing about a share of them. */
export const fewest = { lines: 60, ofClass: 10, strengths: 60 } as const;

const folds = 5;
const bins = 10;

/**
 * Fits how the scores of a model are read: one temperature by the likelihood of the labels, and the steps of a direction by
 * the strengths of the labels, where they have any. The errors are those of lines that were kept back from the fit.
 * @param model digest of the model
 */
export function calibrate(rows: readonly Labelled[], model: string): Calibration {
  const kept = Array.from({ length: folds }, (_, fold) => {
    const temperature = temperatureOf(rows.filter((_, index) => index % folds !== fold));
    return rows
      .filter((_, index) => index % folds === fold)
      .map((row) => claimOf(row, { ...uncalibrated, temperature }));
  }).flat();
  const before = rows.map((row) => claimOf(row, uncalibrated));
  const temperature = temperatureOf(rows);
  return {
    model,
    temperature: rounded(temperature),
    steps: [...stepsOf(rows, temperature)],
    lines: rows.length,
    ece: { before: rounded(calibrationError(before)), after: rounded(calibrationError(kept)) },
    accuracy: rounded(before.filter(({ hit }) => hit).length / rows.length),
  };
}

/** What is missing for a calibration; null: nothing. */
export function shortage(rows: readonly Pick<Labelled, "label">[]): string | null {
  if (rows.length < fewest.lines) return `${rows.length} lines, and at least ${fewest.lines} are needed`;
  const scarce = classNames.find(
    (name) => rows.filter(({ label }) => label === name).length < fewest.ofClass,
  );
  return scarce === undefined ? null : `fewer than ${fewest.ofClass} lines are ${scarce}`;
}

interface Claim {
  /** 0..1: what the model says of its own answer. */
  readonly p: number;
  readonly hit: boolean;
}

function claimOf({ scores, label }: Labelled, reading: Reading): Claim {
  const { direction } = readScores(scores, reading);
  const said = classNames[1 + Math.sign(direction)];
  return { p: Math.max(...probabilitiesOf(scores, reading.temperature)), hit: said === label };
}

/** Expected calibration error over ten bins of equal width, 0..1. */
function calibrationError(claims: readonly Claim[]): number {
  const byBin = Map.groupBy(claims, ({ p }) => Math.min(bins - 1, Math.floor(p * bins)));
  return [...byBin.values()].reduce((sum, inside) => {
    const stated = inside.reduce((total, { p }) => total + p, 0);
    return sum + Math.abs(stated - inside.filter(({ hit }) => hit).length) / claims.length;
  }, 0);
}

/** The temperature under which the labels are likeliest, by golden section: the loss has one minimum. */
function temperatureOf(rows: readonly Labelled[]): number {
  const loss = (logTemperature: number): number => {
    const temperature = Math.exp(logTemperature);
    return rows.reduce((sum, { scores, label }) => {
      const p = probabilitiesOf(scores, temperature)[classNames.indexOf(label)] ?? 0;
      return sum - Math.log(Math.max(p, 1e-12));
    }, 0);
  };
  const ratio = (Math.sqrt(5) - 1) / 2;
  let [low, high] = [Math.log(0.05), Math.log(20)];
  for (let step = 0; step < 50; step += 1) {
    const [left, right] = [high - ratio * (high - low), low + ratio * (high - low)];
    if (loss(left) < loss(right)) high = right;
    else low = left;
  }
  return Math.exp((low + high) / 2);
}

/** From which balance the labels of the same sign are on average nearer to a strength than to the one below. */
function stepsOf(rows: readonly Labelled[], temperature: number): Reading["steps"] {
  const seen = rows.flatMap(({ scores, short }) => {
    const { direction, probabilities } = readScores(scores, { ...uncalibrated, temperature });
    if (short === null || direction === 0) return [];
    const [negative, , positive] = probabilities;
    return [{ balance: Math.abs(positive - negative), strength: Math.sign(direction) * short }];
  });
  if (seen.length < fewest.strengths) return uncalibrated.steps;
  const rising = pooled(seen.toSorted((a, b) => a.balance - b.balance));
  return [2, 3, 4, 5].map((size) => {
    const from = rising.find(({ strength }) => strength >= size - 0.5)?.balance;
    return from === undefined ? null : rounded(from);
  });
}

interface Point {
  readonly balance: number;
  readonly strength: number;
}

/** The rising line that is nearest to the points (pool adjacent violators): each block from its least balance on. */
function pooled(points: readonly Point[]): readonly Point[] {
  const blocks: { balance: number; sum: number; n: number }[] = [];
  for (const { balance, strength } of points) {
    blocks.push({ balance, sum: strength, n: 1 });
    for (let last = blocks.length - 1; last > 0; last -= 1) {
      const [below, above] = [blocks[last - 1], blocks[last]];
      if (below === undefined || above === undefined || below.sum / below.n < above.sum / above.n) break;
      blocks.splice(last - 1, 2, {
        balance: below.balance,
        sum: below.sum + above.sum,
        n: below.n + above.n,
      });
    }
  }
  return blocks.map(({ balance, sum, n }) => ({ balance, strength: sum / n }));
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
