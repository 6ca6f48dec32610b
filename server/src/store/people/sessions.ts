import type { SessionKind } from "@tapewire/contract/dashboard/people.ts";
import { type Insertable, type RawBuilder, type Selectable, sql } from "kysely";
import type { Queries } from "../engine/db.ts";
import type { Tables } from "../engine/tables.ts";
import { type PersonRow, personById } from "./people.ts";

export type SessionRow = Selectable<Tables["sessions"]>;

/** A session that has not ended, with who began it. A revoked or expired key's sessions have ended. */
export interface LiveSession {
  readonly session: SessionRow;
  readonly person: PersonRow | null;
  /** The key it was begun with; null: none. */
  readonly key: {
    readonly id: string;
    readonly account_id: string;
    readonly name: string;
    readonly expires_at: Date | null;
  } | null;
}

export async function insertSession(db: Queries, row: Insertable<Tables["sessions"]>): Promise<void> {
  await db.insertInto("sessions").values(row).execute();
}

/** Which sessions count as live. */
export interface LiveAt {
  readonly now: Date;
  /** A session that was last used before it has ended. */
  readonly idleSince: Date;
  /** Waits for a call that is just ending the session or its key. */
  readonly waits?: boolean;
}

export async function liveSession(
  db: Queries,
  by: { readonly hash: Uint8Array } | { readonly id: string },
  { now, idleSince, waits = false }: LiveAt,
): Promise<LiveSession | null> {
  const session = await db
    .selectFrom("sessions")
    .selectAll()
    .where((where) => ("hash" in by ? where("hash", "=", by.hash) : where("id", "=", by.id)))
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .where("seen_at", ">", idleSince)
    .$if(waits, (query) => query.forShare())
    .executeTakeFirst();
  if (session === undefined) return null;
  const person = session.person_id === null ? null : await personById(db, session.person_id);
  const key = session.key_id === null ? null : await liveKey(db, session.key_id, { now, waits });
  const hasEnded =
    (session.person_id !== null && person === null) || (session.key_id !== null && key === null);
  return hasEnded ? null : { session, person, key };
}

async function liveKey(
  db: Queries,
  id: string,
  { now, waits }: { now: Date; waits: boolean },
): Promise<LiveSession["key"]> {
  const key = await db
    .selectFrom("keys")
    .select(["id", "account_id", "name", "expires_at"])
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now)]))
    .$if(waits, (query) => query.forShare())
    .executeTakeFirst();
  return key ?? null;
}

