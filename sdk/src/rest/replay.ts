import { toQuery } from "../filters/wire.ts";
import type { Api, CallOptions } from "../http/requests.ts";
import { pause } from "../http/waiting.ts";
import type { Instant, Latency, ReplayLogQuery, StreamItem, SubscriptionFilters } from "../types.ts";
import { allItems } from "./pages.ts";

export interface ReplayOptions extends CallOptions {
  readonly filters?: SubscriptionFilters | undefined;
  /** Begins with the first entry logged then or later. Default: the oldest that is stored. */
  readonly from?: Instant | undefined;
  /** Begins after this cursor instead. */
  readonly after?: string | undefined;
  /** A time: ends before the first entry logged then or later. A cursor: ends with it. Default: the end of the log. */
  readonly to?: Instant | undefined;
  /** How many times as fast as it was, 1 to 1,000; max: without pauses. Default: 1. */
  readonly speed?: number | "max" | undefined;
}

/** An item as the stream carried it then. */
export interface ReplayedItem {
  readonly type: "item";
  readonly item: StreamItem;
  /** A stream that begins after it goes on from there. */
  readonly cursor: string;
  readonly seq: number;
  readonly loggedAt: Date;
  readonly latency: Latency;
}

const pageSize = 500;

/**
 * Stored items in the order of the log, with their pauses. A consumer that is slower than the replay gets the items that
 * are due without pauses.
 * @throws {RangeError} for a speed out of range, or filters that a query cannot say
 */
export function replayOf(api: Api, options: ReplayOptions): AsyncGenerator<ReplayedItem, void, undefined> {
  const { filters = {}, from, after, to, speed = 1, ...call } = options;
  if (speed !== "max" && !(speed >= 1 && speed <= 1_000))
    throw new RangeError(`speed must be 1 to 1,000 or max, not ${speed}`);
  const { providers, ...others } = filters;
  const provider = providers ?? undefined;
  const query = { ...toQuery(others), provider, since: from, after, until: to, limit: pageSize };
  return paced(api, query, { ...call, speed });
}

async function* paced(
  api: Api,
  query: ReplayLogQuery,
  { speed, ...call }: CallOptions & { readonly speed: number | "max" },
): AsyncGenerator<ReplayedItem, void, undefined> {
  let begin: { readonly atMs: number; readonly loggedMs: number } | null = null;
  const entries = allItems(
    (signal) =>
      (after = query.after) =>
        api.request("GET /v1/replay", { query: { ...query, after }, ...call, signal }),
    call.signal,
  );
  for await (const { data: item, cursor, seq, logged_at, latency } of entries) {
    const loggedAt = new Date(logged_at);
    begin ??= { atMs: Date.now(), loggedMs: loggedAt.getTime() };
    if (speed !== "max") {
      const dueMs = begin.atMs + (loggedAt.getTime() - begin.loggedMs) / speed;
      if (dueMs > Date.now()) await pause(dueMs - Date.now(), call.signal);
    }
    yield { type: "item", item, cursor, seq, loggedAt, latency };
  }
}
