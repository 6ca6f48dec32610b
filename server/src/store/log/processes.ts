import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/** A process without a sign of life for this long counts as gone; many times the interval of the signs. */
const goneAfterSeconds = 60;

/** Records a sign of life and deletes the processes that are gone, in one statement: every process does it all the time. */
export async function processSeen(db: Queries, id: string): Promise<void> {
  const goneAfter = sql`${sql.lit(goneAfterSeconds)} * interval '1 second'`;
  // Seen in the future: the clock was put back, and the process may be gone.
  await sql`
    with gone as (delete from processes where seen_at < now() - ${goneAfter} and id <> ${id}),
      ahead as (update processes set seen_at = now() where seen_at > now() + ${goneAfter} and id <> ${id})
    insert into processes (id, seen_at) values (${id}, now())
    on conflict (id) do update set seen_at = now()`.execute(db);
}

export async function processGone(db: Queries, id: string): Promise<void> {
  await db.deleteFrom("processes").where("id", "=", id).execute();
}

export async function areOthersSeen(db: Queries, id: string): Promise<boolean> {
  const other = await db
    .selectFrom("processes")
    .select("id")
    .where("id", "!=", id)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}
