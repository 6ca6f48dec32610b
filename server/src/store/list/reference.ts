import { isStorable } from "@tapewire/contract/input.ts";
import { sql } from "kysely";
import type { Term, TermKind } from "../../feed/filter.ts";
import type { Queries } from "../engine/db.ts";
import { searchError } from "../engine/errors.ts";

/** A filter value that items have. Withdrawn items count, since lists still show them, marked. */
export interface TermCount {
  readonly kind: string;
  /** Folded as filters fold it (feed/filter.ts). */
  readonly value: string;
  readonly count: number;
  /** published_at of the newest item that has, or once had, the value. */
  readonly latestAt: Date;
}

/** Bounds a list that is sent whole: feeds of several publishers, and pushes, may bring ever more names. */
export const mostListed = 5_000;

/** The values of these kinds that items have now; above `mostListed`, those that the most items have. */
export async function termCounts(db: Queries, kinds: readonly TermKind[]): Promise<TermCount[]> {
  const found = await db
    .selectFrom("terms")
    .select(["kind", "value", "count", "latest_at"])
    .where("kind", "in", kinds)
    .where("count", ">", 0)
    .orderBy("count", "desc")
    .orderBy("value")
    .limit(mostListed)
    .execute();
  return found.map(({ latest_at: latestAt, ...term }) => ({ ...term, latestAt }));
}

/** Item counts of these symbols, EXCHANGE:TICKER or a ticker alone; absent: no items. */
export async function symbolCounts(db: Queries, symbols: readonly string[]): Promise<Map<string, number>> {
  const found = await sql<{ value: string; count: number }>`
    select value, count from terms where kind = 'symbol' and value = any(${symbols}::text[])`.execute(db);
  return new Map(found.rows.map(({ value, count }) => [value, count]));
}

/** The listings (EXCHANGE:TICKER) of a ticker that items name, with their items: the most frequent first. */
export async function linesNamed(db: Queries, ticker: string): Promise<Map<string, number>> {
  // By way of the exchanges, which are few: symbols are many, and sorted by their exchange.
  const found = await sql<{ value: string; count: number }>`
    select line.value, line.count from terms exchange
    join terms line on line.kind = 'symbol' and line.value = exchange.value || ':' || ${ticker}
    where exchange.kind = 'exchange' and exchange.count > 0 and line.count > 0
    order by line.count desc, line.value`.execute(db);
  return new Map(found.rows.map(({ value, count }) => [value, count]));
}

/** @param term its value folded as filters fold it; @returns null when no item has it */
export async function termCount(db: Queries, term: Term): Promise<TermCount | null> {
  const found = await termRow(db, term);
  return found === null ? null : { ...term, count: found.count, latestAt: found.latest_at };
}

async function termRow(db: Queries, { kind, value }: Term) {
  if (!isStorable(value)) return null;
  const found = await db
    .selectFrom("terms")
    .select(["id", "count", "latest_at"])
    .where("kind", "=", kind)
    .where("value", "=", value)
    .where("count", ">", 0)
    .executeTakeFirst();
  return found ?? null;
}

/** The activity of one filter value. */
export interface TermActivity {
  readonly count: number;
  /** null: no item has the value. */
  readonly latestAt: Date | null;
  /** Items published in the last 24 hours. */
  readonly lastDay: number;
}

const dayMs = 86_400_000;

/**
 * Needs at most two statements: the value's row, and a count over the items of a day, which is left out when the newest
 * item is older. The second uses the value's id, so that the planner can choose between the month's GIN index and the
 * day's rows.
 * @param term its value folded as filters fold it
 * @throws {StoreError} timeout, when the count takes longer than the pool allows; read-only, so safe to retry
 */
export async function termActivity(db: Queries, term: Term, now: Date): Promise<TermActivity> {
  const found = await termRow(db, term);
  if (found === null) return { count: 0, latestAt: null, lastDay: 0 };
  const since = new Date(now.getTime() - dayMs);
  const lastDay = found.latest_at < since ? 0 : await itemsSince(db, found.id, since);
  return { count: found.count, latestAt: found.latest_at, lastDay };
}

async function itemsSince(db: Queries, termId: number, since: Date): Promise<number> {
  try {
    const found = await sql<{ count: number }>`
      select count(*) as count from items where published_at >= ${since} and terms @> ${[termId]}::int[]`.execute(
      db,
    );
    return found.rows[0]?.count ?? 0;
  } catch (error) {
    throw searchError(error);
  }
}

/** The source names of items. */
export async function sourceNames(db: Queries): Promise<string[]> {
  return (await termCounts(db, ["aggregator"])).map(({ value }) => value);
}

/** The activity of a source, as its items show it. */
export function sourceActivity(db: Queries, name: string, now: Date): Promise<TermActivity> {
  return termActivity(db, { kind: "aggregator", value: name.toLowerCase() }, now);
}
