/** Which event leads an item: the rules find kinds, and the encoder knows the group of a text that tells none of its kinds. */
import { mostEvents } from "@tapewire/contract/feeds.ts";
import { eventCatalogue, otherKind } from "../flash/events/catalogue.ts";
import { signOf } from "../flash/flash.ts";
import type { Verdict } from "../types.ts";
import type { Said } from "./encoder/encoder.ts";
import { groupShares } from "./encoder/joint.ts";
import type { WholeSentiment } from "./sentiment.ts";
import { namedIn } from "./text-events.ts";

type Mention = Verdict["events"][number];

const groups = new Map(eventCatalogue.map(({ name, group }) => [name, group]));
const noGroup = "none";
const groupOf = (event: Mention | undefined): string => groups.get(event?.name ?? "") ?? noGroup;

/** Share that an event keeps whose group the encoder gives no chance. */
const leastShare = 0.1;
/** A group that is likelier than all others together is told, though no words prove a kind of it. */
const leastTold = 0.5;
/** A kind with its proof says more than a group: it gives way only to an encoder that is nearly sure of another group. */
const nearlySure = 0.8;
const nextToNothing = 0.05;

/** The events with the likeliest first: by their place among the rules' and by the encoder's probability of their group. */
function ranked(events: readonly Mention[], shares: ReadonlyMap<string, number>): readonly Mention[] {
  return events
    .map((event, at) => ({ event, weight: (leastShare + (shares.get(groupOf(event)) ?? 0)) / (1 + at) }))
    .sort((a, b) => b.weight - a.weight)
    .map(({ event }) => event);
}

/** "Profit beats, outlook trails estimates": where the first event speaks against the direction, the one that the comment names leads. */
function agreeing(
  events: readonly Mention[],
  { short, comment }: Pick<WholeSentiment, "short" | "comment">,
): readonly Mention[] {
  const [first] = events;
  if (first === undefined || signOf(first.name, first.role) * short >= 0) return events;
  const told = namedIn(events, comment);
  return told === undefined ? events : [told, ...events.filter((event) => event !== told)];
}

/** The group that the encoder reads where the leading event is of another; null: none. */
function otherGroup(lead: Mention | undefined, shares: ReadonlyMap<string, number>): string | null {
  const [[group, share] = [noGroup, 0]] = [...shares].sort(([, a], [, b]) => b - a);
  const known = groupOf(lead);
  if (group === noGroup || group === known || share < leastTold) return null;
  const isOverruled = share >= nearlySure && (shares.get(known) ?? 0) <= nextToNothing;
  return lead === undefined || isOverruled ? group : null;
}

/**
 * The events as the item shows them, the leading one first.
 * @param events of the rules
 * @param said what the encoder says of the whole text; null: it did not read it
 * @param own the item's sentiment, with which the leading event agrees
 * @param symbol the primary one
 */
export function leadingFirst(
  events: readonly Mention[],
  said: Said | null,
  {
    own,
    symbol,
  }: { readonly own: Pick<WholeSentiment, "short" | "comment">; readonly symbol: string | null },
): readonly Mention[] {
  if (said === null) return agreeing(events, own);
  const shares = groupShares(said);
  const known = agreeing(ranked(events, shares), own);
  const group = namedIn(known, own.comment) === undefined ? otherGroup(known[0], shares) : null;
  if (group === null) return known;
  const other: Mention = { name: otherKind(group), role: "subject", symbol, evidence: null };
  return [other, ...known].slice(0, mostEvents);
}
