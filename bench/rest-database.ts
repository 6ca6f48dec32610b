/**
 * The database for measuring the list: a million generated items written straight into the tables, once; later runs reuse
 * it. Made under another name and renamed when complete, so that an interrupted load is never measured. Aliases, sketches
 * and score rows are left out, since no list reads them.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { feedItem } from "@tapewire/contract/feeds.ts";
import pg from "pg";
import { isCopy, termsOf } from "../server/src/feed/filter.ts";
import { silentLog } from "../server/src/runtime/log.ts";
import { openDb } from "../server/src/store/engine/db.ts";
import { Partitions } from "../server/src/store/log/partitions.ts";
import { migrate } from "../server/src/store/schema/migrate.ts";
import { postgresUrl } from "../server/test/support/db.ts";
import { generatorVersion, itemAt } from "./rest-items.ts";

const rowsPerStatement = 1_000;
const writers = 3;

/** The name of the database of `total` items. */
export function restDatabaseName(total: number): string {
  return `tapewire_bench_rest_${generatorVersion}${total === 1_000_000 ? "" : `_${total}`}`;
}

function urlOf(name: string): string {
  if (postgresUrl === null) throw new Error("no PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432");
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function asAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: postgresUrl ?? undefined });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

/** Identifies the generator and the state of the tables; stored as the database's comment. */
function fingerprint(): string {
  const folder = new URL("../server/migrations/", import.meta.url);
  const made = createHash("sha256").update(String(generatorVersion));
  for (const name of readdirSync(folder).sort()) made.update(readFileSync(new URL(name, folder)));
  return made.digest("hex").slice(0, 16);
}

/** @returns the URL of the filled database, made if there is none for the present tables */
export async function restDatabase(total: number): Promise<string> {
  const name = restDatabaseName(total);
  const made = `${name}_loading`;
  return asAdmin(async (admin) => {
    const found = await admin.query<{ of: string | null }>(
      "select shobj_description(oid, 'pg_database') as of from pg_database where datname = $1",
      [name],
    );
    if (found.rows[0]?.of === fingerprint()) return urlOf(name);
    const started = performance.now();
    await admin.query(`drop database if exists ${made} with (force)`);
    await admin.query(`create database ${made}`);
    await load(urlOf(made), total);
    await admin.query(`comment on database ${made} is '${fingerprint()}'`);
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.query(`alter database ${made} rename to ${name}`);
    console.log(`${name}: loaded in ${((performance.now() - started) / 1000).toFixed(0)} s`);
    return urlOf(name);
  });
}

export async function dropRestDatabase(total: number): Promise<void> {
  await asAdmin((admin) => admin.query(`drop database if exists ${restDatabaseName(total)} with (force)`));
}

