import assert from "node:assert/strict";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import pg from "pg";
import { startApp } from "../../src/app/app.ts";
import { startFailure } from "../../src/app/start-failure.ts";
import { readConfig } from "../../src/config/config.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { type Db, openDb, openPostgres } from "../../src/store/engine/db.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
import { callCommand } from "../support/command.ts";
import { createDatabase, onBothEngines, onPostgres, seedDataDir } from "../support/db.ts";
import { listenLocally } from "../support/http.ts";
import { runToEnd, temporaryFolder } from "../support/process.ts";
import { until } from "../support/receiver.ts";

const migrations = join(import.meta.dirname, "..", "..", "migrations");

/** The migrations, and one more that changes tables, the log's head unless told. */
function laterMigrations(folder: string, tables: readonly string[] = ["log_head"]): string {
  const later = join(folder, "migrations");
  cpSync(migrations, later, { recursive: true });
  const changes = tables.map((table) => `alter table ${table} add column later int;`);
  writeFileSync(join(later, "0099_later.sql"), changes.join("\n"));
  return later;
}

onBothEngines("an older version says which is newer, in a line, and ends with 2", async (_, engine) => {
  using folder = temporaryFolder();
  await using database = engine === "postgres" ? await createDatabase() : null;
  if (database === null) await seedDataDir(folder.path);
  const databaseUrl = database?.url ?? null;
  let before: number;
  {
    await using db = await openDb({ databaseUrl, dataDir: folder.path, log: silentLog });
    before = await schemaOf(db);
    await migrate(db, { folder: laterMigrations(folder.path), version: "9.8.7" });
  }
  const env = {
    TAPEWIRE_DATA_DIR: folder.path,
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  };
  const line = `the database was migrated by Tapewire 9.8.7 (schema 99); this is Tapewire 0.1.0 (schema ${before}): start the newer version, or restore a backup\n`;
  // One as a process, which ends with the code that the other names.
  if (engine === "postgres") assert.deepEqual(await runToEnd(env), { code: 2, told: `tapewire: ${line}` });
  else
    assert.deepEqual(startFailure(await started({ ...quiet, ...env })), {
      exitCode: 2,
      message: `tapewire: ${line.trimEnd()}`,
    });
  const dump = join(folder.path, "dump.ndjson");
  // They open the database by the same way; one on each engine shows that both use it.
  writeFileSync(dump, "");
  const command = engine === "postgres" ? "export" : "import";
  assert.deepEqual(await callCommand([command, dump], env), { code: 2, out: "", err: line });
});

/** The number of its newest migration. */
async function schemaOf(db: Db): Promise<number> {
  const { rows } = await sql<{ name: string }>`select max(name) as name from kysely_migration`.execute(
    db.main,
  );
  return Number(rows[0]?.name.slice(0, 4));
}

onPostgres("a migration that another session blocks ends, and names that session", async () => {
  using folder = temporaryFolder();
  await using database = await createDatabase({ migrated: false });
  await using db = await openPostgres(database.url, silentLog);
  await migrate(db);
  const blocker = new pg.Client({ connectionString: database.url, application_name: "a report" });
  await blocker.connect();
  await blocker.query("begin; select from log_head");
  const { rows } = await blocker.query<{ pid: number }>("select pg_backend_pid() as pid");
  const blocked = migrate(db, { folder: laterMigrations(folder.path), lockMs: 300 });
  await assert.rejects(blocked, {
    name: "StartError",
    message: new RegExp(
      `^0099_later .*session ${rows[0]?.pid} \\(a report, .*idle in transaction.*\\)[^\\n]*$`,
    ),
  });
  await blocker.end();
  await migrate(db, { folder: laterMigrations(folder.path), lockMs: 300 });
});

onPostgres("a migration that meets a deadlock with a service at work is done anew", async () => {
  using folder = temporaryFolder();
  await using database = await createDatabase({ migrated: false });
  const service = new pg.Client({ connectionString: database.url });
  await service.connect();
  // Who waits looks for a deadlock once, after this time: the migration is to find it, however late the service comes.
  await service.query(
    "do $$ begin execute format('alter database %I set deadlock_timeout = 3000', current_database()); end $$",
  );
  await service.query("set deadlock_timeout = '1min'");
  await using db = await openPostgres(database.url, silentLog);
  await migrate(db);
  await service.query("begin; select from accounts");
  const migrated = migrate(db, { folder: laterMigrations(folder.path, ["log_head", "accounts"]) });
  const waiting = sql`select from pg_locks where not granted and relation = 'accounts'::regclass`;
  await until(async () => (await waiting.execute(db.main)).rows.length > 0, "it waits");
  await service.query("select from log_head");
  await service.end();
  assert.equal(await migrated, null);
});

