import type { AccountRole } from "@tapewire/contract/dashboard/people.ts";
import { type Selectable, sql } from "kysely";
import type { Queries } from "../engine/db.ts";
import type { Tables } from "../engine/tables.ts";

export type PersonRow = Selectable<Tables["people"]>;
export type MemberRow = PersonRow & {
  readonly account_role: AccountRole;
  readonly joined_at: Date;
  readonly last_seen_at: Date | null;
};

export async function insertPerson(db: Queries, person: PersonRow): Promise<void> {
  await db.insertInto("people").values(person).execute();
}

export async function personById(db: Queries, id: string): Promise<PersonRow | null> {
  return (await db.selectFrom("people").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/**
 * Locks the person until the transaction ends. A transaction that locks more takes the person first, then accounts, then
 * what belongs to them: in another order two could wait for each other.
 */
export async function lockPerson(tx: Queries, id: string): Promise<PersonRow | null> {
  const locked = await tx
    .selectFrom("people")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return locked ?? null;
}

/** By e-mail address. */
export async function listPeople(db: Queries): Promise<PersonRow[]> {
  return db.selectFrom("people").selectAll().orderBy("email").orderBy("id").execute();
}

/** @param email in lower case */
export async function personByEmail(db: Queries, email: string): Promise<PersonRow | null> {
  return (await db.selectFrom("people").selectAll().where("email", "=", email).executeTakeFirst()) ?? null;
}

export async function updatePerson(
  db: Queries,
  id: string,
  changes: {
    name?: string | undefined;
    email?: string | undefined;
    password?: string | null | undefined;
    role?: PersonRow["role"] | undefined;
    verified_at?: Date | null | undefined;
  },
): Promise<void> {
  await db.updateTable("people").set(changes).where("id", "=", id).execute();
}

export async function hasPasswords(db: Queries): Promise<boolean> {
  const found = await sql`select from people where password is not null limit 1`.execute(db);
  return found.rows.length > 0;
}

/** The person's role in each account. */
export async function rolesOf(db: Queries, personId: string): Promise<ReadonlyMap<string, AccountRole>> {
  const rows = await db
    .selectFrom("memberships")
    .select(["account_id", "role"])
    .where("person_id", "=", personId)
    .execute();
  return new Map(rows.map(({ account_id, role }) => [account_id, role]));
}

/** Adds the person to the account, or changes the role. */
export async function setMembership(
  db: Queries,
  { accountId, personId, role, at }: { accountId: string; personId: string; role: AccountRole; at: Date },
): Promise<void> {
  await db
    .insertInto("memberships")
    .values({ account_id: accountId, person_id: personId, role, created_at: at })
    .onConflict((conflict) => conflict.columns(["account_id", "person_id"]).doUpdateSet({ role }))
    .execute();
}

export async function removeMembership(db: Queries, accountId: string, personId: string): Promise<void> {
  await db
    .deleteFrom("memberships")
    .where("account_id", "=", accountId)
    .where("person_id", "=", personId)
    .execute();
}

const selectMembers = (db: Queries, accountId: string) =>
  db
    .selectFrom("memberships")
    .innerJoin("people", "people.id", "memberships.person_id")
    .selectAll("people")
    .select((select) => [
      "memberships.role as account_role",
      "memberships.created_at as joined_at",
      select
        .selectFrom("sessions")
        .select((one) => one.fn.max("seen_at").as("seen"))
        .whereRef("sessions.person_id", "=", "people.id")
        .as("last_seen_at"),
    ])
    .where("account_id", "=", accountId);

/** The people of an account, by name. */
export async function listMembers(db: Queries, accountId: string): Promise<MemberRow[]> {
  return selectMembers(db, accountId).orderBy("people.name").orderBy("people.id").execute();
}

/** @returns null when the person is not in the account */
export async function memberById(
  db: Queries,
  accountId: string,
  personId: string,
): Promise<MemberRow | null> {
  return (await selectMembers(db, accountId).where("people.id", "=", personId).executeTakeFirst()) ?? null;
}

/** @param email in lower case */
export async function hasMember(db: Queries, accountId: string, email: string): Promise<boolean> {
  const found = await db
    .selectFrom("memberships")
    .innerJoin("people", "people.id", "memberships.person_id")
    .select("people.id")
    .where("account_id", "=", accountId)
    .where("email", "=", email)
    .executeTakeFirst();
  return found !== undefined;
}

/** Locks the account's memberships, so that two calls cannot each remove one of the last two owners. */
export async function lockMembers(tx: Queries, accountId: string): Promise<void> {
  await sql`select from accounts where id = ${accountId} for update`.execute(tx);
}

/** Whether the person is the account's only owner; exact while the account is locked. */
export async function isLastOwner(tx: Queries, accountId: string, personId: string): Promise<boolean> {
  const owners = await tx
    .selectFrom("memberships")
    .select("person_id")
    .where("account_id", "=", accountId)
    .where("role", "=", "owner")
    .limit(2)
    .execute();
  return owners.length === 1 && owners[0]?.person_id === personId;
}
