import type { Signal } from "./types.ts";

/** A signal with what it counts where it stands. */
export interface WeighedSignal {
  readonly signal: Signal;
  /** Its weight times that of its part. */
  readonly force: number;
}

/** How statements add up. */
export interface Balance {
  /** About -8..+8; a step of direction is about one. */
  readonly sum: number;
  /** Of what lasts beyond days only. */
  readonly lastingSum: number;
  /** 0..1: how far for and against agree. */
  readonly agreement: number;
  /** All that was said, either way. */
  readonly total: number;
  /** 0..100, of this balance alone. */
  readonly certainty: number;
  /** Those with the sign of the sum, strongest first. */
  readonly evidence: readonly WeighedSignal[];
  /** The strongest of the other sign. */
  readonly against: WeighedSignal | null;
}

/** Sums from which a direction is one step larger. Those of flash, so that the two add up on one scale. */
const steps = [0.55, 1.2, 2.2, 3.2, 4.6] as const;
/** The middle of each step, for turning a direction back into a sum. */
const middles = [0, 0.85, 1.65, 2.65, 3.8, 5] as const;

export function directionOf(sum: number): number {
  const size = steps.filter((step) => Math.abs(sum) >= step).length;
  return size === 0 ? 0 : Math.sign(sum) * size;
}

export function sumOf(direction: number): number {
  return Math.sign(direction) * (middles[Math.min(5, Math.abs(Math.trunc(direction)))] ?? 0);
}

export const percent = (value: number): number => Math.max(0, Math.min(100, Math.round(value)));

/** The many statements of a long text must not add up to more than a few plain ones. */
const counted = 8;
/** The same thing said again is hardly news. */
const mostAlike = 3;

/** Strongest first; of one label a few only. */
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

const softSum = (all: readonly WeighedSignal[]): number =>
  all.slice(0, counted).reduce((sum, { force }, index) => sum + force / (index + 1), 0);

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
  };
}
