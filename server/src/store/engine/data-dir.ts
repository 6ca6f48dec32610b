import { randomUUID } from "node:crypto";
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
import { systemClock } from "../../runtime/clock.ts";

/** Why the embedded database cannot be opened, for the operator. */
export class DataDirError extends Error {
  override readonly name = "DataDirError";
}

/** A service may start on another directory instead; a command that is about this one may not. */
export class DataDirInUse extends DataDirError {
  readonly adviceToService = "Or set TAPEWIRE_DATA_DIR to another folder.";
}

interface Holder {
  pid: number;
  /** Distinguishes a process from a later one with the same pid; null where the system does not provide it. */
  started: string | null;
  /**
   * Boot and process namespace in which the pid is valid: containers that share a volume each have a pid 1.
   * null where the system has neither, for example on a Mac whose folder a container shares.
   */
  world: string | null;
}

const touchEveryMs = 2_000;
/** A lock from another namespace is judged by its time alone. */
const staleAfterMs = 15_000;

export interface LockWatch {
  /** Another process has or had the directory: this one must not write to it any more. */
  lost?(error: DataDirError): void;
  /** The lock could not be kept fresh now; this is tried again. */
  failed?(error: unknown): void;
}

/**
 * Locks the data directory for this process. PGlite itself has no lock, and two processes on one directory silently
 * corrupt it.
 * @returns releases the lock
 * @throws {DataDirError} when another live process holds it
 */
export async function lockDataDir(dataDir: string, watch: LockWatch = {}): Promise<() => void> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, "lock");
  const holder: Holder = { pid: process.pid, started: await startOf(process.pid), world: await thisWorld() };
  const text = JSON.stringify(holder);
  for (;;) {
    // Written to another file and linked into place, so that a lock is never visible half-written.
    const mine = aside(path);
    writeFileSync(mine, text);
    const taken = succeeds("EEXIST", () => linkSync(mine, path));
    rmSync(mine);
    if (taken) return keepFresh(path, text, watch);
    await buryDead(path, dataDir);
  }
}

/** Not named by the pid, which two containers that start at once on one volume share. */
function aside(path: string): string {
  return `${path}.${randomUUID()}`;
}

/**
 * Removes the lock of a dead process. Of two processes that find it dead, the later may move a lock that the earlier has
 * just taken: so it checks again what it moved, and puts it back.
 * @throws {DataDirError} when the holder lives
 */
async function buryDead(path: string, dataDir: string): Promise<void> {
  await refuseLiving(path, dataDir);
  const grave = aside(path);
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
  const ours = await thisWorld();
  const holder = readHolder(path, ours);
  if (holder === null) return;
  const elsewhere = holder.world !== ours;
  if (!(elsewhere ? isFresh(path) : await isAlive(holder))) return;
  const [where, wait] = elsewhere
    ? [
        " of another container or machine",
        ` If it was killed, its hold ends by itself: start again in ${staleAfterMs / 1000} seconds.`,
      ]
    : ["", ""];
  throw new DataDirInUse(`${dataDir} is in use by process ${holder.pid}${where}. Stop it first.${wait}`);
}

/** false when it fails with the given code, which the caller expects. */
function succeeds(otherwise: "EEXIST" | "ENOENT", work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === otherwise) return false;
    throw error;
  }
}

/** @param ours the namespace of a lock that does not name one */
function readHolder(path: string, ours: string | null): Holder | null {
  try {
    const parsed: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof parsed !== "object" || parsed === null || !("pid" in parsed)) return null;
    const { started, world } = { started: null, world: ours, ...parsed };
    const text = (value: unknown) => (typeof value === "string" ? value : null);
    return typeof parsed.pid === "number"
      ? { pid: parsed.pid, started: text(started), world: text(world) }
      : null;
  } catch {
    // Half-written by a process that died, or removed meanwhile.
    return null;
  }
}

async function isAlive({ pid, started }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  const now = await startOf(pid);
  return started === null || now === null || now === started;
}

/** @returns releases the lock; repeated calls do nothing */
function keepFresh(path: string, text: string, { lost, failed }: LockWatch): () => void {
  // The lock of a process that was suspended for long may have been taken over: then it must not be touched.
  const ifOurs = (work: () => void) => {
    let isOurs = false;
    succeeds("ENOENT", () => {
      isOurs = readFileSync(path, "utf8") === text;
      if (isOurs) work();
    });
    return isOurs;
  };
  const touch = () => {
    const now = systemClock.now();
    if (ifOurs(() => utimesSync(path, now, now))) return;
    clearInterval(timer);
    lost?.(
      new DataDirError(
        `${path} belongs to another process now, or was removed. This one ends: two must not write to one directory`,
      ),
    );
  };
  const timer = setInterval(() => {
    try {
      touch();
    } catch (error) {
      failed?.(error);
    }
  }, touchEveryMs);
  timer.unref();
  const release = () => {
    clearInterval(timer);
    process.off("exit", release);
    ifOurs(() => rmSync(path));
  };
  // Also releases when the process exits without closing the database.
  process.once("exit", release);
  return release;
}

/**
 * By the wall clock, which containers of one machine share; clocks of different machines must agree to within seconds. A time
 * in the future, of a clock that was put back since, tells nothing: it becomes now, which a living holder soon renews.
 */
function isFresh(path: string): boolean {
  const touched = statSync(path, { throwIfNoEntry: false });
  if (touched === undefined) return false;
  const now = systemClock.now();
  if (touched.mtimeMs > now.getTime()) {
    try {
      utimesSync(path, now, now);
    } catch {
      // It is gone, or of another user.
    }
  }
  return now.getTime() - touched.mtimeMs < staleAfterMs;
}

/** null on systems without these. */
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
    // The command in parentheses may contain spaces; the fields after it do not.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}

/** The minor version of the running PGlite, "0.5": another series cannot open its directories. */
export function pgliteSeries(): string {
  const entry = import.meta.resolve("@electric-sql/pglite");
  const manifest: unknown = JSON.parse(readFileSync(new URL("../package.json", entry), "utf8"));
  const known = typeof manifest === "object" && manifest !== null && "version" in manifest;
  return String(known ? manifest.version : "0.0")
    .split(".")
    .slice(0, 2)
    .join(".");
}

/** Names the series that writes the directory. */
export const seriesFile = "pglite-version";

/** The PGlite series that wrote the directory; null: none yet. */
export function writtenSeries(dataDir: string): string | null {
  const path = join(dataDir, seriesFile);
  return existsSync(path) ? readFileSync(path, "utf8").trim() : null;
}

/**
 * Records which PGlite series writes the directory, and refuses one that another series wrote.
 * @throws {DataDirError} with what to do
 */
export function checkDataDirVersion(dataDir: string, series = pgliteSeries()): void {
  const written = writtenSeries(dataDir);
  if (written === null) {
    writeFileSync(join(dataDir, seriesFile), `${series}\n`);
    return;
  }
  if (written === series) return;
  throw new DataDirError(
    `${dataDir} was written by PGlite ${written}; this version of Tapewire brings ${series}, which cannot open it. ` +
      "Run `npm run -s tapewire -- upgrade`: it reads the database with the older PGlite and writes it anew with this one.",
  );
}
