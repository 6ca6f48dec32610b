import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { feedList } from "@tapewire/contract/feeds.ts";
import { backup, backupList } from "@tapewire/contract/operator/backups.ts";
import { createLog, silentLog } from "../../src/runtime/log.ts";
import { ArchiveError } from "../../src/store/backup/archive.ts";
import { BackupRefused, Backups } from "../../src/store/backup/backups.ts";
import { restoreBackup } from "../../src/store/backup/restore.ts";
import { DataDirError } from "../../src/store/engine/data-dir.ts";
import { openDb } from "../../src/store/engine/db.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
import { onPostgres, seedDataDir } from "../support/db.ts";
import { temporaryFolder } from "../support/process.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { type Service, startService } from "../support/service.ts";
import { connect, notices } from "../support/stream-connect.ts";

const listed = async (service: Service, key: string) => {
  const titles: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page = feedList.parse(
      await (
        await service.get(`/v1/feeds?limit=1000${cursor === "" ? "" : `&cursor=${cursor}`}`, key)
      ).json(),
    );
    titles.push(...page.data.map(({ title }) => title ?? ""));
    cursor = page.next_cursor;
  }
  return titles.sort();
};

/** A cursor after everything that a backup has. */
async function newestCursor(service: Service, key: string): Promise<string> {
  await using client = await connect(service, key);
  await client.subscribe();
  await service.push(...notices(1));
  const [frame] = await client.feeds(1);
  return frame?.cursor ?? "";
}

