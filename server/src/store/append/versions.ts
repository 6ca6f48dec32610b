import type { FeedItem } from "@tapewire/contract/feeds.ts";
import { sql } from "kysely";
import type { Queries, Write } from "../engine/db.ts";
import { logItemOf } from "../log/item-reads.ts";

/** The newest version of a stored item. */
export interface CurrentVersion {
  readonly item: FeedItem;
  readonly doc: string;
  readonly detail: string;
  readonly body: string;
  /** Digest of what its source last said; null: unknown. */
  readonly contentKey: string | null;
  /** Digests of what it said before: the last few, oldest first. */
  readonly pastKeys: readonly string[];
  /** The sources file's entry that owns the item; null: pushed. */
  readonly sourceId: string | null;
}

/** The newest versions of items, by id; none of an item that is about to be deleted for its age. */
export async function currentVersions(
  tx: Queries,
  ids: readonly string[],
): Promise<Map<string, CurrentVersion>> {
  if (ids.length === 0) return new Map();
  const found = await sql<{
    id: string;
    doc: string;
    detail: string;
    body: string;
    contentKey: string | null;
    pastKeys: string[];
    sourceId: string | null;
  }>`
    select b.id, b.doc, b.detail, b.body, k.content_key as "contentKey", coalesce(k.past_keys, '{}') as "pastKeys",
      k.source_id as "sourceId"
    from item_keys k join item_bodies b on b.id = k.id and b.published_at = k.published_at
    where k.id = any(${[...new Set(ids)]}::uuid[])
      and k.published_at >= coalesce((select kept_since from log_head), '-infinity')`.execute(tx);
  return new Map(
    found.rows.map(({ id, ...row }): [string, CurrentVersion] => [id, { ...row, ...logItemOf(row.doc) }]),
  );
}

/** A version that replaces another. */
export interface VersionRow {
  readonly seq: number;
  readonly id: string;
  readonly published_at: string;
  readonly actionable: boolean | null;
  readonly sentiment: number | null;
  readonly conviction: number | null;
  readonly actionability_score: number | null;
  readonly terms: readonly (number | undefined)[];
  readonly copy: boolean;
  readonly doc: string;
  readonly detail: string;
  readonly body: string;
  readonly content_key: string | null;
  readonly past_keys: readonly string[];
  readonly source_id: string | null;
  /** null: the item keeps its score. */
  readonly model: string | null;
  readonly model_version: string | null;
  readonly scored_at: string | null;
  readonly verdict: unknown;
  readonly old_seq: number;
  readonly old_doc: string;
  readonly old_detail: string;
}

/** Replaces the current versions; the old ones stay in the log under their own seq. */
export function replaceVersions(rows: readonly VersionRow[]): readonly Write[] {
  if (rows.length === 0) return [];
  const write = sql`
    with r as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as r (
        seq bigint, id uuid, published_at timestamptz, actionable boolean, sentiment smallint, conviction smallint,
        actionability_score smallint, terms int[], copy boolean, doc text, detail text, body text, content_key text, past_keys text[], source_id text, model text,
        model_version text, scored_at timestamptz, verdict json, old_seq bigint, old_doc text, old_detail text)
    ), last as materialized (
      -- A batch may hold several versions of an item: an update joined to several rows takes any one of them.
      select distinct on (id) * from r order by id, seq desc
    ), kept as (
      insert into item_versions (seq, id, published_at, doc, detail)
      select old_seq, id, published_at, old_doc, old_detail from r
    ), keyed as (
      update item_keys k set seq = r.seq, content_key = coalesce(r.content_key, k.content_key), past_keys = r.past_keys,
        source_id = r.source_id
      from last r where k.id = r.id
    ), listed as (
      update items i set seq = r.seq, actionable = r.actionable, sentiment = r.sentiment, conviction = r.conviction,
        actionability_score = r.actionability_score, terms = r.terms, copy = r.copy
      from last r where i.id = r.id and i.published_at = r.published_at
    ), told as (
      update item_bodies b set doc = r.doc, detail = r.detail, body = r.body
      from last r where b.id = r.id and b.published_at = r.published_at
    ), scored as (
      insert into scores (item_id, published_at, model, model_version, scored_at, verdict)
      select id, published_at, model, model_version, scored_at, verdict from r where model is not null
    )
    update log_head set last_seq = greatest(last_seq, (select max(seq) from r))`;
  return [write];
}