async function load(url: string, total: number): Promise<void> {
  await makeTables(url, total);
  await using pool = new AsyncDisposableStack();
  const connections = new pg.Pool({
    connectionString: url,
    max: writers,
    options: "-c synchronous_commit=off -c maintenance_work_mem=512MB",
  });
  pool.defer(() => connections.end());
  // Building it over the finished table takes a tenth of the time; as the migration defines it.
  const index = await connections.query<{ ddl: string }>(
    "select pg_get_indexdef('items_terms'::regclass) as ddl",
  );
  await connections.query("drop index items_terms");
  const terms = new TermCounts();
  let next = 0;
  const write = async () => {
    while (next < total) {
      const start = next;
      next = Math.min(total, start + rowsPerStatement);
      await insertItems(connections, itemRows(start, next, total, terms));
      if (next % 100_000 === 0) console.log(`${next} of ${total} items`);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  await insertTerms(connections, terms);
  await connections.query("update log_head set last_seq = $1", [total]);
  await connections.query((index.rows[0]?.ddl ?? "").replace(" ON ONLY ", " ON "));
  // The first start builds segments of them.
  await connections.query("update segment_state set building = true, folded_seq = $1, as_of = $1", [total]);
  await connections.query("vacuum (analyze)");
  await connections.query("checkpoint");
}

async function makeTables(url: string, total: number): Promise<void> {
  await using db = await openDb({ databaseUrl: url, dataDir: "", log: silentLog });
  await migrate(db);
  const monthMs = 28 * 24 * 3_600_000;
  const first = Date.parse(itemAt(0, total).published_at) - monthMs;
  const last = Date.parse(itemAt(total - 1, total).scraped_at);
  const times = Array.from({ length: Math.ceil((last - first) / monthMs) + 1 }, (_, month) =>
    Math.min(last, first + month * monthMs),
  );
  await new Partitions().ensure(
    db.main,
    times.map((time) => new Date(time)),
  );
}

/** Numbers of the terms in the order of first occurrence, with the content of the table `terms`. */
class TermCounts {
  readonly #ids = new Map<string, number>();
  readonly rows: { kind: string; value: string; count: number; latest_at: string }[] = [];

  idOf(kind: string, value: string, at: string): number {
    const key = `${kind}:${value}`;
    const known = this.#ids.get(key);
    const row = this.rows[(known ?? 0) - 1];
    if (known !== undefined && row !== undefined) {
      row.count += 1;
      if (at > row.latest_at) row.latest_at = at;
      return known;
    }
    this.#ids.set(key, this.rows.push({ kind, value, count: 1, latest_at: at }));
    return this.rows.length;
  }
}

/** One array per column; terms as text, since PostgreSQL has no arrays of arrays with different lengths. */
function itemRows(start: number, end: number, total: number, terms: TermCounts) {
  const items = Array.from({ length: end - start }, (_, n) => itemAt(start + n, total));
  for (const item of items.slice(0, 3)) feedItem.parse(item);
  const detail = JSON.stringify({ analysis: [], sub_scores: null, summary: null });
  return [
    items.map(({ seq }) => seq),
    items.map(({ id }) => id),
    items.map(({ unique_id }) => unique_id),
    items.map(({ published_at }) => published_at),
    items.map(({ scraped_at }) => scraped_at),
    items.map(({ scoring }) => scoring.actionability),
    items.map(({ scoring }) => scoring.sentiment_score),
    items.map(({ scoring }) => scoring.sentiment_conviction),
    items.map(({ scoring }) => scoring.actionability_score),
    items.map((item) => {
      const ids = termsOf(item).map(({ kind, value }) => terms.idOf(kind, value, item.published_at));
      return `{${ids.join(",")}}`;
    }),
    items.map(isCopy),
    items.map((item) => JSON.stringify(item)),
    items.map(() => detail),
    items.map(({ title }) => title),
  ];
}

async function insertItems(connections: pg.Pool, columns: readonly unknown[][]): Promise<void> {
  await connections.query(
    `with r as materialized (
      select * from unnest($1::bigint[], $2::uuid[], $3::text[], $4::timestamptz[], $5::timestamptz[], $6::boolean[],
        $7::smallint[], $8::smallint[], $9::smallint[], $10::text[], $11::boolean[], $12::text[], $13::text[], $14::text[])
        as r (seq, id, unique_id, published_at, scraped_at, actionable, sentiment, conviction, actionability_score, terms, copy, doc, detail, body)
    ), keyed as (
      insert into item_keys (id, seq, unique_id, published_at) select id, seq, unique_id, published_at from r
    ), told as (
      insert into item_bodies (id, published_at, doc, detail, body) select id, published_at, doc, detail, body from r
    )
    insert into items (
      seq, id, published_at, scraped_at, actionable, sentiment, conviction, actionability_score, terms, copy)
    select seq, id, published_at, scraped_at, actionable, sentiment, conviction, actionability_score, terms::int[], copy
    from r`,
    [...columns],
  );
}

/** With the ids that the items use, which the table would otherwise generate. */
async function insertTerms(connections: pg.Pool, { rows }: TermCounts): Promise<void> {
  const numbered = rows.map((row, index) => ({ id: index + 1, ...row }));
  await connections.query(
    `insert into terms (id, kind, value, count, latest_at) overriding system value
     select * from json_to_recordset($1::json) as r (id int, kind text, value text, count bigint, latest_at timestamptz)`,
    [JSON.stringify(numbered)],
  );
  await connections.query("select setval(pg_get_serial_sequence('terms', 'id'), $1)", [rows.length]);
}
