import type { SourceProbe } from "@tapewire/contract/admin.ts";
import type { SourceConfig } from "../../config/sources.ts";
import type { Clock } from "../../runtime/clock.ts";
import { formsOf, knownItems, ownerOf } from "../../store/append/item-keys.ts";
import type { Db } from "../../store/engine/db.ts";
import type { Adapters } from "../adapter.ts";
import type { Fetcher } from "../fetch/fetcher.ts";
import type { PageReader } from "../reading/page-reader.ts";

export interface ProbeDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly fetcher: Fetcher;
  readonly adapters: Adapters;
  readonly reader: PageReader;
  readonly sources: readonly SourceConfig[];
}

/** Longest time that a probe waits for its turn at the host and for the response. */
const longestMs = 45_000;
const shownTitles = 3;

/** POST /admin/v1/sources/{id}/probe: one fetch like a poll, but unconditional, and nothing is stored. */
export async function probeSource(deps: ProbeDeps, id: string): Promise<SourceProbe | null> {
  const source = deps.sources.find((one) => one.id === id);
  if (source === undefined) return null;
  const startedMs = performance.now();
  const nothing = {
    bytes: null,
    items: null,
    unknown_items: null,
    newest_item_at: null,
    salvaged: null,
    titles: [],
  };
  try {
    const found = await visit(deps, source);
    return { id, ok: true, error: null, took_ms: Math.round(performance.now() - startedMs), ...found };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const tookMs = Math.round(performance.now() - startedMs);
    return { id, url: source.url, ok: false, error: message, took_ms: tookMs, ...nothing };
  }
}

async function visit({ db, clock, fetcher, adapters, reader }: ProbeDeps, source: SourceConfig) {
  const adapter = adapters[source.format];
  const { request } = adapter.plan(source, { now: clock.now(), sweptAt: clock.now() });
  const signal = AbortSignal.timeout(longestMs);
  const fetched = await fetcher.fetch(request, {
    validators: null,
    asker: source,
    signal,
  });
  if (fetched.status === "not_modified")
    throw new Error("the host answered 304 Not Modified to an unconditional request");
  const { response } = fetched;
  const { items, salvaged } = await reader.page(response, { source, spent: { readingMs: 0 }, signal });
  const known = await knownItems(db.main, items.flatMap(formsOf));
  const times = items.flatMap(({ publishedAt }) => publishedAt?.getTime() ?? []);
  return {
    url: response.url,
    bytes: response.body.byteLength,
    items: items.length,
    unknown_items: items.filter((item) => ownerOf(item, (form) => known.get(form), source.id) === null)
      .length,
    newest_item_at: times.length === 0 ? null : new Date(Math.max(...times)).toISOString(),
    salvaged,
    titles: items.slice(0, shownTitles).flatMap(({ title }) => title ?? []),
  };
}
