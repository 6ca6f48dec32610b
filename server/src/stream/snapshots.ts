import { streamLimits } from "@tapewire/contract/stream.ts";
import type { Caller } from "../account/auth.ts";
import type { Clock } from "../runtime/clock.ts";

/** How many snapshot items a caller gets. Plans that lock scores have a daily allowance of them. */
export class SnapshotAllowance {
  readonly #clock: Clock;
  readonly #used = new Map<string, { day: string; items: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  grant({ accountId, plan }: Caller, wanted: number): number {
    if (plan.scores_visible) return wanted;
    const day = this.#clock.now().toISOString().slice(0, 10);
    const known = this.#used.get(accountId);
    const items = known?.day === day ? known.items : 0;
    const granted = Math.min(wanted, streamLimits.freeSnapshotItemsPerDay - items);
    this.#used.set(accountId, { day, items: items + granted });
    return granted;
  }
}
