import { ApiError, fieldErrors } from "@tapewire/contract/errors.ts";
import { integerText, type ListQuery, listQuery } from "@tapewire/contract/filter.ts";
import { type SubscriptionFilters, streamLimits } from "@tapewire/contract/stream.ts";
import { type TagDictionary, tagDimensions } from "@tapewire/contract/tags.ts";
import { z } from "zod";

const cursors = z.object({
  after: z.string().max(100).optional(),
  snapshot: integerText
    .pipe(z.int().min(0))
    .transform((items) => Math.min(items, streamLimits.snapshotItems))
    .optional(),
});

/** What an event source subscribes to: the members of a subscribe frame. */
export interface EventRequest {
  readonly filters: SubscriptionFilters;
  readonly after?: string;
  readonly snapshot?: number;
}

/**
 * Reads the query of an event source: the filters of the list, `snapshot` and `after`. A browser that reconnects by
 * itself names in Last-Event-ID where it stopped, which goes before both.
 * @throws {ApiError} invalid_parameter
 */
export function eventRequest(
  url: URL,
  lastEventId: string | string[] | undefined,
  dictionary: TagDictionary,
): EventRequest {
  const { api_key: _, ...query } = Object.fromEntries(url.searchParams);
  const filters = parse(listQuery(dictionary), query);
  const { after, snapshot } = parse(cursors, query);
  const resume = typeof lastEventId === "string" && lastEventId !== "" ? lastEventId : after;
  return {
    filters: filtersOf(filters),
    ...(resume === undefined ? {} : { after: resume }),
    ...(snapshot === undefined || resume !== undefined ? {} : { snapshot }),
  };
}

function parse<T>(schema: z.ZodType<T>, query: unknown): T {
  const parsed = schema.safeParse(query);
  if (parsed.success) return parsed.data;
  throw new ApiError("invalid_parameter", { fields: fieldErrors(parsed.error, "query") });
}

/** The filters of a list query under the names that subscriptions give them. */
function filtersOf(query: ListQuery): SubscriptionFilters {
  const tags = tagDimensions.flatMap((name) =>
    query[name] === undefined ? [] : [[name, query[name]] as const],
  );
  return {
    ...(query.symbol === undefined ? {} : { symbols: query.symbol }),
    ...(query.exchange === undefined ? {} : { exchanges: query.exchange }),
    ...(query.aggregator === undefined ? {} : { aggregators: query.aggregator }),
    ...(query.actionability === undefined ? {} : { actionability: query.actionability === "true" }),
    ...(query.sentiment_min === undefined ? {} : { sentiment_min: query.sentiment_min }),
    ...(query.sentiment_max === undefined ? {} : { sentiment_max: query.sentiment_max }),
    ...(query.story_copies === undefined ? {} : { story_copies: query.story_copies === "true" }),
    ...(tags.length === 0 ? {} : { tags: Object.fromEntries(tags) }),
  };
}
