import { toQuery } from "../../filters/wire.ts";
import { send } from "../../http/attempts.ts";
import { queryText } from "../../http/query.ts";
import type { Connection } from "../../http/settings.ts";
import type { FeedList, StreamItem, SubscriptionFilters } from "../../types.ts";
import type { Past } from "../intake.ts";
import type { GapEvent, ItemEvent } from "../types.ts";

/** Items are listed by their time of publication, which may be earlier than their arrival. */
const marginMs = 15 * 60_000;
const pageSize = 200;
const mostRemembered = 5_000;

/** The newest version of each item that came, so that an item of both the list and the stream is given once. */
export class Seen {
  readonly #revisions = new Map<string, number>();

  /** @returns whether this version is new */
  add({ id, revision }: StreamItem): boolean {
    const known = this.#revisions.get(id);
    this.#revisions.delete(id);
    this.#revisions.set(id, Math.max(revision, known ?? 0));
    const [oldest] = this.#revisions.keys();
    if (this.#revisions.size > mostRemembered && oldest !== undefined) this.#revisions.delete(oldest);
    return known === undefined || known < revision;
  }
}

/** The items of a gap as the list has them, oldest first. */
export async function* missed(
  connection: Connection,
  { gap, past, filters }: { gap: GapEvent; past: Past; filters: SubscriptionFilters },
  signal: AbortSignal,
): AsyncGenerator<ItemEvent, void, undefined> {
  const { providers, ...others } = filters;
  const wanted = new Set(providers?.map((id) => id.toLowerCase()));
  const sinceMs = new Date(past.since ?? 0).getTime();
  const query = { ...toQuery(others), since: new Date(sinceMs - marginMs), limit: pageSize };
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
