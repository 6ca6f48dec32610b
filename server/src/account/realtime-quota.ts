import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { feedUnitsOf, leaseFeedUnits, returnFeedUnits } from "../store/accounts/feed-units.ts";
import type { Queries } from "../store/engine/db.ts";
import { dayText, type Usage } from "./usage.ts";

/**
 * A block lasts about this long at the rate of the one before: leasing is rare under any load, and what a process sits
 * on is little, which others cannot give out before a cap, and which makes their `count` jump without one.
 */
const blockLastsMs = { capped: 250, free: 10_000 } as const;
/** Of a block; the first has one unit. */
const mostUnits = { capped: 100, free: 100_000 } as const;
/** What was not used in the time between two sweeps goes back. */
const sweepEveryMs = 1_000;
/** Others may give units back: before a cap counts as used up it is asked for once more, this much later. */
const askAgainMs = 2 * sweepEveryMs;
/** While the database is away. */
const retryMs = 500;

/** Ordinals of so many more live items, one behind the other; the first of the day is 1. */
export interface Units {
  readonly first: number;
  readonly count: number;
}

/** `spent`: the day's cap is used up; `wait`: a block is being leased, see `leased`. */
export type NoUnits = "spent" | "wait";

/** What one account has left, as whoever delivers to it holds it. */
export interface AccountUnits {
  /**
   * As many as there are at hand.
   * @param cap null: no limit
   * @param most 1..
   */
  take(cap: number | null, most: number): Units | NoUnits;
  /** Resolves when the block that `take` waits for is there, or could not be had. */
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
  /** A block leased ahead, which follows; ordinals of other processes may lie between. */
  ahead: Block | null = null;
  /** Of the newest block. */
  size = 1;
  /** Given out and not told to the usage yet. */
  given = 0;
  running: Promise<void> | null = null;
  /** The cap that is given out whole; under another one, after a change of plan, there may be more. */
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

  /** Blocks that could not be given back, in order, unless there are ordinals behind them here: they rise. */
  takeOver([first, second]: readonly Block[]): void {
    if (first === undefined || this.end > 1) return;
    this.add(first);
    this.ahead = second ?? null;
  }

  get unused(): number {
    return this.end - this.next + (this.ahead === null ? 0 : this.ahead.end - this.ahead.next);
  }
}

/** The leases of one account in this process, one day after the other. */
class LeasedUnits implements AccountUnits {
  readonly #accountId: string;
  readonly #deps: QuotaDeps;
  #lease: Lease;
  #leasedAtMs = 0;
  #sweptAt = 1;
  /** Leases that are on their way back. */
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

  /** Of today's lease. */
  get unused(): number {
    return this.#lease.day === this.#deps.usage.today ? this.#lease.unused : 0;
  }

  /** What was given out is counted. */
  tell(): void {
    const { day, given } = this.#lease;
    if (given > 0) this.#deps.usage.countItems(this.#accountId, day, given);
    this.#lease.given = 0;
  }

  /** What is leased goes back when none of it was used since the last time. */
  sweep(): void {
    const { next, unused, running } = this.#lease;
    const isIdle = this.#sweptAt === next && unused > 0 && running === null;
    this.#sweptAt = next;
    if (isIdle) this.release();
  }

  /** What is leased goes back; what others' blocks follow cannot, and stays for later. */
  release(): void {
    this.tell();
    const lease = this.#lease;
    const fresh = new Lease(this.#deps.usage.today);
    if (lease.day === fresh.day) fresh.spentCap = lease.spentCap;
    this.#lease = fresh;
    this.#leasedAtMs = 0;
    const { log } = this.#deps;
    const returned = this.#return(lease, fresh)
      .catch((error: unknown) =>
        log.warn({ err: error, accountId: this.#accountId }, "giving live items back failed"),
      )
      .finally(() => this.#returning.delete(returned));
    this.#returning.add(returned);
  }

  /** Resolves when nothing is on its way back any more. */
  async returned(): Promise<void> {
    await Promise.all(this.#returning);
  }

  async #return(lease: Lease, fresh: Lease): Promise<void> {
    await lease.running;
    const kept: Block[] = [];
    for (const block of [lease.ahead, lease])
      if (block !== null && block.next < block.end && !(await this.#giveBack(lease.day, block)))
        kept.unshift(block);
    if (fresh.day === lease.day) fresh.takeOver(kept);
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
    const wanted = this.#blockSize(cap, lease);
    let leased = await this.#leaseOf(cap, lease, wanted);
    if (leased.granted === 0 && lease.next >= lease.end) {
      await this.#deps.clock.sleep(askAgainMs);
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

  /** As many as the last block's rate uses up in a while. */
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
 * cap: processes lease blocks of the day's counter from the database, and what they do not use they give back.
 */
export class RealtimeQuota implements AsyncDisposable {
  readonly #deps: QuotaDeps;
  /** Kept, so that whoever holds one holds the only one; of accounts that have had live items there are not many. */
  readonly #accounts = new Map<string, LeasedUnits>();
  readonly #sweeps: NodeJS.Timeout;

  constructor(deps: QuotaDeps) {
    this.#deps = deps;
    deps.usage.ask(() => {
      for (const units of this.#accounts.values()) units.tell();
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

  /** Live items given to the account today, over all processes; what others have leased counts whole. */
  async usedToday(accountId: string): Promise<number> {
    const leased = await feedUnitsOf(this.#deps.db, accountId, this.today);
    return Math.max(0, leased - (this.#accounts.get(accountId)?.unused ?? 0));
  }

  /** The account has no stream left here: what it has leased goes back. */
  release(accountId: string): void {
    this.#accounts.get(accountId)?.release();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#sweeps);
    for (const units of this.#accounts.values()) units.release();
    await Promise.all([...this.#accounts.values()].map((units) => units.returned()));
  }
}
