import { sql } from "kysely";
import type { Queries, Write } from "../engine/db.ts";
import type { IdentityRules } from "./append-request.ts";

/** The item that has an identity. */
export interface KnownItem {
  readonly id: string;
  /** false: it was removed, or is about to be, and only its identities are left. */
  readonly stored: boolean;
  /** The sources file's entry that brought it; null: pushed. */
  readonly sourceId: string | null;
  /** Digest of what that source last said of it; null: unknown. */
  readonly contentKey: string | null;
}

/** The digest of filings stored before their parties were part of it. */
const keyWithoutParties = "filing";

/** The items that have these identities, by identity. */
export async function knownItems(
  db: Queries,
  identities: readonly string[],
): Promise<Map<string, KnownItem>> {
  if (identities.length === 0) return new Map();
  const { rows } = await sql<KnownRow>`
    select a.alias, a.item_id as id,
      k.published_at >= coalesce((select kept_since from log_head), '-infinity') is true as stored, k.source_id, k.content_key
    from item_aliases a left join item_keys k on k.id = a.item_id
    where a.alias = any(${identities}::text[])`.execute(db);
  return knownByIdentity(rows);
}

export interface KnownRow {
  readonly alias: string;
  readonly id: string;
  readonly stored: boolean;
  readonly source_id: string | null;
  readonly content_key: string | null;
}

export function knownByIdentity(rows: readonly KnownRow[]): Map<string, KnownItem> {
  return new Map(
    rows.map(({ alias, id, stored, source_id: sourceId, content_key: key }) => [
      alias,
      { id, stored, sourceId, contentKey: key === keyWithoutParties ? null : key },
    ]),
  );
}

/** Names of an item: its identities, and claims, which name it only for the source whose item already has them. */
export interface Names {
  readonly identity: readonly string[];
  readonly claims: readonly string[];
}

export function formsOf({ identity, claims }: Names): readonly string[] {
  return [...identity, ...claims];
}

/** The item that has these names, as far as this source may use them, and the name by which it was found. */
export function ownerOf(
  { identity, claims }: Names,
  known: (form: string) => KnownItem | undefined,
  sourceId: string | null,
): { readonly form: string; readonly owner: KnownItem } | null {
  const named = (form: string) => {
    const owner = known(form);
    return owner === undefined ? [] : [{ form, owner }];
  };
  const own = identity.flatMap(named);
  return own[0] ?? claims.flatMap(named).find(({ owner }) => owner.sourceId === sourceId) ?? null;
}

/** An alias outlives its item, so that a removed item does not come back. */
export interface ItemAlias {
  readonly alias: string;
  readonly item_id: string;
}

/** Stores the new source and digest of items that did not change otherwise. */
export function saveContentKeys(
  keys: readonly { id: string; content_key: string; source_id: string | null }[],
): readonly Write[] {
  if (keys.length === 0) return [];
  const write = sql`
    update item_keys k set content_key = r.content_key, source_id = r.source_id
    from json_to_recordset(${JSON.stringify(keys)}::json) as r (id uuid, content_key text, source_id text)
    where k.id = r.id`;
  return [write];
}

/** Makes identities name another item. */
export function moveAliases(aliases: readonly ItemAlias[]): readonly Write[] {
  if (aliases.length === 0) return [];
  const write = sql`
    update item_aliases a set item_id = r.item_id
    from json_to_recordset(${JSON.stringify(aliases)}::json) as r (alias text, item_id uuid)
    where a.alias = r.alias`;
  return [write];
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

/** Whether the source may take over an item that another, or a push, brought. Removed items do not come back. */
export function isTakenOver(rules: IdentityRules, owner: KnownItem, form: string, sourceId: string): boolean {
  return owner.stored && rules.takesOver(sourceId, form, owner.sourceId);
}
