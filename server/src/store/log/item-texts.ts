import type { Scoring } from "@tapewire/contract/feeds.ts";
import { sql } from "kysely";
import type { FeedItem } from "../../feed/item.ts";
import type { Queries } from "../engine/db.ts";
import { logItemOf } from "./item-reads.ts";
import type { ScoreRow } from "./scores.ts";

/** The newest version of an item with the text that was scored. */
export interface StoredText {
  readonly item: FeedItem;
  /** The text beyond the title. */
  readonly body: string;
  /** The source that brought it; null: it was pushed. */
  readonly sourceId: string | null;
  /** When the first item of its story was published; null: the item is the first. */
  readonly firstPublishedAt: Date | null;
}

/** @returns null when there is no such item */
export async function storedText(db: Queries, id: string): Promise<StoredText | null> {
  const key = await keyOf(db, id);
  if (key === undefined) return null;
  const found = await sql<{ doc: string; body: string; first_at: Date | null }>`
    select doc, body, (
      select f.published_at from item_keys f where f.id = (b.doc::json->>'story_id')::uuid and f.id <> b.id
    ) as first_at
    from item_bodies b where id = ${id} and published_at = ${key.published_at}`.execute(db);
  const [row] = found.rows;
  if (row === undefined) return null;
  const { item } = logItemOf(row.doc);
  return { item, body: row.body, sourceId: key.source_id, firstPublishedAt: row.first_at };
}

/** Extracts of the newest versions of items, by id. Items without one are absent. */
export async function summariesOf(
  db: Queries,
  items: readonly Pick<FeedItem, "id" | "published_at">[],
): Promise<ReadonlyMap<string, string>> {
  if (items.length === 0) return new Map();
  const keys = JSON.stringify(items.map(({ id, published_at }) => ({ id, published_at })));
  const found = await sql<{ id: string; summary: string | null }>`
    select b.id, b.detail::json->>'summary' as summary
    from json_to_recordset(${keys}::json) as k (id uuid, published_at timestamptz)
    join item_bodies b on b.id = k.id and b.published_at = k.published_at`.execute(db);
  return new Map(found.rows.flatMap(({ id, summary }) => (summary === null ? [] : [[id, summary]])));
}

/** A score as it is stored. */
export interface StoredScore {
  readonly model: string;
  readonly modelVersion: string;
  readonly scoredAt: Date;
  readonly scoring: Scoring;
  readonly subScores: ScoreRow["sub_scores"];
}

/**
 * The newest scores of an item, at most `limit`, oldest first.
 * @returns null when there is no such item
 */
export async function scoresOf(db: Queries, id: string, limit: number): Promise<StoredScore[] | null> {
  const key = await keyOf(db, id);
  if (key === undefined) return null;
  const found = await sql<{ model: string; model_version: string; scored_at: Date; verdict: ScoreRow }>`
    select model, model_version, scored_at, verdict from scores
    where item_id = ${id} and published_at = ${key.published_at}
    order by scored_at desc limit ${limit}`.execute(db);
  return found.rows
    .toReversed()
    .map(({ model, model_version: modelVersion, scored_at: scoredAt, verdict }) => ({
      model,
      modelVersion,
      scoredAt,
      scoring: verdict.scoring,
      subScores: verdict.sub_scores,
    }));
}

/** Read first, so that the other statement can name the month and is planned for one partition. */
function keyOf(db: Queries, id: string) {
  return db
    .selectFrom("item_keys")
    .select(["published_at", "source_id"])
    .where("id", "=", id)
    .executeTakeFirst();
}
