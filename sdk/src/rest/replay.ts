import { toQuery } from "../filters/wire.ts";
import type { Api, CallOptions } from "../http/requests.ts";
import { pause } from "../http/waiting.ts";
import type { Instant, Latency, ReplayEntry, StreamItem, SubscriptionFilters } from "../types.ts";
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
export function replayOf(
  { request }: Api,
  { filters = {}, from: since, after, to: until, speed = 1, ...call }: ReplayOptions,
): AsyncGenerator<ReplayedItem, void, undefined> {
  if (speed !== "max" && !(speed >= 1 && speed <= 1_000))
    throw new RangeError(`speed must be 1 to 1,000 or max, not ${speed}`);
  const { providers, ...others } = filters;
  const query = { ...toQuery(others), provider: providers ?? [], since, until, limit: pageSize };
  const entries = allItems(
    ({ cursor, ...place }, options) =>
      request("GET /v1/replay", { query: { ...place, after: cursor }, ...options }),
    { ...query, cursor: after },
    call,
  );
  return paced(entries, speed === "max" ? Number.POSITIVE_INFINITY : speed, call.signal);
}

async function* paced(
  entries: AsyncIterable<ReplayEntry>,
  speed: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<ReplayedItem, void, undefined> {
  /** When the replay would have begun if the log had begun at the epoch. */
  let beginMs: number | undefined;
  for await (const { data: item, cursor, seq, logged_at, latency } of entries) {
    const loggedAt = new Date(logged_at);
    const loggedMs = Number(loggedAt) / speed;
    beginMs ??= Date.now() - loggedMs;
    const waitMs = beginMs + loggedMs - Date.now();
    if (waitMs > 0) await pause(waitMs, signal);
    yield { type: "item", item, cursor, seq, loggedAt, latency };
  }
}
