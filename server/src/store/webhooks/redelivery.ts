import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";
import type { WebhookKey } from "./webhooks.ts";

/** not_found: no such endpoint of the account; disabled: it must be enabled first. */
export type Refusal = "not_found" | "disabled";

/** More at once, with those due already, would occupy the endpoint for hours; call again with a later `since`. */
export const mostRecovered = 10_000;

/** An entry of the log, by its position. */
export interface Placed {
  readonly seq: number;
  readonly itemId: string;
}

/** Whether a delivery of the entry was begun: it is due, was given up, or is in the delivery log of the last days. */
export async function wasOwed(db: Queries, id: string, { seq, itemId }: Placed): Promise<boolean> {
  const { rows } = await sql`
    select from webhook_exceptions where endpoint_id = ${id} and seq = ${seq} and item_id = ${itemId}
    union all
    (select from webhook_attempts where endpoint_id = ${id} and seq = ${seq} and item_id = ${itemId} limit 1)`.execute(
    db,
  );
  return rows.length > 0;
}

/**
 * Orders one delivery again, whatever its state; the endpoint's worker sends it within seconds, with the usual retries.
 * @returns unknown_item: the log does not have this entry (any more); too_many: `mostRecovered` others are due
 */
export async function resendDelivery(
  db: Queries,
  key: WebhookKey,
  { seq, itemId }: Placed,
): Promise<"ordered" | "unknown_item" | "too_many" | Refusal> {
  return db.transaction().execute(async (tx) => {
    const refusal = await lockEndpoint(tx, key);
    if (refusal !== null) return refusal;
    const { rows } = await sql`
      select from (
        select id, published_at from item_keys where seq = ${seq} and id = ${itemId}
        union all
        select id, published_at from item_versions where seq = ${seq} and id = ${itemId}
      ) entry join item_bodies using (id, published_at)`.execute(tx);
    if (rows.length === 0) return "unknown_item";
    if ((await dueOf(tx, key.id)) >= mostRecovered) return "too_many";
    await uncountDead(tx, key.id, sql`seq = ${seq}`);
    await sql`
      insert into webhook_exceptions as x (endpoint_id, seq, item_id, state, trigger, counts, attempts, due_at, first_at)
      values (${key.id}, ${seq}, ${itemId}, 'due', 'resend', false, 0, clock_timestamp(), clock_timestamp())
      on conflict (endpoint_id, seq) do update set
        state = 'due', trigger = 'resend', attempts = 0, due_at = excluded.due_at`.execute(tx);
    await markChanged(tx, key.id);
    return "ordered";
  });
}

/** Of an exception x: keys may outlive their items, whose months are dropped first. */
const isStored = sql`exists (
  select from item_keys k join item_bodies b using (id, published_at) where k.id = x.item_id)`;

/**
 * Orders again what was given up since a moment, oldest first, until `mostRecovered` are due.
 * @returns how many, and how many cannot be sent again because their items are gone
 */
export async function recoverDeliveries(
  db: Queries,
  key: WebhookKey,
  since: Date,
): Promise<{ readonly recovered: number; readonly gone: number } | Refusal> {
  return db.transaction().execute(async (tx) => {
    const refusal = await lockEndpoint(tx, key);
    if (refusal !== null) return refusal;
    const chosen = sql`seq in (
      select seq from webhook_exceptions x
      where endpoint_id = ${key.id} and state = 'dead' and due_at >= ${since} and ${isStored}
      order by seq
      limit greatest(0, ${mostRecovered}::int - (
        select count(*) from webhook_exceptions where endpoint_id = ${key.id} and state = 'due')))`;
    await uncountDead(tx, key.id, chosen);
    const revived = await sql`
      update webhook_exceptions x set state = 'due', trigger = 'resend', attempts = 0,
        due_at = now() + place * interval '1 microsecond'
      from (
        select seq, row_number() over (order by seq) as place from webhook_exceptions
        where endpoint_id = ${key.id} and state = 'dead' and ${chosen}
      ) dead
      where x.endpoint_id = ${key.id} and x.seq = dead.seq`.execute(tx);
    await markChanged(tx, key.id);
    const gone = await sql<{ count: number }>`
      select count(*)::int as count from webhook_exceptions x
      where endpoint_id = ${key.id} and state = 'dead' and due_at >= ${since} and not ${isStored}`.execute(
      tx,
    );
    return { recovered: Number(revived.numAffectedRows ?? 0n), gone: gone.rows[0]?.count ?? 0 };
  });
}

