import type { Clock } from "../runtime/clock.ts";
import { feedUnitsOf, leaseFeedUnits } from "../store/accounts.ts";
import type { Queries } from "../store/db.ts";
import type { Usage } from "./usage.ts";

/** Largest block that one process takes at once; what a crash can lose of a day's cap. */
const maxBlock = 100;

/** A leased range of today's ordinals of one account in this process. */
interface Block {
  day: string;
  next: number;
  end: number;
  leasing: Promise<void> | null;
  /** The cap that is given out whole; under another one, after a change of plan, there may be more. */
  spentCap: number | null;
}

/**
 * Hands out the daily live items of accounts. Every ordinal of a day is given once over all processes, never above the
 * cap: processes lease blocks of the day's counter from the database.
 */
export class RealtimeQuota {
  readonly #db: Queries;
  readonly #clock: Clock;
  readonly #usage: Usage;
  readonly #blocks = new Map<string, Block>();

  /** @param deps.usage is told of every item given out */
  constructor(deps: { db: Queries; clock: Clock; usage: Usage }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#usage = deps.usage;
  }

  /**
   * The ordinal (1..) of one more live item for the account today.
   * @param cap null: no limit
   * @returns null when the day's cap is used up
   */
  async take(accountId: string, cap: number | null): Promise<number | null> {
    for (;;) {
      const block = this.#block(accountId);
      // A block leased under a larger plan may reach beyond the cap.
      if (cap !== null && (block.next > cap || block.spentCap === cap)) return null;
      if (block.next < block.end) {
        this.#usage.countItem(accountId);
        return block.next++;
      }
      block.leasing ??= this.#lease(accountId, cap, block).finally(() => {
        block.leasing = null;
      });
      await block.leasing;
    }
  }

  /** Live items given out to the account today, over all processes; blocks that are leased count whole. */
  async usedToday(accountId: string): Promise<number> {
    return feedUnitsOf(this.#db, accountId, this.#today());
  }

  /** Milliseconds until the counters turn, at 00:00 UTC. */
  msToReset(): number {
    const now = this.#clock.now();
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - now.getTime();
  }

  #today(): string {
    return this.#clock.now().toISOString().slice(0, 10);
  }

  #block(accountId: string): Block {
    const day = this.#today();
    const known = this.#blocks.get(accountId);
    if (known?.day === day) return known;
    const fresh = { day, next: 0, end: 0, leasing: null, spentCap: null };
    this.#blocks.set(accountId, fresh);
    return fresh;
  }

  async #lease(accountId: string, cap: number | null, block: Block): Promise<void> {
    // Small under a small cap, so that one process does not sit on what another could deliver.
    const wanted = cap === null ? maxBlock : Math.max(1, Math.min(maxBlock, Math.floor(cap / 20)));
    const { granted, first } = await leaseFeedUnits(this.#db, { accountId, day: block.day, wanted, cap });
    block.next = first;
    block.end = first + granted;
    block.spentCap = granted === 0 ? cap : null;
  }
}
