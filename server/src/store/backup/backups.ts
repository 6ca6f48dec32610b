import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, rename, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import { version } from "../../runtime/version.ts";
import type { Db } from "../engine/db.ts";
import { databaseFolder, engineFile, type Manifest, pack } from "./archive.ts";

export interface Backup {
  readonly name: string;
  readonly path: string;
  readonly madeAt: Date;
  readonly bytes: number;
}

/** Why no backup was made, for the operator. */
export class BackupRefused extends Error {
  override readonly name = "BackupRefused";
}

/** The newest are kept. */
const mostKept = 7;
const form = /^tapewire-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.zst$/;
const lookEveryMs = 60_000;
const hourMs = 3_600_000;

/**
 * Backups of the embedded database while it is used, in a folder beside it. Writers wait while the files are copied; packing
 * goes on without them. A backup appears under its name when it is whole.
 */
export class Backups implements AsyncDisposable {
  readonly #db: Db;
  /** Between those that it makes by itself, 0: none; null: the database has tools of its own. */
  readonly everyHours: number | null;
  readonly #dataDir: string;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #log: Log;
  #making: Promise<Backup> | null = null;
  /** The file from the future that the log has told of. */
  #toldOf: string | null = null;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | null = null;

  /** @param deps.everyHours 0: only when asked */
  constructor(deps: { db: Db; dataDir: string; clock: Clock; log: Log; everyHours: number }) {
    this.#db = deps.db;
    this.everyHours = deps.db.copyFiles === null ? null : deps.everyHours;
    this.#dataDir = deps.dataDir;
    this.#folder = join(deps.dataDir, "backups");
    this.#clock = deps.clock;
    this.#log = deps.log;
    if (deps.everyHours === 0 || deps.db.copyFiles === null) return;
    this.#timer = setInterval(() => void this.#makeWhenDue(deps.everyHours * hourMs), lookEveryMs);
    this.#timer.unref();
  }

  /**
   * Makes a backup; calls that come meanwhile get the same one.
   * @throws {BackupRefused} on PostgreSQL, when the disk has too little room, and when the service stops
   */
  make(): Promise<Backup> {
    this.#making ??= this.#make().finally(() => {
      this.#making = null;
    });
    return this.#making;
  }

  /** Newest first. */
  async list(): Promise<Backup[]> {
    if (!existsSync(this.#folder)) return [];
    const names = (await readdir(this.#folder)).filter((name) => form.test(name));
    const found = await Promise.all(names.map((name) => this.#read(name)));
    return found.flatMap((one) => one ?? []).sort((a, b) => b.madeAt.getTime() - a.madeAt.getTime());
  }

  /** Gives up one that is under way: packing may take longer than a stop. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#stop.abort(new BackupRefused("The service stops"));
    await this.#making?.catch(() => {});
  }

  async #makeWhenDue(everyMs: number): Promise<void> {
    try {
      const now = this.#clock.now();
      const { fromFuture, others } = apart(await this.list(), now);
      this.#tellOf(fromFuture);
      const [newest] = others;
      const age = now.getTime() - (newest?.madeAt.getTime() ?? Number.NEGATIVE_INFINITY);
      if (age >= everyMs) await this.make();
    } catch (error) {
      this.#log.error({ err: error }, "the backup failed");
    }
  }

  /** Once, as long as no other such file comes. */
  #tellOf([newest]: readonly Backup[]): void {
    if (newest === undefined || newest.name === this.#toldOf) return;
    this.#toldOf = newest.name;
    this.#log.warn(
      { path: newest.path },
      "a backup is from a time in the future: the clock was put back since; it does not delay the next one",
    );
  }

  async #make(): Promise<Backup> {
    const { copyFiles } = this.#db;
    if (copyFiles === null)
      throw new BackupRefused("The database is a PostgreSQL: back it up with pg_dump, or with its own tools");
    const madeAt = new Date(Math.floor(this.#clock.now().getTime() / 1_000) * 1_000);
    const name = `tapewire-${madeAt.toISOString().replaceAll(/[-:]|\.000/g, "")}.tar.zst`;
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // What an earlier process left when it was killed.
    const aside = join(this.#folder, "under-way");
    await rm(aside, { recursive: true, force: true });
    await mkdir(aside, { mode: 0o700 });
    try {
      await this.#refuseWithoutRoom();
      const startedMs = performance.now();
      const about = await copyFiles(join(aside, databaseFolder), (queries) => manifestOf(queries, madeAt));
      const copiedMs = performance.now();
      await copyFile(join(this.#dataDir, engineFile), join(aside, engineFile));
      await pack(aside, join(aside, name), { about, signal: this.#stop.signal });
      await rename(join(aside, name), join(this.#folder, name));
      const [backup] = (await this.list()).filter((one) => one.name === name);
      if (backup === undefined) throw new Error(`${name} is gone`);
      const spent = { copyMs: copiedMs - startedMs, packMs: performance.now() - copiedMs };
      this.#log.info({ path: backup.path, bytes: backup.bytes, seq: about.seq, ...spent }, "backup made");
      await this.#drop(backup);
      return backup;
    } catch (error) {
      if (this.#stop.signal.aborted) throw this.#stop.signal.reason;
      if (error instanceof Error && "code" in error && error.code === "ENOSPC")
        throw new BackupRefused("The disk is full", { cause: error });
      throw error;
    } finally {
      await rm(aside, { recursive: true, force: true });
    }
  }

  /** The copy, and the archive made of it. */
  async #refuseWithoutRoom(): Promise<void> {
    const { bavail, bsize } = await statfs(this.#folder);
    const needed = 2 * (await sizeOf(join(this.#dataDir, databaseFolder)));
    if (bavail * bsize < needed)
      throw new BackupRefused(
        `A backup needs ${megabytes(needed)} MB for a moment, and the disk has ${megabytes(bavail * bsize)} MB left`,
      );
  }

  /** Files from the future go first: the clock has been put back since they were made. */
  async #drop(made: Backup): Promise<void> {
    const { fromFuture, others } = apart(await this.list(), made.madeAt);
    const earlier = [...others, ...fromFuture].filter(({ name }) => name !== made.name);
    for (const { path } of earlier.slice(mostKept - 1)) await rm(path, { force: true });
  }

  async #read(name: string): Promise<Backup | null> {
    const [, year, month, day, hour, minute, second] = form.exec(name) ?? [];
    const path = join(this.#folder, name);
    const file = await stat(path).catch(() => null);
    if (file === null) return null;
    return {
      name,
      path,
      madeAt: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`),
      bytes: file.size,
    };
  }
}

/** Files with a time after `now` were made by a clock that was ahead. */
function apart(backups: readonly Backup[], now: Date) {
  const { fromFuture = [], others = [] } = Object.groupBy(backups, ({ madeAt }) =>
    madeAt > now ? "fromFuture" : "others",
  );
  return { fromFuture, others };
}

async function manifestOf(queries: Db["main"], madeAt: Date): Promise<Manifest> {
  const { rows } = await sql<{ seq: number; items: number }>`
    select last_seq as seq, (select count(*) from item_keys)::int as items from log_head`.execute(queries);
  return { made_at: madeAt.toISOString(), version, seq: rows[0]?.seq ?? 0, items: rows[0]?.items ?? 0 };
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = entries.map(async (entry) =>
    // Files come and go while the database is used.
    entry.isFile() ? ((await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0) : 0,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

const megabytes = (bytes: number) => Math.ceil(bytes / 2 ** 20);