onPostgres("two that start at once migrate once; the second waits, and not for ever", async () => {
  await using database = await createDatabase({ migrated: false });
  await using first = await openPostgres(database.url, silentLog);
  await using second = await openPostgres(database.url, silentLog);
  await Promise.all([migrate(first), migrate(second)]);
  const working = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const migrating = holdingTheTurn(first, working.resolve, ended.promise);
  await working.promise;
  await assert
    .rejects(migrate(second, { turnMs: 300 }), {
      name: "StartError",
      message: /^another process migrates this database, .*: session \d+ \(tapewire, .*\)[^\n]+$/,
    })
    .finally(ended.resolve);
  await migrating;
  await migrate(second, { turnMs: 300 });
});

/** What a migration of an hour does to others. */
async function holdingTheTurn(db: Db, begun: () => void, end: Promise<void>): Promise<void> {
  await db.slow.connection().execute(async (session) => {
    await sql`select pg_advisory_lock(7239, 0)`.execute(session);
    begun();
    await end;
    await sql`select pg_advisory_unlock(7239, 0)`.execute(session);
  });
}

onPostgres("what the database refuses at the start is told in a line, with exit code 1", async () => {
  using folder = temporaryFolder();
  await using database = await createDatabase({ migrated: false });
  await using closed = await listenLocally(() => {});
  const unreachable = new URL(database.url);
  unreachable.port = new URL(closed.origin).port;
  await closed[Symbol.asyncDispose]();
  const absent = new URL(database.url);
  absent.pathname = "/tapewire_test_absent";
  const readOnly = new URL(database.url);
  readOnly.searchParams.set("options", "-c default_transaction_read_only=on");
  const refused = (url: URL, line: RegExp) =>
    assertRefused({ TAPEWIRE_DATA_DIR: folder.path, DATABASE_URL: url.href }, 1, line);
  // The token of the admin API is kept in the data directory, whatever the database.
  const file = join(folder.path, "file");
  writeFileSync(file, "");
  await Promise.all([
    refused(unreachable, /DATABASE_URL: .*ECONNREFUSED/),
    refused(absent, /DATABASE_URL: .*does not exist.*createdb/),
    refused(readOnly, /read-only transaction/),
    assertRefused({ TAPEWIRE_DATA_DIR: join(file, "data"), DATABASE_URL: database.url }, 1, /ENOTDIR/),
  ]);
});

test("what is wrong around it is told in a line: 1, or 2 where a setting or a file of settings is wrong", async () => {
  using folder = temporaryFolder();
  await seedDataDir(folder.path);
  await using taken = await listenLocally(() => {});
  const { port } = new URL(taken.origin);
  const file = join(folder.path, "file");
  writeFileSync(file, "{");
  mkdirSync(join(folder.path, "sources"));
  const data = { TAPEWIRE_DATA_DIR: folder.path };
  // Only the first gets as far as the embedded database, which has one process.
  await Promise.all([
    assertRefused({ ...data, TAPEWIRE_PORT: port }, 1, /cannot listen on .*EADDRINUSE/),
    assertRefused({ TAPEWIRE_DATA_DIR: join(file, "data") }, 1, /data directory .*ENOTDIR/),
    assertRefused({ ...data, TAPEWIRE_SOURCES: file }, 2, /file: /),
    assertRefused({ ...data, TAPEWIRE_SOURCES: join(folder.path, "sources") }, 2, /EISDIR/),
    assertRefused({ ...data, TAPEWIRE_PLANS: join(folder.path, "none") }, 2, /ENOENT/),
    assertRefused({ ...data, TAPEWIRE_PORT: "70000" }, 2, /TAPEWIRE_PORT: /),
  ]);
});

const quiet = {
  TAPEWIRE_PORT: "0",
  TAPEWIRE_DEMO: "off",
  TAPEWIRE_FEED_MODEL: "flash",
  TAPEWIRE_LOG_LEVEL: "error",
} as const;

/** Starts the service in this process; the first test, and data-dir.test.ts, start one and see how it ends. */
async function assertRefused(env: Record<string, string>, code: number, line: RegExp): Promise<void> {
  const { exitCode, message } = startFailure(await started({ ...quiet, ...env }));
  assert.match(message, /^tapewire: [^\n]+$/);
  assert.match(message, line);
  assert.equal(exitCode, code, message);
}

async function started(env: Record<string, string>): Promise<unknown> {
  try {
    await using _ = await startApp(readConfig(env), { log: silentLog });
  } catch (error) {
    return error;
  }
  return null;
}
