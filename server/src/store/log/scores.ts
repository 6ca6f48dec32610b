import type { FeedItem, ItemDetail, Scoring } from "@tapewire/contract/feeds.ts";
import { sql } from "kysely";
import { wholeDoc } from "../../feed/view.ts";
import type { Queries } from "../engine/db.ts";
import { logItemOf } from "./item-reads.ts";

/** The result of one scoring of an item. */
export interface ScoreRow {
  readonly scoring: Scoring;
  /** Absent in scores of versions that did not name events. */
  readonly event?: FeedItem["event"];
  readonly events?: FeedItem["events"];
  readonly sub_scores: ItemDetail["sub_scores"];
  readonly analysis: ItemDetail["analysis"];
}

/** What is stored of a scoring. */
interface StoredScore extends ScoreRow {
  /** When the version was scored that this is a later score of; absent: not told, as by earlier releases. */
  readonly of?: string | null;
}

/** An item as it was at a time. */
export interface ItemAt {
  readonly doc: string;
  readonly detail: string;
  /** A later score of the same version that was current then; null: that of the version itself, or none. */
  readonly score: ScoreRow | null;
}

/**
 * One item now or at a time: the version, and the newest score, of that time.
 * @param at null: now
 * @returns null when there is no such item, or there was none at the time
 */
export async function itemAt(db: Queries, id: string, at: Date | null): Promise<ItemAt | null> {
  // Read first, so that the other statement can name the month and is planned for one partition.
  const key = await db.selectFrom("item_keys").select("published_at").where("id", "=", id).executeTakeFirst();
  if (key === undefined) return null;
  const found = await sql<{ doc: string; detail: string; verdict: StoredScore | null }>`
    select doc, detail, (
      select verdict from scores
      where item_id = ${id} and published_at = ${key.published_at}
        and (${at}::timestamptz is null or scored_at <= ${at}) and ${isOfVersion("v")}
      order by scored_at desc limit 1
    ) as verdict from ${at === null ? newestVersion(id, key.published_at) : versionAt(id, key.published_at, at)}`.execute(
    db,
  );
  const [version] = found.rows;
  if (version === undefined) return null;
  const { detail, verdict: stored } = version;
  const doc = wholeDoc(version.doc);
  const { scoring }: Pick<FeedItem, "scoring"> = JSON.parse(doc);
  if (stored === null || !isLater(stored.scoring, scoring)) return { doc, detail, score: null };
  const { of: _, ...score } = stored;
  return { doc, detail, score };
}

/** Whether a score is of this version's text: one that was begun before a revision can be newer than the revision's own. */
function isOfVersion(version: string) {
  const scoredAt = sql`${sql.ref(`${version}.doc`)}::json->'scoring'->>'scored_at'`;
  return sql`coalesce(verdict->>'of', ${scoredAt}) = ${scoredAt}`;
}

/** Whether a version was scored again. A version that was not judged has no score: the newest is that of the text before. */
function isLater({ scored_at: again }: Scoring, { scored_at: first }: Scoring): boolean {
  return again !== null && first !== null && again > first;
}

function newestVersion(id: string, publishedAt: Date) {
  return sql`item_bodies v where id = ${id} and published_at = ${publishedAt}`;
}

/** The newest version that was logged by then: see loggedAt. */
function versionAt(id: string, publishedAt: Date, at: Date) {
  return sql`(
    select doc, detail from item_bodies where id = ${id} and published_at = ${publishedAt}
    union all select doc, detail from item_versions where id = ${id}
      and exists (select from item_bodies where id = ${id} and published_at = ${publishedAt})
  ) v where greatest(
    (doc::json->>'updated_at')::timestamptz, (doc::json->'scoring'->>'scored_at')::timestamptz
  ) <= ${at}
  order by (doc::json->>'revision')::int desc limit 1`;
}

/** An item to be scored again. */
export interface RescoreItem {
  readonly seq: number;
  readonly item: FeedItem;
  readonly body: string;
  /** When the first item of its story was published; null: the item is the first. */
  readonly firstPublishedAt: Date | null;
}

/**
 * Items published since a time, after a position of the log, that this version of the model has not scored.
 * @returns the items, and the position of the last entry examined, null at the end
 */
export async function itemsToRescore(
  db: Queries,
  wanted: { since: Date; after: number; model: string; modelVersion: string; limit: number },
): Promise<{ items: RescoreItem[]; next: number | null }> {
  const { since, after, model, modelVersion, limit } = wanted;
  const found = await sql<{
    seq: number;
    doc: string | null;
    body: string;
    first_at: Date | null;
    is_scored: boolean;
  }>`
    select k.seq, b.doc, b.body, (
      select f.published_at from item_keys f where f.id = (b.doc::json->>'story_id')::uuid and f.id <> k.id
    ) as first_at, exists (
      select from scores s
      where s.item_id = k.id and s.published_at = k.published_at
        and s.model = ${model} and s.model_version = ${modelVersion}
        and s.scored_at >= (b.doc::json->'scoring'->>'scored_at')::timestamptz and ${isOfVersion("b")}
    ) as is_scored
    from (
      select * from item_keys where seq > ${after} and published_at >= ${since} order by seq limit ${limit}
    ) k left join item_bodies b on b.id = k.id and b.published_at = k.published_at
    order by k.seq`.execute(db);
  const items = found.rows.flatMap(({ seq, doc, body, first_at, is_scored }): RescoreItem[] =>
    // Items without a document: their month was dropped.
    is_scored || doc === null ? [] : [{ seq, item: logItemOf(doc).item, body, firstPublishedAt: first_at }],
  );
  return { items, next: found.rows.length < limit ? null : (found.rows.at(-1)?.seq ?? null) };
}

/** Adds scores beside earlier ones; drops those of a text that was revised meanwhile. */
export async function addScores(
  db: Queries,
  rows: readonly { item: FeedItem; score: ScoreRow }[],
): Promise<void> {
  if (rows.length === 0) return;
  const values = rows.map(({ item, score }) => ({
    seq: item.seq,
    item_id: item.id,
    published_at: item.published_at,
    model: score.scoring.model,
    model_version: score.scoring.model_version,
    scored_at: score.scoring.scored_at,
    verdict: { ...score, of: item.scoring.scored_at } satisfies StoredScore,
  }));
  await sql`
    insert into scores (item_id, published_at, model, model_version, scored_at, verdict)
    select r.item_id, r.published_at, r.model, r.model_version, r.scored_at, r.verdict
    from json_to_recordset(${JSON.stringify(values)}::json) as r (
      seq bigint, item_id uuid, published_at timestamptz, model text, model_version text, scored_at timestamptz, verdict json)
    join item_keys k on k.id = r.item_id and k.seq = r.seq`.execute(db);
}
