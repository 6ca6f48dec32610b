import { streamLimits } from "@tapewire/contract/stream.ts";
import type { Clock } from "../runtime/clock.ts";
import { utcDay } from "../runtime/utc-day.ts";
import type { Queries } from "../store/db.ts";
import { returnSnapshotUnits, takeSnapshotUnits } from "../store/feed-units.ts";
import type { Caller } from "./auth.ts";

/** How many snapshot items a caller gets. Plans that lock scores have a daily allowance, over all processes. */
export class SnapshotAllowance {
  readonly #db: Queries;
  readonly #clock: Clock;

  constructor({ db, clock }: { db: Queries; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Whether there is an allowance that has to be asked for. */
  limits({ plan }: Caller): boolean {
    return !plan.scores_visible;
  }

  /** @returns how many of the wanted items may be sent */
  async grant(caller: Caller, wanted: number): Promise<number> {
    if (!this.limits(caller) || wanted === 0) return wanted;
    const { accountId } = caller;
    const cap = streamLimits.freeSnapshotItemsPerDay;
    return takeSnapshotUnits(this.#db, { accountId, day: this.#today(), wanted, cap });
  }

  /** Of a grant, what there was nothing to send for. */
  async refund(caller: Caller, unsent: number): Promise<void> {
    if (!this.limits(caller) || unsent === 0) return;
    await returnSnapshotUnits(this.#db, { accountId: caller.accountId, day: this.#today(), unsent });
  }

  #today(): string {
    return utcDay(this.#clock.now());
  }
}
