import type { PlanName } from "@tapewire/contract/plans.ts";
import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";
import type { Tables } from "../engine/tables.ts";

export type AccountRow = Tables["accounts"];
/** A key with its account, without the hash of its secret. */
export type KeyRow = Omit<Tables["keys"], "hash"> & { account_name: string; plan: string };
export type NewKey = Omit<Tables["keys"], "last_used_at" | "revoked_at">;

export async function insertAccount(db: Queries, account: AccountRow): Promise<void> {
  await db.insertInto("accounts").values(account).execute();
}

export async function listAccounts(db: Queries): Promise<AccountRow[]> {
  return db.selectFrom("accounts").selectAll().orderBy("created_at").orderBy("id").execute();
}

export async function hasAccount(db: Queries, id: string): Promise<boolean> {
  return (await db.selectFrom("accounts").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}

/** @returns the updated account; null when there is none with this id */
export async function updateAccount(
  db: Queries,
  id: string,
  changes: { name?: string | undefined; plan?: PlanName | undefined },
): Promise<AccountRow | null> {
  const changed = await db
    .updateTable("accounts")
    .set(changes)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirst();
  return changed ?? null;
}

export async function insertKey(db: Queries, key: NewKey): Promise<void> {
  await db
    .insertInto("keys")
    .values({ ...key, last_used_at: null, revoked_at: null })
    .execute();
}

/** True once in the life of a database, and only while it has no key. */
export async function claimFirstKey(db: Queries): Promise<boolean> {
  const claimed = await sql`
    insert into settings (name, value) select 'first_key', 'made' where not exists (select from keys)
    on conflict do nothing`.execute(db);
  return claimed.numAffectedRows === 1n;
}

const selectKeys = (db: Queries) =>
  db
    .selectFrom("keys")
    .innerJoin("accounts", "accounts.id", "keys.account_id")
    .select([
      "keys.id",
      "account_id",
      "accounts.name as account_name",
      "plan",
      "keys.name",
      "prefix",
      "last4",
      "keys.created_at",
      "last_used_at",
      "expires_at",
      "revoked_at",
    ]);

export async function listKeys(db: Queries): Promise<KeyRow[]> {
  return selectKeys(db).orderBy("keys.created_at").orderBy("keys.id").execute();
}

export async function keyById(db: Queries, id: string): Promise<KeyRow | null> {
  return (await selectKeys(db).where("keys.id", "=", id).executeTakeFirst()) ?? null;
}

/** The known keys among these hashes, by hash in hex. */
export async function keysByHash(
  db: Queries,
  hashes: readonly Uint8Array[],
): Promise<ReadonlyMap<string, KeyRow>> {
  if (hashes.length === 0) return new Map();
  const rows = await selectKeys(db)
    .select(sql<string>`encode(hash, 'hex')`.as("hex"))
    .where("hash", "in", hashes)
    .execute();
  return new Map(rows.map(({ hex, ...row }) => [hex, row]));
}

export async function keyByHash(db: Queries, hash: Uint8Array): Promise<KeyRow | null> {
  return (await selectKeys(db).where("hash", "=", hash).executeTakeFirst()) ?? null;
}

/** The first revocation sets the time; a repeat changes nothing. */
export async function revokeKey(db: Queries, id: string, at: Date): Promise<void> {
  await sql`update keys set revoked_at = coalesce(revoked_at, ${at}) where id = ${id}`.execute(db);
}

/** @param used last use by key id */
export async function touchKeys(db: Queries, used: ReadonlyMap<string, Date>): Promise<void> {
  const rows = JSON.stringify([...used].map(([id, at]) => ({ id, at })));
  await sql`
    update keys k set last_used_at = greatest(k.last_used_at, r.at)
    from json_to_recordset(${rows}::json) as r (id uuid, at timestamptz) where k.id = r.id`.execute(db);
}
