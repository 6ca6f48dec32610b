import { type TestContext, test } from "node:test";
import { silentLog } from "../../src/runtime/log.ts";
import { type Db, openPostgres } from "../../src/store/engine/db.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
import { isFull } from "./full-length.ts";
import { seedDataDir, testPglite } from "./test-pglite.ts";
import { createDatabase, postgresUrl } from "./test-postgres.ts";

export { seedDataDir } from "./test-pglite.ts";
export { createDatabase, postgresUrl } from "./test-postgres.ts";

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
  test(`${name} [pglite]`, options, (context) => body(context, "pglite"));
  test(`${name} [postgres]`, { ...missing, ...options }, (context) => body(context, "postgres"));
}

/**
 * One test of what is above the SQL, where other tests of the same statements run on both engines: the conformance run sends
 * every call of the API to both. At full length (TAPEWIRE_CHAOS=full) it runs on both too.
 */
export function onAnyEngine(
  name: string,
  body: (context: TestContext, engine: EngineName) => Promise<void>,
): void {
  if (isFull) onBothEngines(name, body);
  else test(name, (context) => body(context, anyEngine));
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

/**
 * Settings of a migrated database for a service in a process of its own, in a test whose subject is not the engine.
 * @param folder its data directory; gone before this is disposed, or after
 */
export async function anyDatabase(
  folder: string,
): Promise<{ env: Record<string, string> } & AsyncDisposable> {
  const data = { TAPEWIRE_DATA_DIR: folder };
  if (anyEngine === "pglite") {
    await seedDataDir(folder);
    return { env: data, [Symbol.asyncDispose]: async () => {} };
  }
  const database = await createDatabase();
  return {
    env: { ...data, DATABASE_URL: database.url },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
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
