import { sql } from "kysely";
import type { Db, Queries } from "../engine/db.ts";
import { isMissingTable } from "../engine/errors.ts";
import { monthOf } from "../log/partitions.ts";
import { keptFrom, readKept } from "./kept-since.ts";
import { monthsWithTables } from "./months.ts";

export interface MonthPlan {
  /** "202603" */
  readonly month: string;
  readonly items: number;
  /** Of its items, their texts and scores, with indexes. */
  readonly bytes: number;
  readonly deletes: boolean;
}

export interface RetentionPlan {
  /** What was published before is refused already; null: nothing is. */
  readonly keptSince: Date | null;
  /** What would be kept, from the given number of months; null: everything. */
  readonly keepsFrom: Date | null;
  /** Oldest first. */
  readonly months: readonly MonthPlan[];
}

/**
 * What a number of months would keep and delete. Reads the index of every month.
 * @param keepMonths 0: everything
 */
export async function retentionPlan(
  db: Db,
  { now, keepMonths }: { now: Date; keepMonths: number },
): Promise<RetentionPlan> {
  const { since: keptSince } = await readKept(db.main);
  const wanted = keepMonths === 0 ? null : keptFrom(now, keepMonths);
  // What was deleted does not come back by a larger number.
  const keepsFrom = keptSince !== null && (wanted === null || wanted < keptSince) ? keptSince : wanted;
  const months: MonthPlan[] = [];
  for (const month of await monthsWithTables(db.main)) {
    const size = await sizeOf(db.slow, month);
    if (size !== null)
      months.push({ month, ...size, deletes: keepsFrom !== null && month < monthOf(keepsFrom) });
  }
  return { keptSince, keepsFrom, months };
}

/** null: it is being deleted at this moment. */
async function sizeOf(db: Queries, month: string): Promise<Pick<MonthPlan, "items" | "bytes"> | null> {
  const { rows } = await sql<{ there: boolean; bytes: number }>`
    select to_regclass(${`items_${month}`}) is not null as there, (
      select coalesce(sum(pg_total_relation_size(to_regclass(name))), 0)::bigint
      from unnest(${["items", "item_bodies", "scores"].map((table) => `${table}_${month}`)}::text[]) as name
    ) as bytes`.execute(db);
  const { there = false, bytes = 0 } = rows[0] ?? {};
  if (!there) return null;
  try {
    const counted = await sql<{ items: number }>`
      select count(*)::int as items from ${sql.table(`items_${month}`)}`.execute(db);
    return { items: counted.rows[0]?.items ?? 0, bytes: Number(bytes) };
  } catch (error) {
    if (isMissingTable(error)) return null;
    throw error;
  }
}