async function createEndpoint(service: Service, key: string, url: string): Promise<void> {
  const made = await fetch(`${service.url}/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ url }),
  });
  assert.equal(made.status, 201);
}

const backupsOf = async (service: Service) =>
  backupList.parse(await (await service.admin("GET", "/admin/v1/backups")).json()).data;

describe("backups of the embedded database", () => {
  test("one made under load is whole up to a moment; streams and webhooks of the copy begin anew", async () => {
    await using receivers = await startReceivers({});
    await using service = await startService("pglite", { webhookAllow: ["127.0.0.0/8"] });
    const { key } = await service.key("enterprise");
    await createEndpoint(service, key, receivers.url("/"));
    await service.push(...notices(100));
    let pushed = 0;
    const stop = new AbortController();
    const pushing = (async () => {
      while (!stop.signal.aborted) {
        await service.push(...notices(20));
        pushed += 20;
        await sleep(100);
      }
    })();
    await until(() => pushed > 0, "items are pushed");
    const [made, again] = await Promise.all(
      [1, 2].map(async () => backup.parse(await (await service.admin("POST", "/admin/v1/backups")).json())),
    );
    assert.equal(made?.path, again?.path, "two at once are one");
    const pushedThen = pushed;
    await until(() => pushed > pushedThen, "pushes go on");
    stop.abort();
    await pushing;
    const after = await newestCursor(service, key);
    const all = await listed(service, key);
    await until(() => receivers.at("/").length >= all.length, "all are delivered");
    const ids = new Set(receivers.at("/").map(({ id }) => id));

    using folder = temporaryFolder();
    const about = await restoreBackup(made?.path ?? "", folder.path, silentLog);
    assert.ok(about.items >= 100 && about.items < all.length, `${about.items}`);
    const secret = readFileSync(join(service.config.dataDir, "secret"));
    writeFileSync(join(folder.path, "secret"), secret, { mode: 0o600 });
    await using copy = await startService("pglite", {
      dataDir: folder.path,
      webhookAllow: ["127.0.0.0/8"],
      adminToken: service.adminToken,
    });
    const kept = await listed(copy, key);
    assert.equal(kept.length, about.items);
    assert.deepEqual(
      kept,
      all.filter((title) => kept.includes(title)),
      "nothing that was not pushed",
    );
    await using resuming = await connect(copy, key);
    const answer = await resuming.subscribe({ after });
    assert.equal(answer.resumed, false);
    const [next] = notices(1);
    await copy.push(next ?? { title: "" });
    await until(
      () => receivers.at("/").some(({ body }) => body.includes(next?.title ?? "-")),
      "a new item is sent",
    );
    // What was sent before may come again, with the same id; nothing else may.
    const news = receivers.at("/").filter(({ id }) => !ids.has(id));
    assert.ok(
      news.every(({ body }) => body.includes(next?.title ?? "-")),
      "only the new item is new",
    );
  });

  test("a timer makes one when it is due, and not before", async (context) => {
    using folder = temporaryFolder();
    await seedDataDir(folder.path);
    await using db = await openDb({ databaseUrl: null, dataDir: folder.path, log: silentLog });
    context.mock.timers.enable({ apis: ["setInterval"] });
    const time = { now: new Date("2026-03-02T03:00:00Z") };
    const clock = { now: () => time.now, sleep: () => Promise.resolve() };
    const deps = { db, dataDir: folder.path, clock, log: silentLog, everyHours: 6 };
    await using backups = new Backups(deps);
    const pass = (minutes: number) => {
      time.now = new Date(time.now.getTime() + minutes * 60_000);
      context.mock.timers.tick(60_000);
    };
    const count = async () => (await backups.list()).length;
    pass(1);
    await until(async () => (await count()) === 1, "the first is made");
    pass(300);
    await sleep(300);
    assert.equal(await count(), 1);
    pass(90);
    await until(async () => (await count()) === 2, "the next is made");
    await until(() => !existsSync(join(folder.path, "backups", "under-way")), "nothing is under way");
    const making = backups.make();
    await backups[Symbol.asyncDispose]();
    await assert.rejects(making, BackupRefused);
    assert.equal(readdirSync(join(folder.path, "backups")).length, 2, "a stop gives up what is under way");
  });

  test("after a clock that was ahead was put back they are made on time, and none goes as it is made", async (context) => {
    using folder = temporaryFolder();
    await seedDataDir(folder.path);
    await using db = await openDb({ databaseUrl: null, dataDir: folder.path, log: silentLog });
    context.mock.timers.enable({ apis: ["setInterval"] });
    const time = { now: new Date("2031-01-01T03:00:00Z") };
    const clock = { now: () => time.now, sleep: () => Promise.resolve() };
    const lines: string[] = [];
    const log = createLog("warn", { format: "json", out: { write: (line) => lines.push(line) } });
    await using backups = new Backups({ db, dataDir: folder.path, clock, log, everyHours: 6 });
    const tick = () => context.mock.timers.tick(60_000);
    const names = async () => (await backups.list()).map(({ name }) => name.slice(9, 22));
    tick();
    await until(async () => (await names()).length === 1, "one is made while the clock is ahead");
    const isDone = () => !existsSync(join(folder.path, "backups", "under-way"));
    await until(isDone, "nothing is under way");
    for (let day = 2; day <= 7; day++)
      writeFileSync(join(folder.path, "backups", `tapewire-2031010${day}T030000Z.tar.zst`), "");
    time.now = new Date("2026-03-02T03:00:00Z");
    tick();
    await until(async () => (await names()).includes("20260302T0300"), "one is made after the step");
    await until(isDone, "nothing is under way");
    const warned = () => lines.filter((line) => line.includes("in the future"));
    await until(() => warned().length === 1, "the log tells of it");
    assert.match(warned()[0] ?? "", /20310107T030000Z/);
    // Made by hand, a minute after: it stays, and the first that was made goes.
    time.now = new Date("2026-03-02T03:01:00Z");
    const made = await backups.make();
    assert.ok(existsSync(made.path));
    const left = ["20310107T0300", "20310106T0300", "20310105T0300", "20310104T0300", "20310103T0300"];
    assert.deepEqual(await names(), [...left, "20260302T0301", "20260302T0300"]);
    tick();
    await sleep(300);
    assert.equal((await names()).length, 7, "none is due");
    assert.equal(warned().length, 1, "the log tells of it once");
  });

  test("a database of an older version is backed up before it is migrated, and can be restored", async () => {
    using folder = temporaryFolder();
    const older = join(folder.path, "migrations");
    const ours = join(import.meta.dirname, "../../migrations");
    cpSync(ours, older, { recursive: true });
    rmSync(join(older, readdirSync(ours).sort().at(-1) ?? ""));
    const dataDir = join(folder.path, "data");
    mkdirSync(dataDir);
    {
      await using db = await openDb({ databaseUrl: null, dataDir, log: silentLog });
      await migrate(db, { folder: older });
    }
    let path = "";
    {
      await using service = await startService("pglite", { dataDir });
      const made = await backupsOf(service);
      assert.equal(made.length, 1);
      path = made[0]?.path ?? "";
    }
    const restored = join(folder.path, "restored");
    assert.equal((await restoreBackup(path, restored, silentLog)).items, 0);
    await using service = await startService("pglite", { dataDir: restored });
    assert.equal((await service.push(...notices(1))).length, 1);
  });

  describe("a backup", () => {
    let path: string;
    let service: Service;
    before(async () => {
      service = await startService("pglite");
      assert.deepEqual(
        await backupsOf(service),
        [],
        "a database of this version is not backed up by a start",
      );
      await service.push(...notices(3));
      path = backup.parse(await (await service.admin("POST", "/admin/v1/backups")).json()).path;
    });
    after(() => service[Symbol.asyncDispose]());

    test("is listed, and nobody else may read it; the newest seven are kept", async () => {
      const folder = join(path, "..");
      for (let day = 1; day <= 8; day++)
        writeFileSync(join(folder, `tapewire-2025010${day}T000000Z.tar.zst`), "");
      writeFileSync(join(folder, "notes.txt"), "mine");
      await sleep(1_000);
      const made = backup.parse(await (await service.admin("POST", "/admin/v1/backups")).json());
      const data = await backupsOf(service);
      assert.equal(data.length, 7);
      assert.deepEqual(
        data.slice(0, 2).map((one) => one.path),
        [made.path, path],
      );
      assert.ok(existsSync(join(folder, "notes.txt")));
      assert.ok(!readdirSync(folder).includes("under-way"));
    });

    test("is not restored over a database, or from a damaged file", async () => {
      using folder = temporaryFolder();
      await assert.rejects(restoreBackup(path, service.config.dataDir, silentLog), DataDirError);
      const whole = readFileSync(path);
      const damaged = join(folder.path, "damaged.tar.zst");
      const flipped = Buffer.from(whole);
      flipped[whole.length >> 1] = (flipped[whole.length >> 1] ?? 0) ^ 0xff;
      // A folder that is there stays, as it was; what the command made goes, with its parents.
      const target = join(folder.path, "data");
      mkdirSync(target);
      const fresh = join(folder.path, "new", "data");
      for (const bytes of [
        whole.subarray(0, whole.length - 1_000),
        flipped,
        Buffer.from("no backup"),
        Buffer.alloc(0),
      ]) {
        writeFileSync(damaged, bytes);
        await assert.rejects(restoreBackup(damaged, target, silentLog), ArchiveError);
        assert.deepEqual(readdirSync(target), []);
        await assert.rejects(restoreBackup(damaged, fresh, silentLog), ArchiveError);
        assert.ok(!existsSync(join(fresh, "..")));
      }
      for (const dataDir of [target, fresh])
        await assert.rejects(restoreBackup(join(folder.path, "none"), dataDir, silentLog), {
          code: "ENOENT",
        });
      assert.deepEqual(readdirSync(target), []);
      assert.ok(!existsSync(join(fresh, "..")));
    });

    test("what a killed process left is cleared", async () => {
      const dataDir = service.config.dataDir;
      mkdirSync(join(dataDir, "backups", "under-way", "pglite"), { recursive: true });
      const made = await service.admin("POST", "/admin/v1/backups");
      assert.equal(made.status, 201);
      assert.ok(!existsSync(join(dataDir, "backups", "under-way")));
    });
  });
});

onPostgres("PostgreSQL is backed up by its own tools, and the refusal says so", async () => {
  await using service = await startService("postgres");
  const refused = await service.admin("POST", "/admin/v1/backups");
  assert.equal(refused.status, 409);
  assert.match(await refused.text(), /pg_dump/);
  const list = backupList.parse(await (await service.admin("GET", "/admin/v1/backups")).json());
  assert.deepEqual(list, { data: [], every_hours: null });
});
