import { sql } from "kysely";
import type { Queries } from "./db.ts";

/** The item that has an identity. */
export interface KnownItem {
  readonly id: string;
  /** The entry of the sources that brought it; null: pushed. */
  readonly sourceId: string | null;
  /** Digest of what that source said of it last; null: not known. */
  readonly contentKey: string | null;
}

/** What filings were stored with before their parties were part of the digest. */
const keyWithoutParties = "filing";

/** Of these identities, the ones that an item has, with the item. */
export async function knownItems(
  db: Queries,
  identities: readonly string[],
): Promise<Map<string, KnownItem>> {
  if (identities.length === 0) return new Map();
  const found = await sql<{
    alias: string;
    id: string;
    source_id: string | null;
    content_key: string | null;
  }>`
    select a.alias, a.item_id as id, k.source_id, nullif(k.content_key, ${keyWithoutParties}) as content_key
    from item_aliases a left join item_keys k on k.id = a.item_id
    where a.alias = any(${identities}::text[])`.execute(db);
  return new Map(
    found.rows.map(({ alias, id, source_id, content_key }) => [
      alias,
      { id, sourceId: source_id, contentKey: content_key },
    ]),
  );
}

/** An alias outlives its item: what was removed does not come back. */
export interface ItemAlias {
  readonly alias: string;
  readonly item_id: string;
}

/** Takes note of what the sources now say, where that changed no item. */
export async function saveContentKeys(
  tx: Queries,
  keys: readonly { id: string; content_key: string }[],
): Promise<void> {
  if (keys.length === 0) return;
  await sql`
    update item_keys k set content_key = r.content_key
    from json_to_recordset(${JSON.stringify(keys)}::json) as r (id uuid, content_key text)
    where k.id = r.id`.execute(tx);
}

/** unique_id by item. */
export async function uniqueIds(db: Queries, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .selectFrom("item_keys")
    .select(["id", "unique_id"])
    .where("id", "in", [...new Set(ids)])
    .execute();
  return new Map(found.map(({ id, unique_id }) => [id, unique_id]));
}
