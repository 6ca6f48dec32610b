import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/** A position of a log, whose epoch changes when it is lost, restored or rebuilt. */
export interface LogPosition {
  readonly epoch: string;
  readonly seq: number;
}

/**
 * Makes sure, under the lock of the log's head, that the epoch names this very log. A log gets a new epoch when it lives
 * elsewhere than its epoch was made (a restore, a failover), when its head is below what was known of it, or when its
 * entries differ from those that were read. A second caller finds the epoch that the first one made.
 * @param known the log's position as the caller knows it; null: nothing yet
 * @param isLost the caller found another entry, or none, where it knows one
 * @returns its epoch and head, which hold until somebody appends
 */
export async function settleLog(
  db: Queries,
  known: LogPosition | null,
  { isLost = false } = {},
): Promise<LogPosition> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<LogPosition & { home: string | null; here: string }>`
      select epoch, last_seq as seq, home, log_home() as here from log_head for update`.execute(tx);
    const [head] = rows;
    if (head === undefined) throw new Error("log_head has no row");
    const { epoch, seq, home, here } = head;
    const isKnown = known !== null && known.epoch === epoch;
    const lost = isKnown && (isLost || seq < known.seq);
    if (lost || (home !== null && home !== here)) return beginEpoch(tx);
    if (home === null) await sql`update log_head set home = ${here}`.execute(tx);
    return { epoch, seq };
  });
}

/**
 * Gives the log another epoch, and resets deliveries to its head: entries after it will be new ones. Workers have to take
 * their shards again.
 * @param tx a transaction
 */
export async function beginEpoch(tx: Queries): Promise<LogPosition> {
  const { rows } = await sql<LogPosition>`
    update log_head set epoch = left(replace(gen_random_uuid()::text, '-', ''), 8), home = log_home()
    returning epoch, last_seq as seq`.execute(tx);
  const [place] = rows;
  if (place === undefined) throw new Error("log_head has no row");
  const { seq } = place;
  await sql`
    update webhook_shards set cursor = least(cursor, ${seq}::bigint), owner = null, lease_until = null,
      fence = fence + 1`.execute(tx);
  await sql`
    update webhook_endpoints set position = least(position, ${seq}::bigint), changed_at = clock_timestamp()
    where position > ${seq}`.execute(tx);
  await sql`
    update webhook_endpoints set replay_to = ${seq}, changed_at = clock_timestamp(),
      replay_seq = case when replay_seq < ${seq} then replay_seq end
    where replay_to > ${seq}`.execute(tx);
  await sql`delete from webhook_exceptions where seq > ${seq}`.execute(tx);
  await sql`delete from webhook_attempts where seq > ${seq}`.execute(tx);
  return place;
}
