import type { PushItem, PushResult } from "@tapewire/contract/admin.ts";
import { itemIdentity } from "../identity.ts";
import { ingest, type PipelineDeps } from "../pipeline.ts";
import type { RawItem } from "../raw-item.ts";
import { cleanBody, cleanTitle } from "../text.ts";

/** POST /admin/v1/items: items that somebody hands us. They are in the log when this resolves. */
export async function pushItems(deps: PipelineDeps, items: readonly PushItem[]): Promise<PushResult[]> {
  const outcomes = await ingest(deps, items.map(rawItemOf), { sourceId: null, backfill: true });
  return outcomes.map(({ id, uniqueId, status }) => ({ id, unique_id: uniqueId, status }));
}

/** backfill above: the pusher's time counts, whatever its age. */
export function rawItemOf(item: PushItem): RawItem {
  const { external_id, link = null, title, source, published_at } = item;
  const publishedAt = published_at === undefined ? null : new Date(published_at);
  return {
    source,
    providerId: item.provider ?? source,
    type: item.type,
    identity: itemIdentity({ source, guid: external_id ?? null, link, title, publishedAt }),
    title: cleanTitle(title),
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
