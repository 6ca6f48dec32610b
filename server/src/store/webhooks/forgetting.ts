import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/**
 * Deletes what is no longer needed: at most `most` rows of each kind, skipping rows that another process is deleting.
 * @param limits keptAttempts: the newest attempts kept per endpoint, so that failures of one account cannot fill the disk
 * @returns whether there may be more
 */
export async function forgetDeliveries(
  db: Queries,
  { keptDays, keptAttempts, most }: { keptDays: number; keptAttempts: number; most: number },
): Promise<boolean> {
  const old = sql`clock_timestamp() - ${keptDays}::float8 * interval '1 day'`;
  const removed = sql`endpoint_id in (select id from webhook_removals)`;
  const attempts = (which: RawBuilder<unknown>) => sql`
    delete from webhook_attempts where id in (
      select id from webhook_attempts where ${which} limit ${most} for update skip locked)`;
  const exceptions = (which: RawBuilder<unknown>) => sql`
    delete from webhook_exceptions where (endpoint_id, seq) in (
      select endpoint_id, seq from webhook_exceptions where ${which} limit ${most} for update skip locked)`;
  let more = false;
  for (const statement of [
    attempts(sql`attempted_at < ${old}`),
    exceptions(sql`state = 'dead' and due_at < ${old}`),
    sql`
      delete from webhook_attempts where id in (
        select a.id from webhook_endpoints e cross join lateral (
          select id from webhook_attempts where endpoint_id = e.id
          order by seq desc, webhook_attempts.id desc offset ${keptAttempts} limit ${most}
        ) a limit ${most})`,
    attempts(removed),
    exceptions(removed),
  ]) {
    const { numAffectedRows = 0n } = await statement.execute(db);
    more ||= numAffectedRows >= BigInt(most);
  }
  // Last, because only these rows say which endpoints' attempts and exceptions are to be deleted.
  if (!more)
    await sql`delete from webhook_removals r where removed_at < clock_timestamp() - interval '1 hour'
      and not exists (select from webhook_attempts where endpoint_id = r.id)
      and not exists (select from webhook_exceptions where endpoint_id = r.id)`.execute(db);
  return more;
}
