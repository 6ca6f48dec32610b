import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { feedList } from "@tapewire/contract/feeds.ts";
import { sql } from "kysely";
import { silentLog } from "../../src/runtime/log.ts";
import { openDb } from "../../src/store/engine/db.ts";
import { callCommand, runCommand } from "../support/command.ts";
import { createDatabase, onPostgres, seedDataDir } from "../support/db.ts";
import { type Service, startService } from "../support/service.ts";

const folder = mkdtempSync(join(tmpdir(), "tapewire-export-"));
after(() => rmSync(folder, { recursive: true }));

const run = (args: readonly string[], env: Record<string, string>, input = "") =>
  callCommand(args, env, { input });
/** As a process. */
const spawned = (args: readonly string[], env: Record<string, string>, input = "") =>
  runCommand(args, env, { input, cwd: folder });

test("export of one embedded database and import into another carry items, accounts and keys", async () => {
  const base = mkdtempSync(join(tmpdir(), "tapewire-backup-"));
  const from = join(base, "from");
  const to = join(base, "to");
  const file = join(base, "backup.ndjson");
  try {
    const read = async (service: Service, key: string) =>
      feedList.parse(await (await service.get("/v1/feeds", key)).json());
    await Promise.all([from, to].map(seedDataDir));
    const filled = async () => {
      await using service = await startService("pglite", { dataDir: from });
      const { key, id } = await service.key("pro");
      await service.push(
        { title: "Orbitex Robotics raises full-year guidance", symbols: ["DEMO:OBTX"], body: "In full." },
        { title: "Told \u2028 in \\ other 'words' \ud83d\ude00", published_at: "2025-01-31T23:59:59.999Z" },
      );
      const list = await read(service, key);
      const running = await spawned(["export", file], { TAPEWIRE_DATA_DIR: from });
      assert.equal(running.code, 1, "a running service holds its directory");
      assert.match(running.err, /in use by process \d+\. Stop it first\.\n$/);
      const moving = await run(["move", "--to", "postgres://127.0.0.1:1/x"], { TAPEWIRE_DATA_DIR: from });
      assert.equal(moving.code, 1);
      assert.match(moving.err, /in use by process \d+\. Stop it first\. The database is as it was\.\n$/);
      return { key, id, list };
    };
    const { key, id, list } = await filled();
    const exported = await spawned(["export", file], { TAPEWIRE_DATA_DIR: from });
    assert.equal(exported.code, 0, exported.err);
    // It holds the hashes of keys.
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.ok(!readFileSync(file, "utf8").includes(key));
    const imported = await spawned(["import", "-"], { TAPEWIRE_DATA_DIR: to }, readFileSync(file, "utf8"));
    assert.equal(imported.code, 0, imported.err);
    assert.equal(imported.err.match(/\d+/)?.[0], exported.err.match(/\d+/)?.[0]);

    await using service = await startService("pglite", { dataDir: to });
    assert.equal(service.app.firstKey, null);
    assert.deepEqual(await read(service, key), list);
    const [repeat] = await service.push({
      title: "Orbitex Robotics raises full-year guidance",
      symbols: ["DEMO:OBTX"],
    });
    assert.equal(repeat?.status, "duplicate");
    await service.push({ title: "Later", published_at: new Date().toISOString() });
    assert.equal((await read(service, key)).data[0]?.seq, 3);
    assert.equal((await service.admin("DELETE", `/admin/v1/keys/${id}`)).status, 200);
  } finally {
    rmSync(base, { recursive: true });
  }
});

test("an export of nothing says so in one line, and makes and harms no file", async () => {
  const dataDir = join(folder, "none");
  const backup = join(folder, "yesterday.ndjson");
  writeFileSync(backup, "kept");
  const refused = await run(["export", backup], { TAPEWIRE_DATA_DIR: dataDir });
  assert.equal(refused.code, 1);
  assert.match(refused.err, /^There is no database in .*\n$/);
  assert.deepEqual([existsSync(dataDir), readFileSync(backup, "utf8")], [false, "kept"]);
});

test("an export that fails midway leaves the dump before it as it was, and no part of its own", async () => {
  const base = join(folder, "midway");
  const dataDir = join(base, "data");
  const file = join(base, "backup.ndjson");
  await seedDataDir(dataDir);
  const open = () => openDb({ databaseUrl: null, dataDir, log: silentLog });
  {
    await using db = await open();
    // A row of the last table that cannot be read, as one on a bad block of a disk.
    await sql`alter table pending_documents rename to kept`.execute(db.main);
    await sql`create view pending_documents as select 1 / (select count(*) from kept) as seq`.execute(
      db.main,
    );
  }
  writeFileSync(file, "kept");
  const failed = await run(["export", file], { TAPEWIRE_DATA_DIR: dataDir });
  assert.equal(failed.code, 1, failed.err);
  assert.equal(readFileSync(file, "utf8"), "kept");
  assert.ok(!existsSync(`${file}.part`));
  {
    await using db = await open();
    await sql`drop view pending_documents`.execute(db.main);
    await sql`alter table kept rename to pending_documents`.execute(db.main);
  }
  // What an export that was killed left behind, which others may read.
  writeFileSync(`${file}.part`, "cut", { mode: 0o644 });
  const exported = await run(["export", file], { TAPEWIRE_DATA_DIR: dataDir });
  assert.equal(exported.code, 0, exported.err);
  assert.match(readFileSync(file, "utf8"), /^{"format":"tapewire-dump"[\s\S]*\n{"end":\d+}\n$/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.ok(!existsSync(`${file}.part`));
});

onPostgres("a bare database and a dump that is cut are refused in one line each", async () => {
  await using database = await createDatabase({ migrated: false });
  const env = { DATABASE_URL: database.url };
  const backup = join(folder, "yesterday.ndjson");
  writeFileSync(backup, "kept");
  const bare = await run(["export", backup], env);
  assert.deepEqual([bare.code, bare.err], [1, "the database has no Tapewire tables\n"]);
  assert.equal(readFileSync(backup, "utf8"), "kept");
  const cut = await run(["import", "-"], env, '{"format":"tapewire-dump","version":1}\n');
  assert.equal(cut.code, 1);
  assert.match(cut.err, /^the dump is cut short.*start again with an empty database\.\n$/);
});
