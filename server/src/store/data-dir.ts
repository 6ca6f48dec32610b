import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../runtime/clock.ts";

/** Why the embedded database cannot be opened, in words for the operator. */
export class DataDirError extends Error {
  override readonly name = "DataDirError";
}

interface Holder {
  pid: number;
  /** Tells a process from a later one that got the same pid; null where the system does not say. */
  started: string | null;
  /** Boot and process namespace in which the pid means something: containers that share a volume each have a pid 1. */
  world: string | null;
}

const touchEveryMs = 2_000;
/** A lock of another world is judged by its time alone. */
const staleAfterMs = 15_000;

/**
 * Takes the data directory for this process. PGlite itself has no lock, and two processes on one directory corrupt it
 * without a word.
 * @returns release
 * @throws {DataDirError} when another live process holds it
 */
export async function lockDataDir(dataDir: string): Promise<() => void> {
  mkdirSync(dataDir, { recursive: true });
  const path = join(dataDir, "lock");
  const mine = `${path}.${process.pid}`;
  const holder: Holder = { pid: process.pid, started: await startOf(process.pid), world: await thisWorld() };
  for (;;) {
    // Written aside and linked into place: a lock is never seen half-written.
    writeFileSync(mine, JSON.stringify(holder));
    const taken = succeeds("EEXIST", () => linkSync(mine, path));
    rmSync(mine);
    if (taken) return keepFresh(path);
    await buryDead(path, dataDir);
  }
}

/**
 * Takes the lock of a dead process away. Of two processes that find it dead, the later may move a lock that the earlier
 * has just taken: it looks again at what it moved, and puts it back.
 * @throws {DataDirError} when the holder lives
 */
async function buryDead(path: string, dataDir: string): Promise<void> {
  await refuseLiving(path, dataDir);
  const grave = `${path}.dead-${process.pid}`;
  if (!succeeds("ENOENT", () => renameSync(path, grave))) return;
  try {
    await refuseLiving(grave, dataDir);
  } catch (error) {
    succeeds("EEXIST", () => linkSync(grave, path));
    throw error;
  } finally {
    rmSync(grave, { force: true });
  }
}

async function refuseLiving(path: string, dataDir: string): Promise<void> {
  const holder = readHolder(path);
  if (holder !== null && (await isAlive(holder, path)))
    throw new DataDirError(
      `${dataDir} is in use by process ${holder.pid}. Stop it first, or set TAPEWIRE_DATA_DIR to another folder.`,
    );
}

/** false when it fails for the one reason that is no error here. */
function succeeds(otherwise: "EEXIST" | "ENOENT", work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === otherwise) return false;
    throw error;
  }
}

function readHolder(path: string): Holder | null {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof parsed !== "object" || parsed === null || !("pid" in parsed)) return null;
    const { started, world } = { started: null, world: null, ...parsed };
    const text = (value: unknown) => (typeof value === "string" ? value : null);
    return typeof parsed.pid === "number"
      ? { pid: parsed.pid, started: text(started), world: text(world) }
      : null;
  } catch {
    // Half-written by a process that died, or gone meanwhile.
    return null;
  }
}

async function isAlive({ pid, started, world }: Holder, path: string): Promise<boolean> {
  const ours = await thisWorld();
  if (world !== null && ours !== null && world !== ours) return isFresh(path);
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  const now = await startOf(pid);
  return started === null || now === null || now === started;
}

function keepFresh(path: string): () => void {
  const timer = setInterval(() => {
    const now = systemClock.now();
    succeeds("ENOENT", () => utimesSync(path, now, now));
  }, touchEveryMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    rmSync(path, { force: true });
  };
}

/** Both times are the file system's. */
function isFresh(path: string): boolean {
  const probe = `${path}.now-${process.pid}`;
  writeFileSync(probe, "");
  const ageMs = statSync(probe).mtimeMs - statSync(path).mtimeMs;
  rmSync(probe);
  return ageMs < staleAfterMs;
}

/** null on systems that have no such thing; all their processes are then of one. */
async function thisWorld(): Promise<string | null> {
  try {
    const boot = (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return null;
  }
}

/** Start time of a process in clock ticks since boot (field 22 of /proc/PID/stat); null on other systems. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The command in parentheses may hold spaces; the fields behind it do not.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

/** The minor version of PGlite that runs, "0.5": a directory of another one does not open. */
function pgliteSeries(): string {
  const entry = import.meta.resolve("@electric-sql/pglite");
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", entry), "utf8"));
  const known = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return String(known ? manifest.version : "0.0")
    .split(".")
    .slice(0, 2)
    .join(".");
}

/**
 * Notes which PGlite writes the directory, and refuses one that another series wrote.
 * @throws {DataDirError} with what to do
 */
export function checkDataDirVersion(dataDir: string, series = pgliteSeries()): void {
  const path = join(dataDir, "pglite-version");
  const written = existsSync(path) ? readFileSync(path, "utf8").trim() : null;
  if (written === null) {
    writeFileSync(path, `${series}\n`);
    return;
  }
  if (written === series) return;
  throw new DataDirError(
    `${dataDir} was written by PGlite ${written}; this version of Tapewire brings ${series}, which cannot open it. ` +
      "Run `npm run tapewire -- export backup.ndjson` with the Tapewire that wrote it, move the folder away, and " +
      "`npm run tapewire -- import backup.ndjson` with this one.",
  );
}
