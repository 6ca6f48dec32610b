import { setImmediate } from "node:timers/promises";
import type { SymbolRef } from "@tapewire/contract/feeds.ts";
import type { TagDictionary, TagSet } from "@tapewire/contract/tags.ts";
import { itemIdOf, type NewItem } from "../feed/item.ts";
import type { Sequencer } from "../itemlog/append.ts";
import type { Clock } from "../runtime/clock.ts";
import { detailOf, type Engine, scoringOf } from "../score/engine.ts";
import type { AppendOutcome } from "../store/items.ts";
import { publishedAt } from "./published-at.ts";
import type { RawItem } from "./raw-item.ts";

export interface PipelineDeps {
  readonly engine: Engine;
  readonly sequencer: Pick<Sequencer, "append">;
  readonly tags: TagDictionary;
  readonly clock: Clock;
}

export interface IngestOptions {
  /** State key of the source, null for pushes. */
  readonly sourceId: string | null;
  /** See publishedAt. */
  readonly backfill: boolean;
}

/** Items judged without a pause; other work of the process waits for at most this many. */
const judgedAtOnce = 50;
const appendedAtOnce = 500;

/**
 * Raw items in, scored items in the log. Durable when it resolves: a caller that stops before may send the same items
 * again, known ones are dropped by identity.
 * @returns what became of each, in order
 */
export async function ingest(
  deps: PipelineDeps,
  items: readonly RawItem[],
  options: IngestOptions,
): Promise<AppendOutcome[]> {
  const outcomes: AppendOutcome[] = [];
  for (let start = 0; start < items.length; start += appendedAtOnce) {
    const prepared: NewItem[] = [];
    for (const [index, item] of items.slice(start, start + appendedAtOnce).entries()) {
      if (index % judgedAtOnce === judgedAtOnce - 1) await setImmediate();
      prepared.push(prepare(deps, item, options));
    }
    outcomes.push(...(await deps.sequencer.append({ items: prepared, sourceId: options.sourceId })));
  }
  return outcomes;
}

/** Links, tags and scores one item. */
export function prepare(
  { engine, tags, clock }: PipelineDeps,
  raw: RawItem,
  { backfill }: IngestOptions,
): NewItem {
  const firstSeen = clock.now();
  const published = publishedAt(raw, firstSeen, { backfill });
  const { title, body, type, filing, categories } = raw;
  const judged = engine.judge(
    { type, title: title ?? "", body, publishedAt: published, filing, categories },
    { symbols: raw.symbols, ciks: raw.ciks },
  );
  const [uniqueId] = raw.identity;
  const id = itemIdOf(uniqueId);
  const scrapedAt = firstSeen.toISOString();
  return {
    identity: raw.identity,
    body,
    detail: detailOf(judged.verdict),
    item: {
      id,
      unique_id: uniqueId,
      title,
      link: raw.link,
      source: raw.source,
      provider_id: raw.providerId,
      type,
      published_at: published.toISOString(),
      source_time: raw.publishedAt?.toISOString() ?? null,
      scraped_at: scrapedAt,
      updated_at: scrapedAt,
      status: "published",
      revision: 0,
      story_id: id,
      language: raw.language,
      scoring: scoringOf(judged.verdict, clock.now()),
      symbols: judged.symbols.map(symbolRef),
      tags: withGiven(judged.tags, categories, tags),
      filing,
    },
  };
}

function symbolRef({ symbol, exchange, short_symbol, logoid }: SymbolRef): SymbolRef {
  return { symbol, exchange, short_symbol, logoid };
}

/** Categories that are values of the dictionary count as tags; the source knows what it wrote. */
function withGiven(found: TagSet, categories: readonly string[], dictionary: TagDictionary): TagSet {
  const given = new Set(categories.map((category) => category.toLowerCase()));
  const merged: TagSet = { ...found };
  for (const dimension of ["corp_activity", "market", "economic_category"] as const) {
    const named = dictionary[dimension].values.map(({ value }) => value).filter((value) => given.has(value));
    if (named.length > 0) merged[dimension] = [...new Set([...(merged[dimension] ?? []), ...named])].sort();
  }
  return merged;
}