export async function sessionById(db: Queries, id: string): Promise<SessionRow | null> {
  return (await db.selectFrom("sessions").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** Keeps a session from being ended until the transaction ends. @returns false when it has ended */
export async function lockSession(tx: Queries, id: string): Promise<boolean> {
  const locked = await sql`select from sessions where id = ${id} and revoked_at is null for share`.execute(
    tx,
  );
  return locked.rows.length > 0;
}

export async function touchSession(db: Queries, id: string, at: Date): Promise<void> {
  await db.updateTable("sessions").set({ seen_at: at }).where("id", "=", id).execute();
}

/** The session belongs to this person from now on. @returns false when it has ended */
export async function giveSessionTo(db: Queries, id: string, personId: string): Promise<boolean> {
  const given = await db
    .updateTable("sessions")
    .set({ person_id: personId, kind: "person" })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return given.numUpdatedRows === 1n;
}

/** Who has sessions: a person, a key, or the operator's links and token together. */
export interface SessionsOf {
  readonly kind: SessionKind;
  readonly personId: string | null;
  readonly keyId: string | null;
}

const sessionsOf = ({ kind, personId, keyId }: SessionsOf) =>
  personId === null
    ? sql<boolean>`kind = ${kind} and key_id is not distinct from ${keyId}::uuid`
    : sql<boolean>`person_id = ${personId}`;

/** Sessions that have not ended, newest first. */
export async function listSessions(
  db: Queries,
  of: SessionsOf,
  { now, idleSince }: { now: Date; idleSince: Date },
): Promise<SessionRow[]> {
  return db
    .selectFrom("sessions")
    .selectAll()
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .where("seen_at", ">", idleSince)
    .where(sessionsOf(of))
    .orderBy("created_at", "desc")
    .limit(200)
    .execute();
}

/** A session, or all of a person but one. */
type Ending = { readonly session: string } | { readonly person: string; readonly but?: string };

/**
 * Ends sessions together with their tab keys. The keys in a statement of their own, which sees those that were made until
 * the sessions were locked; whoever makes one later waits for the lock (see liveSession).
 */
export async function endSessions(tx: Queries, ending: Ending, at: Date): Promise<number> {
  const which =
    "session" in ending
      ? sql`id = ${ending.session}`
      : sql`person_id = ${ending.person} and id is distinct from ${ending.but ?? null}::uuid`;
  return (await endWhere(tx, which, at)).length;
}

/** Ends all sessions but the `most` that were used last. @returns the ids of those that ended */
export async function endSessionsBeyond(
  tx: Queries,
  of: SessionsOf,
  { most, at }: { most: number; at: Date },
): Promise<string[]> {
  const beyond = sql<boolean>`id in (
    select id from sessions where revoked_at is null and ${sessionsOf(of)}
    order by seen_at desc, created_at desc, id offset ${most})`;
  return endWhere(tx, beyond, at);
}

async function endWhere(tx: Queries, which: RawBuilder<unknown>, at: Date): Promise<string[]> {
  const gone = await sql<{ id: string }>`
    update sessions set revoked_at = ${at} where revoked_at is null and ${which} returning id`.execute(tx);
  const ids = gone.rows.map(({ id }) => id);
  await sql`
    update keys set revoked_at = ${at} where session_id = any(${ids}::uuid[]) and revoked_at is null`.execute(
    tx,
  );
  return ids;
}

/** Ends the tab keys of a person in an account: the person's role there has changed. */
export async function endTabKeys(
  tx: Queries,
  { personId, accountId, at }: { personId: string; accountId: string; at: Date },
): Promise<void> {
  await sql`
    update keys set revoked_at = ${at} from sessions
    where keys.session_id = sessions.id and sessions.person_id = ${personId}
      and keys.account_id = ${accountId} and keys.revoked_at is null`.execute(tx);
}

/** @returns whether the session has this tab key and it was still valid */
export async function renewTabKey(
  db: Queries,
  { sessionId, hash, now, until }: { sessionId: string; hash: Uint8Array; now: Date; until: Date },
): Promise<boolean> {
  const renewed = await db
    .updateTable("keys")
    .set({ expires_at: until })
    .where("hash", "=", hash)
    .where("session_id", "=", sessionId)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return renewed.numUpdatedRows === 1n;
}

/** Tab keys that the session may still use. */
export async function countTabKeys(db: Queries, sessionId: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom("keys")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("session_id", "=", sessionId)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** When to drop what. */
export interface Floors {
  /** Attempts of an hour that has passed. */
  readonly attempts: Date;
  /** Tab keys, sessions and links that ended earlier. */
  readonly ended: Date;
  /** Failed sign-ins in the audit, which strangers can write. */
  readonly failures: Date;
  readonly audit: Date;
}

export async function dropEnded(db: Queries, floors: Floors): Promise<void> {
  await sql`delete from keys where kind = 'tab' and expires_at < ${floors.ended}`.execute(db);
  await sql`delete from sessions where expires_at < ${floors.ended} or revoked_at < ${floors.ended}`.execute(
    db,
  );
  await sql`delete from sign_in_links where expires_at < ${floors.ended}`.execute(db);
  await sql`delete from sign_in_attempts where started_at < ${floors.attempts}`.execute(db);
  await sql`delete from oidc_attempts where expires_at < ${floors.attempts}`.execute(db);
  await sql`delete from audit where at < ${floors.failures} and action = 'sign_in.failed'`.execute(db);
  await sql`delete from audit where at < ${floors.audit}`.execute(db);
}

/** True in a database in which nobody has ever signed in. */
export async function isUnvisited(db: Queries): Promise<boolean> {
  const found = await sql`select from settings where name = 'first_session'`.execute(db);
  return found.rows.length === 0;
}

export async function markVisited(db: Queries): Promise<void> {
  await sql`insert into settings (name, value) values ('first_session', 'made') on conflict do nothing`.execute(
    db,
  );
}
