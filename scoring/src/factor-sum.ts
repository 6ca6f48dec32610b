/** A verdict's factors add up to it: in points to the score, and with 20 to a step to the direction. */
import type { AnalysisFactor } from "@tapewire/contract/score.ts";

/** Weight of one step of a direction. */
export const perStep = 20;

/** The most that one factor can say. */
const most = 100;

export const sumOf = (factors: readonly AnalysisFactor[]): number =>
  factors.reduce((sum, { weight }) => sum + weight, 0);

/** The factors with one more that leads to the total; none is added where they lead there by themselves. */
export function leadingTo(
  total: number,
  factors: readonly AnalysisFactor[],
  name: string,
  evidence: AnalysisFactor["evidence"] = [],
): AnalysisFactor[] {
  const weight = bounded(total - sumOf(factors));
  // What one factor cannot say is said by the next.
  return weight === 0
    ? [...factors]
    : leadingTo(total, [...factors, { name, weight, evidence }], name, evidence);
}

/**
 * The factors with what another reading of the same text adds to them, 0 where it agrees. A reading of the other sign does not
 * add to the reasons before it: it sets them aside.
 */
export function readOtherwise(
  total: number,
  factors: readonly AnalysisFactor[],
  name: string,
  evidence: AnalysisFactor["evidence"] = [],
): AnalysisFactor[] {
  const sum = sumOf(factors);
  const isTurned = sum * total < 0;
  const kept = isTurned ? leadingTo(0, factors, "The reasons above are set aside") : factors;
  return [...kept, { name, weight: isTurned ? total : total - sum, evidence }];
}

/** A weight as a factor may have it; what is more is part of the factor that leads to the total. */
export const bounded = (weight: number): number => Math.max(-most, Math.min(most, Math.round(weight))) || 0;
