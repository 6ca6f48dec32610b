import { toQuery } from "../../filters/wire.ts";
import { send } from "../../http/attempts.ts";
import { queryText } from "../../http/query.ts";
import type { Connection } from "../../http/settings.ts";
import type { FeedList, Instant, StreamItem, SubscriptionFilters } from "../../types.ts";
import type { GapEvent, ItemEvent } from "../types.ts";

/** Items are listed by their time of publication, which may be earlier than their arrival. */
const marginMs = 15 * 60_000;
const pageSize = 200;
const mostRemembered = 5_000;

/** What a stream has given. */
export class Past {
  /** Seq of the newest item that came; null: none has come. */
  seq: number | null = null;
  /** When the service received the last one, or the time the caller gave; null: not known. */
  since: Instant | null;
  /** The newest version of each item, so that an item of both the list and the stream is given once. */
  readonly #revisions = new Map<string, number>();

  constructor(since: Instant | null) {
    this.since = since;
  }

  /** @returns whether this version is new */
  add({ item: { id, revision }, seq, latency }: ItemEvent): boolean {
    if (latency !== null) {
      this.seq = Math.max(seq, this.seq ?? 0);
      this.since = latency.received_time;
    }
    const known = this.#revisions.get(id) ?? -1;
    this.#revisions.delete(id);
    this.#revisions.set(id, Math.max(revision, known));
    const [oldest] = this.#revisions.keys();
    if (this.#revisions.size > mostRemembered && oldest !== undefined) this.#revisions.delete(oldest);
    return known < revision;
  }
}

/** The items of a gap as the list has them, oldest first. */
export async function* missed(
  connection: Connection,
  gap: GapEvent,
  past: Past,
  { providers, ...filters }: SubscriptionFilters,
  signal: AbortSignal,
): AsyncGenerator<ItemEvent, void, undefined> {
  if (past.since === null) return;
  const wanted = new Set(providers?.map((id) => id.toLowerCase()));
  const sinceMs = new Date(past.since).getTime();
  const query = { ...toQuery(filters), since: new Date(sinceMs - marginMs), limit: pageSize };
  const pages: StreamItem[][] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const path = `/v1/feeds${queryText({ ...query, cursor })}`;
    const { text } = await send(connection, { method: "GET", path, isSafe: true, signal });
    const page: FeedList = JSON.parse(text);
    pages.push(page.data);
    cursor = page.next_cursor;
  }
  // Positions of another log say nothing.
  const after = gap.reason === "cursor_unknown" ? null : past.seq;
  for (const item of pages.flat().sort((a, b) => a.seq - b.seq)) {
    const isNew = after === null ? Date.parse(item.updated_at) >= sinceMs : item.seq > after;
    if (isNew && (wanted.size === 0 || wanted.has(item.provider_id))) yield filledEvent(item, gap.from);
  }
}

const filledEvent = (item: StreamItem, cursor: string): ItemEvent => ({
  type: "item",
  item,
  // A stream that ends before the gap is filled meets the gap again.
  cursor,
  seq: item.seq,
  snapshot: false,
  filled: true,
  count: null,
  latency: null,
});
