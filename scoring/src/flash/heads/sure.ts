/** What a row says for sure of an item, and what a figure beside its estimate does. */

import type { Artifact } from "../../types.ts";
import { type Company, leadingPart, ownCompany, ownParts, type Part, pricedFirst } from "../companies.ts";
import type { ReadText } from "../cues/cues.ts";
import { type FoundEvent, isOfGoods, marketGroups } from "../events/events.ts";
import type { Opinions } from "./heads.ts";
import { shareMove } from "./share-move.ts";

/** What is judged: an item's text as the heads and the rules read it. */
export interface Judged {
  readonly artifact: Artifact;
  readonly read: ReadText;
  readonly opinions: Opinions;
  /** Title + newline + body as far as it was read; evidence points into it. */
  readonly text: string;
  /** The linked companies. */
  readonly companies: readonly Company[];
  /** Whom the direction is about, in words. */
  readonly whom: string;
}

/** Groups of events that are about economies, whatever companies the text names. */
export const ofEconomies: ReadonlySet<string> = new Set(["economy", "policy"]);

/** "Steel maker jumps as tariffs are announced": its share shows what they mean for it. */
const hasContraryMove = ({ cues }: ReadText, { start, end }: FoundEvent, sign: number): boolean =>
  cues.some(
    (cue) =>
      cue.place === 1 &&
      cue.weight * sign < 0 &&
      /^(?:up|down):(?:price)?:/.test(cue.feature) &&
      (cue.end <= start || cue.start >= end),
  );

/**
 * Whether the row of the leading event says it all: its kind is sure, the headline tells it as a plain fact, and it is known whose
 * part it is. Without a linked company a text on a company may be about any of its parties.
 */
function isSure({ artifact, companies, read }: Judged, own: Part, leading: FoundEvent): boolean {
  if (!leading.kind.sure || !leading.inTitle || leading.strength < 1 || own.event !== leading) return false;
  const ofEconomy = ofEconomies.has(leading.kind.group);
  // What an authority does is about the other side, named or not; what happens to a good is about the good.
  const isKnown = ofEconomy || leading.kind.before === "regulator" || isOfGoods(leading.kind);
  if (!isKnown && companies.length === 0 && leading.kind.directions.size > 1) return false;
  const sign = Math.sign(own.direction[0]);
  // A row that says nothing for this part leaves it to the heads.
  if (sign === 0) return false;
  if (ofEconomy && companies.length > 0 && hasContraryMove(read, leading, sign)) return false;
  const move = shareMove(artifact.title, ownCompany(companies)?.mentions ?? []);
  if (move?.isOwn === true && move.sign !== sign) return false;
  // Dearer oil is good for one company and bad for another.
  if (ofEconomy && companies.length > 0 && leading.kind.directions.has("supplier") && own.role !== "supplier")
    return false;
  // Another fact of the headline that speaks against it is left to the heads to weigh, unless it is told of another company.
  const ofOwn = new Map(ownParts(companies, read.events).map((part) => [part.event, part]));
  const directionOf = (event: FoundEvent): number =>
    companies.length < 2 ? leadingPart(event).direction[0] : (ofOwn.get(event)?.direction[0] ?? 0);
  return !read.events.some(
    (event) =>
      event !== leading &&
      event.inTitle &&
      (own.role !== "supplier" || isOfGoods(event.kind)) &&
      // "Launches strikes": what the words would tell of a company says nothing against what a state does.
      (!ofEconomy || companies.length > 0 || marketGroups.has(event.kind.group)) &&
      // "Copper tumbles as it is exempted from tariffs": no company explains the move.
      (!event.kind.echo || (ofEconomy && companies.length === 0)) &&
      Math.sign(directionOf(event)) * sign < 0,
  );
}

/**
 * The sign that a figure beside its estimate gives, which no reading of the wording may reverse: "guides revenue to $5.6 billion, Street
 * at $5.2 billion"; 0 where another fact of the headline speaks against it.
 */
export function figureSign({ artifact, companies, read }: Judged): number {
  const [leading] = read.events;
  const [own] = ownParts(companies, read.events);
  if (leading?.kind.surprise == null || !leading.inTitle || leading.strength < 1 || own?.event !== leading)
    return 0;
  const sign = Math.sign(own.direction[0]);
  const length = read.events
    .filter(({ kind, inTitle }) => inTitle && kind.surprise !== null)
    .reduce((sum, { start, end }) => sum + end - start, 0);
  // Where the headline goes on, what it adds may weigh more: only a line that is little but its figures is safe.
  if (2 * length < artifact.title.length) return 0;
  const isAgainst = read.events.some(
    (event) => event.inTitle && Math.sign(leadingPart(event).direction[0]) * sign < 0,
  );
  return isAgainst ? 0 : sign;
}

/**
 * What the headline tells of the item's own company beside the price of a good that opens it: "Copper climbs as Norvik halts its mine"
 * is good for copper, not for Norvik. Where it tells no more, its share's move does: "; Norvik's shares fell 17%".
 */
export function partBesideGood({ artifact, companies, read }: Judged): Part | null {
  const own = ownCompany(companies);
  const isPriced = pricedFirst(read.events) !== undefined || pricedTitle.test(artifact.title);
  if (own === undefined || own.symbol.type === "commodity" || !isPriced) return null;
  const told = ownParts(companies, read.events).filter(
    ({ event: { kind, inTitle, strength }, direction }) =>
      inTitle &&
      strength >= 1 &&
      direction[0] !== 0 &&
      (kind.echo ? shareMoved.test(kind.name) : !ofEconomies.has(kind.group) || isOfGoods(kind)),
  );
  return told.find(({ event }) => !event.kind.echo) ?? told[0] ?? null;
}
const shareMoved = /^share_(?:up|down)$/;
/** Metals whose moves the rows tell of only with a figure or a reason of their own. */
const pricedTitle =
  /^(?:spot )?(?:gold|silver|platinum|palladium|tin|iron ore)(?: prices?| futures)? (?:rise|climb|gain|jump|surge|soar|rall(?:y|ie)|leap|fall|slip|drop|slide|sink|slump|plunge|tumble|ease)s? /i;

/** The sign that the headline tells for sure, of the part of the item's own company that leads; 0: the wording decides. */
export function toldSign(judged: Judged, own: Part, leading: FoundEvent): number {
  const beside = partBesideGood(judged);
  if (beside !== null) return Math.sign(beside.direction[0]);
  return isSure(judged, own, leading) ? Math.sign(own.direction[0]) : 0;
}

/** The sign of the item where the row of its leading event says it all; 0: it does not. */
export function sureSign(judged: Judged): number {
  const [leading] = judged.read.events;
  const [own] = ownParts(judged.companies, judged.read.events);
  return leading === undefined || own === undefined ? 0 : toldSign(judged, own, leading);
}
