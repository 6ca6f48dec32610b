import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../engine/db.ts";
import { rowTable } from "../engine/row-table.ts";

export type Trigger = "item" | "resend" | "replay";

/** One attempt, for the log of deliveries. */
export interface AttemptRow {
  readonly endpointId: string;
  readonly seq: number;
  readonly itemId: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly trigger: Trigger;
  readonly at: Date;
  readonly ok: boolean;
  readonly status: number | null;
  readonly error: string | null;
  readonly ms: number;
  readonly response: string | null;
  /** false: only if the log has a failed attempt of the same delivery. */
  readonly isLogged: boolean;
}

const attemptColumns = [
  ["endpointId", "uuid"],
  ["seq", "bigint"],
  ["itemId", "uuid"],
  ["attempt", "smallint"],
  ["trigger", "text"],
  ["at", "timestamptz"],
  ["ok", "boolean"],
  ["status", "int"],
  ["error", "text"],
  ["ms", "int"],
  ["response", "text"],
] as const;

export async function insertAttempts(tx: Queries, attempts: readonly AttemptRow[]): Promise<void> {
  await insert(
    tx,
    attempts.filter(({ isLogged }) => isLogged),
    sql``,
  );
  const afterFailure = sql`cross join lateral (
    select from webhook_attempts a where a.endpoint_id = r."endpointId" and a.seq = r.seq and not a.ok limit 1) failed`;
  await insert(
    tx,
    attempts.filter(({ isLogged }) => !isLogged),
    afterFailure,
  );
}

/** @param which rows r of the attempts are inserted: a join */
async function insert(
  tx: Queries,
  attempts: readonly AttemptRow[],
  which: RawBuilder<unknown>,
): Promise<void> {
  if (attempts.length === 0) return;
  await sql`
    insert into webhook_attempts (endpoint_id, seq, item_id, attempt, trigger, attempted_at, ok, status, error, ms,
      response)
    select "endpointId", r.seq, "itemId", attempt, trigger, at, ok, status, error, ms, response
    from ${rowTable(attempts, attemptColumns)} ${which}`.execute(tx);
}
