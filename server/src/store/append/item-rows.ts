import type { FeedItem, ItemDetail } from "@tapewire/contract/feeds.ts";
import { sql } from "kysely";
import { isCopy, termsOf } from "../../feed/filter.ts";
import type { Write } from "../engine/db.ts";
import { type TermChange, type TermCount, termKey } from "../list/terms.ts";
import type { ScoreRow } from "../log/scores.ts";
import type { Created, Revised } from "./append-plan.ts";
import type { ItemAlias } from "./item-keys.ts";
import type { sketchRow } from "./stories.ts";

export function termChange(item: FeedItem, { published_at }: FeedItem, by: TermChange["by"]): TermChange {
  return { terms: termsOf(item), publishedAt: published_at, by };
}

/** The terms that a new version has gained, kept and lost. */
export function termChanges(before: FeedItem, after: FeedItem): TermChange[] {
  const had = new Set(termsOf(before).map(termKey));
  const has = new Set(termsOf(after).map(termKey));
  const { published_at: publishedAt } = after;
  return [
    { terms: termsOf(after).filter((term) => !had.has(termKey(term))), publishedAt, by: 1 },
    { terms: termsOf(after).filter((term) => had.has(termKey(term))), publishedAt, by: 0 },
    { terms: termsOf(before).filter((term) => !has.has(termKey(term))), publishedAt, by: -1 },
  ];
}

function verdictOf({ scoring, event, events }: FeedItem, { sub_scores, analysis }: ItemDetail): ScoreRow {
  return { scoring, event, events, sub_scores, analysis };
}

export function itemRow(
  { logItem: { seq, item, doc }, newItem: { detail, body, contentKey }, sourceId }: Created,
  terms: readonly (number | undefined)[],
) {
  const { scoring } = item;
  return {
    seq,
    id: item.id,
    unique_id: item.unique_id,
    published_at: item.published_at,
    scraped_at: item.scraped_at,
    actionable: scoring.actionability,
    sentiment: scoring.sentiment_score,
    conviction: scoring.sentiment_conviction,
    actionability_score: scoring.actionability_score,
    terms,
    copy: isCopy(item),
    doc,
    detail: JSON.stringify(detail),
    body,
    source_id: sourceId,
    content_key: contentKey,
    model: scoring.model,
    model_version: scoring.model_version,
    scored_at: scoring.scored_at,
    verdict: verdictOf(item, detail),
  };
}

export function versionRow(
  { logItem: { seq, item, doc }, before, detail, body, contentKey, pastKeys, sourceId, rescored }: Revised,
  terms: readonly (number | undefined)[],
) {
  const scored = rescored === null ? null : item.scoring;
  return {
    seq,
    id: item.id,
    published_at: item.published_at,
    actionable: item.scoring.actionability,
    sentiment: item.scoring.sentiment_score,
    conviction: item.scoring.sentiment_conviction,
    actionability_score: item.scoring.actionability_score,
    terms,
    copy: isCopy(item),
    doc,
    detail,
    body,
    content_key: contentKey,
    past_keys: pastKeys,
    source_id: sourceId,
    model: scored?.model ?? null,
    model_version: scored?.model_version ?? null,
    scored_at: scored?.scored_at ?? null,
    verdict: rescored === null ? null : verdictOf(item, rescored),
    old_seq: before.item.seq,
    old_doc: before.doc,
    old_detail: before.detail,
  };
}

/** Writes all tables (migrations/0010_store_batch.sql), and then the new head of the log. */
export function storeBatch(batch: {
  items: readonly ReturnType<typeof itemRow>[];
  sketches: readonly ReturnType<typeof sketchRow>[];
  counts: readonly TermCount[];
  aliases: readonly ItemAlias[];
}): Write {
  const json = (rows: readonly object[]) => sql`${JSON.stringify(rows)}::json`;
  const { items, sketches, counts, aliases } = batch;
  return sql`select store_batch(${json(items)}, ${json(sketches)}, ${json(counts)}, ${json(aliases)})`;
}
