import { sql } from "kysely";
import { lockAccount } from "../accounts/accounts.ts";
import type { Queries } from "../engine/db.ts";

/** Gives up all due deliveries of disabled endpoints; `recover` orders them again once the endpoint is enabled. */
export async function giveUpDue(tx: Queries, endpoints: readonly string[]): Promise<void> {
  await sql`
    update webhook_exceptions x set state = 'dead', due_at = clock_timestamp(), last_error = 'disabled'
    where x.endpoint_id = any(${[...endpoints]}::uuid[]) and x.state = 'due'`.execute(tx);
}

/**
 * Gives up failed deliveries that the log would have brought again: the endpoint now starts from the head of the log and
 * never gets back to them.
 */
export async function giveUpTakenBack(tx: Queries, id: string): Promise<void> {
  await sql`
    insert into webhook_exceptions (endpoint_id, seq, item_id, state, trigger, counts, attempts, due_at, first_at,
      last_status, last_error)
    select a.endpoint_id, a.seq, (array_agg(a.item_id))[1], 'dead', 'item', true, count(*), clock_timestamp(),
      min(a.attempted_at), (array_agg(a.status order by a.id desc))[1], 'disabled'
    from webhook_attempts a
    join webhook_endpoints e on e.id = a.endpoint_id
    where e.id = ${id} and a.trigger = 'item' and a.seq > e.position
    group by a.endpoint_id, a.seq
    having not bool_or(a.ok)
    on conflict do nothing`.execute(tx);
}

export interface AccountLimit {
  readonly accountId: string;
  /** Enabled endpoints that its plan allows. */
  readonly limit: number;
}

/** Those of these accounts that have more enabled endpoints than allowed. Index: webhook_endpoints_account. */
export async function accountsBeyond(db: Queries, limits: readonly AccountLimit[]): Promise<AccountLimit[]> {
  const { rows } = await sql<AccountLimit>`
    select r."accountId", r."limit" from json_to_recordset(${JSON.stringify(limits)}::json) as r ("accountId" uuid, "limit" int)
    where (select count(*) from webhook_endpoints where account_id = r."accountId" and status = 'enabled') > r."limit"`.execute(
    db,
  );
  return rows;
}

/** Disables the newest enabled endpoints of an account, as many as exceed its limit. */
export async function disableBeyond(
  db: Queries,
  { accountId, limit }: AccountLimit,
  reason: string,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockAccount(tx, accountId);
    const beyond = await tx
      .selectFrom("webhook_endpoints")
      .select("id")
      .where("account_id", "=", accountId)
      .where("status", "=", "enabled")
      .orderBy("created_at")
      .orderBy("id")
      .offset(limit)
      .execute();
    // In the order in which workers lock them.
    const ids = beyond.map(({ id }) => id).sort();
    await sql`select from webhook_endpoints where id = any(${ids}::uuid[]) order by id for update`.execute(
      tx,
    );
    await sql`
      update webhook_endpoints set status = 'auto_disabled', disabled_reason = ${reason},
        updated_at = clock_timestamp(), changed_at = clock_timestamp()
      where id = any(${ids}::uuid[]) and status = 'enabled'`.execute(tx);
    await giveUpDue(tx, ids);
  });
}
