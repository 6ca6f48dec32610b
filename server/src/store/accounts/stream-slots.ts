import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/** A process without a sign of life for this long counts as gone; several times the interval of the signs. */
const goneAfterSeconds = 10;

/**
 * Records a sign of life and deletes the processes that are gone, with their streams.
 * @returns whether this process was unknown: it is its first sign, or it had been taken for gone
 */
export async function gatewaySeen(db: Queries, gateway: string): Promise<boolean> {
  const { rows } = await sql<{ made: boolean }>`
    insert into gateways (id, seen_at) values (${gateway}, now())
    on conflict (id) do update set seen_at = now()
    returning xmax = 0 as made`.execute(db);
  const goneAfter = sql`${sql.lit(goneAfterSeconds)} * interval '1 second'`;
  // Seen in the future: the clock was put back, and the process may be gone. If it lives, it will show itself.
  await sql`
    with ahead as (update gateways set seen_at = now() where seen_at > now() + ${goneAfter})
    delete from gateways where seen_at < now() - ${goneAfter}`.execute(db);
  await sql`delete from stream_slots where gateway not in (select id from gateways)`.execute(db);
  return rows[0]?.made === true;
}

/**
 * Replaces the rows of a process that was taken for gone by its open streams.
 * @param entering accounts for which streams are being entered at the same time, so their rows may hold more
 */
export async function restoreSlots(
  db: Queries,
  gateway: string,
  { open, entering }: { open: ReadonlyMap<string, number>; entering: readonly string[] },
): Promise<void> {
  await sql`
    with ended as (
      delete from stream_slots
      where gateway = ${gateway} and account_id <> all(${[...open.keys(), ...entering]}::uuid[])
    )
    insert into stream_slots as s (account_id, gateway, streams)
    select r.account_id, ${gateway}, r.streams
    from json_to_recordset(${countsOf(open)}::json) as r (account_id uuid, streams int)
    on conflict (account_id, gateway) do update set streams =
      case when s.account_id = any(${entering}::uuid[]) then greatest(s.streams, excluded.streams)
      else excluded.streams end`.execute(db);
}

function countsOf(streams: ReadonlyMap<string, number>): string {
  return JSON.stringify([...streams].map(([account_id, count]) => ({ account_id, streams: count })));
}

export async function gatewayGone(db: Queries, gateway: string): Promise<void> {
  await db.deleteFrom("gateways").where("id", "=", gateway).execute();
  await db.deleteFrom("stream_slots").where("gateway", "=", gateway).execute();
}

/** How many streams of the account are open, over all processes. */
export async function openStreams(db: Queries, accountId: string): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select coalesce(sum(streams), 0)::int as open
    from stream_slots s join gateways g on g.id = s.gateway
    where account_id = ${accountId} and seen_at >= now() - ${sql.lit(goneAfterSeconds)} * interval '1 second'`.execute(
    db,
  );
  return rows[0]?.open ?? 0;
}

/**
 * Enters more streams of an account, exactly over all processes.
 * @param most streams the account may have open
 * @returns how many of the wanted streams are allowed
 */
export async function takeSlots(
  db: Queries,
  request: { accountId: string; gateway: string; most: number; wanted: number },
): Promise<number> {
  const { accountId, gateway, most, wanted } = request;
  return db.transaction().execute(async (tx) => {
    // Locks the account: two transactions that counted at the same time would both find room.
    await sql`select from accounts where id = ${accountId} for update`.execute(tx);
    const granted = Math.max(0, Math.min(wanted, most - (await openStreams(tx, accountId))));
    if (granted === 0) return 0;
    await sql`
      insert into stream_slots as s (account_id, gateway, streams) values (${accountId}, ${gateway}, ${granted})
      on conflict (account_id, gateway) do update set streams = s.streams + excluded.streams`.execute(tx);
    return granted;
  });
}

/** @param closed streams that ended, by account */
export async function freeSlots(
  db: Queries,
  gateway: string,
  closed: ReadonlyMap<string, number>,
): Promise<void> {
  await sql`
    update stream_slots s set streams = greatest(0, s.streams - r.streams)
    from json_to_recordset(${countsOf(closed)}::json) as r (account_id uuid, streams int)
    where s.account_id = r.account_id and s.gateway = ${gateway}`.execute(db);
}
