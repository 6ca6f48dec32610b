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

  /** @returns how many of the wanted items may be sent */
  grant({ accountId, plan }: Caller, wanted: number): number {
    if (plan.scores_visible) return wanted;
    const used = this.#usedToday(accountId);
    const granted = Math.min(wanted, streamLimits.freeSnapshotItemsPerDay - used.items);
    used.items += granted;
    return granted;
  }

  /** Of a grant, what there was nothing to send for. */
  refund({ accountId, plan }: Caller, unsent: number): void {
    if (!plan.scores_visible) this.#usedToday(accountId).items -= unsent;
  }

  #usedToday(accountId: string): { day: string; items: number } {
    const day = this.#clock.now().toISOString().slice(0, 10);
    const known = this.#used.get(accountId);
    if (known?.day === day) return known;
    const fresh = { day, items: 0 };
    this.#used.set(accountId, fresh);
    return fresh;
  }
}
