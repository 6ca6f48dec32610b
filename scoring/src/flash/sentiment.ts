import type { Cue } from "./cues/types.ts";

/** The sum of a set of cues. */
export interface Balance {
  /** -5..+5. */
  readonly shortDirection: number;
  readonly longDirection: number;
  /** 0..100. */
  readonly conviction: number;
  readonly intensity: number;
  readonly agreement: number;
  readonly certainty: number;
  /** Strongest first, at most three. */
  readonly evidence: readonly Cue[];
  /** The strongest cue against the direction. */
  readonly against: Cue | null;
}

/** Sums below the first step are noise: one faint word. Steps chosen by hand so that one plain statement gives 2. */
const steps = [0.55, 1.2, 2.2, 3.2, 4.6] as const;

function directionOf(sum: number): number {
  const size = steps.filter((step) => Math.abs(sum) >= step).length;
  return size === 0 ? 0 : Math.sign(sum) * size;
}

/** Cues of the same sign add less and less, so that a long text cannot reach a high direction by repetition. */
function softSum(weights: readonly number[]): number {
  if (weights.length < 2) return Math.abs(weights[0] ?? 0);
  const ordered = weights.map(Math.abs).toSorted((a, b) => b - a);
  return ordered.reduce((sum, weight, index) => sum + weight / (index + 1), 0);
}

/** The sums of both sides of a set of cues, each 0 or more. */
export function ruleSum(cues: readonly Cue[]): { positive: number; negative: number } {
  return {
    positive: softSum(cues.filter(({ weight }) => weight > 0).map(({ weight }) => weight)),
    negative: softSum(cues.filter(({ weight }) => weight < 0).map(({ weight }) => weight)),
  };
}

/** A direction's whole steps; never -0, which does not equal 0 in comparisons of verdicts. */
export const towardsZero = (value: number): number => Math.trunc(value) || 0;

export const percent = (value: number): number => Math.max(0, Math.min(100, Math.round(value)));

/** Adds cues up to a direction with its conviction. */
export function weigh(cues: readonly Cue[]): Balance {
  const { positive, negative } = ruleSum(cues);
  const sum = positive - negative;
  const total = positive + negative;
  const shortDirection = directionOf(sum);
  const agreement = total === 0 ? 0 : Math.abs(sum) / total;
  const ordered = cues.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || a.start - b.start);
  const evidence = ordered.filter(({ weight }) => sum === 0 || weight * sum > 0).slice(0, 3);
  const against = ordered.find(({ weight }) => weight * sum < 0 && Math.abs(weight) > 0.5);
  const hedged = evidence.length > 0 && evidence.filter((cue) => cue.hedged).length * 2 >= evidence.length;
  const certainty = total === 0 ? 0 : agreement * (hedged ? 55 : 85) * Math.min(1, 0.2 + total / 4);
  return {
    shortDirection,
    longDirection: towardsZero(shortDirection * 0.6),
    conviction: percent(shortDirection === 0 ? Math.min(20, certainty * 0.3) : certainty),
    intensity: percent(Math.abs(sum) * 20),
    agreement: percent(agreement * 100),
    certainty: percent(certainty),
    evidence,
    against: against ?? null,
  };
}
