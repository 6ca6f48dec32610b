import { type PlanName, planName } from "@tapewire/contract/plans.ts";
import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import type { Queries } from "../engine/db.ts";
import type { Tables } from "../engine/tables.ts";

export type AccountRow = Tables["accounts"];
/** A key with its account, without the hash of its secret. */
export type KeyRow = Selectable<Omit<Tables["keys"], "hash">> & {
  account_name: string;
  plan: string;
  /** Name of the person who created it; null: the operator. */
  creator: string | null;
  /** That person's e-mail address. */
  creator_email: string | null;
};
/** Members that are absent have the defaults of the table. */
export type NewKey = Omit<Insertable<Tables["keys"]>, "last_used_at" | "revoked_at">;

export async function insertAccount(db: Queries, account: AccountRow): Promise<void> {
  await db.insertInto("accounts").values(account).execute();
}

export async function listAccounts(db: Queries): Promise<AccountRow[]> {
  return db.selectFrom("accounts").selectAll().orderBy("created_at").orderBy("id").execute();
}

/** Of these ids, the accounts that exist, oldest first. */
export async function accountsById(db: Queries, ids: readonly string[]): Promise<AccountRow[]> {
  if (ids.length === 0) return [];
  return db
    .selectFrom("accounts")
    .selectAll()
    .where("id", "in", ids)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export async function hasAccount(db: Queries, id: string): Promise<boolean> {
  return (await db.selectFrom("accounts").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}

/** @returns null when there is no account with this id */
export async function planOf(db: Queries, id: string): Promise<PlanName | null> {
  const row = await db.selectFrom("accounts").select("plan").where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : planName.parse(row.plan);
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

/** Makes calls that add to one account run one after another until their commits, so that its limits are exact. */
export async function lockAccount(tx: Queries, accountId: string): Promise<void> {
  await tx
    .selectFrom("accounts")
    .select("id")
    .where("id", "=", accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** The account's keys that can be used; exact while the account is locked. */
export async function countValidKeys(tx: Queries, accountId: string, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom("keys")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .where("kind", "=", "live")
    .where("revoked_at", "is", null)
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now)]))
    .executeTakeFirstOrThrow();
  return Number(count);
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
    .leftJoin("people", "people.id", "keys.created_by")
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
      "kind",
      "scope",
      "session_id",
      "created_by",
      "people.name as creator",
      "people.email as creator_email",
      "replaces",
    ]);

/** Whose keys: null means any. */
export interface KeysOf {
  readonly accountId: string | null;
  /** The person who created them. */
  readonly createdBy: string | null;
}

/** Keys that were made to stay, oldest first. */
export async function listKeys(db: Queries, { accountId, createdBy }: KeysOf): Promise<KeyRow[]> {
  let keys = selectKeys(db).where("kind", "=", "live").orderBy("keys.created_at").orderBy("keys.id");
  if (accountId !== null) keys = keys.where("account_id", "=", accountId);
  if (createdBy !== null) keys = keys.where("created_by", "=", createdBy);
  return keys.execute();
}

/** A shorter expiry holds for tab keys that were made with the key, too. */
export async function updateKey(
  db: Queries,
  id: string,
  changes: Pick<Updateable<Tables["keys"]>, "name" | "expires_at">,
): Promise<void> {
  await db.updateTable("keys").set(changes).where("id", "=", id).execute();
  if (changes.expires_at instanceof Date)
    await sql`
      update keys set expires_at = least(expires_at, ${changes.expires_at}) where ${tabKeysOf(id)}`.execute(
      db,
    );
}

/** Of calls that replace a key at once, one goes on. @returns false when the key is gone or another key replaces it */
export async function lockUnreplacedKey(tx: Queries, id: string): Promise<boolean> {
  const locked = await sql`select from keys where id = ${id} and revoked_at is null for update`.execute(tx);
  if (locked.rows.length === 0) return false;
  const other = await sql`select from keys where replaces = ${id} and revoked_at is null limit 1`.execute(tx);
  return other.rows.length === 0;
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

/** Keys of tabs in sessions that were begun with a key. */
const tabKeysOf = (id: string) => sql`session_id in (select id from sessions where key_id = ${id})`;

/** Revokes a key, and the tab keys that were made with it. The first revocation sets the time; a repeat changes nothing. */
export async function revokeKey(db: Queries, id: string, at: Date): Promise<void> {
  await sql`
    update keys set revoked_at = coalesce(revoked_at, ${at}) where id = ${id} or ${tabKeysOf(id)}`.execute(
    db,
  );
}

/** What of a person: in one account, or in all but some. */
export type InAccounts = { readonly accountId: string } | { readonly allBut: readonly string[] };

/** A condition on a column of account ids. */
export const isIn = (column: string, of: InAccounts) =>
  "accountId" in of
    ? sql<boolean>`${sql.ref(column)} = ${of.accountId}`
    : sql<boolean>`${sql.ref(column)} <> all(${of.allBut}::uuid[])`;

/** Revokes the keys that a person created, with the tab keys made with them. */
export async function revokeKeysOf(
  tx: Queries,
  { personId, at, ...where }: { personId: string; at: Date } & InAccounts,
): Promise<void> {
  const own = await sql<{ id: string }>`
    update keys set revoked_at = ${at}
    where created_by = ${personId} and kind = 'live' and revoked_at is null
      and ${isIn("account_id", where)}
    returning id`.execute(tx);
  const ids = own.rows.map(({ id }) => id);
  await sql`
    update keys set revoked_at = ${at} from sessions
    where keys.session_id = sessions.id and sessions.key_id = any(${ids}::uuid[])
      and keys.revoked_at is null`.execute(tx);
}

/** @param used last use by key id */
export async function touchKeys(db: Queries, used: ReadonlyMap<string, Date>): Promise<void> {
  const rows = JSON.stringify([...used].map(([id, at]) => ({ id, at })));
  await sql`
    update keys k set last_used_at = greatest(k.last_used_at, r.at)
    from json_to_recordset(${rows}::json) as r (id uuid, at timestamptz) where k.id = r.id`.execute(db);
}

/** Removes a key that nobody has seen. */
export async function dropKey(db: Queries, hash: Uint8Array): Promise<void> {
  await db.deleteFrom("keys").where("hash", "=", hash).execute();
}
