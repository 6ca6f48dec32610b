import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { silentLog } from "../../src/runtime/log.ts";
import { checkDataDirVersion, DataDirError, lockDataDir } from "../../src/store/engine/data-dir.ts";
import { openDb } from "../../src/store/engine/db.ts";
import { anyEngine, seedDataDir } from "../support/db.ts";
import { startService } from "../support/service.ts";

function temporary(context: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), "tapewire-dir-"));
  context.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A process that lives until it is killed. */
async function otherProcess(): Promise<{ pid: number } & AsyncDisposable> {
  const child = spawn(process.execPath, ["-e", "console.log(1); setInterval(() => {}, 1e9)"]);
  await once(child.stdout, "data");
  assert.ok(child.pid !== undefined);
  return {
    pid: child.pid,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** What a process writes of itself, from the outside. */
function startOf(pid: number): string | null {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) ? (readFileSync(path, "utf8").split(") ").at(-1)?.split(" ")[19] ?? null) : null;
}

test("a directory that a live process holds is refused, naming the process and what to do", async (context) => {
  const dir = temporary(context);
  await using holder = await otherProcess();
  const lock = JSON.stringify({ pid: holder.pid, started: startOf(holder.pid) });
  writeFileSync(join(dir, "lock"), lock);
  await assert.rejects(lockDataDir(dir), (error) => {
    assert.ok(error instanceof DataDirError);
    assert.match(error.message, new RegExp(`in use by process ${holder.pid}\\. Stop it first\\.$`));
    assert.ok(error.message.includes(dir));
    return true;
  });
  assert.equal(readFileSync(join(dir, "lock"), "utf8"), lock);
});

test("a second service on the directory of a running one does not start, and does it no harm", async (context) => {
  await using service = await startService("pglite");
  await assert.rejects(startService("pglite", { dataDir: service.config.dataDir }), DataDirError);
  await context.test("a second process is told so, with exit code 1 and without a stack", () =>
    assertProcessRefused(service.config.dataDir),
  );
  const { key } = await service.key("pro");
  assert.equal((await service.get("/v1/feeds", key)).status, 200);
});

async function assertProcessRefused(dataDir: string): Promise<void> {
  const child = spawn(process.execPath, [new URL("../../src/main.ts", import.meta.url).pathname], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      TAPEWIRE_DATA_DIR: dataDir,
      TAPEWIRE_PORT: "0",
      TAPEWIRE_DEMO: "off",
    },
  });
  let told = "";
  child.stderr.on("data", (data) => {
    told += data;
  });
  const [code] = await once(child, "close");
  assert.equal(code, 1);
  assert.match(
    told,
    new RegExp(
      `^tapewire: .* is in use by process ${process.pid}\\..* set TAPEWIRE_DATA_DIR to another folder\\.\\n$`,
    ),
  );
}

test("a lock from another container counts by its time: its pid says nothing here", async (context) => {
  const dir = temporary(context);
  const path = join(dir, "lock");
  // As in a container on the same volume: pid 1 there, and here it would be ours or long gone.
  writeFileSync(path, JSON.stringify({ pid: process.pid, started: "1", world: "boot-x pid:[4026531999]" }));
  await assert.rejects(lockDataDir(dir), {
    name: "DataDirError",
    message: /of another container or machine\..*Stop it first\..*in 15 seconds/,
  });
  // The clock was put back since it was touched: this start cannot tell whether it is held, a later one can.
  const ahead = new Date(Date.now() + 86_400_000);
  utimesSync(path, ahead, ahead);
  await assert.rejects(lockDataDir(dir), DataDirError);
  assert.ok(statSync(path).mtimeMs <= Date.now());
  const long = new Date(statSync(path).mtimeMs - 60_000);
  utimesSync(path, long, long);
  const unlock = await lockDataDir(dir);
  assert.doesNotMatch(readFileSync(path, "utf8"), /boot-x/);
  unlock();
});

test(
  "a system without namespaces and a container on its folder do not judge each other by pid",
  existsSync("/proc/self/ns/pid") ? {} : { skip: "the system has no namespaces" },
  async (context) => {
    const dir = temporary(context);
    const gone = await otherProcess();
    await gone[Symbol.asyncDispose]();
    writeFileSync(join(dir, "lock"), JSON.stringify({ pid: gone.pid, started: null, world: null }));
    await assert.rejects(lockDataDir(dir), DataDirError);
  },
);

test("containers that start at once on one volume do not meet in the files beside the lock", async (context) => {
  const dir = temporary(context);
  // What a process of our pid has there in the middle of taking or judging the lock.
  for (const name of [`lock.${process.pid}`, `lock.dead-${process.pid}`, `lock.now-${process.pid}`])
    writeFileSync(join(dir, name), "another's");
  writeFileSync(join(dir, "lock"), "");
  (await lockDataDir(dir))();
  assert.deepEqual(
    readdirSync(dir).map((name) => readFileSync(join(dir, name), "utf8")),
    ["another's", "another's", "another's"],
  );
});

