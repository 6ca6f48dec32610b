import type { IncomingHttpHeaders } from "node:http";
import { ApiError, fieldErrors } from "@tapewire/contract/errors/errors.ts";
import { integerText, type ListQuery, listQuery } from "@tapewire/contract/filter.ts";
import { queryValues } from "@tapewire/contract/query-values.ts";
import { type SubscriptionFilters, streamLimits } from "@tapewire/contract/stream.ts";
import { type Dictionary, tagDimensions } from "@tapewire/contract/tags.ts";
import { z } from "zod";

const cursors = z.object({
  after: z.string().max(100).optional(),
  snapshot: integerText
    .pipe(z.int().min(0))
    .transform((items) => Math.min(items, streamLimits.snapshotItems))
    .optional(),
});
const lastEventId = z.object({ "Last-Event-ID": cursors.shape.after });

/** Filters of the list that a stream does not have; ignoring them would send items that were not asked for. */
const timeBounds = ["since", "until"] as const;

/** The subscription of an event source: the members of a subscribe frame. */
export interface EventRequest {
  readonly filters: SubscriptionFilters;
  readonly after?: string;
  readonly snapshot?: number;
}

/**
 * Reads the query of an event source: the filters of the list, `snapshot` and `after`. A browser that reconnects by
 * itself sends its position in Last-Event-ID, which has precedence over both.
 * @throws {ApiError} invalid_parameter
 */
export function eventRequest(
  url: URL,
  { headers }: { headers: IncomingHttpHeaders },
  dictionary: Dictionary,
): EventRequest {
  const schema = listQuery(dictionary);
  const ours = new Set(["api_key", ...Object.keys(schema.shape), ...Object.keys(cursors.shape)]);
  const query = queryValues(url.search.slice(1), ours);
  refuseTimeBounds(query);
  const filters = parse(schema, query, "query");
  const { after, snapshot } = parse(cursors, query, "query");
  const { "Last-Event-ID": last } = parse(
    lastEventId,
    { "Last-Event-ID": headers["last-event-id"] },
    "header",
  );
  const resume = last === undefined || last === "" ? after : last;
  return {
    filters: filtersOf(filters),
    ...(resume === undefined ? {} : { after: resume }),
    ...(snapshot === undefined || resume !== undefined ? {} : { snapshot }),
  };
}

function refuseTimeBounds(query: Readonly<Record<string, string>>): void {
  const given = timeBounds.filter((name) => name in query);
  if (given.length === 0) return;
  const detail = "not supported on a stream: use `after` or `snapshot` to get earlier items";
  throw new ApiError("invalid_parameter", {
    fields: given.map((name) => ({ in: "query", name, detail })),
  });
}

function parse<T>(schema: z.ZodType<T>, value: unknown, where: "query" | "header"): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ApiError("invalid_parameter", { fields: fieldErrors(parsed.error, where) });
}

/** The filters of a list query under the names that subscriptions use. */
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
    ...(query.min_conviction === undefined ? {} : { min_conviction: query.min_conviction }),
    ...(query.min_actionability_score === undefined
      ? {}
      : { min_actionability_score: query.min_actionability_score }),
    ...(query.event === undefined ? {} : { event: query.event }),
    ...(query.story_copies === undefined ? {} : { story_copies: query.story_copies === "true" }),
    ...(query.q === undefined ? {} : { q: query.q }),
    ...(tags.length === 0 ? {} : { tags: Object.fromEntries(tags) }),
  };
}
