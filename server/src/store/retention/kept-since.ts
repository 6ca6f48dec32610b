import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";
import { firstKept, storedFloor } from "../log/retention.ts";

/** Where retention stands, in the database. */
export interface Kept {
  /** What was published before is deleted, or about to be, and is refused; null: everything is kept. */
  readonly since: Date | null;
  /** Before this time nothing is left; null: nothing was deleted yet. */
  readonly clearedSince: Date | null;
}

export async function readKept(db: Queries): Promise<Kept> {
  const row = await db
    .selectFrom("log_head")
    .select(["kept_since", "cleared_since"])
    .executeTakeFirstOrThrow();
  return { since: row.kept_since, clearedSince: row.cleared_since };
}

/**
 * From here on nothing that was published before can be stored. The writers of all processes hold the lock of this row, so
 * none of them is in the middle of it. The limit never goes down: what was deleted would come again.
 */
export async function keepSince(db: Queries, since: Date): Promise<void> {
  await sql`
    update log_head set kept_since = ${since} where kept_since is null or kept_since < ${since}`.execute(db);
}

/** Everything before is gone. */
export async function noteCleared(db: Queries, since: Date): Promise<void> {
  await sql`update log_head set cleared_since = ${since} where kept_since = ${since}`.execute(db);
}

/** Moves the floor of the log up to the first entry whose item is left. @returns it */
export async function raiseFloor(db: Queries): Promise<number> {
  const floor = await firstKept(db, await storedFloor(db));
  await sql`update log_head set floor_seq = greatest(floor_seq, ${floor}::bigint)`.execute(db);
  return floor;
}

/** The first moment of the oldest month that is kept: the current month and so many whole ones before it. */
export function keptFrom(now: Date, months: number): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
}
