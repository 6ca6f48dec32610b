/** PostgreSQL databases for tests: copies of a migrated one, used again by the tests of a process. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { atEnd, runsManyFiles } from "../../../tools/testing/at-end.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { openPostgres } from "../../src/store/engine/db.ts";
import { migrationsHash, prepareDatabase } from "./migrated.ts";
import { rememberPristine, restorePristine, withoutWaiting } from "./pristine.ts";

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

/** Databases that tests of this process are done with: to restore one takes a fraction of the time of a new one. */
const idle: string[] = [];
let keepsIdle = runsManyFiles;
atEnd(async () => {
  keepsIdle = false;
  await Promise.all(idle.splice(0).map(drop));
  await administrator.end();
});

/** Connects when it is first asked. */
const administrator = new pg.Pool({ connectionString: postgresUrl ?? "", max: 1 });
administrator.on("error", () => {});

function adminUrl(): string {
  if (postgresUrl === null) throw new Error("no PostgreSQL");
  return postgresUrl;
}

/** The URL of a PostgreSQL database of its own, migrated and without a row of ours; gone when disposed. */
export async function createDatabase({ migrated = true } = {}): Promise<{ url: string } & AsyncDisposable> {
  const name = (migrated ? idle.pop() : undefined) ?? (await newDatabase(migrated));
  return {
    url: urlOf(name),
    [Symbol.asyncDispose]: () => (migrated && keepsIdle ? handBack(name) : drop(name)),
  };
}

async function newDatabase(migrated: boolean): Promise<string> {
  const name = temporaryName();
  const template = migrated ? ` template ${await migratedTemplate()}` : "";
  await administer(`create database ${name}${template}`);
  await administer(`alter database ${name} set ${withoutWaiting}`);
  return name;
}

const temporaryName = () => `tapewire_test_${randomUUID().replaceAll("-", "")}`;

/** Under another name, so that no late connection of the test that had it finds it. */
async function handBack(used: string): Promise<void> {
  const name = temporaryName();
  try {
    await administer(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${used}'; alter database ${used} rename to ${name}`,
    );
  } catch {
    return drop(used);
  }
  const restored = await restorePristine((statements) => execute(urlOf(name), statements)).catch(() => false);
  if (restored) idle.push(name);
  else await drop(name);
}

const drop = (name: string): Promise<void> => administer(`drop database if exists ${name} with (force)`);

function urlOf(name: string): string {
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs statements that concern databases as a whole. A process of many tests does so by one connection. */
async function administer(statements: string): Promise<void> {
  if (keepsIdle) await administrator.query(statements);
  else await execute(adminUrl(), statements);
}

/** Of other states of the migrations, which tests of another checkout may be copying. */
const mostTemplates = 6;
let template: Promise<string> | null = null;

/** A migrated database to copy: to run the migrations takes many times as long. Made once per state of the migrations. */
function migratedTemplate(): Promise<string> {
  template ??= makeTemplate();
  return template;
}

async function makeTemplate(): Promise<string> {
  const name = `tapewire_template_${migrationsHash()}`;
  const client = new pg.Client({ connectionString: adminUrl() });
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
    const db = await openPostgres(urlOf(made), silentLog);
    await prepareDatabase(db);
    await db[Symbol.asyncDispose]();
    await rememberPristine((statements) => execute(urlOf(made), statements));
    await client.query(`alter database ${made} rename to ${name}`);
    return name;
  } finally {
    await client.end();
  }
}

async function execute(url: string, statements: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found: unknown = await client.query(statements);
    return found instanceof pg.Result ? found.rows : [];
  } finally {
    await client.end();
  }
}
