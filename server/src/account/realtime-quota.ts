import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Queries } from "../store/db.ts";
import { feedUnitsOf, leaseFeedUnits, returnFeedUnits } from "../store/feed-units.ts";
import { dayText, type Usage } from "./usage.ts";

/** Largest block that one process takes at once under a cap; what a crash can lose of it. */
const cappedBlock = 100;
/** A block is this share of what is left, so that one process does not sit on what others could deliver. */
const shareOfRest = 16;
/** Without a cap a block grows with use, from the first to the largest, so that leasing is rare under any load. */
const freeBlocks = { first: 100, largest: 100_000 } as const;

/** While the database is away. */
const retryMs = 500;

/** Leased ordinals of one account on one day in this process. */
interface Lease {
  /** In days since the epoch. */
  readonly day: number;
  next: number;
  /** Exclusive. */
  end: number;
  /** A block leased ahead, which follows; ordinals of other processes may lie between. */
  ahead: { readonly next: number; readonly end: number } | null;
  size: number;
  /** Given out and not told to the usage yet. */
  given: number;
  running: Promise<void> | null;
  /** The cap that is given out whole; under another one, after a change of plan, there may be more. */
  spentCap: number | null;
}

/**
 * The ordinal of one more live item (1..); `spent`: the day's cap is used up; `wait`: a block is being leased, see
 * `leased`.
 */
export type Unit = number | "spent" | "wait";

/**
 * Hands out the daily live items of accounts. Every ordinal of a day is given once over all processes, never above the
 * cap: processes lease blocks of the day's counter from the database, and what they do not use they give back.
 */
export class RealtimeQuota implements AsyncDisposable {
  readonly #db: Queries;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #usage: Usage;
  readonly #leases = new Map<string, Lease>();
  readonly #returning = new Set<Promise<void>>();

  constructor(deps: { db: Queries; clock: Clock; log: Log; usage: Usage }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#usage = deps.usage;
    this.#usage.ask(() => {
      for (const [accountId, lease] of this.#leases) this.#tell(accountId, lease);
    });
  }

  /** @param cap null: no limit */
  take(accountId: string, cap: number | null): Unit {
    const lease = this.#lease(accountId);
    if (lease.next >= lease.end && lease.ahead !== null) {
      lease.next = lease.ahead.next;
      lease.end = lease.ahead.end;
      lease.ahead = null;
    }
    // A block leased under a larger plan may reach beyond the cap.
    if (cap !== null && lease.next > cap) return "spent";
    if (lease.next < lease.end) {
      const unit = lease.next++;
      lease.given += 1;
      if (lease.ahead === null && (lease.end - unit) * 2 <= lease.size) this.#extend(accountId, cap, lease);
      return unit;
    }
    if (cap !== null && lease.spentCap === cap) return "spent";
    this.#extend(accountId, cap, lease);
    return "wait";
  }

  /** Resolves when the block that `take` waits for is there, or could not be had. */
  async leased(accountId: string): Promise<void> {
    await this.#leases.get(accountId)?.running;
  }

  /** Live items given to the account today, over all processes; what others have leased counts whole. */
  async usedToday(accountId: string): Promise<number> {
    const leased = await feedUnitsOf(this.#db, accountId, dayText(this.#usage.today));
    return Math.max(0, leased - this.unused(accountId));
  }

  /** Of today's leases of this process. */
  unused(accountId: string): number {
    const lease = this.#leases.get(accountId);
    if (lease === undefined || lease.day !== this.#usage.today) return 0;
    return lease.end - lease.next + (lease.ahead === null ? 0 : lease.ahead.end - lease.ahead.next);
  }

  /** The account has no stream left here: what it has leased goes back. */
  release(accountId: string): void {
    const lease = this.#leases.get(accountId);
    this.#leases.delete(accountId);
    if (lease === undefined) return;
    this.#tell(accountId, lease);
    const returned = this.#giveBack(accountId, lease)
      .catch((error: unknown) => this.#log.warn({ err: error, accountId }, "giving live items back failed"))
      .finally(() => this.#returning.delete(returned));
    this.#returning.add(returned);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const accountId of [...this.#leases.keys()]) this.release(accountId);
    await Promise.all(this.#returning);
  }

  #tell(accountId: string, lease: Lease): void {
    if (lease.given > 0) this.#usage.countItems(accountId, lease.day, lease.given);
    lease.given = 0;
  }

  async #giveBack(accountId: string, lease: Lease): Promise<void> {
    await lease.running;
    const { day, ahead } = lease;
    for (const { next, end } of ahead === null ? [lease] : [ahead, lease])
      if (next < end)
        await returnFeedUnits(this.#db, { accountId, day: dayText(day), end, unused: end - next });
  }

  #lease(accountId: string): Lease {
    const day = this.#usage.today;
    const known = this.#leases.get(accountId);
    if (known?.day === day) return known;
    this.release(accountId);
    const size = freeBlocks.first;
    const fresh: Lease = { day, next: 1, end: 1, ahead: null, size, given: 0, running: null, spentCap: null };
    this.#leases.set(accountId, fresh);
    return fresh;
  }

  #extend(accountId: string, cap: number | null, lease: Lease): void {
    if (lease.running !== null || (cap !== null && lease.spentCap === cap)) return;
    lease.running = this.#read(accountId, cap, lease)
      .catch((error: unknown) => {
        this.#log.warn({ err: error, accountId }, "leasing live items failed");
        return this.#clock.sleep(retryMs);
      })
      .finally(() => {
        lease.running = null;
      });
  }

  async #read(accountId: string, cap: number | null, lease: Lease): Promise<void> {
    const { granted, first } = await leaseFeedUnits(this.#db, {
      accountId,
      day: dayText(lease.day),
      cap,
      blockOf: (rest) =>
        rest === null ? lease.size : Math.max(1, Math.min(cappedBlock, Math.floor(rest / shareOfRest))),
    });
    const block = { next: first, end: first + granted };
    lease.spentCap = granted === 0 ? cap : null;
    if (granted === 0) return;
    if (cap === null) lease.size = Math.min(freeBlocks.largest, lease.size * 2);
    else lease.size = granted;
    if (lease.next < lease.end && lease.end !== block.next) lease.ahead = block;
    else if (lease.next < lease.end) lease.end = block.end;
    else Object.assign(lease, block);
  }
}
