import type { PushItem, PushResult } from "@tapewire/contract/admin.ts";
import { TurnShare } from "../../runtime/sharing/turn-share.ts";
import { itemIdentity } from "../identity/identity.ts";
import { ingest, type PipelineDeps } from "../pipeline/pipeline.ts";
import type { RawItem } from "../raw-item.ts";
import { cleanBody, cleanTitle } from "../text/text.ts";
import { pushedTags } from "./pushed-tags.ts";

/** POST /admin/v1/items: stores pushed items. They are in the log when this resolves; answers in their order. */
export async function pushItems(deps: PipelineDeps, items: readonly PushItem[]): Promise<PushResult[]> {
  const seenAt = deps.clock.now();
  const share = new TurnShare();
  const read: { ignored: readonly string[]; raw: RawItem | null }[] = [];
  for (const item of items) {
    if (share.isUsedUp) await share.pause();
    const { countries, ignored } = pushedTags(item.tags, deps.tags);
    read.push({ ignored, raw: rawItemOf(item, countries, seenAt) });
  }
  const accepted = read.flatMap(({ raw }) => raw ?? []);
  // Backfill: the pusher's time counts, whatever its age.
  const outcomes = (await ingest(deps, accepted, { sourceId: null, backfill: true })).values();
  return read.map(({ ignored, raw }) => {
    const outcome = raw === null ? undefined : outcomes.next().value;
    if (outcome === undefined) return { id: null, unique_id: null, status: "rejected", error: emptyTitle };
    if (outcome.status === "rejected")
      return { id: null, unique_id: null, status: "rejected", error: outcome.reason };
    const { id, uniqueId, status, keptSince } = outcome;
    if (status === "too_old")
      return { id: null, unique_id: null, status: "rejected", error: tooOld(keptSince ?? seenAt) };
    return {
      id,
      unique_id: uniqueId,
      status,
      ...(ignored.length === 0 ? {} : { ignored_tags: [...ignored] }),
    };
  });
}

const tooOld = (since: Date) =>
  `published_at: the item is older than what is kept, which begins at ${since.toISOString()}`;

const emptyTitle = "title: nothing is left of it without its markup";

/** null when the cleaned title is empty. */
function rawItemOf(item: PushItem, countries: readonly string[], seenAt: Date): RawItem | null {
  const { link = null, source, published_at } = item;
  const title = cleanTitle(item.title);
  if (title === null) return null;
  const publishedAt = published_at === undefined ? null : new Date(published_at);
  return {
    source,
    providerId: item.provider ?? source,
    type: item.type,
    ...identityOf(item, title, publishedAt ?? seenAt),
    seenAt,
    title,
    link,
    body: cleanBody(item.body),
    publishedAt,
    precision: publishedAt === null ? "none" : "second",
    language: null,
    symbols: item.symbols,
    isins: [],
    ciks: [],
    categories: item.tags,
    countries,
    filing: null,
    retracted: false,
  };
}

/**
 * Only the pusher's own id, if given: a pusher that gives ids distinguishes items by them. Without one the address names
 * the item, whoever owns it: a push is the operator's own, until a source that speaks for the address brings the item
 * itself.
 */
function identityOf({ source, external_id, link = null }: PushItem, title: string, publishedAt: Date) {
  const guid = external_id ?? null;
  const facts = { source, guid, link: guid === null ? link : null, title, publishedAt };
  return itemIdentity({ ...facts, speaksFor: () => true });
}