test("a held lock is kept fresh; one that another has taken over is left alone, and its holder is told", async (context) => {
  const dir = temporary(context);
  const path = join(dir, "lock");
  context.mock.timers.enable({ apis: ["setInterval"] });
  const told: string[] = [];
  const unlock = await lockDataDir(dir, {
    lost: (error) => told.push(`lost: ${error.message}`),
    failed: (error) => told.push(error instanceof Error ? error.message.slice(0, 6) : ""),
  });
  const mine = readFileSync(path, "utf8");
  const ageing = () => {
    const long = new Date(statSync(path).mtimeMs - 60_000);
    utimesSync(path, long, long);
    context.mock.timers.tick(2_000);
    return statSync(path).mtimeMs - long.getTime();
  };
  assert.ok(ageing() >= 60_000);
  // A disk that fails for a moment.
  rmSync(path);
  mkdirSync(path);
  context.mock.timers.tick(2_000);
  rmdirSync(path);
  writeFileSync(path, mine);
  assert.ok(ageing() >= 60_000);
  assert.deepEqual(told.splice(0), ["EISDIR"]);
  const theirs = JSON.stringify({ pid: 1, started: "1", world: "boot-x pid:[4026531999]" });
  writeFileSync(path, theirs);
  assert.ok(ageing() < 1_000);
  context.mock.timers.tick(2_000);
  assert.equal(told.length, 1);
  assert.match(told[0] ?? "", /^lost: .*another process/);
  unlock();
  assert.equal(readFileSync(path, "utf8"), theirs);
});

test("a process whose directory another may have used meanwhile can no longer use it", async (context) => {
  const dir = temporary(context);
  await seedDataDir(dir);
  context.mock.timers.enable({ apis: ["setInterval"] });
  await using db = await openDb({ databaseUrl: null, dataDir: dir, log: silentLog });
  // Another took it over and has ended since.
  rmSync(join(dir, "lock"));
  context.mock.timers.tick(2_000);
  assert.ok((await db.failed) instanceof DataDirError);
});

test("a lock of a process that is gone is taken over", async (context) => {
  const dir = temporary(context);
  const gone = await otherProcess();
  const started = startOf(gone.pid);
  await gone[Symbol.asyncDispose]();
  writeFileSync(join(dir, "lock"), JSON.stringify({ pid: gone.pid, started }));
  const unlock = await lockDataDir(dir);
  assert.match(readFileSync(join(dir, "lock"), "utf8"), new RegExp(`"pid":${process.pid}\\b`));
  unlock();
  assert.equal(existsSync(join(dir, "lock")), false);
});

test(
  "a lock whose pid now belongs to a later process is taken over",
  existsSync("/proc/self/stat") ? {} : { skip: "the system does not tell when a process began" },
  async (context) => {
    const dir = temporary(context);
    await using later = await otherProcess();
    const lock = { pid: later.pid, started: `${Number(startOf(later.pid)) - 1}` };
    writeFileSync(join(dir, "lock"), JSON.stringify(lock));
    const unlock = await lockDataDir(dir);
    assert.match(readFileSync(join(dir, "lock"), "utf8"), new RegExp(`"pid":${process.pid}\\b`));
    unlock();
  },
);

test("a lock that a process left half-written is taken over", async (context) => {
  const dir = temporary(context);
  for (const text of ["", '{"pid":', "17", '{"pid":"x"}']) {
    writeFileSync(join(dir, "lock"), text);
    (await lockDataDir(dir))();
  }
});

test("a released directory can be taken again, and is made when it is not there", async (context) => {
  const dir = join(temporary(context), "deeper", "data");
  for (let i = 0; i < 2; i++) (await lockDataDir(dir))();
});

test("a directory that another series of PGlite wrote is refused with the way out", (context) => {
  const dir = temporary(context);
  checkDataDirVersion(dir, "0.5");
  checkDataDirVersion(dir, "0.5");
  assert.throws(
    () => checkDataDirVersion(dir, "0.6"),
    (error) => {
      assert.ok(error instanceof DataDirError);
      assert.match(error.message, /written by PGlite 0\.5; .* brings 0\.6.*tapewire -- upgrade/s);
      return true;
    },
  );
  // The refusal does not make it a directory of the new one.
  checkDataDirVersion(dir, "0.5");
});

test("a failed start leaves no lock behind", async (context) => {
  const dir = temporary(context);
  writeFileSync(join(dir, "pglite-version"), "0.0\n");
  await assert.rejects(startService("pglite", { dataDir: dir }), DataDirError);
  assert.equal(existsSync(join(dir, "lock")), false);
});

test("the first start leaves an admin token and a key that only the owner can read", async (context) => {
  const dataDir = temporary(context);
  const modeOf = (name: string) => statSync(join(dataDir, name)).mode & 0o777;
  const textOf = (name: string) => readFileSync(join(dataDir, name), "utf8").trim();
  // A disk that was full left it.
  writeFileSync(join(dataDir, "admin-token"), "tw_admin_\n", { mode: 0o644 });
  await using first = await startService(anyEngine, { dataDir, adminToken: null });
  assert.match(textOf("admin-token"), /^tw_admin_[\w-]{32}$/);
  assert.equal(modeOf("first-key"), 0o600);
  assert.equal(modeOf("admin-token"), 0o600);
  assert.equal(first.app.firstKey, textOf("first-key"));
  assert.equal((await first.get("/v1/feeds", textOf("first-key"))).status, 200);
  assert.equal((await first.get("/admin/v1/keys", textOf("admin-token"))).status, 200);
  assert.equal((await first.get("/admin/v1/keys", first.adminToken)).status, 401);
  const kept = [textOf("first-key"), textOf("admin-token")];
  await first.app[Symbol.asyncDispose]();
  const { databaseUrl } = first.config;
  await using again = await startService(anyEngine, { dataDir, databaseUrl, adminToken: null });
  assert.equal(again.app.firstKey, null);
  assert.deepEqual([textOf("first-key"), textOf("admin-token")], kept);
  assert.equal((await again.get("/v1/feeds", kept[0])).status, 200);
});
