import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";
import { partitioned } from "../log/partitions.ts";
import { overBlocks, type Walk } from "./blocks.ts";

/** Months that have tables of items, oldest first. */
export async function monthsWithTables(db: Queries): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select distinct right(c.relname, 6) as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent in ('items'::regclass, 'item_bodies'::regclass, 'scores'::regclass)
      and c.relname ~ '_[0-9]{6}$' order by month`.execute(db);
  return rows.map(({ month }) => month);
}

/** Months whose counting was begun: nobody else has detached their tables. */
export async function countedMonths(db: Queries): Promise<string[]> {
  const rows = await db.selectFrom("counted_months").select("month").orderBy("month").execute();
  return rows.map(({ month }) => month);
}

const termsAtOnce = 1_000;

/**
 * Takes the items of a month out of the counts of terms, some terms at a time. How far it came is stored with them, so each
 * item is taken out once, whatever happens in between: nothing changes in a month that is not kept.
 * @returns items of the month
 */
export async function uncountMonth(db: Queries, month: string, walk: Walk): Promise<number> {
  const { counted_to = -1 } =
    (await db
      .selectFrom("counted_months")
      .select("counted_to")
      .where("month", "=", month)
      .executeTakeFirst()) ?? {};
  const { counts, items } = await countsOf(db, month, walk);
  const rest = [...counts].filter(([id]) => id > counted_to).sort(([a], [b]) => a - b);
  for (let from = 0; from === 0 || from < rest.length; from += termsAtOnce) {
    walk.signal.throwIfAborted();
    const some = rest.slice(from, from + termsAtOnce);
    const last = some.at(-1)?.[0] ?? counted_to;
    await db.transaction().execute(async (tx) => {
      // Writers change the same rows under this lock, in another order.
      await sql`select from log_head for update`.execute(tx);
      await sql`
        update terms t set count = t.count - c.count
        from unnest(${some.map(([id]) => id)}::int[], ${some.map(([, count]) => count)}::bigint[]) as c (id, count)
        where t.id = c.id`.execute(tx);
      await sql`
        insert into counted_months (month, counted_to) values (${month}, ${last})
        on conflict (month) do update set counted_to = excluded.counted_to`.execute(tx);
    });
  }
  return items;
}

async function countsOf(db: Queries, month: string, walk: Walk) {
  const counts = new Map<number, number>();
  let items = 0;
  const table = `items_${month}`;
  const read = async (inBlocks: Parameters<Parameters<typeof overBlocks>[2]>[0]) => {
    const { rows } = await sql<{ id: number | null; count: number }>`
      select term as id, count(*)::int as count from ${sql.table(table)} t left join lateral unnest(t.terms) as term on true
      where ${inBlocks} group by term
      union all select null, count(*)::int from ${sql.table(table)} t where ${inBlocks}`.execute(db);
    items += rows.at(-1)?.count ?? 0;
    for (const { id, count } of rows) if (id !== null) counts.set(id, (counts.get(id) ?? 0) + count);
  };
  if (await exists(db, table)) await overBlocks(db, table, read, walk);
  return { counts, items };
}

/** pending: its detaching was begun and cut short. detached: a table of its own. */
type TableState = "attached" | "pending" | "detached" | "gone";

/** Forgets that a month was counted, when its tables are gone. */
export async function forgetMonth(db: Queries, month: string): Promise<void> {
  await db.deleteFrom("counted_months").where("month", "=", month).execute();
}

/**
 * Drops a month's tables: the items first, so that no list names an item without its text. Each call goes on where the one
 * before was cut short.
 * @param db on PostgreSQL one session outside of a transaction
 * @throws 55P03 when another session has held a lock for too long
 */
export async function dropMonth(db: Queries, month: string, engine: "postgres" | "pglite"): Promise<void> {
  for (const parent of partitioned) {
    const table = `${parent}_${month}`;
    let state = await stateOf(db, { parent, table });
    while (state !== "gone") {
      await statementFor(state, engine)(parent, table).execute(db);
      const next = await stateOf(db, { parent, table });
      if (next === state) throw new Error(`${table} is still ${state}`);
      state = next;
    }
  }
}

/** How a table comes nearer to being gone. Detaching concurrently lets lists read on; the embedded database has no others. */
function statementFor(state: Exclude<TableState, "gone">, engine: "postgres" | "pglite") {
  const detach = (how: string) => (parent: string, table: string) =>
    sql`alter table ${sql.table(parent)} detach partition ${sql.table(table)} ${sql.raw(how)}`;
  const steps = {
    attached: detach(engine === "postgres" ? "concurrently" : ""),
    pending: detach("finalize"),
    detached: (_: string, table: string) => sql`drop table ${sql.table(table)}`,
  };
  return steps[state];
}

async function stateOf(
  db: Queries,
  { parent, table }: { parent: string; table: string },
): Promise<TableState> {
  const { rows } = await sql<{ there: boolean; pending: boolean | null }>`
    select to_regclass(${table}) is not null as there, (
      select inhdetachpending from pg_inherits
      where inhparent = ${parent}::regclass and inhrelid = to_regclass(${table})
    ) as pending`.execute(db);
  const { there = false, pending = null } = rows[0] ?? {};
  if (!there) return "gone";
  if (pending === null) return "detached";
  return pending ? "pending" : "attached";
}

async function exists(db: Queries, table: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select to_regclass(${table}) is not null as is`.execute(db);
  return rows[0]?.is === true;
}
