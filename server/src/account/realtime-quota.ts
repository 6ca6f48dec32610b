import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { feedUnitsOf, leaseFeedUnits, returnFeedUnits } from "../store/accounts/feed-units.ts";
import type { Queries } from "../store/engine/db.ts";
import { dayText, type Usage } from "./usage.ts";

/**
 * A block should last this long at the rate of the block before. Long enough that leases are rare under any load; short
 * enough that a process holds few unused units, which other processes cannot use before a cap and which make their
 * `count` jump where there is none.
 */
const blockLastsMs = { capped: 250, free: 10_000 } as const;
/** Units per block; the first block has one. */
const mostUnits = { capped: 100, free: 100_000 } as const;
/** A block of which nothing was used between two sweeps is given back. */
const sweepEveryMs = 1_000;
/** Other processes may give units back: before a cap counts as used up, a second lease is tried after this delay. */
const secondLeaseAfterMs = 2 * sweepEveryMs;
/** Pause after a lease that the database failed. */
const retryMs = 500;

/** Consecutive ordinals of live items; the first of the day is 1. */
export interface Units {
  readonly first: number;
  readonly count: number;
}

/** `spent`: the day's cap is used up; `wait`: a block is being leased, see `leased`. */
export type NoUnits = "spent" | "wait";

/** The units of one account, for the streams and webhooks that deliver to it. */
export interface AccountUnits {
  /**
   * Takes the units that are leased already, at most `most`.
   * @param cap null: no limit
   * @param most 1..
   */
  take(cap: number | null, most: number): Units | NoUnits;
  /** Resolves when the lease that `take` waits for has succeeded or failed. */
  leased(): Promise<void>;
}

interface QuotaDeps {
  readonly db: Queries;
  readonly clock: Clock;
  readonly log: Log;
  readonly usage: Usage;
}

interface Block {
  readonly next: number;
  /** Exclusive. */
  readonly end: number;
}

/** Ordinals of one account on one day. */
class Lease implements Block {
  /** In days since the epoch. */
  readonly day: number;
  next = 1;
  end = 1;
  /** The block leased ahead; ordinals of other processes may lie between. */
  ahead: Block | null = null;
  /** Units in the newest block. */
  size = 1;
  /** Taken and not yet counted in the usage. */
  given = 0;
  running: Promise<void> | null = null;
  /** The cap under which all units are taken; after a change of plan another cap may leave more. */
  spentCap: number | null = null;

  constructor(day: number) {
    this.day = day;
  }

  add(block: Block): void {
    this.size = block.end - block.next;
    if (this.next >= this.end) this.next = block.next;
    else if (this.end !== block.next) {
      this.ahead = block;
      return;
    }
    this.end = block.end;
  }

  /** Takes back blocks that could not be returned, in order; not if it has a block already, since ordinals only rise. */
  takeOver([first, second]: readonly Block[]): void {
    if (first === undefined || this.end > 1) return;
    this.add(first);
    this.ahead = second ?? null;
  }

  get unused(): number {
    return this.end - this.next + (this.ahead === null ? 0 : this.ahead.end - this.ahead.next);
  }
}

/** The leases of one account in this process; one lease per day. */
class LeasedUnits implements AccountUnits {
  readonly #accountId: string;
  readonly #deps: QuotaDeps;
  #lease: Lease;
  #leasedAtMs = 0;
  #sweptAt = 1;
  /** Leases that are being given back. */
  readonly #returning = new Set<Promise<void>>();

  constructor(accountId: string, deps: QuotaDeps) {
    this.#accountId = accountId;
    this.#deps = deps;
    this.#lease = new Lease(deps.usage.today);
  }

