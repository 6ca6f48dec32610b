import type { ListFeedsQuery, SubscribeFrame, SubscriptionFilters, WebhookFilters } from "../types.ts";

type QueryFilters = Omit<ListFeedsQuery, "since" | "until" | "limit" | "cursor">;

const names = { symbols: "symbol", exchanges: "exchange", aggregators: "aggregator" } as const;
const mostQueryValues = 50;

/**
 * The filters of a stream as the query of GET /v1/feeds and of server-sent events.
 * @throws {RangeError} for what a query cannot say: providers, more than 50 values of a filter, a value with a comma
 */
export function toQuery({ tags, providers, ...filters }: SubscriptionFilters): QueryFilters {
  if (given(providers)) throw new RangeError("a query has no filter of providers");
  const pairs = Object.entries({ ...filters, ...tags }).flatMap(([name, value]) => {
    if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return [];
    if (Array.isArray(value)) checkList(name, value);
    return [[Reflect.get(names, name) ?? name, value]];
  });
  return Object.fromEntries(pairs);
}

const given = (values: readonly string[] | null | undefined) => (values ?? []).length > 0;

function checkList(name: string, values: readonly string[]): void {
  if (values.length > mostQueryValues)
    throw new RangeError(`a query takes at most ${mostQueryValues} values of ${name}`);
  if (values.some((value) => value.includes(",")))
    throw new RangeError(`a value of ${name} has a comma, which separates values in a query`);
}

/** The frame that subscribes to items with these filters. */
export function toSubscribe(
  filters: SubscriptionFilters,
  begin: { readonly after: string } | { readonly snapshot?: number } = {},
): SubscribeFrame {
  return { type: "subscribe", filters, ...begin };
}

/**
 * The filters of a stream as those of a webhook endpoint.
 * @throws {RangeError} for aggregators and providers, which endpoints do not have
 */
export function toWebhook({ aggregators, providers, ...filters }: SubscriptionFilters): WebhookFilters {
  if (given(aggregators) || given(providers))
    throw new RangeError("a webhook has no filter of aggregators or providers");
  return filters;
}
