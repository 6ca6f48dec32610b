import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";
import { DumpError, exportLines, importInto, tables } from "./dump.ts";

/** Lines between the reading and the writing side. */
const linesWaiting = 1_000;

/**
 * Copies everything that a dump holds into a migrated database without rows, and compares the numbers of rows. Nobody else
 * may write to either meanwhile.
 * @param to a transaction, for everything or nothing
 * @returns rows copied
 * @throws {DumpError} when the copy has other numbers of rows
 */
export async function transfer(from: Queries, to: Queries): Promise<number> {
  const { readable, writable } = new TransformStream<string, string>(undefined, {
    highWaterMark: linesWaiting,
  });
  const writer = writable.getWriter();
  // A side that fails ends the other: its error is the one that counts.
  const exporting = exportLines(from, async (line) => {
    await writer.ready;
    writer.write(line).catch(() => {});
  }).then(
    () => writer.close(),
    async (error: unknown) => {
      await writer.abort(error).catch(() => {});
      throw error;
    },
  );
  const importing = importInto(to, readable).catch(async (error: unknown) => {
    await readable.cancel(error).catch(() => {});
    throw error;
  });
  const [read, written] = await Promise.allSettled([importing, exporting]);
  if (read.status === "rejected") throw read.reason;
  if (written.status === "rejected") throw written.reason;
  for (const table of tables) {
    const before = await countOf(from, table);
    const now = await countOf(to, table);
    if (before !== null && before !== now)
      throw new DumpError(`the copy has ${now} rows of ${table}, and the original ${before}`);
  }
  return read.value;
}

/** null: there is no such table; an older version may lack it. */
async function countOf(db: Queries, table: string): Promise<number | null> {
  const made = await sql<{ is: boolean }>`select to_regclass(${table}) is not null as is`.execute(db);
  if (made.rows[0]?.is !== true) return null;
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from ${sql.table(table)}`.execute(db);
  return rows[0]?.count ?? 0;
}
