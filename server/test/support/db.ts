import { createHash, randomUUID } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext, test } from "node:test";
import pg from "pg";
import { silentLog } from "../../src/runtime/log.ts";
import { type Db, openDb, openPostgres, pgliteDb } from "../../src/store/engine/db.ts";
import { migrate } from "../../src/store/engine/migrate.ts";
import { PgliteError, PgliteHost } from "../../src/store/engine/pglite.ts";

/** Where tests find a PostgreSQL; null when none answers. */
export const postgresUrl = await findPostgres();

async function findPostgres(): Promise<string | null> {
  const url = process.env.TEST_DATABASE_URL ?? "postgres://postgres@127.0.0.1:5432/postgres";
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
  try {
    await client.connect();
    await client.end();
    return url;
  } catch (cause) {
    if (process.env.CI === "true") throw new Error(`CI needs a PostgreSQL at ${url}`, { cause });
    return null;
  }
}

const missing = postgresUrl === null ? { skip: "no PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432" } : {};

export type EngineName = "pglite" | "postgres";

/** For a test whose subject is not the engine: a service starts ten times as fast on a server that is there. */
export const anyEngine: EngineName = postgresUrl === null ? "pglite" : "postgres";

/** One test on each engine. Without a PostgreSQL its half is skipped, and says so. */
export function onBothEngines(
  name: string,
  body: (context: TestContext, engine: EngineName) => Promise<void>,
  options: { skip?: string } = {},
): void {
  const missing =
    postgresUrl === null ? { skip: "no PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432" } : {};
  test(`${name} [pglite]`, options, (context) => body(context, "pglite"));
  test(`${name} [postgres]`, { ...missing, ...options }, (context) => body(context, "postgres"));
}

/** A test of what only a PostgreSQL can show. */
export function onPostgres(
  name: string,
  body: (context: TestContext) => Promise<void>,
  options: { skip?: string; timeout?: number } = {},
): void {
  test(`${name} [postgres]`, { ...missing, ...options }, (context) => body(context));
}

/** A database of its own, migrated and empty; gone when disposed. */
export async function testDb(engine: EngineName): Promise<Db> {
  return engine === "pglite" ? testPglite() : openTemporary(await createDatabase());
}

/** The URL of a PostgreSQL database of its own, migrated and without a row of ours; dropped when disposed. */
export async function createDatabase({ migrated = true } = {}): Promise<{ url: string } & AsyncDisposable> {
  if (postgresUrl === null) throw new Error("no PostgreSQL");
  const admin = postgresUrl;
  const name = `tapewire_test_${randomUUID().replaceAll("-", "")}`;
  const template = migrated ? ` template ${await migratedTemplate(admin)}` : "";
  await execute(admin, `create database ${name}${template}`);
  return {
    url: urlOf(admin, name),
    [Symbol.asyncDispose]: () => execute(admin, `drop database if exists ${name} with (force)`),
  };
}

function urlOf(admin: string, name: string): string {
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return url.href;
}

/** Of other states of the migrations, which tests of another checkout may be copying. */
const mostTemplates = 6;
let template: Promise<string> | null = null;

/** A migrated database to copy: to run the migrations takes many times as long. Made once per state of the migrations. */
function migratedTemplate(admin: string): Promise<string> {
  template ??= makeTemplate(admin);
  return template;
}

async function makeTemplate(admin: string): Promise<string> {
  const name = `tapewire_template_${migrationsHash()}`;
  const client = new pg.Client({ connectionString: admin });
  await client.connect();
  try {
    // Test files run side by side: one makes it.
    await client.query("select pg_advisory_lock(7239, 1)");
    const found = await client.query(
      "select datname from pg_database where datname like 'tapewire_template_%'",
    );
    const names = found.rows.map(({ datname }: { datname: string }) => datname);
    if (names.includes(name)) return name;
    const old = names.length < mostTemplates ? [] : names;
    for (const one of old) await client.query(`drop database if exists ${one} with (force)`);
    const made = `${name}_making`;
    await client.query(`create database ${made}`);
    const db = await openPostgres(urlOf(admin, made), silentLog);
    await migrate(db);
    await db[Symbol.asyncDispose]();
    await client.query(`alter database ${made} rename to ${name}`);
    return name;
  } finally {
    await client.end();
  }
}

