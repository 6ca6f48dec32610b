/**
 * Moving an embedded database elsewhere. The older PGlite of an upgrade is our own in its name; with TAPEWIRE_CHAOS=full it is
 * the newest of that series, which npm installs, and which makes its database anew.
 */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { installEngine } from "../../../cli/src/commands/database/older-engine.ts";
import { inProcessBus } from "../../src/bus/bus.ts";
import { Sequencer } from "../../src/itemlog/append.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { ItemWriter } from "../../src/store/append/item-writer.ts";
import { checkDataDirVersion, DataDirError, pgliteSeries } from "../../src/store/engine/data-dir.ts";
import { type Db, openDb, openPostgres, pgliteDb } from "../../src/store/engine/db.ts";
import { PgliteHost } from "../../src/store/engine/pglite.ts";
import { itemsAfter, logHead } from "../../src/store/log/item-reads.ts";
import { Partitions } from "../../src/store/log/partitions.ts";
import { moveToPostgres } from "../../src/store/moving/move.ts";
import { type InstalledEngine, upgradeDataDir } from "../../src/store/moving/upgrade.ts";
import { DumpError } from "../../src/store/schema/dump.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
import { callCommand, runCommand } from "../support/command.ts";
import { createDatabase, onPostgres, seedDataDir } from "../support/db.ts";
import { isFull } from "../support/full-length.ts";
import { newItem } from "../support/items.ts";
import { temporaryFolder } from "../support/process.ts";
import { makeAccount, makeEndpoint } from "../support/webhooks.ts";

/** Items of several months, a revision, an account with an endpoint. @returns the log */
async function fill(db: Db) {
  const items = Array.from({ length: 450 }, (_, n) =>
    newItem({
      uniqueId: `guid:${n}`,
      publishedAt: new Date(Date.UTC(2026, n % 5, 3)).toISOString(),
      contentKey: "1",
    }),
  );
  await using sequencer = new Sequencer(new ItemWriter(db, new Partitions()), inProcessBus(), silentLog);
  await sequencer.append({ items, sourceId: "a" });
  const [first] = items;
  if (first !== undefined)
    await sequencer.append({
      items: [{ ...first, contentKey: "2", item: { ...first.item, title: "R" } }],
      sourceId: "a",
    });
  await makeEndpoint(db, { accountId: await makeAccount(db), url: "https://1.1.1.1/" });
  return { log: await itemsAfter(db.main, 0, 1_000), head: await logHead(db.main) };
}

async function isTheSame(db: Db, { log, head }: Awaited<ReturnType<typeof fill>>): Promise<void> {
  assert.deepEqual(await itemsAfter(db.main, 0, 1_000), log);
  const now = await logHead(db.main);
  assert.equal(now.lastSeq, head.lastSeq);
  assert.notEqual(now.epoch, head.epoch, "its cursors are of another place");
}

onPostgres("move copies the embedded database into an empty PostgreSQL: all of it, or nothing", async () => {
  using folder = temporaryFolder();
  await using database = await createDatabase({ migrated: false });
  await seedDataDir(folder.path);
  const open = () => openDb({ databaseUrl: null, dataDir: folder.path, log: silentLog });
  let before: Awaited<ReturnType<typeof fill>>;
  {
    await using embedded = await open();
    before = await fill(embedded);
    await assert.rejects(moveToPostgres(folder.path, database.url, silentLog), DataDirError);
    // A row that the other database refuses: nothing of what was copied before it may stay.
    await sql`alter table story_sketches drop constraint story_sketches_pkey`.execute(embedded.main);
    for (let n = 0; n < 2; n++)
      await sql`insert into story_sketches (seq, id, seen_at, sketch) values (1, gen_random_uuid(), now(), '{}')`.execute(
        embedded.main,
      );
  }
  await assert.rejects(moveToPostgres(folder.path, database.url, silentLog), DumpError);
  {
    await using embedded = await open();
    await sql`delete from story_sketches`.execute(embedded.main);
  }
  const env = { TAPEWIRE_DATA_DIR: folder.path };
  const moved = await runCommand(["move", "--to", database.url], env);
  assert.equal(moved.code, 0, moved.err);
  await using db = await openPostgres(database.url, silentLog);
  await isTheSame(db, before);
  const again = await callCommand(["move", "--to", database.url], env);
  assert.equal(again.code, 1);
  assert.match(again.err, /has accounts or items already: name an empty database/);
  const nowhere = await callCommand(["move", "--to", "data.ndjson"], env);
  assert.equal(nowhere.code, 2);
  await renewsWhatIsLost(folder.path);
});

