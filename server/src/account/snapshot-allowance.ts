import { streamLimits } from "@tapewire/contract/stream.ts";
import type { Clock } from "../runtime/clock.ts";
import { utcDay } from "../runtime/utc-day.ts";
import { returnSnapshotUnits, takeSnapshotUnits } from "../store/accounts/feed-units.ts";
import type { Queries } from "../store/engine/db.ts";
import type { Caller } from "./keys/auth.ts";
import type { RateLimits } from "./request-buckets.ts";

/** Items of a snapshot that may be sent. */
export interface SnapshotGrant {
  readonly items: number;
  /** No items, because the account has taken all snapshots of a minute. */
  readonly tooMany: boolean;
  /** Gives back the units of items that were not sent. */
  refund(unsent: number): Promise<void>;
}

const noRefund = async () => {};

/**
 * How many snapshots a caller gets, and of how many items: a number per minute and, on plans that lock scores, a daily
 * allowance of items; both over all connections and processes.
 */
export class SnapshotAllowance {
  readonly #db: Queries;
  readonly #clock: Clock;
  readonly #rates: RateLimits;

  constructor({ db, clock, rates }: { db: Queries; clock: Clock; rates: RateLimits }) {
    this.#db = db;
    this.#clock = clock;
    this.#rates = rates;
  }

  /** @param wanted items, at least one */
  async grant(caller: Caller, wanted: number): Promise<SnapshotGrant> {
    const { accountId, plan } = caller;
    if (!(await this.#takeOne(caller))) return { items: 0, tooMany: true, refund: noRefund };
    if (plan.scores_visible) return { items: wanted, tooMany: false, refund: noRefund };
    const day = utcDay(this.#clock.now());
    const cap = streamLimits.freeSnapshotItemsPerDay;
    const items = await takeSnapshotUnits(this.#db, { accountId, day, wanted, cap });
    // On the day of the grant: given back to another day they would be extra units.
    const refund = async (unsent: number) => {
      if (unsent > 0) await returnSnapshotUnits(this.#db, { accountId, day, unsent });
    };
    return { items, tooMany: false, refund };
  }

  /**
   * Takes one of the snapshots of a minute. Each snapshot has a bucket of its own that refills in a minute: one bucket for
   * all of them would allow twice as many in the first minute.
   */
  async #takeOne({ accountId }: Caller): Promise<boolean> {
    for (let place = 0; place < streamLimits.snapshotsPerMinute; place++) {
      const { retrySeconds } = await this.#rates.take(accountId, `snapshot ${place}`, 1, 1);
      if (retrySeconds === 0) return true;
    }
    return false;
  }
}