async function openTemporary(database: { url: string } & AsyncDisposable): Promise<Db> {
  const db = await openPostgres(database.url, silentLog);
  await migrate(db);
  return {
    ...db,
    [Symbol.asyncDispose]: async () => {
      await db[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function testPglite(): Promise<Db> {
  const used = idle.pop();
  const again = used === undefined ? null : await emptied(used);
  return pgliteDb(
    lent(again ?? (await PgliteHost.open({ dataDir: null, snapshot: await migratedSnapshot() }))),
  );
}

/** Embedded databases that tests of this process are done with: to empty one takes a tenth of the time of a new one. */
const idle: PgliteHost[] = [];
/** Not in a bench, where the hook that closes them would print a report of no tests. */
let keepsIdle = /\.test\.ts$|\btools\/testing\//.test(process.argv[1] ?? "");
if (keepsIdle)
  after(async () => {
    keepsIdle = false;
    await Promise.all(idle.splice(0).map((host) => host.close()));
  });

/** Answers until it is closed; from then on no late statement of one test can reach the database of the next. */
function lent(host: PgliteHost): PgliteHost {
  let open = true;
  const query: PgliteHost["query"] = (sql, params) =>
    open
      ? host.query(sql, params)
      : Promise.reject(new PgliteError({ message: "the embedded database has stopped" }));
  const close = async () => {
    if (!open) return;
    open = false;
    if (keepsIdle) idle.push(host);
    else await host.close();
  };
  return new Proxy(host, {
    get: (target, name) => {
      if (name === "query") return query;
      return name === "close" ? close : Reflect.get(target, name, target);
    },
  });
}

/** As after the migrations, whatever a test did to it; null when that cannot be had. */
async function emptied(host: PgliteHost): Promise<PgliteHost | null> {
  const db = pgliteDb(host);
  try {
    // A transaction that a test left open would keep its locks.
    await host.query("rollback", []);
    await host.query("discard all", []);
    await host.query("drop schema public cascade; create schema public", []);
    await migrate(db);
    return host;
  } catch {
    await host.close();
    return null;
  }
}

const cache = join(tmpdir(), "tapewire-test");

/** Tells one state of the migrations, and of PGlite, from another. */
function migrationsHash(): string {
  const folder = join(import.meta.dirname, "..", "..", "migrations");
  const about = new URL("../package.json", import.meta.resolve("@electric-sql/pglite"));
  const hash = createHash("sha256").update(readFileSync(about));
  for (const name of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, name)));
  return hash.digest("hex").slice(0, 16);
}

/** Fills an empty data directory with a migrated embedded database: making one takes seconds, a copy does not. */
export async function seedDataDir(dataDir: string): Promise<void> {
  const path = join(cache, `data-${migrationsHash()}`);
  if (!existsSync(path)) {
    const made = `${path}.${process.pid}`;
    const db = await openDb({ databaseUrl: null, dataDir: made, log: silentLog });
    await migrate(db);
    await db[Symbol.asyncDispose]();
    try {
      renameSync(made, path);
    } catch {
      // Another test file was first.
      rmSync(made, { recursive: true, force: true });
    }
  }
  cpSync(path, dataDir, { recursive: true });
}

/** A migrated PGlite is made once per state of the migrations: a fresh one takes seconds. */
async function migratedSnapshot(): Promise<Uint8Array<ArrayBuffer>> {
  const path = join(cache, `pglite-${migrationsHash()}.tar`);
  try {
    return new Uint8Array(readFileSync(path));
  } catch {
    const host = await PgliteHost.open({ dataDir: null, snapshot: null });
    const db = pgliteDb(host);
    await migrate(db);
    const snapshot = await host.dump();
    await db[Symbol.asyncDispose]();
    mkdirSync(cache, { recursive: true });
    // Renamed into place: test files run side by side.
    const made = `${path}.${process.pid}`;
    writeFileSync(made, snapshot);
    renameSync(made, path);
    return snapshot;
  }
}
