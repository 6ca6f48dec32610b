import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/** A source whose poll just failed to reach it, compared with the others. */
export interface Unreached {
  readonly reach: "doubted" | "unreached";
  /** Other hosts are doubted too, so our own network is probably down. */
  readonly isShared: boolean;
  /** How many other sources are doubted. */
  readonly others: number;
  /** Until the last of the other doubted sources is tried again, ms; 0: there is none. */
  readonly lastDueInMs: number;
}

/** A source that was not polled for this long is no evidence. */
const countedFor = sql`interval '1 hour'`;

/**
 * Judges a source that was not reached. Another source proves that the network works if it was polled successfully since
 * this one became unreachable and was reachable before this poll began; one that came back during the poll proves
 * nothing, since both may have been cut off.
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

/** Whether our own network works, as far as the polls of the last hour tell. */
export async function isAnyReached(db: Queries): Promise<boolean> {
  const found = await sql<{ is_any: boolean }>`
    select exists(select from sources where reach = 'reached' and last_poll_at > now() - ${countedFor}) as is_any`.execute(
    db,
  );
  return found.rows[0]?.is_any ?? false;
}

/** Makes all doubted sources due at once, since the network works. */
export async function wakeDoubted(db: Queries): Promise<void> {
  await sql`
    update sources set next_poll_at = now()
    where reach = 'doubted' and next_poll_at > now()`.execute(db);
}
