/** The events of a whole text as reasons for its verdict. */
import { eventCatalogue, isOtherKind } from "../flash/events/catalogue.ts";
import { isTelling, noEvent, outcome, signOf, unnamed, whichWay } from "../flash/flash.ts";
import { quote } from "../quote.ts";
import type { Artifact, Verdict } from "../types.ts";

type Mention = Verdict["events"][number];

const labels = new Map(eventCatalogue.map(({ name, label }) => [name, label]));
const labelOf = ({ name }: Mention): string => labels.get(name) ?? name;

const said = (mention: Mention, text: string): string =>
  mention.evidence === null ? labelOf(mention) : `${labelOf(mention)} (${quote(text, mention.evidence)})`;

/** The events that have one company, or nobody that is known, in them. */
export interface EventsOfOne {
  readonly isAny: boolean;
  /** One of them has a direction. */
  readonly hasDirection: boolean;
  /** The sentence that names one as the reason for a direction; null: none speaks for it. */
  readonly why: (direction: number) => string | null;
}

/** @param whom the company, in words @param symbol its symbol; null: nothing is linked */
export function eventsOfOne(
  { events }: Pick<Verdict, "events">,
  text: string,
  { whom, symbol }: { readonly whom: string; readonly symbol: string | null },
): EventsOfOne {
  const own = events.filter((event) => event.symbol === symbol);
  return {
    isAny: events.length > 0,
    hasDirection: own.some(({ name, role }) => signOf(name, role) !== 0),
    why: (direction) => {
      const found = own.find(({ name, role }) => direction !== 0 && signOf(name, role) * direction > 0);
      return found === undefined ? null : `${said(found, text)}: ${whichWay(direction)} for ${whom}`;
    },
  };
}

/** The event that a sentence names as its reason. */
export const namedIn = (events: readonly Mention[], comment: string): Mention | undefined =>
  events.find((event) => comment.startsWith(`${labelOf(event)} (`));

/** A comment that no kind of event is known names the group that leads the item. */
export const withGroupOf = (lead: Mention | undefined, comment: string): string =>
  lead !== undefined && isOtherKind(lead.name) && comment.startsWith(noEvent)
    ? `${labelOf(lead)}${comment.slice(noEvent.length)}`
    : comment;

/** Sentences on actionability that say more than an event: of a question, of an empty title. */
const ofItsOwn = /^(?:A question|Nothing to)/;
const more = "; in the text: ";

/**
 * Two comments on one item name one event. What a form of filing or a halt of trading means stands.
 * @param comment on actionability
 */
export function agreeingComment(
  comment: string,
  {
    named,
    events,
    isTurned,
  }: { readonly named: Mention | undefined; readonly events: readonly Mention[]; readonly isTurned: boolean },
  {
    actionable,
    artifact,
    text,
  }: { readonly actionable: boolean; readonly artifact: Artifact; readonly text: string },
): string {
  const [stem = "", ...rest] = comment.split(more);
  const known = namedIn(events, stem);
  const isOpen = known !== undefined || stem.startsWith(noEvent) || isTurned;
  if (artifact.filing !== null || ofItsOwn.test(stem) || !isOpen) return comment;
  const event = named ?? known ?? (isTurned ? events.find(({ name }) => isTelling(name)) : undefined);
  const told =
    event === undefined
      ? unnamed(actionable, artifact.title, events.length > 0)
      : `${said(event, text)}: ${outcome(actionable)}`;
  return [told, ...rest].join(more);
}
