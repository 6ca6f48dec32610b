import type { Clock } from "../runtime/clock.ts";
import { utcDay } from "../runtime/utc-day.ts";

/** Tokens per UTC day in this process. Tokens are reserved before a call, so that concurrent calls stay within the limit. */
export class DailyBudget {
  readonly #clock: Clock;
  readonly #limit: number;
  #day = "";
  #used = 0;

  /** @param limit tokens per day */
  constructor(clock: Clock, limit: number) {
    this.#clock = clock;
    this.#limit = limit;
  }

  get used(): number {
    this.#turn();
    return this.#used;
  }

  /** @returns records what was spent in the end; null when fewer tokens are left today */
  take(tokens: number): ((spent: number) => void) | null {
    this.#turn();
    if (this.#used + tokens > this.#limit) return null;
    this.#used += tokens;
    const day = this.#day;
    return (spent) => {
      // The cost of a call that began yesterday does not count today.
      if (this.#day === day) this.#used += spent - tokens;
    };
  }

  #turn(): void {
    const today = utcDay(this.#clock.now());
    if (today !== this.#day) [this.#day, this.#used] = [today, 0];
  }
}
