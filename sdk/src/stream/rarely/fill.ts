import { toQuery } from "../../filters/wire.ts";
import { send } from "../../http/attempts.ts";
import { queryText } from "../../http/query.ts";
import type { Connection } from "../../http/settings.ts";
import type { FeedList, Instant, ListFeedsQuery, StreamItem, SubscriptionFilters } from "../../types.ts";
import type { GapEvent, ItemEvent, StreamEvent } from "../types.ts";

/** Items are listed by their time of publication, which may be earlier than their arrival. */
const marginMs = 15 * 60_000;
const pageSize = 200;
const mostRemembered = 5_000;

/** What the consumer gets of an event: no version of an item twice, and after a gap its items. */
export type Given = (
  event: StreamEvent,
  filters: SubscriptionFilters,
) => AsyncGenerator<StreamEvent, void, undefined>;

/** @param since when the service received the last item, or the time the caller gave; null: not known */
export function fillerOf(connection: Connection, since: Instant | null, signal: AbortSignal): Given {
  /** Seq of the newest item that came; 0: none has come. */
  let newest = 0;
  /** The newest version of each item, so that an item of both the list and the stream is given once. */
  const revisions = new Map<string, number>();
  const isNew = ({ item: { id, revision }, seq, latency }: ItemEvent) => {
    if (latency) {
      newest = Math.max(seq, newest);
      since = latency.received_time;
    }
    const known = revisions.get(id) ?? -1;
    revisions.delete(id);
    revisions.set(id, Math.max(revision, known));
    const [oldest = id] = revisions.keys();
    if (revisions.size > mostRemembered) revisions.delete(oldest);
    return known < revision;
  };
  return async function* (event, filters) {
    if (event.type !== "gap") {
      if (event.type !== "item" || isNew(event)) yield event;
      return;
    }
    yield { ...event, filled: !!since };
    if (!since) return;
    for (const item of await missed(connection, event, since, newest, filters, signal)) {
      signal.throwIfAborted();
      if (isNew(item)) yield item;
    }
  };
}

/** The items of a gap as the list has them, oldest first. */
async function missed(
  connection: Connection,
  { from: cursor, reason }: GapEvent,
  since: Instant,
  newest: number,
  { providers, ...filters }: SubscriptionFilters,
  signal: AbortSignal,
): Promise<ItemEvent[]> {
  const sinceMs = Number(new Date(since));
  const query: Omit<ListFeedsQuery, "cursor"> & { cursor?: string | null } = {
    ...toQuery(filters),
    since: new Date(sinceMs - marginMs),
    limit: pageSize,
  };
  const items: StreamItem[] = [];
  do {
    const path = `/v1/feeds${queryText(query)}`;
    const { text } = await send(connection, { path, signal });
    const page: FeedList = JSON.parse(text);
    items.push(...page.data);
    query.cursor = page.next_cursor;
  } while (query.cursor);
  // Positions of another log say nothing.
  const after = reason === "cursor_unknown" ? 0 : newest;
  return items
    .filter(
      ({ seq, updated_at, provider_id }) =>
        (after ? seq > after : Date.parse(updated_at) >= sinceMs) &&
        (!providers?.length || providers.some((id) => id.toLowerCase() === provider_id)),
    )
    .sort((a, b) => a.seq - b.seq)
    .map((item) => ({
      type: "item",
      item,
      // A stream that ends before the gap is filled meets the gap again.
      cursor,
      seq: item.seq,
      snapshot: false,
      filled: true,
      count: null,
      latency: null,
    }));
}
