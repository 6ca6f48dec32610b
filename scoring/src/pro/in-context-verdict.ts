/** How the encoder's reading changes what the rules say of a text, and in which words. */
import { actionableFrom } from "../actionable-threshold.ts";
import { type ActRange, within as inRange, sizeOfFall, type Told, type Why } from "../flash/flash.ts";
import { quoteClause } from "../quote.ts";
import type { Span } from "../text.ts";
import type { Artifact } from "../types.ts";
import type { ReasonedActionability } from "./actionability.ts";
import type { Said } from "./encoder/encoder.ts";
import type { InContext } from "./encoder/in-context.ts";
import { type JointDirection, joinedAction } from "./encoder/joint.ts";
import type { Reading } from "./reading/reading.ts";
import type { WholeSentiment } from "./sentiment.ts";
import type { EventsOfOne } from "./text-events.ts";
import { evidenceOf } from "./wording.ts";

/** What the encoder says, joined with the rules. */
export interface JudgedInContext extends InContext {
  readonly joint: JointDirection;
  /** The words of the title that turned the sign; null: it is that of the rules, or 0. */
  readonly proof: Span | null;
}

/** What the reason is called that the encoder adds. */
export const inContext = "The text read in context";

const titleOf = ({ text, sentences }: Reading): string =>
  text.slice(0, Math.max(0, text.indexOf("\n", sentences[0]?.end ?? 0)));

/** Why a sign is not that of the rules. @param words of the title that turned it, in quotes */
export const turnedComment = (short: number, why: Why, words: string | null, events: EventsOfOne): string =>
  why.byEvent(short) ?? events.why(short) ?? why.byWording(short, words, events.isAny);

/** What the rules read beside the text. */
interface Ruled {
  readonly reading: Reading;
  readonly told: Told;
  readonly range: ActRange;
  readonly events: EventsOfOne;
}

/** Whether the headline tells the sign of the rules as a plain fact of a sure kind, which the body does not gainsay. */
export const isTold = (sign: number, { short }: Pick<WholeSentiment, "short">): boolean =>
  sign !== 0 && sign === Math.sign(short);

/** What nobody acts on is small news, and none where its row gives it no direction. */
export const sizedBy = (short: number, ruled: number, [, most]: ActRange): number =>
  most >= actionableFrom ? short : ruled === 0 ? 0 : Math.sign(short);

/** A buyer for which the deal is no news keeps the reason: "Takeover agreed". */
const ofBuyer = (comment: string): string =>
  comment.replace(/: (?:bearish|bullish) for /, ": no clear direction for ");

export function sentimentInContext(
  ruled: WholeSentiment,
  { joint, proof }: JudgedInContext,
  { reading, told, range, events }: Ruled,
): WholeSentiment {
  const sized = sizedBy(joint.short, ruled.short, range);
  const fall = told.besideGood && ruled.short < 0 ? sizeOfFall(reading.text) : null;
  const [least, most] = fall === null ? told.size : [fall, fall];
  const within = (value: number): number =>
    Math.sign(value) * Math.min(most, Math.max(least, Math.abs(value)));
  const short = within(sized);
  const isTurned = Math.sign(short) !== Math.sign(ruled.short);
  const isReversed = short * ruled.short < 0 && isTold(told.figure, ruled);
  const isMistaken =
    (told.silent && short !== 0 && ruled.short === 0) ||
    (told.isOthers && short > 0 && ruled.short <= 0) ||
    (short !== 0 && Math.sign(short) === told.barred[0] && Math.sign(ruled.short) !== Math.sign(short));
  if (isReversed || isMistaken || (isTurned && isTold(told.sign, ruled)))
    return { ...ruled, short: within(ruled.short), inContext: { proof: null } };
  const words = proof === null ? null : quoteClause(titleOf(reading), proof);
  return {
    ...ruled,
    short,
    long: sizedBy(joint.long, ruled.long, range),
    conviction: joint.conviction,
    comment:
      isTurned && short === 0 && told.isOthers
        ? ofBuyer(ruled.comment)
        : isTurned
          ? turnedComment(short, told.own, words, events)
          : ruled.comment,
    inContext: { proof: isTurned && proof !== null ? evidenceOf(reading.text, proof) : null },
  };
}

/** The form of a filing says what the encoder does not read: how often such a filing moves a price. */
export function actionabilityInContext(
  ruled: ReasonedActionability,
  whole: Said,
  artifact: Artifact,
  range: ActRange,
): ReasonedActionability {
  if (artifact.filing !== null) return ruled;
  const score = inRange(joinedAction(whole, ruled.actionability.score), range);
  const actionable = score >= actionableFrom;
  const points = score - ruled.actionability.score;
  return {
    reasons: points === 0 ? ruled.reasons : [...ruled.reasons, { name: inContext, points, evidence: [] }],
    actionability: { ...ruled.actionability, score, actionable },
  };
}