  take(cap: number | null, most: number): Units | NoUnits {
    if (this.#lease.day !== this.#deps.usage.today) this.release();
    const lease = this.#lease;
    if (lease.next >= lease.end && lease.ahead !== null) {
      lease.next = lease.ahead.next;
      lease.end = lease.ahead.end;
      lease.ahead = null;
    }
    const { next: first } = lease;
    // A block leased under a larger plan may reach beyond the cap.
    if (cap !== null && first > cap) return "spent";
    const end = cap === null ? lease.end : Math.min(lease.end, cap + 1);
    const count = Math.min(most, end - first);
    if (count > 0) {
      lease.next += count;
      lease.given += count;
      if (lease.ahead === null && (lease.end - lease.next + 1) * 2 <= lease.size) this.#extend(cap, lease);
      return { first, count };
    }
    if (cap !== null && lease.spentCap === cap) return "spent";
    this.#extend(cap, lease);
    return "wait";
  }

  async leased(): Promise<void> {
    await this.#lease.running;
  }

  /** Unused units of today's lease. */
  get unused(): number {
    return this.#lease.day === this.#deps.usage.today ? this.#lease.unused : 0;
  }

  /** Adds the units taken to the usage. */
  countTaken(): void {
    const { day, given } = this.#lease;
    if (given > 0) this.#deps.usage.countItems(this.#accountId, day, given);
    this.#lease.given = 0;
  }

  /** Gives the lease back when none of it was used since the last sweep. */
  sweep(): void {
    const { next, unused, running } = this.#lease;
    const isIdle = this.#sweptAt === next && unused > 0 && running === null;
    this.#sweptAt = next;
    if (isIdle) this.release();
  }

  /** Gives the lease back; blocks that are no longer the last of the day cannot be given back and stay leased. */
  release(): void {
    this.countTaken();
    const lease = this.#lease;
    const fresh = new Lease(this.#deps.usage.today);
    // Units that it has left are to be had again, here or elsewhere.
    if (lease.day === fresh.day && lease.unused === 0) fresh.spentCap = lease.spentCap;
    this.#lease = fresh;
    this.#leasedAtMs = 0;
    const { log } = this.#deps;
    const returned = this.#return(lease)
      .catch((error: unknown) =>
        log.warn({ err: error, accountId: this.#accountId }, "returning leased live items failed"),
      )
      .finally(() => this.#returning.delete(returned));
    this.#returning.add(returned);
  }

  /** Resolves when no lease is being given back any more. */
  async returned(): Promise<void> {
    await Promise.all(this.#returning);
  }

  async #return(lease: Lease): Promise<void> {
    await lease.running;
    const kept: Block[] = [];
    for (const block of [lease.ahead, lease])
      if (block !== null && block.next < block.end && !(await this.#giveBack(lease.day, block)))
        kept.unshift(block);
    // The lease of now: another may have been given back meanwhile.
    if (this.#lease.day === lease.day) this.#lease.takeOver(kept);
  }

  #giveBack(day: number, { next, end }: Block): Promise<boolean> {
    const unused = end - next;
    return returnFeedUnits(this.#deps.db, { accountId: this.#accountId, day: dayText(day), end, unused });
  }

  #extend(cap: number | null, lease: Lease): void {
    if (lease.running !== null || (cap !== null && lease.spentCap === cap)) return;
    const { log, clock } = this.#deps;
    lease.running = this.#read(cap, lease)
      .catch((error: unknown) => {
        log.warn({ err: error, accountId: this.#accountId }, "leasing live items failed");
        return clock.sleep(retryMs);
      })
      .finally(() => {
        lease.running = null;
      });
  }

  async #read(cap: number | null, lease: Lease): Promise<void> {
    if (this.#returning.size > 0) {
      // Units that cannot be given back come first: a block that was leased before them would cost them.
      await this.returned();
      if (lease !== this.#lease || lease.next < lease.end) return;
    }
    const wanted = this.#blockSize(cap, lease);
    let leased = await this.#leaseOf(cap, lease, wanted);
    if (leased.granted === 0 && lease.next >= lease.end) {
      await this.#deps.clock.sleep(secondLeaseAfterMs);
      leased = await this.#leaseOf(cap, lease, wanted);
    }
    const { granted, first } = leased;
    lease.spentCap = granted === 0 ? cap : null;
    if (granted === 0) return;
    lease.add({ next: first, end: first + granted });
  }

  #leaseOf(cap: number | null, { day }: Lease, wanted: number): Promise<{ granted: number; first: number }> {
    return leaseFeedUnits(this.#deps.db, { accountId: this.#accountId, day: dayText(day), cap, wanted });
  }

  /** Units that last `blockLastsMs` at the rate at which the previous block was used. */
  #blockSize(cap: number | null, { size }: Lease): number {
    const nowMs = performance.now();
    const lastedMs = Math.max(1, nowMs - this.#leasedAtMs);
    this.#leasedAtMs = nowMs;
    const kind = cap === null ? "free" : "capped";
    return Math.min(mostUnits[kind], Math.ceil((size * blockLastsMs[kind]) / lastedMs));
  }
}

/**
 * Hands out the daily live items of accounts. Every ordinal of a day is given once over all processes, never above the
 * cap: processes lease blocks of the day's counter from the database and give back what they do not use.
 */
export class RealtimeQuota implements AsyncDisposable {
  readonly #deps: QuotaDeps;
  /** Never removed, so that all users of an account share one object; few accounts have live items. */
  readonly #accounts = new Map<string, LeasedUnits>();
  readonly #sweeps: NodeJS.Timeout;

  constructor(deps: QuotaDeps) {
    this.#deps = deps;
    deps.usage.addReporter(() => {
      for (const units of this.#accounts.values()) units.countTaken();
    });
    this.#sweeps = setInterval(() => {
      for (const units of this.#accounts.values()) units.sweep();
    }, sweepEveryMs).unref();
  }

  of(accountId: string): AccountUnits {
    const known = this.#accounts.get(accountId);
    if (known !== undefined) return known;
    const units = new LeasedUnits(accountId, this.#deps);
    this.#accounts.set(accountId, units);
    return units;
  }

  /** The day that units are counted on: UTC, `YYYY-MM-DD`. */
  get today(): string {
    return dayText(this.#deps.usage.today);
  }

  /** Live items given to the account today, over all processes; units leased by other processes count as given. */
  async usedToday(accountId: string): Promise<number> {
    const leased = await feedUnitsOf(this.#deps.db, accountId, this.today);
    return Math.max(0, leased - (this.#accounts.get(accountId)?.unused ?? 0));
  }

  /** Gives the account's lease back, once it has no stream left here. */
  release(accountId: string): void {
    this.#accounts.get(accountId)?.release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweeps);
    for (const units of this.#accounts.values()) units.release();
    await Promise.all([...this.#accounts.values()].map((units) => units.returned()));
  }
}
