import { sql } from "kysely";
import { backoffMs } from "../../runtime/backoff.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { Db, Queries } from "../engine/db.ts";
import { codeOf } from "../engine/errors.ts";
import { monthOf } from "../log/partitions.ts";
import {
  forgetRetired,
  retireAliases,
  type Sweep,
  type Swept,
  sweepRows,
  sweptTables,
} from "./delete-rows.ts";
import { keepSince, keptFrom, noteCleared, raiseFloor, readKept } from "./kept-since.ts";
import { countedMonths, dropMonth, forgetMonth, monthsWithTables, uncountMonth } from "./months.ts";

/**
 * off: everything is kept. idle: nothing is to be deleted. elsewhere: another process deletes. The next four are the steps of
 * deleting, in their order. waiting: it failed, and is tried again.
 */
export const keeperStates = [
  "off",
  "idle",
  "elsewhere",
  "names",
  "counts",
  "tables",
  "rows",
  "waiting",
] as const;
export type KeeperState = (typeof keeperStates)[number];

const moves: Readonly<Record<KeeperState, readonly KeeperState[]>> = {
  off: [],
  idle: ["idle", "elsewhere", "names", "waiting"],
  elsewhere: ["idle", "elsewhere", "names", "waiting"],
  names: ["counts", "waiting"],
  counts: ["tables", "waiting"],
  tables: ["rows", "waiting"],
  rows: ["idle", "waiting"],
  waiting: ["idle", "elsewhere", "names", "waiting"],
};

export interface KeeperDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  /** 0: everything is kept. */
  readonly keepMonths: number;
  /** How long a statement waits for a lock. */
  readonly lockMs?: number;
}

const lookEveryMs = 10 * 60_000;
const retryMs = { baseMs: 15_000, maxMs: lookEveryMs } as const;
const lockKey = 7240;
/** Detaching waits for statements, such as a dump, that began before; other changes of the schema wait behind it meanwhile. */
const longestLockMs = 5_000;

/**
 * Deletes what was published before the months that are kept. Each step can be done again, so that a run that was cut short
 * begins anew; only the counts of terms remember how far they came. One process at a time does it.
 */
export class Keeper implements AsyncDisposable {
  /** Deleted since the process started. */
  readonly deleted: Record<Swept | "items", number> = {
    items: 0,
    ...{ item_aliases: 0, item_versions: 0, filings: 0, item_keys: 0 },
  };
  /** Looks that failed since the process started. */
  failures = 0;
  readonly #deps: KeeperDeps;
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  #state: KeeperState;
  #failed = 0;

  /** Begins to look, at once and every ten minutes. */
  constructor(deps: KeeperDeps) {
    this.#deps = deps;
    this.#state = deps.keepMonths === 0 ? "off" : "idle";
    this.#running = deps.keepMonths === 0 ? Promise.resolve() : this.#loop();
  }

  get state(): KeeperState {
    return this.#state;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #loop(): Promise<void> {
    const { clock } = this.#deps;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const waitMs = await this.#look();
      await clock.sleep(waitMs, signal).catch(() => {});
    }
  }

  /** @returns time until the next look, ms */
  async #look(): Promise<number> {
    const { db, log, lockMs = longestLockMs } = this.#deps;
    try {
      const since = await this.#due();
      if (since === null) this.#move("idle");
      else if (!(await inTurn(db, lockMs, (session) => this.#purge(session, since)))) this.#move("elsewhere");
      this.#failed = 0;
      return lookEveryMs;
    } catch (error) {
      if (this.#stop.signal.aborted) return 0;
      this.#move("waiting");
      this.failures += 1;
      this.#failed += 1;
      const again = { tries: this.#failed, reason: error instanceof Error ? error.message : String(error) };
      if (codeOf(error) === "55P03")
        log.info(again, "old items wait to be deleted: another session uses their tables");
      else log.warn({ err: error, ...again }, "deleting old items failed; trying again");
      return backoffMs(this.#failed, retryMs);
    }
  }

  #move(to: KeeperState): void {
    if (!moves[this.#state].includes(to)) throw new Error(`retention cannot go from ${this.#state} to ${to}`);
    this.#state = to;
  }

  /** From when on items are kept, when something before it is left; else null. */
  async #due(): Promise<Date | null> {
    const { clock, keepMonths } = this.#deps;
    const { main } = this.#deps.db;
    const { since: before, clearedSince } = await readKept(main);
    const wanted = keptFrom(clock.now(), keepMonths);
    const since = before !== null && before > wanted ? before : wanted;
    const isCleared = clearedSince?.getTime() === since.getTime();
    return isCleared && (await oldMonths(main, since)).length === 0 ? null : since;
  }

  async #purge(session: Queries, since: Date): Promise<void> {
    const { db, clock, log } = this.#deps;
    const { signal } = this.#stop;
    const startedMs = performance.now();
    const before = { ...this.deleted };
    this.#move("names");
    await keepSince(session, since);
    const deleted = (table: Swept, rows: number) => {
      this.deleted[table] += rows;
    };
    const sweep: Sweep = { since, now: clock.now(), clock, signal, deleted };
    await retireAliases(session, sweep);
    this.#move("counts");
    const months = await oldMonths(session, since);
    for (const month of months) this.deleted.items += await uncountMonth(session, month, { clock, signal });
    this.#move("tables");
    for (const month of months) {
      signal.throwIfAborted();
      await dropMonth(session, month, db.engine);
      await forgetMonth(session, month);
      log.info({ month }, "a month of items was deleted");
    }
    const floor = await raiseFloor(session);
    this.#move("rows");
    await sweepRows(session, sweep);
    await forgetRetired(session, sweep);
    // The embedded database has no process that gives the room back.
    if (db.engine === "pglite")
      for (const table of [...sweptTables, "retired_aliases", "terms"])
        await sql`vacuum (analyze) ${sql.table(table)}`.execute(session);
    await noteCleared(session, since);
    this.#move("idle");
    const rows = Object.fromEntries(
      (["items", ...sweptTables] as const).map((table) => [table, this.deleted[table] - before[table]]),
    );
    const tookMs = Math.round(performance.now() - startedMs);
    log.info({ since, months, floor, ...rows, tookMs }, "items older than what is kept were deleted");
  }
}

/** Months before, oldest first: those with tables, and those that a run before has begun to take out. */
async function oldMonths(db: Queries, since: Date): Promise<string[]> {
  const months = new Set([...(await monthsWithTables(db)), ...(await countedMonths(db))]);
  return [...months].filter((month) => month < monthOf(since)).sort();
}

/** @returns false: another process has its turn */
async function inTurn(db: Db, lockMs: number, work: (session: Queries) => Promise<void>): Promise<boolean> {
  if (db.engine === "pglite") {
    await work(db.main);
    return true;
  }
  return db.slow.connection().execute(async (session) => {
    const { rows } = await sql<{ got: boolean }>`
      select pg_try_advisory_lock(${sql.lit(lockKey)}, 0) as got`.execute(session);
    if (rows[0]?.got !== true) return false;
    try {
      await sql`select set_config('lock_timeout', ${String(lockMs)}, false)`.execute(session);
      await work(session);
      return true;
    } finally {
      // A session that is gone has given everything back.
      await sql`reset lock_timeout`.execute(session).catch(() => {});
      await sql`select pg_advisory_unlock(${sql.lit(lockKey)}, 0)`.execute(session).catch(() => {});
    }
  });
}
