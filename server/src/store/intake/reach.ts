import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/** A source that was just not reached, beside the others. */
export interface Unreached {
  readonly reach: "doubted" | "unreached";
  /** Other hosts are doubted too: it is our own network that is away. */
  readonly isShared: boolean;
  /** How many other sources are doubted. */
  readonly others: number;
  /** When the last of the other doubted ones is tried again, ms; 0: there is none. */
  readonly lastDueInMs: number;
}

/** Of entries that nobody polls any more nothing follows. */
const countedFor = sql`interval '1 hour'`;

/**
 * Weighs a source that was not reached. Another that was reached since this one is not, and from before the poll began,
 * shows that the network is there; one that came back during the poll shows nothing, since both may have been away.
 * @param tookMs how long the poll took that has just ended
 */
export async function weighUnreached(
  db: Queries,
  { id, host, tookMs }: { id: string; host: string; tookMs: number },
): Promise<Unreached> {
  const found = await sql<{
    others_reached: boolean;
    others: number;
    other_hosts: number;
    last_due_ms: number | null;
  }>`
    select
      coalesce(bool_or(o.reach = 'reached' and o.last_poll_at >= mine.since
        and o.reach_since <= now() - ${tookMs}::float8 * interval '1 ms'), false) as others_reached,
      (count(*) filter (where o.reach = 'doubted'))::int as others,
      (count(distinct o.host) filter (where o.reach = 'doubted' and o.host <> ${host}))::int as other_hosts,
      (extract(epoch from max(o.next_poll_at) filter (where o.reach = 'doubted') - now()) * 1000)::float8 as last_due_ms
    from sources o, (
      select case when reach in ('doubted', 'unreached') then reach_since else now() end as since
      from sources where id = ${id}
    ) mine
    where o.id <> ${id} and o.last_poll_at > now() - ${countedFor}`.execute(db);
  const [row] = found.rows;
  return {
    reach: row?.others_reached === true ? "unreached" : "doubted",
    others: row?.others ?? 0,
    isShared: (row?.other_hosts ?? 0) > 0,
    lastDueInMs: Math.max(0, row?.last_due_ms ?? 0),
  };
}

/** The network is there: those that were doubted are due at once. */
export async function wakeDoubted(db: Queries): Promise<void> {
  await sql`
    update sources set next_poll_at = now()
    where reach = 'doubted' and next_poll_at > now()`.execute(db);
}
