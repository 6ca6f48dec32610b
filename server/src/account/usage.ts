import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { Gate } from "../runtime/sharing/gate.ts";
import { dayMs, utcDay } from "../runtime/utc-day.ts";
import { addUse, dropUsageBefore, type UsageRow, usageSince } from "../store/accounts/usage.ts";
import type { Queries } from "../store/engine/db.ts";

const flushEveryMs = 5_000;
const dropEveryMs = 3_600_000;
const keptDays = 400;
const droppedAtOnce = 5_000;

interface Counts {
  requests: number;
  errors: number;
  delivered: number;
}

/** The day (`YYYY-MM-DD`, UTC) that begins `days` days after the epoch. */
export function dayText(days: number): string {
  return utcDay(new Date(days * dayMs));
}

/**
 * The use of accounts by UTC day. Requests and delivered items are counted in memory and added to the database every few
 * seconds and at the end; only a process that is killed loses some. Score calls are counted where they are limited
 * (score-quota.ts).
 */
export class Usage implements AsyncDisposable {
  readonly #db: Queries;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #writing = new Gate({ inside: 1 });
  readonly #timers: readonly NodeJS.Timeout[];
  /** By day since the epoch, then by account. */
  #pending = new Map<number, Map<string, Counts>>();
  readonly #reports = new Set<() => void>();
  #today: number | null = null;

  constructor({ db, clock, log }: { db: Queries; clock: Clock; log: Log }) {
    this.#db = db;
    this.#clock = clock;
    this.#log = log;
    this.#timers = [
      setInterval(() => void this.#try(() => this.flush()), flushEveryMs).unref(),
      setInterval(() => void this.#try(() => this.dropOld()), dropEveryMs).unref(),
    ];
  }

  /** Counts one answered REST request of the account. */
  countRequest(accountId: string, failed: boolean): void {
    const counts = this.#countsOf(this.today, accountId);
    counts.requests += 1;
    if (failed) counts.errors += 1;
  }

  /**
   * Counts live items delivered to the account.
   * @param day in days since the epoch
   */
  countItems(accountId: string, day: number, items: number): void {
    this.#countsOf(day, accountId).delivered += items;
  }

  /** @param report counts what its owner has not counted here yet; called before counts are read or written */
  addReporter(report: () => void): void {
    this.#reports.add(report);
  }

  /** The current day, in days since the epoch; computed once per turn, in which thousands may read it. */
  get today(): number {
    if (this.#today === null) {
      this.#today = Math.floor(this.#clock.now().getTime() / dayMs);
      queueMicrotask(() => {
        this.#today = null;
      });
    }
    return this.#today;
  }

  /** The newest `days` days, oldest first, today last; days without use too, and what this process has not saved yet. */
  async read(accountId: string, days: number): Promise<UsageRow[]> {
    await this.flush();
    const { today } = this;
    const found = await usageSince(this.#db, accountId, dayText(today - days + 1));
    const byDay = new Map(found.map((row) => [row.day, row]));
    return Array.from({ length: days }, (_, n) => {
      const day = dayText(today - days + 1 + n);
      return byDay.get(day) ?? { day, feed: 0, score: 0, requests: 0, errors: 0 };
    });
  }

  /** Adds the counts to the database; those of a failed write stay for the next one. */
  async flush(): Promise<void> {
    const release = await this.#writing.enter();
    for (const report of this.#reports) report();
    const pending = this.#pending;
    try {
      if (pending.size === 0) return;
      this.#pending = new Map();
      await addUse(this.#db, rowsOf(pending));
    } catch (error) {
      for (const [day, counts] of pending)
        for (const [accountId, kept] of counts) addTo(this.#countsOf(day, accountId), kept);
      throw error;
    } finally {
      release();
    }
  }

  /** Drops the days that are no longer served, some rows per statement. */
  async dropOld(): Promise<void> {
    const first = dayText(this.today - keptDays);
    while ((await dropUsageBefore(this.#db, first, droppedAtOnce)) === droppedAtOnce);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#try(() => this.flush());
  }

  #countsOf(day: number, accountId: string): Counts {
    let ofDay = this.#pending.get(day);
    if (ofDay === undefined) {
      ofDay = new Map();
      this.#pending.set(day, ofDay);
    }
    let counts = ofDay.get(accountId);
    if (counts === undefined) {
      counts = { requests: 0, errors: 0, delivered: 0 };
      ofDay.set(accountId, counts);
    }
    return counts;
  }

  async #try(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => this.#log.warn({ err: error }, "keeping the usage failed"));
  }
}

function addTo(counts: Counts, more: Readonly<Counts>): void {
  counts.requests += more.requests;
  counts.errors += more.errors;
  counts.delivered += more.delivered;
}

function rowsOf(pending: ReadonlyMap<number, ReadonlyMap<string, Counts>>) {
  return [...pending].flatMap(([day, counts]) =>
    [...counts].map(([accountId, count]) => ({ accountId, day: dayText(day), ...count })),
  );
}
