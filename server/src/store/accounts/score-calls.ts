import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/**
 * Takes units of a day's score calls, all or none, exactly over all processes.
 * @param cap null: no limit
 * @returns units used on the day, these included; null when fewer are left
 */
export async function takeScoreUnits(
  db: Queries,
  { accountId, day, units, cap }: { accountId: string; day: string; units: number; cap: number | null },
): Promise<number | null> {
  if (cap !== null && units > cap) return null;
  const found = await sql<{ score: number }>`
    insert into usage_days as u (account_id, day, score) values (${accountId}, ${day}, ${units})
    on conflict (account_id, day) do update set score = u.score + excluded.score
    where ${cap}::int is null or u.score + excluded.score <= ${cap}::int
    returning score`.execute(db);
  return found.rows[0]?.score ?? null;
}

/** Gives units of failed calls back. */
export async function returnScoreUnits(
  db: Queries,
  { accountId, day, units }: { accountId: string; day: string; units: number },
): Promise<number> {
  const found = await sql<{ score: number }>`
    update usage_days set score = greatest(0, score - ${units}::int)
    where account_id = ${accountId} and day = ${day} returning score`.execute(db);
  return found.rows[0]?.score ?? 0;
}

/** Units used on a day. */
export async function scoreUnitsOf(db: Queries, accountId: string, day: string): Promise<number> {
  const found = await sql<{ score: number }>`
    select score from usage_days where account_id = ${accountId} and day = ${day}`.execute(db);
  return found.rows[0]?.score ?? 0;
}
