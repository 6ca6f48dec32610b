import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

export interface IdempotentCall {
  readonly accountId: string;
  readonly key: string;
  readonly requestHash: string;
}

/** What is stored under a call's key: nothing yet (`first`), a different request (`other`), or a running or answered call. */
export type CallState =
  | { readonly state: "first" }
  | { readonly state: "other" }
  | { readonly state: "running" }
  | { readonly state: "answered"; readonly answer: string };

const keptHours = 24;
/** How long a call that never ended, because its process died, blocks its key. */
const runningMinutes = 5;

/** Enters a call under its key; a caller that gets `first` must finish or forget it. */
export async function beginCall(db: Queries, call: IdempotentCall): Promise<CallState> {
  const { accountId, key, requestHash } = call;
  const running = sql`${sql.lit(runningMinutes)} * interval '1 minute'`;
  // A call from the future was made before the clock was put back.
  await sql`
    delete from idempotent_calls where account_id = ${accountId} and key = ${key} and (
      called_at < now() - ${sql.lit(keptHours)} * interval '1 hour'
      or (answer is null and (called_at < now() - ${running} or called_at > now() + ${running})))`.execute(
    db,
  );
  const made = await sql`
    insert into idempotent_calls (account_id, key, request_hash) values (${accountId}, ${key}, ${requestHash})
    on conflict do nothing returning key`.execute(db);
  if (made.rows.length > 0) return { state: "first" };
  const known = await db
    .selectFrom("idempotent_calls")
    .select(["request_hash", "answer"])
    .where("account_id", "=", accountId)
    .where("key", "=", key)
    .executeTakeFirst();
  if (known !== undefined && known.request_hash !== requestHash) return { state: "other" };
  const answer = known?.answer ?? null;
  return answer === null ? { state: "running" } : { state: "answered", answer };
}

export async function finishCall(
  db: Queries,
  { accountId, key }: IdempotentCall,
  answer: string,
): Promise<void> {
  await db
    .updateTable("idempotent_calls")
    .set({ answer })
    .where("account_id", "=", accountId)
    .where("key", "=", key)
    .execute();
}

/** Removes a failed call, so that it can be made again under its key. */
export async function forgetCall(db: Queries, { accountId, key }: IdempotentCall): Promise<void> {
  await db
    .deleteFrom("idempotent_calls")
    .where("account_id", "=", accountId)
    .where("key", "=", key)
    .execute();
}

/** How many answers of an account are kept, and how much text. */
export interface KeptAnswers {
  readonly answers: number;
  readonly bytes: number;
}

/** Drops the oldest answers of an account above these limits. */
export async function dropAnswersBeyond(db: Queries, accountId: string, most: KeptAnswers): Promise<void> {
  await sql`
    delete from idempotent_calls c using (
      select key, row_number() over newest as place, sum(octet_length(answer)) over newest as bytes
      from idempotent_calls where account_id = ${accountId} and answer is not null
      window newest as (order by called_at desc, key rows unbounded preceding)
    ) kept
    where c.account_id = ${accountId} and c.key = kept.key
      and (kept.place > ${most.answers}::int or kept.bytes > ${most.bytes}::bigint)`.execute(db);
}

export async function dropOldCalls(db: Queries): Promise<void> {
  await sql`
    delete from idempotent_calls where called_at < now() - ${sql.lit(keptHours)} * interval '1 hour'`.execute(
    db,
  );
}
