import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/** Use of an account on a day (`YYYY-MM-DD`, UTC), to be added to the stored counts. */
export interface Use {
  readonly accountId: string;
  readonly day: string;
  readonly requests: number;
  readonly errors: number;
  readonly delivered: number;
}

export interface UsageRow {
  readonly day: string;
  readonly feed: number;
  readonly score: number;
  readonly requests: number;
  readonly errors: number;
}

/** Adds to the days' counts. In the same order in every process: opposite orders would deadlock. */
export async function addUse(db: Queries, uses: readonly Use[]): Promise<void> {
  await sql`
    insert into usage_days as u (account_id, day, requests, errors, delivered)
    select "accountId", day, requests, errors, delivered
    from json_to_recordset(${JSON.stringify(uses)}::json)
      as r ("accountId" uuid, day date, requests bigint, errors bigint, delivered bigint)
    order by "accountId", day
    on conflict (account_id, day) do update set
      requests = u.requests + excluded.requests,
      errors = u.errors + excluded.errors,
      delivered = u.delivered + excluded.delivered`.execute(db);
}

/** Days with any use, oldest first. */
export async function usageSince(db: Queries, accountId: string, firstDay: string): Promise<UsageRow[]> {
  const found = await sql<UsageRow>`
    select to_char(day, 'YYYY-MM-DD') as day, delivered as feed, score, requests, errors
    from usage_days where account_id = ${accountId} and day >= ${firstDay}::date order by day`.execute(db);
  return found.rows;
}

/** Drops up to `limit` rows of days before `firstDay`; @returns how many */
export async function dropUsageBefore(db: Queries, firstDay: string, limit: number): Promise<number> {
  const dropped = await sql`
    delete from usage_days where (account_id, day) in (
      select account_id, day from usage_days where day < ${firstDay}::date order by day limit ${limit})`.execute(
    db,
  );
  return Number(dropped.numAffectedRows ?? 0);
}
