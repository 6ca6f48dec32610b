/** The part that each linked company plays in the events of a text. */

import type { LinkedSymbol } from "../types.ts";
import {
  directionFor,
  type EventRole,
  type FoundEvent,
  isOfGoods,
  leadingRole,
  marketGroups,
  ownRole,
  roleAt,
} from "./events/events.ts";
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
const buyer = /\bby (?:the )?$/i;
const withCustomer = /\b(?:with|from) (?:the )?$/i;
const supplied = /\bsupplier (?:to|of|for) (?:the )?$/i;
/** "Norvik supplier Veldric": Norvik is supplied. */
const ownSupplier = /^[\p{L}\p{N}.&-]{1,40}(?:['’]s)? (?:[\p{L}-]{1,20} ){0,2}supplier\b/u;
/** "Norvik's takeover of Veldric": whose offer it is. */
const bidder =
  /^[\p{L}\p{N}.& -]{0,40}?['’]s? (?:[\p{L}\p{N}$.-]{1,20} ){0,3}(?:takeover|bid|offer|acquisition|purchase|buyout|approach|proposal)\b/u;
/** "Norvik purchase of Veldric": the same without an apostrophe. */
const plainBidder =
  /^[\p{L}\p{N}.&-]{1,40} (?:[\p{L}\p{N}$.-]{1,20} ){0,2}(?:takeover|bid|offer|acquisition|purchase|buyout) (?:of|for)\b/u;
/** "To pay Veldric $300 million", "jury awards Veldric": who gets the money. */
const payee =
  /\b(?:pay|pays|paid|paying|compensate|refund|awards|awarded|award|damages to|million to|mln to|billion to) (?:the )?$/i;
const sued = /\bagainst (?:the )?$/i;
const awarding = /\bawards?(?:ed)?\b/i;

const legalRoles: readonly EventRole[] = ["subject", "plaintiff", "defendant", "rival"];

/** "Norvik buying Veldric", "Norvik from acquiring Veldric", "talks for Norvik to buy Veldric": who would buy. */
const buying =
  /^[\p{L}\p{N}.&-]{1,40} (?:[\p{L}\p{N}.&-]{1,20} )?(?:from |to )?(?:buying|acquiring|purchasing|taking over|buy|acquire|purchase|take over)\b/u;
/** "The sale of Veldric to Norvik": Norvik buys. */
const soldTo = /\b(?:sale|disposal|divestment|divestiture) of [^.;:]{1,60} to (?:the )?$/i;

/** The side of a lawsuit that an event is good (1) or bad (-1) for. */
const sideOf = ({ kind }: FoundEvent, sign: number): EventRole | undefined =>
  legalRoles.find((role) => Math.sign(kind.directions.get(role)?.[0] ?? 0) === sign);

/** Who is paid has won, whoever is named first: "Jury orders Norvik to pay Veldric". */
function partInCourt(event: FoundEvent, place: number, text: string): EventRole | undefined {
  if (event.kind.group !== "legal") return undefined;
  const before = text.slice(Math.max(event.sentenceStart, place - 100), place);
  if (payee.test(before)) return sideOf(event, 1);
  return sued.test(before) && awarding.test(before) ? sideOf(event, -1) : undefined;
}

/** "To buy Arm from SoftBank": the seller is not the target; "blocks purchase by Norvik": nor is the buyer. */
function partInDeal(place: number, text: string): EventRole {
  const before = text.slice(Math.max(0, place - 10), place);
  const from = text.slice(place, place + 90);
  if (bidder.test(from) || plainBidder.test(from) || buying.test(from) || buyer.test(before))
    return "acquirer";
  if (soldTo.test(text.slice(Math.max(0, place - 90), place))) return "acquirer";
  return seller.test(before) ? "seller" : "target";
}

/**
 * A company is no authority: where the row's order would make it one ("Norvik supplier fined"), it has the other part. Nor is one a
 * broker where no other company is named and it does not open the clause: in "UBS keeps Norvik at buy, raises target" the target is
 * Norvik's.
 */
function partOf(event: FoundEvent, place: number, isAlone: boolean): EventRole {
  const role = roleAt(event, place);
  const isMistaken = role === "regulator" || (role === "broker" && isAlone && place > event.clauseStart);
  if (!isMistaken) return role;
  const { before, after } = event.kind;
  return before === role ? after : before;
}

const rivalBefore = /\b(?:rival|competitor|peer) (?:the )?$/i;
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
  const role = roleAt(event, place) === before ? after : before;
  const isOpen = role !== "subject" && before !== after && !taken.has(role);
  const isMoved = moves.test(text.slice(place, event.start));
  return isOpen && isMoved && (directions.get(role)?.[0] ?? 0) !== 0 ? role : undefined;
}

/** "Target of Norvik rival Veldric raised": Norvik only tells who Veldric is. */
const apposed =
  /^[\p{L}\p{N}.&-]{1,40}(?:['’]s?)? (?:[\p{L}-]{1,20} ){0,2}(?:rival|peer|competitor|challenger|supplier|partner|customer|backer|spin-?off)\b/u;

function partAt(event: FoundEvent, place: number, isAlone: boolean, text: string): EventRole {
  if (event.kind.group === "analysts" && apposed.test(text.slice(place, place + 90))) return "other";
  const role = partOf(event, place, isAlone);
  if (role === "target") return partInDeal(place, text);
  const { directions } = event.kind;
  const before = text.slice(Math.max(0, place - 20), place);
  const isOfRivals = place >= event.start || event.kind.after === "rival";
  if (directions.has("rival") && isOfRivals && rivalBefore.test(before)) return "rival";
  if (role === "rival" && directions.has("customer") && withCustomer.test(before)) return "customer";
  if (
    directions.has("customer") &&
    (supplied.test(before) || ownSupplier.test(text.slice(place, place + 90)))
  )
    return "customer";
  return partInCourt(event, place, text) ?? role;
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
  type === "commodity" && isOfGoods(kind);

/** Rows on economies tell what they mean for shares, which says nothing of a metal, a currency or a yield. */
const isForShares = (event: FoundEvent, symbol: LinkedSymbol): boolean =>
  goods.has(symbol.type) && marketGroups.has(event.kind.group) && !isOfThisGood(event, symbol);

export function companiesOf(
  symbols: readonly LinkedSymbol[],
  events: readonly FoundEvent[],
  text: string,
): readonly Company[] {
  const mentions = symbols.map((symbol) => mentionsOf(symbol, text));
  const places = events.map((event) => placesIn(event, mentions));
  const roles = events.map((event, at) => rolesIn(event, places[at] ?? [], text));
  return symbols.map((symbol, index) => ({
    symbol,
    mentions: mentions[index] ?? [],
    parts: events.flatMap((event, at): Part[] => {
      const role = roles[at]?.[index];
      if (role === undefined) return [];
      if (isForShares(event, symbol)) return [];
      const part = isOfThisGood(event, symbol) ? "supplier" : role;
      return [{ event, role: part, direction: directionFor(event, part) }];
    }),
  }));
}

/** The company that an item is about. */
export const ownCompany = (companies: readonly Company[]): Company | undefined =>
  companies.find(({ symbol }) => symbol.primary) ?? companies[0];

/** The part of the company that a sentence is about, whoever that is; without a company that of the good. */
export function leadingPart(event: FoundEvent, own?: LinkedSymbol): Part {
  const role = own === undefined || isOfThisGood(event, own) ? ownRole(event) : leadingRole(event);
  return { event, role, direction: directionFor(event, role) };
}

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
    if (isOfPrice && marketGroups.has(event.kind.group) && !isOfGoods(event.kind)) return [];
    const named = own?.parts.find((part) => part.event === event);
    // "Strike at Norvik", "Profit falls at Norvik": it tells of the own company.
    if (named === undefined && own !== undefined && isForShares(event, own.symbol)) return [];
    if (named !== undefined)
      return [event.opens && isNobody(named) ? leadingPart(event, own?.symbol) : named];
    const isOthers = companies.some(({ parts }) => parts.some((part) => part.event === event));
    return isOthers ? [] : [leadingPart(event, own?.symbol)];
  });
}
