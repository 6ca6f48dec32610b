import type { PushItem, PushResult } from "@tapewire/contract/admin.ts";
import { itemIdentity } from "../identity.ts";
import { ingest, type PipelineDeps } from "../pipeline.ts";
import type { RawItem } from "../raw-item.ts";
import { cleanBody, cleanTitle } from "../text.ts";

/** POST /admin/v1/items: items that somebody hands us. They are in the log when this resolves; answers in their order. */
export async function pushItems(deps: PipelineDeps, items: readonly PushItem[]): Promise<PushResult[]> {
  const read = items.map(rawItemOf);
  const accepted = read.filter((item) => item !== null);
  // The pusher's time counts, whatever its age.
  const outcomes = (await ingest(deps, accepted, { sourceId: null, backfill: true })).values();
  return read.map((item) => {
    const stored = item === null ? undefined : outcomes.next().value;
    if (stored === undefined) return { id: null, unique_id: null, status: "rejected", error: emptyTitle };
    return { id: stored.id, unique_id: stored.uniqueId, status: stored.status };
  });
}

const emptyTitle = "title: nothing is left of it without its markup";

/** null when the title is empty once it is clean. */
function rawItemOf(item: PushItem): RawItem | null {
  const { external_id, link = null, source, published_at } = item;
  const title = cleanTitle(item.title);
  if (title === null) return null;
  const publishedAt = published_at === undefined ? null : new Date(published_at);
  return {
    source,
    providerId: item.provider ?? source,
    type: item.type,
    identity: itemIdentity({ source, guid: external_id ?? null, link, title, publishedAt }),
    title,
    link,
    body: cleanBody(item.body),
    publishedAt,
    precision: publishedAt === null ? "none" : "second",
    language: null,
    symbols: item.symbols,
    ciks: [],
    categories: item.tags,
    filing: null,
  };
}
