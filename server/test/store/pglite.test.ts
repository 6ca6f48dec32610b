import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { pgliteDb } from "../../src/store/engine/db.ts";
import { PgliteHost } from "../../src/store/engine/pglite.ts";
import { seedDataDir, testDb } from "../support/db.ts";
import { temporaryFolder } from "../support/process.ts";

/** On a data directory that is there. */
async function openHost(folder: string): Promise<PgliteHost> {
  await seedDataDir(folder);
  return PgliteHost.open({ dataDir: join(folder, "pglite"), snapshot: null });
}

test("when the database's worker dies, statements fail at once and the service is told", async () => {
  using folder = temporaryFolder();
  const host = await openHost(folder.path);
  await using db = pgliteDb(host);
  const running = sql`select pg_sleep(60)`.execute(db.main);
  await host.abandon();
  await assert.rejects(running, { name: "PgliteError" });
  assert.match((await db.failed).message, /stopped/);
  await assert.rejects(sql`select 1`.execute(db.main), { name: "PgliteError" });
});

test("closing ends well when the worker dies meanwhile, and is told to nobody as a failure", async () => {
  using folder = temporaryFolder();
  const host = await openHost(folder.path);
  const closing = host.close();
  await host.abandon();
  await closing;
  await host.close();
  assert.equal(await Promise.race([host.failed, Promise.resolve("no failure")]), "no failure");
});

test("a failed statement carries its SQLSTATE and leaves the session usable", async () => {
  await using db = await testDb("pglite");
  await assert.rejects(sql`select 1 / 0`.execute(db.main), { name: "PgliteError", code: "22012" });
  const broken = db.main.transaction().execute(async (tx) => {
    await sql`create table kept (n int)`.execute(tx);
    await sql`select * from missing`.execute(tx);
  });
  await assert.rejects(broken, { code: "42P01" });
  const { rows } = await sql<{ there: boolean }>`select to_regclass('kept') is not null as there`.execute(
    db.main,
  );
  assert.deepEqual(rows, [{ there: false }]);
});
