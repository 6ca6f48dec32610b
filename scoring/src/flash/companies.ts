/** The part that each linked company plays in the events of a text. */

import type { LinkedSymbol } from "../types.ts";
import { directionFor, type EventRole, type FoundEvent, leadingRole, roleAt } from "./events/events.ts";
import { mentionsOf } from "./own-names.ts";

export interface Part {
  readonly event: FoundEvent;
  readonly role: EventRole;
  /** Short and long direction, -5..5, for the company in this role. */
  readonly direction: readonly [number, number];
}

export interface Company {
  readonly symbol: LinkedSymbol;
  /** Offsets at which the text names it. */
  readonly mentions: readonly number[];
  /** Its parts, in the order of the events. */
  readonly parts: readonly Part[];
}

/** The mention nearest to an event within its sentence. */
function nearest(mentions: readonly number[], event: FoundEvent): number | undefined {
  const distance = (at: number): number => Math.min(Math.abs(at - event.start), Math.abs(at - event.end));
  return mentions
    .filter((at) => at >= event.sentenceStart && at < event.sentenceEnd)
    .toSorted((a, b) => distance(a) - distance(b))[0];
}

function partsOf(mentions: readonly number[], events: readonly FoundEvent[]): readonly Part[] {
  return events.flatMap((event) => {
    const at = nearest(mentions, event);
    if (at === undefined) return [];
    const role = roleAt(event, at);
    return { event, role, direction: directionFor(event, role) };
  });
}

export function companiesOf(
  symbols: readonly LinkedSymbol[],
  events: readonly FoundEvent[],
  text: string,
): readonly Company[] {
  return symbols.map((symbol) => {
    const mentions = mentionsOf(symbol, text);
    return { symbol, mentions, parts: partsOf(mentions, events) };
  });
}

/** The part of the item's own company in an event: that of the leading role where the sentence does not name it. */
export function ownPart(company: Company | undefined, event: FoundEvent): Part {
  const named = company?.parts.find((part) => part.event === event);
  if (named !== undefined) return named;
  const role = leadingRole(event);
  return { event, role, direction: directionFor(event, role) };
}
