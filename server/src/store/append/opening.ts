import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";
import type { LogPosition } from "../log/log-position.ts";
import { type KnownItem, type KnownRow, knownByIdentity } from "./item-keys.ts";

/** The log has another epoch or home than the writer knows, or its head went back. */
export class AnotherLog extends Error {
  override readonly name = "AnotherLog";
}

interface HeadRow {
  readonly epoch: string | null;
  readonly last_seq: number;
  readonly kept_since: string | null;
  readonly is_home: boolean;
  readonly known: readonly KnownRow[];
}

/** The head of the log, locked, and what the batch must know of stored items. */
export interface Opening {
  readonly lastSeq: number;
  /** What was published before is refused; null: nothing is. */
  readonly keptSince: Date | null;
  /** By identity. */
  readonly known: Map<string, KnownItem>;
}

/**
 * Begins an append (migrations/0025_open_append.sql): the lock holds until the transaction ends.
 * @param place the log as the writer knows it
 * @throws {AnotherLog} when it is not that log
 */
export async function openAppend(
  tx: Queries,
  { epoch, seq }: LogPosition,
  identities: readonly string[],
): Promise<Opening> {
  const { rows } = await sql<{ head: HeadRow }>`
    select open_append(${identities}::text[]) as head`.execute(tx);
  const head = rows[0]?.head;
  if (head === undefined || head.epoch !== epoch || head.last_seq < seq || !head.is_home)
    throw new AnotherLog();
  const keptSince = head.kept_since === null ? null : new Date(head.kept_since);
  return { lastSeq: head.last_seq, keptSince, known: knownByIdentity(head.known) };
}