/** What the command says of a data directory with an endpoint and without the secret; its two other ends are in sealed-secrets.test.ts. */
async function renewsWhatIsLost(dataDir: string): Promise<void> {
  const env = { TAPEWIRE_DATA_DIR: dataDir };
  const looked = await runCommand(["secret"], env);
  assert.equal(looked.code, 1, looked.err);
  assert.match(looked.out, /^The secret is lost, and with it the signing secrets of 1 webhook endpoint:\n/);
  assert.match(looked.out, /https:\/\/1\.1\.1\.1\/\n[\s\S]*run: tapewire secret renew\n/);
  assert.equal(existsSync(join(dataDir, "secret")), false, "looking makes none");
  const renewed = await runCommand(["secret", "renew"], env);
  assert.equal(renewed.code, 0, renewed.err);
  assert.match(
    renewed.out,
    /^1 webhook endpoint got a new signing secret:\n[\s\S]*GET \/v1\/webhooks\/\{id\}/,
  );
  const again = await callCommand(["secret", "renew"], env);
  assert.deepEqual([again.code, again.out], [1, ""]);
  assert.match(again.err, /^nothing is lost: .*`tapewire webhooks rotate ID`/);
}

const older = "0.4";

/** Our own, in the name of an older one. */
const ownEngine: InstalledEngine = {
  module: import.meta.resolve("@electric-sql/pglite"),
  version: `${older}.0`,
  [Symbol.asyncDispose]: async () => {},
};

/** A database as a service of that PGlite leaves it. @returns its log */
async function fillOlder(dataDir: string, engine: InstalledEngine) {
  if (!isFull) await seedDataDir(dataDir);
  const options = { dataDir: join(dataDir, "pglite"), snapshot: null, engine: engine.module };
  await using db = pgliteDb(await PgliteHost.open(options));
  await migrate(db);
  const before = await fill(db);
  writeFileSync(join(dataDir, "pglite-version"), `${older}\n`);
  return before;
}

test("upgrade writes the database of an older PGlite anew, and finishes what was cut short", async (context) => {
  const engine = isFull ? await installEngine(older).catch(() => null) : ownEngine;
  if (engine === null) return context.skip("the registry of npm is not reachable");
  await using _installed = engine;
  const install = async () => ({ ...engine, [Symbol.asyncDispose]: async () => {} });
  using folder = temporaryFolder();
  const dataDir = folder.path;
  const before = await fillOlder(dataDir, engine);
  assert.throws(() => checkDataDirVersion(dataDir), DataDirError);
  const broken = () =>
    Promise.resolve({ ...engine, module: "file:///nothing.js", [Symbol.asyncDispose]: async () => {} });
  await assert.rejects(upgradeDataDir(dataDir, broken, silentLog));
  assert.deepEqual(readdirSync(dataDir).sort(), ["pglite", "pglite-version"], "the directory is as it was");

  const done = await upgradeDataDir(dataDir, install, silentLog);
  assert.deepEqual([done?.from.startsWith(older), done?.to], [true, pgliteSeries()]);
  assert.equal(readFileSync(join(dataDir, "pglite-version"), "utf8").trim(), pgliteSeries());
  assert.equal(await upgradeDataDir(dataDir, install, silentLog), null);

  // As a run leaves it that was killed between the two renames.
  const aside = join(dataDir, "upgrade-under-way");
  mkdirSync(aside);
  renameSync(join(dataDir, "pglite"), join(aside, "pglite"));
  renameSync(join(dataDir, "pglite-version"), join(aside, "pglite-version"));
  writeFileSync(join(aside, "whole"), "");
  writeFileSync(join(dataDir, "pglite-version"), `${older}\n`);
  await upgradeDataDir(dataDir, install, silentLog);
  assert.equal(existsSync(aside), false);
  await using db = await openDb({ databaseUrl: null, dataDir, log: silentLog });
  await isTheSame(db, before);
});
