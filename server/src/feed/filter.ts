import type { FeedItem } from "@tapewire/contract/feeds.ts";
import type { Filter } from "@tapewire/contract/filter.ts";
import { tagDimensions } from "@tapewire/contract/tags.ts";
import { passesTitle } from "@tapewire/contract/title/title.ts";
import { titleWords } from "./title-words.ts";

/** The members of an item that filters use. */
export type Filterable = Pick<
  FeedItem,
  | "id"
  | "story_id"
  | "source"
  | "provider_id"
  | "published_at"
  | "title"
  | "symbols"
  | "events"
  | "tags"
  | "scoring"
>;

/**
 * THE meaning of a filter. Every given axis must hold; within an axis one value suffices. An item whose score is null
 * never passes an actionability or sentiment filter. The indexes of lists, streams and webhooks mean the same.
 */
export function matches(item: Filterable, filter: Filter): boolean {
  if (filter.storyCopies === false && isCopy(item)) return false;
  if (filter.title !== undefined && !passesTitle(titleWords(item), filter.title)) return false;
  return withinBounds(item, filter) && termGroups(filter).every((group) => holdsOne(item, group));
}

/** Whether the item repeats the story of an earlier one. */
export function isCopy({ id, story_id }: Pick<FeedItem, "id" | "story_id">): boolean {
  return story_id !== id;
}

function withinBounds({ published_at, scoring }: Filterable, filter: Filter): boolean {
  const { since, until, actionability, sentimentMin, sentimentMax, minConviction, minActionability } = filter;
  if (since !== undefined && published_at < since.toISOString()) return false;
  if (until !== undefined && published_at >= until.toISOString()) return false;
  if (actionability !== undefined && scoring.actionability !== actionability) return false;
  if (minConviction !== undefined && !reaches(scoring.sentiment_conviction, minConviction)) return false;
  if (minActionability !== undefined && !reaches(scoring.actionability_score, minActionability)) return false;
  if (sentimentMin === undefined && sentimentMax === undefined) return true;
  const sentiment = scoring.sentiment_score;
  return sentiment !== null && sentiment >= (sentimentMin ?? 0) && sentiment <= (sentimentMax ?? 10);
}

function reaches(score: number | null, least: number): boolean {
  return score !== null && score >= least;
}

/** Whether passing the filter reveals something of an item's scores. */
export function asksForScores(filter: Filter): boolean {
  const { actionability, sentimentMin, sentimentMax, minConviction, minActionability } = filter;
  const asked = [actionability, sentimentMin, sentimentMax, minConviction, minActionability];
  return asked.some((bound) => bound !== undefined);
}

function holdsOne(item: Filterable, group: TermGroup): boolean {
  return valuesOf(item, group.kind).some((value) => group.values.includes(value));
}

export type TermKind =
  | "aggregator"
  | "provider"
  | "exchange"
  | "symbol"
  | "event"
  | (typeof tagDimensions)[number];

/** One axis of a filter: an item passes when it has one of the values. */
export interface TermGroup {
  readonly kind: TermKind;
  readonly values: readonly string[];
}

/** An indexed value of an item. */
export interface Term {
  readonly kind: TermKind;
  readonly value: string;
}

/** The axes of a filter that are sets of values. */
export function termGroups(filter: Filter): TermGroup[] {
  const axes: [TermKind, readonly string[] | undefined][] = [
    ["aggregator", filter.aggregators],
    ["provider", filter.providers],
    ["exchange", filter.exchanges],
    ["symbol", filter.symbols],
    ["event", filter.events],
    ...tagDimensions.map((dimension): [TermKind, readonly string[] | undefined] => [
      dimension,
      filter.tags[dimension],
    ]),
  ];
  return axes.flatMap(([kind, values]) => (values === undefined ? [] : [{ kind, values }]));
}

/** Segments number values by the place of their kind: new ones come last. */
export const termKinds: readonly TermKind[] = [
  "aggregator",
  "provider",
  "exchange",
  "symbol",
  "event",
  ...tagDimensions,
];

/** Every value that a filter can find the item by. */
export function termsOf(item: Filterable): Term[] {
  return termKinds.flatMap((kind) => valuesOf(item, kind).map((value) => ({ kind, value })));
}

/** Values of one axis, folded as filters fold theirs (contract/filter.ts), without repeats. */
function valuesOf(item: Filterable, kind: TermKind): string[] {
  switch (kind) {
    case "aggregator":
      return [item.source.toLowerCase()];
    case "provider":
      return [item.provider_id.toLowerCase()];
    case "exchange":
      return distinctUpper(item.symbols.map(({ exchange }) => exchange));
    case "symbol":
      return distinctUpper(item.symbols.flatMap(({ symbol, short_symbol }) => [symbol, short_symbol]));
    case "event":
      return [...new Set(item.events.map(({ name }) => name))];
    default:
      return item.tags[kind] ?? [];
  }
}

function distinctUpper(values: (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null).map((value) => value.toUpperCase()))];
}
