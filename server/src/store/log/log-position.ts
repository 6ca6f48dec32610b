import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/** A position of a log: where a log was lost, restored or rebuilt its epoch changes. */
export interface LogPosition {
  readonly epoch: string;
  readonly seq: number;
}

/**
 * Makes sure that the epoch names this very log, under the lock of its head: a log that lives elsewhere than its epoch
 * was made (a restore, a failover), whose head is below what was known of it, or whose entries are others than were read,
 * gets a new epoch. Who comes second finds the epoch of the first.
 * @param known what the caller knows of the log; null: nothing yet
 * @param isLost the caller found another entry, or none, in the place of one that it knows
 * @returns its epoch and head, which are true for as long as nobody appends
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
 * Gives the log another epoch, and takes back what deliveries remember beyond its head: entries that come to stand there
 * are new. Whoever delivers takes its shards anew.
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
