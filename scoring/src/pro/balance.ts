import type { Signal } from "./types.ts";

/** A signal with its force by position. */
export interface WeighedSignal {
  readonly signal: Signal;
  /** Its weight times that of its part. */
  readonly force: number;
}

/** A signal with what it adds to a sum. */
export interface Share {
  readonly signal: Signal;
  readonly share: number;
}

/** The sum of some statements. */
export interface Balance {
  /** About -8..+8; a step of direction is about one. */
  readonly sum: number;
  /** The sum of statements with an effect beyond days. */
  readonly lastingSum: number;
  /** 0..1: how far the statements agree. */
  readonly agreement: number;
  /** The sum of all forces, whatever their sign. */
  readonly total: number;
  /** 0..100, for this balance alone. */
  readonly certainty: number;
  /** Statements with the sign of the sum, strongest first. */
  readonly evidence: readonly WeighedSignal[];
  /** The strongest statement of the other sign. */
  readonly against: WeighedSignal | null;
  /** What each of the statements that count adds to the sum. */
  readonly shares: readonly Share[];
}

/** Sums at which a direction grows by one step; the same as in flash, so that the two use one scale. */
const steps = [0.55, 1.2, 2.2, 3.2, 4.6] as const;
/** The middle of each step, for converting a direction to a sum. */
const middles = [0, 0.85, 1.65, 2.65, 3.8, 5] as const;

export function directionOf(sum: number): number {
  const size = steps.filter((step) => Math.abs(sum) >= step).length;
  return size === 0 ? 0 : Math.sign(sum) * size;
}

export function sumOf(direction: number): number {
  return Math.sign(direction) * (middles[Math.min(5, Math.abs(Math.trunc(direction)))] ?? 0);
}

export const percent = (value: number): number => Math.max(0, Math.min(100, Math.round(value)));

/** Bounds the number of statements, so that a long text does not exceed a few plain ones. */
const counted = 8;
/** Bounds repetitions of one statement, which are hardly news. */
const mostAlike = 3;

/** Strongest first, only a few with the same label. */
function strongest(all: readonly WeighedSignal[]): readonly WeighedSignal[] {
  const ordered = all.toSorted(
    (a, b) => Math.abs(b.force) - Math.abs(a.force) || a.signal.start - b.signal.start,
  );
  const alike = new Map<string, number>();
  const kept: WeighedSignal[] = [];
  for (const one of ordered) {
    const seen = alike.get(one.signal.label) ?? 0;
    if (seen >= mostAlike) continue;
    alike.set(one.signal.label, seen + 1);
    kept.push(one);
    if (kept.length >= 4 * counted) break;
  }
  return kept;
}

const sharesOf = (all: readonly WeighedSignal[]): readonly Share[] =>
  all.slice(0, counted).map(({ signal, force }, index) => ({ signal, share: force / (index + 1) }));

const softSum = (all: readonly WeighedSignal[]): number =>
  sharesOf(all).reduce((sum, { share }) => sum + share, 0);

/** Adds statements up. */
export function balanceOf(all: readonly WeighedSignal[]): Balance {
  const positive = strongest(all.filter(({ force }) => force > 0));
  const negative = strongest(all.filter(({ force }) => force < 0));
  const [plus, minus] = [softSum(positive), -softSum(negative)];
  const lasting = (side: readonly WeighedSignal[]) => softSum(side.filter(({ signal }) => signal.lasting));
  const sum = plus - minus;
  const total = plus + minus;
  const agreement = total === 0 ? 0 : Math.abs(sum) / total;
  const evidence = sum >= 0 ? positive : negative;
  const hedged =
    evidence.length > 0 &&
    evidence.slice(0, 3).filter(({ signal }) => signal.hedged).length * 2 >= Math.min(3, evidence.length);
  return {
    sum,
    lastingSum: lasting(positive) + lasting(negative),
    agreement,
    total,
    certainty: percent(agreement * (hedged ? 50 : 85) * Math.min(1, 0.2 + total / 4)),
    evidence,
    against: (sum >= 0 ? negative : positive)[0] ?? null,
    shares: [...sharesOf(positive), ...sharesOf(negative)],
  };
}
