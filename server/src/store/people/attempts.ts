import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

const windowMs = 3_600_000;
/** Calls that run at once read the clock one after another: only a larger step back is one of the clock. */
const mostAheadMs = 60_000;

/**
 * Counts an attempt, before it is known whether it fails.
 * @returns attempts of the subject in its current hour, with this one, and when that hour ends
 */
export async function countAttempt(
  db: Queries,
  subject: Uint8Array,
  now: Date,
): Promise<{ count: number; endsAt: Date }> {
  const old = new Date(now.getTime() - windowMs);
  const ahead = new Date(now.getTime() + mostAheadMs);
  const counted = await sql<{ count: number; started_at: Date }>`
    insert into sign_in_attempts as a (subject, started_at, count) values (${subject}, ${now}, 1)
    on conflict (subject) do update set
      count = case when a.started_at > ${old} and a.started_at <= ${ahead} then a.count + 1 else 1 end,
      started_at = case when a.started_at > ${old} and a.started_at <= ${ahead} then a.started_at else ${now} end
    returning count, started_at`.execute(db);
  const { count = 1, started_at = now } = counted.rows[0] ?? {};
  return { count, endsAt: new Date(started_at.getTime() + windowMs) };
}

/** Takes back attempts of subjects that have signed in. */
export async function forgetAttempts(db: Queries, subjects: readonly Uint8Array[]): Promise<void> {
  await db.deleteFrom("sign_in_attempts").where("subject", "in", subjects).execute();
}

/** Takes back an attempt of each subject, which was not made after all. */
export async function giveBackAttempt(db: Queries, subjects: readonly Uint8Array[]): Promise<void> {
  await db
    .updateTable("sign_in_attempts")
    .set((update) => ({ count: update("count", "-", 1) }))
    .where("subject", "in", subjects)
    .where("count", ">", 0)
    .execute();
}

/** A sign-in that waits for an identity provider. */
export interface OidcAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The session in which it began, and that session's person; null: none. */
  readonly session_id: string | null;
  readonly person_id: string | null;
}

export async function insertOidcAttempt(
  db: Queries,
  { hash, expiresAt, attempt }: { hash: Uint8Array; expiresAt: Date; attempt: OidcAttempt },
): Promise<void> {
  await db
    .insertInto("oidc_attempts")
    .values({ hash, ...attempt, expires_at: expiresAt })
    .execute();
}

/** The attempt, once. */
export async function takeOidcAttempt(db: Queries, hash: Uint8Array, now: Date): Promise<OidcAttempt | null> {
  const taken = await db
    .deleteFrom("oidc_attempts")
    .where("hash", "=", hash)
    .where("expires_at", ">", now)
    .returning(["state", "nonce", "verifier", "session_id", "person_id"])
    .executeTakeFirst();
  return taken ?? null;
}
