import { statfs } from "node:fs/promises";
import type { Log } from "../../runtime/log.ts";
import type { Metrics } from "../../runtime/metrics.ts";

/** The disk of the embedded database has too little room to store anything: the same call works again when it has. */
export class StorageFull extends Error {
  override readonly name = "StorageFull";
  /** That of PostgreSQL's own error. */
  readonly code = "53100";
}

export interface DiskSpace {
  readonly sizeBytes: number;
  /** What this process may still use. */
  readonly freeBytes: number;
}

/** ok, filling: over 80 % is used, full: nothing is stored any more. */
export type DiskState = "ok" | "filling" | "full";

/** A state ends a little later than it begins, so that it does not come and go with each file. */
const fillingShare = { from: 0.8, until: 0.78 } as const;
const slackOfReserve = 1.25;

/** What stays free: the database goes on to write its log, checkpoints and counters, and must not meet the end of the disk. */
export function reserveBytes(sizeBytes: number): number {
  return Math.min(512 * 2 ** 20, Math.max(64 * 2 ** 20, sizeBytes / 20));
}

export function nextState(state: DiskState, { sizeBytes, freeBytes }: DiskSpace): DiskState {
  const reserve = reserveBytes(sizeBytes);
  if (freeBytes < (state === "full" ? slackOfReserve * reserve : reserve)) return "full";
  const used = 1 - freeBytes / Math.max(1, sizeBytes);
  return used >= (state === "ok" ? fillingShare.from : fillingShare.until) ? "filling" : "ok";
}

const lookEveryMs = 1_000;

export interface DiskWatchDeps {
  readonly log: Log;
  /** null: unknown, which changes nothing. */
  readonly read: () => Promise<DiskSpace | null>;
}

/** Watches the file system of the embedded database. Before it is full, nothing is stored any more; reading goes on. */
export class DiskWatch implements AsyncDisposable {
  readonly #deps: DiskWatchDeps;
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> | null = null;
  #state: DiskState = "ok";
  #space: DiskSpace | null = null;

  private constructor(deps: DiskWatchDeps) {
    this.#deps = deps;
    this.#timer = setInterval(() => void this.look(), lookEveryMs);
    this.#timer.unref();
  }

  static async start(deps: DiskWatchDeps): Promise<DiskWatch> {
    const watch = new DiskWatch(deps);
    await watch.look();
    return watch;
  }

  get state(): DiskState {
    return this.#state;
  }

  /** null: unknown. */
  get space(): DiskSpace | null {
    return this.#space;
  }

  /** @throws {StorageFull} */
  refuseWhenFull(): void {
    if (this.#state === "full")
      throw new StorageFull(
        "the disk of the data directory is almost full: nothing is stored until it has room",
      );
  }

  /** Looks now; calls that come meanwhile wait for the same look. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#looking;
  }

  async #look(): Promise<void> {
    const { log, read } = this.#deps;
    const space = await read().catch(() => null);
    if (space === null) return;
    this.#space = space;
    const before = this.#state;
    this.#state = nextState(before, space);
    if (this.#state === before) return;
    const fields = { freeMegabytes: Math.round(space.freeBytes / 2 ** 20), state: this.#state };
    if (this.#state === "full")
      log.error(fields, "the disk is almost full: nothing is stored until it has room; reading goes on");
    else if (this.#state === "filling")
      log.warn(
        fields,
        before === "full" ? "the disk has room again: items are stored" : "the disk is 80 % full",
      );
    else log.info(fields, "the disk has room");
  }
}

/** The space of the file system of a folder. */
export async function spaceOf(folder: string): Promise<DiskSpace> {
  const { blocks, bavail, bsize } = await statfs(folder);
  return { sizeBytes: blocks * bsize, freeBytes: bavail * bsize };
}

/** @param watch null: the database is a PostgreSQL, whose disk is its own matter */
export function diskMetrics(metrics: Metrics, watch: DiskWatch | null): void {
  metrics.gauge(
    {
      name: "tapewire_disk_free_bytes",
      help: "Room on the file system of the embedded database; -1: unknown, or PostgreSQL.",
    },
    () => watch?.space?.freeBytes ?? -1,
  );
  metrics.gauge(
    { name: "tapewire_disk_size_bytes", help: "Size of that file system; -1: unknown." },
    () => watch?.space?.sizeBytes ?? -1,
  );
  metrics.gauge(
    { name: "tapewire_storage_full", help: "1: nothing is stored because the disk is almost full." },
    () => Number(watch?.state === "full"),
  );
}
