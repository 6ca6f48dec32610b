import { sql } from "kysely";
import type { Db, Queries } from "./db.ts";
import { Partitions } from "./partitions.ts";

/** The dump cannot be read into this database; says why. */
export class DumpError extends Error {
  override readonly name = "DumpError";
}

/** Tables in the order in which references allow them to be filled, with the columns that order their rows. */
const tables = [
  { name: "settings", order: "name" },
  { name: "log_head", order: "only_row" },
  { name: "accounts", order: "id" },
  { name: "keys", order: "id" },
  { name: "usage_days", order: "account_id, day" },
  { name: "sources", order: "id" },
  { name: "terms", order: "id" },
  { name: "item_keys", order: "id" },
  { name: "item_aliases", order: "alias" },
  { name: "items", order: "published_at, id" },
  { name: "item_bodies", order: "published_at, id" },
  { name: "scores", order: "published_at, item_id, scored_at" },
] as const;

const format = "tapewire-dump";
const formatVersion = 1;
const batchRows = 200;

/**
 * Gives every row as a line `{"table": ..., "row": {...}}` behind a head line: one snapshot, whatever is written
 * meanwhile.
 * @returns rows given
 */
export async function exportLines(db: Queries, write: (line: string) => Promise<void>): Promise<number> {
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (tx) => {
      await write(JSON.stringify({ format, version: formatVersion }));
      let rows = 0;
      for (const { name, order } of tables) {
        await sql`declare dump cursor for
          select row_to_json(t)::text as row from ${sql.table(name)} t order by ${sql.raw(order)}`.execute(
          tx,
        );
        for (;;) {
          const found = await sql<{ row: string }>`fetch ${sql.lit(batchRows)} from dump`.execute(tx);
          for (const { row } of found.rows) await write(`{"table":${JSON.stringify(name)},"row":${row}}`);
          rows += found.rows.length;
          if (found.rows.length < batchRows) break;
        }
        await sql`close dump`.execute(tx);
      }
      return rows;
    });
}

/**
 * Reads a dump into a migrated database without items. An import that fails leaves what it read: start anew from an empty
 * database.
 * @returns rows read
 * @throws {DumpError}
 */
export async function importLines(db: Db, lines: AsyncIterable<string>): Promise<number> {
  const used = await sql`select from item_keys limit 1`.execute(db.main);
  if (used.rows.length > 0) throw new DumpError("the database holds items already; import into an empty one");
  const partitions = new Partitions();
  let rows = 0;
  let batch: Row[] = [];
  const flush = async () => {
    await insert(db.main, partitions, batch);
    rows += batch.length;
    batch = [];
  };
  for await (const line of lines) {
    if (line.trim() === "") continue;
    const row = parseLine(line);
    if (row === null) continue;
    if (batch.length > 0 && (batch.length >= batchRows || batch[0]?.table !== row.table)) await flush();
    batch.push(row);
  }
  await flush();
  await sql`select setval(pg_get_serial_sequence('terms', 'id'), (select coalesce(max(id), 0) + 1 from terms), false)`.execute(
    db.main,
  );
  return rows;
}

interface Row {
  table: string;
  row: object;
}

/** null for the head line. */
function parseLine(line: string): Row | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new DumpError("a line is not JSON: the dump is damaged", { cause });
  }
  if (typeof value !== "object" || value === null)
    throw new DumpError("a line is no object: this is no dump");
  if ("format" in value) {
    const known = value.format === format && "version" in value && value.version === formatVersion;
    if (!known) throw new DumpError("the dump is of a format this version does not read");
    return null;
  }
  const { table, row } = { table: undefined, row: undefined, ...value };
  if (
    typeof table !== "string" ||
    !tables.some(({ name }) => name === table) ||
    typeof row !== "object" ||
    row === null
  )
    throw new DumpError("a line names no table of ours: this is no dump");
  return { table, row };
}

async function insert(db: Queries, partitions: Partitions, batch: readonly Row[]): Promise<void> {
  const [first] = batch;
  if (first === undefined) return;
  const { table } = first;
  const times = batch.flatMap(({ row }) =>
    "published_at" in row ? [new Date(String(row.published_at))] : [],
  );
  if (times.length > 0) await partitions.ensure(db, times);
  // What a fresh database has of itself gives way: its epoch, its secrets.
  if (table === "log_head" || table === "settings") await sql`delete from ${sql.table(table)}`.execute(db);
  await sql`
    insert into ${sql.table(table)} overriding system value
    select * from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(batch.map(({ row }) => row))}::json)`.execute(
    db,
  );
}
