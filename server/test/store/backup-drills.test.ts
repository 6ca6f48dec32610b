/** The drills of docs/backups.md: what an operator may meet, done to real backups. */
import assert from "node:assert/strict";
import fs, { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { after, before, describe, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { feedList } from "@tapewire/contract/feeds.ts";
import { backup } from "@tapewire/contract/operator/backups.ts";
import { sql } from "kysely";
import { silentLog } from "../../src/runtime/log.ts";
import { ArchiveError, engineFile, type Manifest, pack, unpack } from "../../src/store/backup/archive.ts";
import { BackupRefused, Backups } from "../../src/store/backup/backups.ts";
import { restoreBackup } from "../../src/store/backup/restore.ts";
import { DataDirError } from "../../src/store/engine/data-dir.ts";
import { openDb } from "../../src/store/engine/db.ts";
import { runCommand, startCommand } from "../support/command.ts";
import { seedDataDir } from "../support/db.ts";
import { spawnService, temporaryFolder } from "../support/process.ts";
import { type Service, startService } from "../support/service.ts";
import { fill, smallDisk } from "../support/small-disk.ts";
import { notices } from "../support/stream-connect.ts";

const underWay = (dataDir: string) => join(dataDir, "backups", "under-way");
/** Looks all the time: what is waited for is there for a moment. Not in every turn, which takes the processor from those that make it. */
async function untilThere(isThere: () => boolean): Promise<void> {
  while (!isThere()) await sleep(1);
}
const packing = (dataDir: string) =>
  existsSync(underWay(dataDir)) && readdirSync(underWay(dataDir)).some((name) => name.endsWith(".zst"));

/** A backup of a service with some items. */
async function someBackup(folder: string): Promise<string> {
  await seedDataDir(folder);
  await using service = await startService("pglite", { dataDir: folder, demo: "off" });
  await service.push(...notices(5));
  return backup.parse(await (await service.admin("POST", "/admin/v1/backups")).json()).path;
}

describe("drills with a backup", () => {
  const folder = temporaryFolder();
  let path = "";
  before(async () => {
    path = await someBackup(join(folder.path, "origin"));
  });
  after(() => folder[Symbol.dispose]());

  /** The same backup after something was changed in it. */
  async function changed(
    name: string,
    change: (inside: string, about: Manifest) => Promise<Manifest>,
  ): Promise<string> {
    const inside = join(folder.path, name);
    mkdirSync(inside);
    const about = await change(inside, await unpack(path, inside));
    const file = join(folder.path, `${name}.tar.zst`);
    await pack(inside, file, { about, signal: new AbortController().signal });
    return file;
  }

  test("one of another engine, of a newer schema, or with other numbers than it says is not restored", async () => {
    const target = join(folder.path, "refused");
    const isRefused = async (file: string, kind: abstract new (...args: never[]) => Error, told: RegExp) => {
      await assert.rejects(
        restoreBackup(file, target, silentLog),
        (error) => error instanceof kind && told.test(error.message),
        file,
      );
      assert.ok(!existsSync(target));
    };
    const engine = await changed("engine", async (inside, about) => {
      writeFileSync(join(inside, engineFile), "0.1");
      return about;
    });
    await isRefused(engine, DataDirError, /0\.1/);
    const newer = await changed("newer", async (inside, about) => {
      await using db = await openDb({ databaseUrl: null, dataDir: inside, log: silentLog });
      await sql`insert into kysely_migration (name, timestamp) values ('0999_later', 'now')`.execute(db.main);
      return about;
    });
    const command = await runCommand(["restore", newer], { TAPEWIRE_DATA_DIR: target });
    assert.equal(command.code, 2);
    assert.match(command.err, /^the database was migrated by .*schema 999\); this is Tapewire.*\n$/);
    assert.ok(!existsSync(target));
    const other = await changed("other", async (_, about) => ({ ...about, items: about.items + 1 }));
    await isRefused(other, ArchiveError, /says 6 items up to 5, and its database has 5 up to 5/);
  });

  test("a restore that is killed is begun again", async () => {
    const target = join(folder.path, "killed");
    mkdirSync(target);
    const aside = join(target, "restore-under-way");
    const restoring = startCommand(["restore", path], { TAPEWIRE_DATA_DIR: target });
    await untilThere(() => existsSync(join(aside, "pglite")));
    restoring.child.kill("SIGKILL");
    await restoring.outcome();
    assert.ok(existsSync(aside) && !existsSync(join(target, "pglite")), "it was in the middle of it");
    assert.equal((await restoreBackup(path, target, silentLog)).items, 5);
    assert.deepEqual(readdirSync(target).toSorted(), ["pglite"]);
  });

  test("a restore onto a disk without room leaves nothing, and is done when there is room", async (context) => {
    const target = join(folder.path, "small");
    mkdirSync(target);
    using disk = smallDisk(target);
    if (disk === null) return context.skip("no file system can be mounted here");
    const makeRoom = await fill(target, 4);
    const { code, err } = await runCommand(["restore", path], { TAPEWIRE_DATA_DIR: target });
    assert.deepEqual([code, /^ENOSPC.*\n$/.test(err)], [1, true], err);
    assert.deepEqual(readdirSync(target), ["filler"]);
    makeRoom();
    assert.equal((await restoreBackup(path, target, silentLog)).items, 5);
  });
});

/** Lists and probes are answered however long the files of the embedded database are copied. */
async function answersWhileCopied(service: Service, key: string, context: TestContext): Promise<void> {
  const statuses = () => {
    const paths = ["/livez", "/readyz", "/v1/feeds", "/v1/feeds?limit=1"];
    return Promise.all(paths.map(async (path) => (await service.get(path, key)).status));
  };
  const answered = [200, 200, 200, 200];
  assert.deepEqual(await statuses(), answered);
  const [isCopying, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { cp } = fs.promises;
  context.mock.method(fs.promises, "cp", async (...files: Parameters<typeof cp>) => {
    isCopying.resolve();
    await goesOn.promise;
    return cp(...files);
  });
  syncBuiltinESMExports();
  const now = performance.now.bind(performance);
  const time = { aheadMs: 0 };
  context.mock.method(performance, "now", () => now() + time.aheadMs);
  try {
    const making = service.admin("POST", "/admin/v1/backups");
    await isCopying.promise;
    for (const minutes of [1, 10]) {
      time.aheadMs = minutes * 60_000;
      assert.deepEqual(await statuses(), answered);
    }
    goesOn.resolve();
    assert.deepEqual(await statuses(), answered);
    assert.ok((await making).ok);
  } finally {
    goesOn.resolve();
    context.mock.restoreAll();
    syncBuiltinESMExports();
  }
}

test("a service that is killed while it copies or packs a backup has its database, no half file, and makes the next one", async (context) => {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, "data");
  mkdirSync(dataDir);
  await seedDataDir(dataDir);
  const settings = {
    TAPEWIRE_DATA_DIR: dataDir,
    TAPEWIRE_ADMIN_TOKEN: "t".repeat(32),
    TAPEWIRE_DEMO: "off",
  };
  const call = (url: string, to: string, body: unknown = undefined) =>
    fetch(`${url}/admin/v1/${to}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${settings.TAPEWIRE_ADMIN_TOKEN}`,
        "content-type": "application/json",
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const copies = () => existsSync(join(underWay(dataDir), "pglite"));
  for (const isThere of [copies, () => packing(dataDir)]) {
    await using service = await spawnService(settings);
    assert.equal((await call(service.url, "items", notices(20))).status, 200);
    const cut = assert.rejects(call(service.url, "backups"));
    await untilThere(isThere);
    await service.end("SIGKILL");
    await cut;
    assert.ok(existsSync(underWay(dataDir)), "it was in the middle of it");
    assert.deepEqual(readdirSync(join(dataDir, "backups")), ["under-way"]);
  }
  await using service = await startService("pglite", { dataDir, demo: "off" });
  const { key } = await service.key("enterprise");
  const list = feedList.parse(await (await service.get("/v1/feeds?limit=1000", key)).json());
  assert.equal(list.data.length, 40);
  const made = backup.parse(await (await service.admin("POST", "/admin/v1/backups")).json());
  assert.deepEqual(readdirSync(join(dataDir, "backups")), [made.name]);
  await answersWhileCopied(service, key, context);
  assert.equal((await restoreBackup(made.path, join(folder.path, "restored"), silentLog)).items, 40);
});

/** Backups of a database, on a small disk of their own. */
async function backupsOnSmallDisk(context: TestContext) {
  const stack = new AsyncDisposableStack();
  const { path } = stack.use(temporaryFolder());
  await seedDataDir(path);
  const db = stack.use(await openDb({ databaseUrl: null, dataDir: path, log: silentLog }));
  const place = join(path, "backups");
  mkdirSync(place);
  const disk = smallDisk(place);
  if (disk === null) context.skip("no file system can be mounted here");
  else stack.use(disk);
  const clock = { now: () => new Date("2026-03-02T03:00:00Z"), sleep: () => Promise.resolve() };
  const backups = stack.use(new Backups({ db, dataDir: path, clock, log: silentLog, everyHours: 0 }));
  return { hasDisk: disk !== null, path, place, backups, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test("a disk that is too full, or fills while a backup is made: it is refused in words, leaves nothing, and the next one is made", async (context) => {
  await using at = await backupsOnSmallDisk(context);
  if (!at.hasDisk) return;
  const makeRoomAtFirst = await fill(at.place, 8);
  await assert.rejects(
    at.backups.make(),
    (error) =>
      error instanceof BackupRefused &&
      /^A backup needs \d+ MB for a moment, and the disk has \d MB left$/.test(error.message),
  );
  assert.deepEqual(readdirSync(at.place), ["filler"], "it is known before anything is written");
  makeRoomAtFirst();
  for (const isThere of [() => existsSync(join(underWay(at.path), "pglite")), () => packing(at.path)]) {
    const refused = assert.rejects(
      at.backups.make(),
      (error) => error instanceof BackupRefused && error.message === "The disk is full",
    );
    await untilThere(isThere);
    const makeRoom = await fill(at.place, 0);
    await refused;
    assert.deepEqual(readdirSync(at.place), ["filler"]);
    makeRoom();
  }
  const { path } = await at.backups.make();
  using target = temporaryFolder();
  assert.equal((await restoreBackup(path, target.path, silentLog)).items, 0);
});
