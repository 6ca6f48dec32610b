/** How the encoder's reading changes what the rules say of a text, and in which words. */
import { actionableFrom } from "../actionable-threshold.ts";
import { spokenName } from "../flash/flash.ts";
import type { Span } from "../text.ts";
import type { Artifact, LinkedSymbol } from "../types.ts";
import type { ReasonedActionability } from "./actionability.ts";
import type { Said } from "./encoder/encoder.ts";
import type { InContext } from "./encoder/in-context.ts";
import { type JointDirection, joinedAction } from "./encoder/joint.ts";
import type { Reading } from "./reading/reading.ts";
import type { WholeSentiment } from "./sentiment.ts";
import { evidenceOf, quote } from "./wording.ts";

/** What the encoder says, joined with the rules. */
export interface JudgedInContext extends InContext {
  readonly joint: JointDirection;
  /** The words of the title that turned the sign; null: it is that of the rules, or 0. */
  readonly proof: Span | null;
}

/** What the reason is called that the encoder adds. */
export const inContext = "The text read in context";

/** Why a sign is not that of the rules. */
export function turnedComment(short: number, whom: string, words: string | null): string {
  if (short === 0) return `Read in context as no clear news: no clear direction for ${whom}`;
  const [news, way] = short > 0 ? ["good", "bullish"] : ["bad", "bearish"];
  return `Read in context as ${news} news${words === null ? "" : ` (${words})`}: ${way} for ${whom}`;
}

export function sentimentInContext(
  ruled: WholeSentiment,
  { joint, proof }: JudgedInContext,
  reading: Reading,
  [primary]: readonly LinkedSymbol[],
): WholeSentiment {
  const isTurned = Math.sign(joint.short) !== Math.sign(ruled.short);
  const whom = primary === undefined ? "the company" : spokenName(primary.name);
  const words = proof === null ? null : quote(reading.text, proof);
  return {
    ...ruled,
    short: joint.short,
    long: joint.long,
    conviction: joint.conviction,
    comment: isTurned ? turnedComment(joint.short, whom, words) : ruled.comment,
    inContext: { proof: isTurned && proof !== null ? evidenceOf(reading.text, proof) : null },
  };
}

/** The form of a filing says what the encoder does not read: how often such a filing moves a price. */
export function actionabilityInContext(
  ruled: ReasonedActionability,
  whole: Said,
  artifact: Artifact,
): ReasonedActionability {
  if (artifact.filing !== null) return ruled;
  const score = joinedAction(whole, ruled.actionability.score);
  const actionable = score >= actionableFrom;
  const isTurned = actionable !== ruled.actionability.actionable;
  const comment = `Read in context: ${actionable ? "likely" : "unlikely"} to move the price`;
  const points = score - ruled.actionability.score;
  return {
    reasons: points === 0 ? ruled.reasons : [...ruled.reasons, { name: inContext, points, evidence: [] }],
    actionability: {
      ...ruled.actionability,
      score,
      actionable,
      comment: isTurned ? comment : ruled.actionability.comment,
    },
  };
}
