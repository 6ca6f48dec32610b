/** Which events a comment names: what speaks for a direction, and what against it. */
import type { Span } from "../../text.ts";
import { type Reasons, saidByEvent, sentimentComment, tells, wordingComment } from "../comments.ts";
import type { Part } from "../companies.ts";
import { type FoundEvent, isOfGoods, marketGroups } from "../events/events.ts";
import type { Judged } from "./sure.ts";

/** A detail of the body counts less than the headline. */
const bodyShare = 0.6;

export const sized = ({ event, direction }: Part): number =>
  Math.abs(direction[0]) * (event.inTitle ? 1 : bodyShare);

/** The event that speaks the most for a sign. */
export const strongest = (parts: readonly Part[], sign: number): Part | undefined =>
  parts
    .filter(({ direction }) => Math.sign(direction[0]) === sign)
    .toSorted((a, b) => sized(b) - sized(a))[0];

/** The event that is told as the reason: the leading one where it speaks for the sign, so that both comments name the same. */
export function toldOf(parts: readonly Part[], sign: number, most: Part | undefined): Part | undefined {
  const [leading] = parts;
  return leading !== undefined && Math.sign(leading.direction[0]) === sign ? leading : most;
}

const overlap = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

/** "Trims its forecast, citing orders pushed into next quarter": what explains a fact says nothing against it. */
const explains = /\b(?:citing|because|blaming|due to)\b/i;

/**
 * What speaks against a sign: an event told as a fact, by other words than those that speak for it and not as their explanation; nothing
 * where it is not known whose part in the event is the item's.
 * @param reason what is told for the sign
 */
export function againstOf(
  { companies, text }: Judged,
  parts: readonly Part[],
  sign: number,
  reason: Span | null,
): FoundEvent | null {
  const isOther = (event: Span): boolean =>
    reason === null || (!overlap(event, reason) && !explains.test(text.slice(reason.end, event.start)));
  const others = parts.filter(({ event }) => event.strength >= 1 && isOther(event));
  const event = strongest(others, -sign)?.event ?? null;
  const isUnclear = event !== null && companies.length === 0 && event.kind.directions.size > 1;
  // What the same words would mean for a company says nothing against the price of a good, or the market.
  const told = parts[0]?.event.kind;
  const isOfOther =
    event !== null &&
    told !== undefined &&
    ((isOfGoods(told) && !isOfGoods(event.kind)) ||
      (companies.length === 0 && marketGroups.has(told.group) && !marketGroups.has(event.kind.group)));
  return isUnclear || isOfOther ? null : event;
}

/** What is told of a direction of 0: an event of each sign, or the leading one. */
export function reasonsForNone(parts: readonly Part[]): Pick<Reasons, "direction" | "event" | "against"> {
  const up = strongest(parts, 1)?.event ?? null;
  const down = strongest(parts, -1)?.event ?? null;
  const both = up !== null && down !== null;
  return { direction: 0, event: both ? up : (parts[0]?.event ?? null), against: both ? down : null };
}

/** A direction that the wording gives. */
export interface Worded {
  readonly direction: number;
  readonly whom: string;
  /** In quotes; null: none stand for it. */
  readonly words: string | null;
  /** The body tells an event. */
  readonly isKnown: boolean;
}

const inTitle = (parts: readonly Part[]): readonly Part[] =>
  parts.filter(({ event, role }) => event.inTitle && role !== "other");

/** The sentence for a direction for which no event speaks. @param words that do, in quotes */
export function whyByWording(
  judged: Judged,
  parts: readonly Part[],
  { direction, whom, words, isKnown }: Worded,
): string {
  const titled = inTitle(parts);
  const event = titled.find((part) => part.direction[0] === 0 && tells(part.event.kind))?.event;
  const contrary = event === undefined ? againstOf(judged, titled, Math.sign(direction), null) : null;
  return wordingComment(direction, whom, {
    words,
    beside: event === undefined ? null : saidByEvent(event, judged.text),
    against: contrary === null || direction === 0 ? null : saidByEvent(contrary, judged.text),
    isKnown: isKnown || judged.read.events.length > 0,
  });
}

/**
 * The sentence that names an event of a headline as the reason for a direction, whoever judged it.
 * @param parts of the company in question @returns null: no event of the headline speaks for the direction
 */
export function whyByEvent(
  judged: Judged,
  parts: readonly Part[],
  direction: number,
  whom: string,
): string | null {
  const titled = inTitle(parts);
  const told = { cue: null, whom, title: judged.artifact.title };
  const sign = Math.sign(direction);
  if (sign === 0) {
    const none = reasonsForNone(titled);
    return none.event === null ? null : sentimentComment({ ...told, ...none }, judged.text);
  }
  const event = toldOf(titled, sign, strongest(titled, sign))?.event ?? null;
  if (event === null) return null;
  const against = againstOf(judged, titled, sign, event);
  return sentimentComment({ ...told, direction, event, against }, judged.text);
}
