import type { Clock } from "../runtime/clock.ts";
import { utcDay } from "../runtime/utc-day.ts";

/** Tokens of a day in UTC, in this process. What is about to be spent is taken before, so that calls at once stay below. */
export class DailyBudget {
  readonly #clock: Clock;
  readonly #limit: number;
  #day = "";
  #used = 0;

  /** @param limit tokens a day */
  constructor(clock: Clock, limit: number) {
    this.#clock = clock;
    this.#limit = limit;
  }

  get used(): number {
    this.#turn();
    return this.#used;
  }

  /** @returns how to say what was spent in the end, or null when that much is not left today */
  take(tokens: number): ((spent: number) => void) | null {
    this.#turn();
    if (this.#used + tokens > this.#limit) return null;
    this.#used += tokens;
    const day = this.#day;
    return (spent) => {
      // What yesterday's call has cost is no business of today's budget.
      if (this.#day === day) this.#used += spent - tokens;
    };
  }

  #turn(): void {
    const today = utcDay(this.#clock.now());
    if (today !== this.#day) [this.#day, this.#used] = [today, 0];
  }
}
