import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";
import { forgetSegmentsOf } from "../segments/state.ts";

export const partitioned = ["items", "item_bodies", "scores"] as const;

/** A month of UTC as "202511". */
export function monthOf(at: Date): string {
  return at.toISOString().slice(0, 7).replace("-", "");
}

function monthStart(month: string, offset = 0): Date {
  return new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(4)) - 1 + offset, 1));
}

/**
 * The monthly partitions of the item tables. There is no default partition, which would block dropping old ones, so the
 * month of a late or early item is made before its insert.
 */
export class Partitions {
  readonly #known = new Set<string>();

  /**
   * Makes missing months. Safe beside other processes that do the same, and beside readers: a table that is made apart and
   * then attached locks its parent only against other changes of the schema, whereas `create table ... partition of` would
   * wait for every running dump, and all reads would wait behind it.
   */
  async ensure(db: Queries, times: readonly Date[]): Promise<void> {
    const missing = new Set(times.map(monthOf).filter((month) => !this.#known.has(month)));
    for (const month of missing) {
      // A transaction of the caller's holds what it makes until its own end.
      const run = (work: (tx: Queries) => Promise<void>) =>
        db.isTransaction ? work(db) : db.transaction().execute(work);
      await run(async (tx) => {
        await sql`set local lock_timeout = '5s'`.execute(tx);
        // Two processes that make the same month at once would violate the catalog's unique index.
        await sql`select pg_advisory_xact_lock(7238, ${Number(month)}::int)`.execute(tx);
        for (const table of partitioned)
          if (!(await isAttached(tx, table, month))) await attach(tx, table, month);
      });
      this.#known.add(month);
    }
  }

  /** Whether some month of these times is not known to exist. */
  lacks(times: readonly Date[]): boolean {
    return times.some((at) => !this.#known.has(monthOf(at)));
  }

  /** Makes this month and the next before their first items come. */
  async ensureAhead(db: Queries, now: Date): Promise<void> {
    await this.ensure(db, [now, monthStart(monthOf(now), 1)]);
  }

  /** Forgets the known months: some may have been dropped, or the database replaced. */
  forget(): void {
    this.#known.clear();
  }
}

async function exists(tx: Queries, table: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select to_regclass(${table}) is not null as is`.execute(tx);
  return rows[0]?.is === true;
}

/** A table of that name is not enough: an operator may have detached it. */
async function isAttached(tx: Queries, table: string, month: string): Promise<boolean> {
  const found = await sql`
    select from pg_inherits
    where inhparent = ${table}::regclass and inhrelid = to_regclass(${`${table}_${month}`})`.execute(tx);
  return found.rows.length > 0;
}

async function attach(tx: Queries, table: string, month: string): Promise<void> {
  // What the index has of the month is of tables that were dropped.
  if (table === "items" && !(await exists(tx, `${table}_${month}`))) await forgetSegmentsOf(tx, month);
  const child = sql.table(`${table}_${month}`);
  await sql`create table if not exists ${child}
    (like ${sql.table(table)} including defaults including constraints)`.execute(tx);
  await sql`alter table ${sql.table(table)} attach partition ${child}
    for values from (${sql.lit(monthStart(month).toISOString())})
    to (${sql.lit(monthStart(month, 1).toISOString())})`.execute(tx);
}
