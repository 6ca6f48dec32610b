/** PostgreSQL databases for tests: copies of a migrated one, used again by the tests of a process. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { atEnd, runsManyFiles } from "../../../tools/testing/at-end.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { openPostgres } from "../../src/store/engine/db.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
import { migrationsHash } from "./migrated.ts";
import { rememberPristine, restorePristine } from "./pristine.ts";

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
  const admin = postgresUrl;
  if (admin !== null) await Promise.all(idle.splice(0).map((name) => drop(admin, name)));
});

/** The URL of a PostgreSQL database of its own, migrated and without a row of ours; gone when disposed. */
export async function createDatabase({ migrated = true } = {}): Promise<{ url: string } & AsyncDisposable> {
  if (postgresUrl === null) throw new Error("no PostgreSQL");
  const admin = postgresUrl;
  const name = (migrated ? idle.pop() : undefined) ?? (await newDatabase(admin, migrated));
  return {
    url: urlOf(admin, name),
    [Symbol.asyncDispose]: () => (migrated && keepsIdle ? handBack(admin, name) : drop(admin, name)),
  };
}

async function newDatabase(admin: string, migrated: boolean): Promise<string> {
  const name = temporaryName();
  const template = migrated ? ` template ${await migratedTemplate(admin)}` : "";
  await execute(admin, `create database ${name}${template}`);
  return name;
}

const temporaryName = () => `tapewire_test_${randomUUID().replaceAll("-", "")}`;

/** Under another name, so that no late connection of the test that had it finds it. */
async function handBack(admin: string, used: string): Promise<void> {
  const name = temporaryName();
  try {
    await execute(
      admin,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${used}'; alter database ${used} rename to ${name}`,
    );
  } catch {
    return drop(admin, used);
  }
  const restored = await restorePristine((statements) => execute(urlOf(admin, name), statements)).catch(
    () => false,
  );
  if (restored) idle.push(name);
  else await drop(admin, name);
}

const drop = async (admin: string, name: string): Promise<void> => {
  await execute(admin, `drop database if exists ${name} with (force)`);
};

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
    await rememberPristine((statements) => execute(urlOf(admin, made), statements));
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
