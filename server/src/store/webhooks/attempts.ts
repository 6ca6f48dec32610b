import { sql } from "kysely";
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
  await sql`
    insert into webhook_attempts (endpoint_id, seq, item_id, attempt, trigger, attempted_at, ok, status, error, ms,
      response)
    select "endpointId", seq, "itemId", attempt, trigger, at, ok, status, error, ms, response
    from ${rowTable(attempts, attemptColumns)}`.execute(tx);
}
