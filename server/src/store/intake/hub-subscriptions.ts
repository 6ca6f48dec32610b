import { type Selectable, sql } from "kysely";
import type { Queries } from "../engine/db.ts";
import type { Tables } from "../engine/tables.ts";

export type HubSubscription = Selectable<Tables["hub_subscriptions"]>;

export async function hubSubscription(db: Queries, sourceId: string): Promise<HubSubscription | null> {
  const found = await db
    .selectFrom("hub_subscriptions")
    .selectAll()
    .where("source_id", "=", sourceId)
    .executeTakeFirst();
  return found ?? null;
}

export async function hubSubscriptionOf(db: Queries, token: string): Promise<HubSubscription | null> {
  const found = await db
    .selectFrom("hub_subscriptions")
    .selectAll()
    .where("token", "=", token)
    .executeTakeFirst();
  return found ?? null;
}

/**
 * Saves that the hub was asked to subscribe; its answer comes to the address with the token. A confirmation for longer than
 * any hub is believed is from before the clock was put back.
 */
export async function saveRequested(
  db: Queries,
  wanted: Pick<HubSubscription, "source_id" | "hub" | "topic" | "token" | "secret">,
): Promise<void> {
  const { source_id, hub, topic, token, secret } = wanted;
  await sql`
    insert into hub_subscriptions as h (source_id, hub, topic, token, secret, asked_at)
    values (${source_id}, ${hub}, ${topic}, ${token}, ${secret}, now())
    on conflict (source_id) do update set hub = excluded.hub, topic = excluded.topic, token = excluded.token,
      secret = excluded.secret, asked_at = now(),
      confirmed_until = case when h.confirmed_until <= now() + interval '14 days' then h.confirmed_until end`.execute(
    db,
  );
}

export async function saveConfirmed(db: Queries, token: string, leaseS: number): Promise<void> {
  await sql`
    update hub_subscriptions set confirmed_until = now() + ${leaseS}::float8 * interval '1 second'
    where token = ${token}`.execute(db);
}

/** The least interval between polls caused by a hub's calls. */
const pingGapS = 5;

/** Makes the source's poll due, since its hub announced something new. A failing source keeps to its back-off. */
export async function savePinged(db: Queries, token: string): Promise<void> {
  await sql`
    with pinged as (
      update hub_subscriptions set pinged_at = now() where token = ${token} returning source_id
    )
    update sources
    set next_poll_at = least(next_poll_at, greatest(now(), last_poll_at + ${sql.lit(pingGapS)} * interval '1 second'))
    where id in (select source_id from pinged) and failures = 0`.execute(db);
}

/** Sources with a confirmed subscription that has not ended. */
export async function pushedSources(db: Queries): Promise<Set<string>> {
  const found = await sql<{ source_id: string }>`
    select source_id from hub_subscriptions where confirmed_until > now()`.execute(db);
  return new Set(found.rows.map(({ source_id }) => source_id));
}
