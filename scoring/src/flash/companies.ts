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

/** The mention nearest to an event among those in [start, end). */
function nearest(
  mentions: readonly number[],
  event: FoundEvent,
  start: number,
  end: number,
): number | undefined {
  const distance = (at: number): number => Math.min(Math.abs(at - event.start), Math.abs(at - event.end));
  return mentions.filter((at) => at >= start && at < end).toSorted((a, b) => distance(a) - distance(b))[0];
}

/**
 * Where each company is named in an event: in its clause where any company is named there, else in its sentence. "A's profit
 * jumps; B cuts guidance" tells nothing of A's guidance.
 */
function placesIn(
  event: FoundEvent,
  mentions: readonly (readonly number[])[],
): readonly (number | undefined)[] {
  const inClause = mentions.map((own) => nearest(own, event, event.clauseStart, event.clauseEnd));
  if (inClause.some((at) => at !== undefined)) return inClause;
  return mentions.map((own) => nearest(own, event, event.sentenceStart, event.sentenceEnd));
}

const seller = /\bfrom (?:the )?$/i;
/** "Norvik's takeover of Veldric": whose offer it is. */
const bidder =
  /^[\p{L}\p{N}.& -]{0,40}?['’]s? (?:[\p{L}\p{N}$.-]{1,20} ){0,3}(?:takeover|bid|offer|acquisition|purchase|buyout|approach|proposal)\b/u;

/** "To buy Arm from SoftBank": the seller is not the target. */
function partAt(event: FoundEvent, place: number, text: string): EventRole {
  const role = roleAt(event, place);
  if (role === "target" && bidder.test(text.slice(place, place + 90))) return "acquirer";
  return role === "target" && seller.test(text.slice(Math.max(0, place - 10), place)) ? "seller" : role;
}

export function companiesOf(
  symbols: readonly LinkedSymbol[],
  events: readonly FoundEvent[],
  text: string,
): readonly Company[] {
  const mentions = symbols.map((symbol) => mentionsOf(symbol, text));
  const places = events.map((event) => placesIn(event, mentions));
  return symbols.map((symbol, index) => ({
    symbol,
    mentions: mentions[index] ?? [],
    parts: events.flatMap((event, at): Part[] => {
      const place = places[at]?.[index];
      if (place === undefined) return [];
      const role = partAt(event, place, text);
      return [{ event, role, direction: directionFor(event, role) }];
    }),
  }));
}

/** The part of the company that a sentence is about, whoever that is. */
export function leadingPart(event: FoundEvent): Part {
  const role = leadingRole(event);
  return { event, role, direction: directionFor(event, role) };
}

/**
 * The parts of the item's own company in the events, in their order. An event that names no linked company is about the item's
 * own; one that names others alone is not.
 */
export function ownParts(companies: readonly Company[], events: readonly FoundEvent[]): readonly Part[] {
  const own = companies.find(({ symbol }) => symbol.primary) ?? companies[0];
  return events.flatMap((event): Part[] => {
    const named = own?.parts.find((part) => part.event === event);
    if (named !== undefined) return [named];
    const isOthers = companies.some(({ parts }) => parts.some((part) => part.event === event));
    return isOthers ? [] : [leadingPart(event)];
  });
}
