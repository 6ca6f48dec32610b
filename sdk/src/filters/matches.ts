import type { StreamItem, SubscriptionFilters } from "../types.ts";
import { passesTitle } from "./title.ts";

/** The members of an item that filters use. */
export type Filterable = Pick<
  StreamItem,
  "id" | "story_id" | "source" | "provider_id" | "title" | "symbols" | "events" | "tags" | "scoring"
>;
type Values = readonly (string | null)[];
type Bound = number | null | undefined;

/**
 * Whether the item passes the filters of a stream or a webhook, as the service decides it. Every given axis must hold;
 * within an axis one value suffices. A score that is null passes no filter on it.
 */
export function matches(filters: SubscriptionFilters, item: Filterable): boolean {
  const { scoring, symbols } = item;
  if (filters.story_copies === false && item.story_id !== item.id) return false;
  if ((filters.actionability ?? scoring.actionability) !== scoring.actionability) return false;
  if (filters.q && !passesTitle(item.title, filters.q)) return false;
  return (
    isWithin(scoring.sentiment_score, filters.sentiment_min, filters.sentiment_max) &&
    isWithin(scoring.sentiment_conviction, filters.min_conviction) &&
    isWithin(scoring.actionability_score, filters.min_actionability_score) &&
    hasOne(filters.aggregators, [item.source]) &&
    hasOne(filters.providers, [item.provider_id]) &&
    hasOne(
      filters.exchanges,
      symbols.map(({ exchange }) => exchange),
    ) &&
    hasOne(
      filters.symbols,
      symbols.flatMap(({ symbol, short_symbol }) => [symbol, short_symbol]),
    ) &&
    hasOne(
      filters.event,
      item.events.map(({ name }) => name),
    ) &&
    Object.entries(filters.tags ?? {}).every(([dimension, values]: [string, Values | null | undefined]) =>
      hasOne(values, Reflect.get(item.tags, dimension) ?? []),
    )
  );
}

function isWithin(score: number | null, least: Bound, most?: Bound): boolean {
  if (score === null) return (least ?? most ?? score) === score;
  return score >= (least ?? score) && score <= (most ?? score);
}

/** An empty list restricts nothing. Letters of both cases are the same. */
function hasOne(wanted: Values | null | undefined, values: Values): boolean {
  if (!wanted?.length) return true;
  const has = values.map((value) => value?.toUpperCase());
  return wanted.some((value) => has.includes(value?.trim().toUpperCase()));
}