/**
 * Orders all entries of a range of the log that pass the endpoint's filter to be sent again, one after another.
 * @param toSeq included; entries that do not exist yet are left out
 * @returns replaying: another replay is running
 */
export async function startReplay(
  db: Queries,
  key: WebhookKey,
  { fromSeq, toSeq }: { fromSeq: number; toSeq: number },
): Promise<"ordered" | "replaying" | Refusal> {
  return db.transaction().execute(async (tx) => {
    const refusal = await lockEndpoint(tx, key);
    if (refusal !== null) return refusal;
    if (toSeq < fromSeq) return "ordered";
    const started = await sql`
      update webhook_endpoints set replay_seq = ${fromSeq}::bigint - 1,
        replay_to = least(${toSeq}::bigint, (select last_seq from log_head)), changed_at = clock_timestamp()
      where id = ${key.id} and replay_seq is null`.execute(tx);
    return started.numAffectedRows === 1n ? "ordered" : "replaying";
  });
}

/**
 * Takes note that the receiver of an endpoint has just answered at this URL: what was found about it is dropped, a pause
 * with it, and what waits for its next attempt is due now, oldest first. A disabled endpoint stays as it is.
 * @returns whether something has changed
 */
export async function endWaits(
  db: Queries,
  { accountId, id }: WebhookKey,
  answeredAt: { readonly url: string },
): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const endpoint = await tx
      .selectFrom("webhook_endpoints")
      .select(["failing_since", "breaker_until"])
      .where("account_id", "=", accountId)
      .where("id", "=", id)
      .where("url", "=", answeredAt.url)
      .where("status", "=", "enabled")
      .forUpdate()
      .executeTakeFirst();
    if (endpoint === undefined) return false;
    // Those that are under way have no attempt yet, and are left to their worker.
    const { numAffectedRows: woken = 0n } = await sql`
      update webhook_exceptions x set due_at = clock_timestamp() + place * interval '1 microsecond'
      from (
        select seq, row_number() over (order by seq) as place from webhook_exceptions
        where endpoint_id = ${id} and state = 'due' and attempts > 0 and due_at > clock_timestamp()
      ) waiting
      where x.endpoint_id = ${id} and x.seq = waiting.seq`.execute(tx);
    const hasFindings = endpoint.failing_since !== null || endpoint.breaker_until !== null;
    if (hasFindings)
      await sql`
        update webhook_endpoints set resets = resets + 1, failing_since = null, breaker_openings = null,
          breaker_until = null
        where id = ${id}`.execute(tx);
    if (!hasFindings && woken === 0n) return false;
    await markChanged(tx, id);
    return true;
  });
}

async function lockEndpoint(tx: Queries, { accountId, id }: WebhookKey): Promise<Refusal | null> {
  const found = await tx
    .selectFrom("webhook_endpoints")
    .select("status")
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (found === undefined) return "not_found";
  return found.status === "enabled" ? null : "disabled";
}

async function dueOf(tx: Queries, id: string): Promise<number> {
  const { rows } = await sql<{ due: number }>`
    select count(*)::int as due from webhook_exceptions where endpoint_id = ${id} and state = 'due'`.execute(
    tx,
  );
  return rows[0]?.due ?? 0;
}

/** Subtracts failed or expired deliveries from the counts, since they are tried again and counted by their new end. */
async function uncountDead(tx: Queries, id: string, chosen: ReturnType<typeof sql>): Promise<void> {
  await sql`
    update webhook_endpoints e set
      failed_total = e.failed_total - d.failed, expired_total = e.expired_total - d.expired,
      failed_today = e.failed_today - d.failed_today, expired_today = e.expired_today - d.expired_today
    from (
      select count(*) filter (where last_error is distinct from 'expired') as failed,
        count(*) filter (where last_error = 'expired') as expired,
        count(*) filter (where last_error is distinct from 'expired' and is_of_today) as failed_today,
        count(*) filter (where last_error = 'expired' and is_of_today) as expired_today
      from (
        select x.last_error, (x.due_at at time zone 'UTC')::date >= k.counted_on as is_of_today
        from webhook_exceptions x join webhook_endpoints k on k.id = x.endpoint_id
        where x.endpoint_id = ${id} and x.state = 'dead' and x.counts
          and x.last_error is distinct from 'disabled' and ${chosen}
      ) dead
    ) d
    where e.id = ${id}`.execute(tx);
}

async function markChanged(tx: Queries, id: string): Promise<void> {
  await sql`update webhook_endpoints set changed_at = clock_timestamp() where id = ${id}`.execute(tx);
}
