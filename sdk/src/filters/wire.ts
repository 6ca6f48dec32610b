import type { ListFeedsQuery, SubscribeFrame, SubscriptionFilters, WebhookFilters } from "../types.ts";
import { queryProblem } from "./query-limits.ts";

type QueryFilters = Omit<ListFeedsQuery, "since" | "until" | "limit" | "cursor">;

const names = { symbols: "symbol", exchanges: "exchange", aggregators: "aggregator" } as const;

/**
 * The filters of a stream as the query of GET /v1/feeds and of server-sent events.
 * @throws {RangeError} for what a query cannot say: providers, more than 50 values of a filter, a value that is empty or has a comma
 */
export function toQuery(filters: SubscriptionFilters): QueryFilters {
  const problem = queryProblem(filters);
  if (problem) throw new RangeError(problem);
  const { tags, providers, ...others } = filters;
  return Object.fromEntries(
    Object.entries({ ...others, ...tags })
      // Also an empty list has no text.
      .filter(([, value]) => String(value ?? ""))
      .map(([name, value]) => [Reflect.get(names, name) ?? name, value]),
  );
}

/** The frame that subscribes to items with these filters. */
export function toSubscribe(
  filters: SubscriptionFilters,
  begin?: { readonly after: string } | { readonly snapshot?: number },
): SubscribeFrame {
  return { type: "subscribe", filters, ...begin };
}

/**
 * The filters of a stream as those of a webhook endpoint.
 * @throws {RangeError} for aggregators and providers, which endpoints do not have
 */
export function toWebhook({ aggregators, providers, ...filters }: SubscriptionFilters): WebhookFilters {
  if (aggregators?.length || providers?.length)
    throw new RangeError("a webhook has no filter of aggregators or providers");
  return filters;
}
