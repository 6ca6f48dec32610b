import { type Insertable, type Selectable, sql } from "kysely";
import { type InAccounts, isIn } from "../accounts/accounts.ts";
import type { Queries } from "../engine/db.ts";
import type { Tables } from "../engine/tables.ts";

export type LinkRow = Selectable<Tables["sign_in_links"]> & { readonly account_name: string | null };

export async function insertLink(
  db: Queries,
  link: Omit<Insertable<Tables["sign_in_links"]>, "used_at">,
): Promise<void> {
  await db
    .insertInto("sign_in_links")
    .values({ ...link, used_at: null })
    .execute();
}

/** The link, also when it was used or has expired; null: there is none, or a newer one replaced it. */
export async function linkByHash(db: Queries, hash: Uint8Array): Promise<LinkRow | null> {
  const link = await db
    .selectFrom("sign_in_links")
    .leftJoin("accounts", "accounts.id", "sign_in_links.account_id")
    .selectAll("sign_in_links")
    .select("accounts.name as account_name")
    .where("hash", "=", hash)
    .executeTakeFirst();
  return link ?? null;
}

/** Of calls that use a link at once, one succeeds. @returns false when it was used before or has expired */
export async function useLink(tx: Queries, id: string, now: Date): Promise<boolean> {
  const used = await tx
    .updateTable("sign_in_links")
    .set({ used_at: now })
    .where("id", "=", id)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return used.numUpdatedRows === 1n;
}

/** Drops links of the first start: a newer start has made another. */
export async function dropFirstLinks(db: Queries): Promise<void> {
  await sql`delete from sign_in_links where purpose = 'first'`.execute(db);
}

/** Drops unused links that a newer one replaces. */
export async function dropLinksOf(
  db: Queries,
  of: { readonly personId: string } | { readonly accountId: string; readonly email: string },
): Promise<void> {
  const unused = db.deleteFrom("sign_in_links").where("used_at", "is", null);
  if ("personId" in of)
    await unused.where("purpose", "=", "reset").where("person_id", "=", of.personId).execute();
  else
    await unused
      .where("purpose", "=", "invite")
      .where("account_id", "=", of.accountId)
      .where("email", "=", of.email)
      .execute();
}

/** Drops unused links that a person made for accounts, or as their owner for their people. */
export async function dropLinksMadeBy(
  tx: Queries,
  { maker, ...where }: { maker: string } & InAccounts,
): Promise<void> {
  await sql`
    delete from sign_in_links where maker = ${maker} and used_at is null
      and (${isIn("account_id", where)} or purpose = 'reset')`.execute(tx);
}

/** Invitations that are open, newest first. */
export async function listInvites(
  db: Queries,
  accountId: string,
  now: Date,
): Promise<Selectable<Tables["sign_in_links"]>[]> {
  return db
    .selectFrom("sign_in_links")
    .selectAll()
    .where("purpose", "=", "invite")
    .where("account_id", "=", accountId)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .orderBy("created_at", "desc")
    .limit(500)
    .execute();
}

export async function inviteById(
  db: Queries,
  id: string,
): Promise<Selectable<Tables["sign_in_links"]> | null> {
  const found = await db
    .selectFrom("sign_in_links")
    .selectAll()
    .where("id", "=", id)
    .where("purpose", "=", "invite")
    .where("used_at", "is", null)
    .executeTakeFirst();
  return found ?? null;
}

export async function dropLink(db: Queries, id: string): Promise<void> {
  await db.deleteFrom("sign_in_links").where("id", "=", id).where("used_at", "is", null).execute();
}
