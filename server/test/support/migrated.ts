/** What test databases of both engines share: which migrations they are of, and what is made once for all processes. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "../../src/store/engine/db.ts";
import { monthOf, Partitions } from "../../src/store/log/partitions.ts";
import { migrate } from "../../src/store/schema/migrate.ts";

/** Migrates, and makes the months that every service would make at its start. */
export async function prepareDatabase(db: Db): Promise<void> {
  await migrate(db);
  await new Partitions().ensureAhead(db.main, new Date());
}

/** Tells one state of the migrations, of PGlite, and of the months, from another. */
export function migrationsHash(): string {
  const folder = join(import.meta.dirname, "..", "..", "migrations");
  const about = new URL("../package.json", import.meta.resolve("@electric-sql/pglite"));
  const migrations = readdirSync(folder).sort();
  const files = [about, ...made, ...migrations.map((name) => join(folder, name))];
  // A migration under another number makes another schema version.
  const hash = createHash("sha256").update([monthOf(new Date()), ...migrations].join());
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 16);
}

/** Their statements are part of each copy. */
const made = ["migrated.ts", "pristine.ts", "test-pglite.ts"].map((name) => join(import.meta.dirname, name));

/** Calls `make` unless the path is there; of the processes that want it at once one makes it and the others wait. */
export async function onceForAll(path: string, make: () => Promise<void>): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const lock = `${path}.lock`;
  while (!existsSync(path)) {
    if (!tryLock(lock)) {
      await delay(50);
      continue;
    }
    try {
      if (!existsSync(path)) await make();
    } finally {
      rmSync(lock, { force: true });
    }
  }
}

/** @returns false while a live process has it */
function tryLock(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch {
    if (!isLive(readIfThere(path))) rmSync(path, { force: true });
    return false;
  }
}

function readIfThere(path: string): number {
  try {
    return Number(readFileSync(path, "utf8"));
  } catch {
    return process.pid;
  }
}

/** A lock that is not written yet, 0, has a live owner too. */
function isLive(pid: number): boolean {
  try {
    return pid === 0 || process.kill(pid, 0);
  } catch {
    return false;
  }
}
