import { sql } from "kysely";
import type { Db, Queries } from "../engine/db.ts";
import { isKnownRow } from "../engine/errors.ts";
import { beginEpoch } from "../log/log-position.ts";
import { Partitions } from "../log/partitions.ts";
import { buildSegmentsAnew } from "../segments/state.ts";

/** Why the dump cannot be read into this database. */
export class DumpError extends Error {
  override readonly name = "DumpError";
}

/** Tables in an order in which references allow filling them. */
export const tables: readonly string[] = [
  "settings",
  "log_head",
  "accounts",
  "people",
  "memberships",
  "keys",
  "views",
  "audit",
  "usage_days",
  "webhook_endpoints",
  "webhook_shards",
  "webhook_exceptions",
  "sources",
  "terms",
  "gaps",
  "counted_months",
  "retired_aliases",
  "item_keys",
  "item_aliases",
  "items",
  "item_bodies",
  "item_versions",
  "filings",
  "scores",
  "story_sketches",
  "pending_documents",
];

/** Rows that a fresh database has from the start and an import replaces: its secrets, the head of its log. */
const givingWay = new Set(["log_head", "settings", "webhook_shards"]);

const format = "tapewire-dump";
const formatVersion = 1;
const batchRows = 200;

/**
 * Writes every row as a line `{"table": ..., "row": {...}}`, between a head line and `{"end": rows}`: one snapshot,
 * whatever is written meanwhile.
 * @returns rows written
 * @throws {DumpError} when the database has no tables of ours
 */
export async function exportLines(db: Queries, write: (line: string) => Promise<void>): Promise<number> {
  const made = await sql<{ is: boolean }>`select to_regclass('item_keys') is not null as is`.execute(db);
  if (made.rows[0]?.is !== true) throw new DumpError("the database has no Tapewire tables");
  return db
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (tx) => {
      // A large database takes long, and a slow disk for the dump keeps the transaction waiting.
      await sql`set local statement_timeout = 0`.execute(tx);
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
      await write(JSON.stringify({ format, version: formatVersion }));
      let rows = 0;
      for (const table of tables) if (await hasTable(tx, table)) rows += await exportTable(tx, table, write);
      await write(JSON.stringify({ end: rows }));
      return rows;
    });
}

/** A database of a version before may lack some. */
async function hasTable(tx: Queries, table: string): Promise<boolean> {
  const found = await sql<{ is: boolean }>`select to_regclass(${table}) is not null as is`.execute(tx);
  return found.rows[0]?.is === true;
}

async function exportTable(
  tx: Queries,
  table: string,
  write: (line: string) => Promise<void>,
): Promise<number> {
  await sql`declare dump cursor for select row_to_json(t)::text as row from ${sql.table(table)} t`.execute(
    tx,
  );
  let rows = 0;
  for (let full = true; full; ) {
    const found = await sql<{ row: string }>`fetch ${sql.lit(batchRows)} from dump`.execute(tx);
    for (const { row } of found.rows) await write(`{"table":${JSON.stringify(table)},"row":${row}}`);
    rows += found.rows.length;
    full = found.rows.length === batchRows;
  }
  await sql`close dump`.execute(tx);
  return rows;
}

/**
 * Reads a dump into a migrated database without items. A failed import leaves what it read: start again with an empty
 * database.
 * @returns rows read
 * @throws {DumpError} also when the dump is cut short
 */
export function importLines(db: Db, lines: AsyncIterable<string>): Promise<number> {
  return importInto(db.slow, lines);
}

/** The same, in a transaction of the caller's or statement by statement. */
export async function importInto(db: Queries, lines: AsyncIterable<string>): Promise<number> {
  const used = await sql`select from item_keys limit 1`.execute(db);
  if (used.rows.length > 0) throw new DumpError("the database already has items");
  const partitions = new Partitions();
  const read = new Set<string>();
  let rows = 0;
  let end: number | null = null;
  let batch: Row[] = [];
  const flush = async () => {
    await insert(db, partitions, batch);
    if (batch[0] !== undefined) read.add(batch[0].table);
    rows += batch.length;
    batch = [];
  };
  for await (const line of dumpLines(lines)) {
    if (end !== null) throw new DumpError("the dump continues after its end");
    if ("end" in line) end = line.end;
    else {
      if (batch.length > 0 && (batch.length >= batchRows || batch[0]?.table !== line.table)) await flush();
      batch.push(line);
    }
  }
  await flush();
  if (end !== rows) throw new DumpError(`the dump is cut short after ${rows} rows`);
  for (const table of ["terms", "gaps", "audit"]) await continueIds(db, table);
  // For dumps from before items had these columns.
  await sql`select fill_item_scores()`.execute(db);
  if (!read.has("webhook_shards")) await deliverFromTheHead(db);
  await buildSegmentsAnew(db);
  // The original log may have gone on since the dump.
  await (db.isTransaction ? beginEpoch(db) : db.transaction().execute(beginEpoch));
  return rows;
}

/** For dumps from before deliveries existed: otherwise endpoints would be owed the whole log. */
async function deliverFromTheHead(db: Queries): Promise<void> {
  await sql`update webhook_shards set cursor = (select last_seq from log_head)`.execute(db);
}

async function continueIds(db: Queries, table: string): Promise<void> {
  await sql`
    select setval(pg_get_serial_sequence(${table}, 'id'), (select coalesce(max(id), 0) + 1 from ${sql.table(table)}), false)`.execute(
    db,
  );
}

interface Row {
  table: string;
  row: object;
}
type DumpLine = Row | { end: number };

/** The lines after the head, which must be present. */
async function* dumpLines(lines: AsyncIterable<string>): AsyncGenerator<DumpLine> {
  let headed = false;
  for await (const line of lines) {
    if (line.trim() === "") continue;
    const value = parseObject(line);
    if (headed) yield bodyLine(value);
    else if (value.get("format") !== format) throw new DumpError("this is not a Tapewire dump");
    else if (value.get("version") !== formatVersion)
      throw new DumpError("this version cannot read the format of the dump");
    headed = true;
  }
}

function parseObject(line: string): Map<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new DumpError("a line is not JSON: the dump is cut short or damaged", { cause });
  }
  if (typeof value !== "object" || value === null)
    throw new DumpError("a line is not an object: this is not a dump");
  return new Map(Object.entries(value));
}

function bodyLine(value: ReadonlyMap<string, unknown>): DumpLine {
  const end = value.get("end");
  if (typeof end === "number") return { end };
  const table = value.get("table");
  const row = value.get("row");
  if (typeof table !== "string" || !tables.includes(table) || typeof row !== "object" || row === null)
    throw new DumpError("a line names an unknown table: the dump is damaged");
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
  if (givingWay.has(table)) await sql`delete from ${sql.table(table)}`.execute(db);
  const rows = JSON.stringify(batch.map(({ row }) => row));
  // Columns newer than the dump get their defaults.
  const columns = sql.join(Object.keys(first.row).map((name) => sql.ref(name)));
  try {
    await sql`
      insert into ${sql.table(table)} (${columns}) overriding system value
      select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${rows}::json)`.execute(db);
  } catch (error) {
    if (!isKnownRow(error)) throw error;
    throw new DumpError(`the database already has rows of ${table}, perhaps from an interrupted import`, {
      cause: error,
    });
  }
}
