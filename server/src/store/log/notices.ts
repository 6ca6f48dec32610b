import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/** Notices go to one database, which may hold the tables of several installations in schemas of their own. */
export async function noticeChannel(db: Queries): Promise<string> {
  const { rows } = await sql<{ channel: string }>`
    select 'tapewire_' || 'log_head'::regclass::oid as channel`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("a select without tables gave no row");
  return row.channel;
}

/**
 * Sends a notice to all who listen on the channel. A transaction with a notice holds a lock of the whole cluster through
 * its commit, so this one has nothing else to store and does not wait for the disk (see 0060).
 */
export async function notify(db: Queries, channel: string, payload: string): Promise<void> {
  await sql`
    select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${payload})`.execute(db);
}
