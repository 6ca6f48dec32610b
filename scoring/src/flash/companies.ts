/** The part that each linked company plays in the events of a text. */

import type { Span } from "../text.ts";
import type { LinkedSymbol } from "../types.ts";
import { isVoters, partInDeal, partInSwitch } from "./deal-parts.ts";
import {
  directionFor,
  type EventRole,
  type FoundEvent,
  isOfGoods,
  leadingRole,
  marketGroups,
  otherSide,
  ownRole,
  partyRole,
  roleAt,
} from "./events/events.ts";
import { isRivalBehind, partBeside, partInCourt } from "./named-parts.ts";
import { mentionsOf } from "./own-names.ts";

export interface Part {
  readonly event: FoundEvent;
  readonly role: EventRole;
  /** Short and long direction, -5..5, for the company in this role. */
  readonly direction: readonly [number, number];
  /** The company only tells who another one is. */
  readonly apposed?: boolean;
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

const heading = /^[\p{L}\p{N}.&' -]{1,40}:/u;

/** "Norvik: fund buys more shares": whose shares stands in the heading, where none is named behind the proof. */
function withHeading(
  event: FoundEvent,
  mentions: readonly (readonly number[])[],
  near: readonly (number | undefined)[],
  text: string,
): readonly (number | undefined)[] {
  const isOpen = event.inTitle && event.kind.after === "target" && !event.turned;
  if (
    !isOpen ||
    near.every((at) => at === undefined) ||
    near.some((at) => at !== undefined && at > event.start)
  )
    return near;
  if (!heading.test(text)) return near;
  return near.map((at, index) => at ?? (mentions[index]?.includes(0) === true ? event.end : undefined));
}

/**
 * Where each company is named in an event: in its clause where any company is named there, else in its sentence. "A's profit
 * jumps; B cuts guidance" tells nothing of A's guidance.
 */
function placesIn(
  event: FoundEvent,
  mentions: readonly (readonly number[])[],
  text: string,
): readonly (number | undefined)[] {
  const near = mentions.map((own) => nearest(own, event, event.clauseStart, event.clauseEnd));
  const inClause = withHeading(event, mentions, near, text);
  if (inClause.some((at) => at !== undefined)) return inClause;
  return mentions.map((own) => nearest(own, event, event.sentenceStart, event.sentenceEnd));
}

const withCustomer = /\b(?:with|from) (?:the )?$/i;
const supplied = /\bsupplier (?:to|of|for) (?:the )?$/i;
/** "Norvik supplier Veldric": Norvik is supplied. */
const ownSupplier = /^[\p{L}\p{N}.&-]{1,40}(?:['’]s)? (?:[\p{L}-]{1,20} ){0,2}supplier\b/u;
/**
 * A company is no authority: where the row's order would make it one ("Norvik supplier fined"), it has the other part. Nor is one a
 * broker where no other company is named and it does not open the clause: in "UBS keeps Norvik at buy, raises target" the target is
 * Norvik's.
 */
function partOf(event: FoundEvent, place: number, isAlone: boolean): EventRole {
  const role = roleAt(event, place);
  const isMistaken = role === "regulator" || (role === "broker" && isAlone && place > event.clauseStart);
  return isMistaken ? otherSide(event.kind, role) : role;
}

/** Words that begin the other statement of a sentence: "Veldric slides as Norvik wins an order". */
const statement = /\b(?:as|after|while|when|because|although)\b/i;
/** "Veldric shares slump after": what moves the share concerns the company. */
const moves =
  /^[\p{L}\p{N}.&'’ -]{1,60}? (?:slump|plunge|tumble|sink|slide|fall|drop|dive|crash|crater|rise|jump|surge|soar|climb|gain|rally|leap)(?:s|es|ed)?\b/u;

/**
 * Whether a company stands in another statement than an event that follows: a word that begins one parts them, and another company is
 * nearer. "Norvik rises after a bid by Veldric" tells of Norvik; "Norvik falls after Veldric wins an order" tells of Veldric's order. What
 * a rival does is told of both.
 */
function isApart(
  event: FoundEvent,
  place: number,
  others: readonly (number | undefined)[],
  text: string,
): boolean {
  if (place >= event.start || event.kind.after === "rival") return false;
  const at = text.slice(place, event.start).search(statement);
  return at >= 0 && others.some((other) => other !== undefined && other > place + at && other < event.start);
}

/** The part of a company of another statement: the other side of the event where its share moves and nobody else has it, or none. */
function partApart(
  event: FoundEvent,
  place: number,
  taken: ReadonlySet<EventRole>,
  text: string,
): EventRole | undefined {
  const { before, after, directions } = event.kind;
  const role = otherSide(event.kind, roleAt(event, place));
  const isOpen = role !== "subject" && before !== after && !taken.has(role);
  const isMoved = moves.test(text.slice(place, event.start));
  return isOpen && isMoved && (directions.get(role)?.[0] ?? 0) !== 0 ? role : undefined;
}

function partAt(event: FoundEvent, place: number, isAlone: boolean, text: string): EventRole {
  const beside = partBeside(event, place, text);
  if (beside !== undefined) return beside;
  const role = partOf(event, place, isAlone);
  if (event.kind.name.startsWith("takeover_vote_") && isVoters(place, text)) return "target";
  if (role === "target") return partInDeal(place, text);
  if (event.kind.name === "supplier_switched") return partInSwitch(place, text) ?? role;
  const { directions } = event.kind;
  const before = text.slice(Math.max(0, place - 20), place);
  const isOfRivals = place >= event.start || event.kind.after === "rival";
  if (directions.has("rival") && isOfRivals && isRivalBehind(place, text)) return "rival";
  if (role === "rival" && directions.has("customer") && withCustomer.test(before)) return "customer";
  if (
    directions.has("customer") &&
    (supplied.test(before) || ownSupplier.test(text.slice(place, place + 90)))
  )
    return "customer";
  return partInCourt(event, place, text) ?? role;
}

/** "Downgrades Norvik, upgrades Veldric": each broker's move is of the company behind it, not of those behind the next one. */
function ofNextMove(
  event: FoundEvent,
  place: number,
  events: readonly FoundEvent[],
  places: readonly (number | undefined)[],
): boolean {
  if (event.kind.group !== "analysts") return false;
  return events.some(
    ({ kind, sentence, start, end }) =>
      kind.group === "analysts" &&
      sentence === event.sentence &&
      // "KeyBanc downgrades Norvik, upgrades": the proof of the second move reaches over the first.
      ((end <= place && end > event.start && event.end > place) ||
        (((start > event.start && start <= place) || (end > event.end && end <= place)) &&
          places.some(
            (other) => other !== undefined && other > event.start && other < end && other !== place,
          ))),
  );
}

/** The part of each company in an event; undefined for one that has none. */
function rolesIn(
  event: FoundEvent,
  places: readonly (number | undefined)[],
  text: string,
): readonly (EventRole | undefined)[] {
  const apart = places.map((place) => place !== undefined && isApart(event, place, places, text));
  const isAlone = places.filter((place) => place !== undefined).length === 1;
  const near = places.map((place, at) =>
    place === undefined || apart[at] === true ? undefined : partAt(event, place, isAlone, text),
  );
  if (!apart.includes(true)) return near;
  const taken = new Set(near.filter((role) => role !== undefined));
  return places.map((place, at) =>
    place === undefined || apart[at] !== true ? near[at] : partApart(event, place, taken, text),
  );
}

const goods = new Set(["commodity", "yield", "forex"]);

/** What producers do to the supply of a good is for the good itself what it is for its suppliers. */
const isOfThisGood = ({ kind }: FoundEvent, { type }: LinkedSymbol): boolean =>
  isOfGoods(kind) && (type === "commodity" || (type === "crypto" && kind.name.startsWith("crypto_")));

/** Rows on economies tell what they mean for shares, not for a currency or a yield; of a metal no row on companies tells. */
const isForShares = (event: FoundEvent, symbol: LinkedSymbol): boolean =>
  goods.has(symbol.type) &&
  (symbol.type === "commodity" || marketGroups.has(event.kind.group)) &&
  !isOfThisGood(event, symbol);

export function companiesOf(
  symbols: readonly LinkedSymbol[],
  events: readonly FoundEvent[],
  text: string,
): readonly Company[] {
  const mentions = symbols.map((symbol) => mentionsOf(symbol, text));
  const places = events.map((event) => placesIn(event, mentions, text));
  const roles = events.map((event, at) => {
    const own = places[at] ?? [];
    const kept = own.map((place) =>
      place !== undefined && ofNextMove(event, place, events, own) ? undefined : place,
    );
    return rolesIn(event, kept, text);
  });
  return symbols.map((symbol, index) => ({
    symbol,
    mentions: mentions[index] ?? [],
    parts: events.flatMap((event, at): Part[] => {
      const role = roles[at]?.[index];
      if (role === undefined || isForShares(event, symbol)) return [];
      const part = isOfThisGood(event, symbol) ? "supplier" : role;
      const apposedHere = partBeside(event, places[at]?.[index] ?? -1, text) !== undefined;
      return [{ event, role: part, direction: directionFor(event, part), apposed: apposedHere }];
    }),
  }));
}

/** The company that an item is about. */
export const ownCompany = (companies: readonly Company[]): Company | undefined =>
  companies.find(({ symbol }) => symbol.primary) ?? companies[0];

/** A part of an item's own company in an event; of what happens to a good that of the good. */
function partAs(role: EventRole, event: FoundEvent, own?: LinkedSymbol): Part {
  const part = own === undefined || isOfThisGood(event, own) ? ownRole(event) : role;
  return { event, role: part, direction: directionFor(event, part) };
}

/** The part of the company that a sentence is about, whoever that is; without a company that of the good. */
export const leadingPart = (event: FoundEvent, own?: LinkedSymbol): Part =>
  partAs(leadingRole(event), event, own);

const isNobody = ({ role, direction }: Part): boolean => role === "other" && direction[0] === 0;

/** "Oil falls after a ceasefire": the headline is about the price of the good that opens it, not about shares. */
export const pricedFirst = (events: readonly FoundEvent[]): FoundEvent | undefined =>
  events.find(({ kind, inTitle, opens }) => inTitle && opens && kind.echo && isOfGoods(kind));

/**
 * The parts of the item's own company in the events, in their order. An event that names no linked company is about the item's
 * own; one that names others alone is not.
 */
export function ownParts(companies: readonly Company[], events: readonly FoundEvent[]): readonly Part[] {
  const own = ownCompany(companies);
  const isOfPrice = companies.length === 0 && pricedFirst(events) !== undefined;
  return events.flatMap((event): Part[] => {
    if (isOfPrice && !isOfGoods(event.kind)) return [];
    const named = own?.parts.find((part) => part.event === event);
    // "Strike at Norvik", "Profit falls at Norvik": it tells of the own company.
    if (named === undefined && own !== undefined && isForShares(event, own.symbol)) return [];
    if (named !== undefined)
      return [
        event.opens && isNobody(named) && named.apposed !== true ? leadingPart(event, own?.symbol) : named,
      ];
    const isOthers = companies.some(({ parts }) => parts.some((part) => part.event === event));
    // "Price target cut to $60" names no company, and is no broker's news.
    return isOthers ? [] : [partAs(partyRole(event), event, own?.symbol)];
  });
}

const ofDeals = new Set(["takeovers", "portfolio", "ownership", "contracts"]);
/** Least direction of another party that is no detail. */
const clearlyTheirs = 1;
/** Share of a headline that the deal and its parties are. */
const mostOfTitle = 0.58;

/** The sign that a deal has for another party than a company's own, which its news of it is not; 0: none. */
export function othersSign(
  { event, role, direction }: Part,
  { title, names }: { title: string; names: readonly Span[] },
): number {
  const { kind, start, end } = event;
  const named = names
    .filter((name) => name.end <= title.length && (name.end <= start || name.start >= end))
    .reduce((sum, name) => sum + name.end - name.start, 0);
  // Where the headline goes on, what it adds may be the news of the other side.
  const isAll = end - start + named >= mostOfTitle * title.length;
  if (!ofDeals.has(kind.group) || role === "other" || !isAll) return 0;
  const [most = 0] = [...kind.directions.values()]
    .map(([short]) => short)
    .toSorted((a, b) => Math.abs(b) - Math.abs(a));
  const own = Math.sign(direction[0]);
  return Math.abs(most) >= clearlyTheirs && own !== Math.sign(most) ? Math.sign(most) : 0;
}
