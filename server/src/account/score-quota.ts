import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { ScoreUsage } from "@tapewire/contract/score.ts";
import type { Clock } from "../runtime/clock.ts";
import { dayMs, secondsToNextDay } from "../runtime/utc-day.ts";
import { returnScoreUnits, scoreUnitsOf, takeScoreUnits } from "../store/accounts/score-calls.ts";
import type { Queries } from "../store/engine/db.ts";
import type { Caller } from "./keys/auth.ts";
import type { Standing } from "./request-buckets.ts";
import { dayText } from "./usage.ts";

/** Counts score calls against the day's limit of an account, exactly over all processes. The day turns at 00:00 UTC. */
export class ScoreQuota {
  readonly #db: Queries;
  readonly #clock: Clock;

  constructor({ db, clock }: { db: Queries; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Takes units before the work is done.
   * @returns settles the call: gives back the units of failed work and counts the rest in the usage
   * @throws {ApiError} quota_exceeded, when fewer units are left today
   */
  async take(caller: Caller, units: number): Promise<(failed: number) => Promise<ScoreUsage>> {
    const { accountId, plan } = caller;
    const cap = plan.score_per_day;
    const { day, resetAt, resetSeconds } = this.#today();
    const used = await takeScoreUnits(this.#db, { accountId, day, units, cap });
    if (used === null) throw exceeded(cap, resetAt, resetSeconds);
    return async (failed) => {
      const left = failed === 0 ? used : await returnScoreUnits(this.#db, { accountId, day, units: failed });
      return {
        limit: cap,
        used: left,
        remaining: cap === null ? null : Math.max(0, cap - left),
        reset_at: resetAt.toISOString(),
      };
    };
  }

  /** The account's quota for today; null when its plan has no limit. */
  async standing({ accountId, plan }: Caller): Promise<Standing | null> {
    if (plan.score_per_day === null) return null;
    const { day, resetSeconds } = this.#today();
    const used = await scoreUnitsOf(this.#db, accountId, day);
    const remaining = Math.max(0, plan.score_per_day - used);
    return {
      policy: "day",
      quota: plan.score_per_day,
      windowSeconds: dayMs / 1000,
      remaining,
      resetSeconds,
      retrySeconds: remaining > 0 ? 0 : resetSeconds,
    };
  }

  #today(): { day: string; resetAt: Date; resetSeconds: number } {
    const now = this.#clock.now();
    const today = Math.floor(now.getTime() / dayMs);
    const resetAt = new Date((today + 1) * dayMs);
    return { day: dayText(today), resetAt, resetSeconds: secondsToNextDay(now) };
  }
}

function exceeded(cap: number | null, resetAt: Date, resetSeconds: number): ApiError {
  return new ApiError("quota_exceeded", {
    detail: `This request exceeds the ${cap} score calls per day; the count restarts at ${resetAt.toISOString()}`,
    headers: { "Retry-After": String(resetSeconds) },
    violatedPolicies: ["day"],
  });
}
