import { ApiError } from "@tapewire/contract/errors.ts";
import type { ScoreUsage } from "@tapewire/contract/score.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Queries } from "../store/db.ts";
import { returnScoreUnits, takeScoreUnits } from "../store/score-calls.ts";
import type { Caller } from "./auth.ts";

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
   * @returns settles the call: gives the units of what failed back, and tells the usage
   * @throws {ApiError} quota_exceeded, when there are not so many left today
   */
  async take(caller: Caller, units: number): Promise<(failed: number) => Promise<ScoreUsage>> {
    const { accountId, plan } = caller;
    const cap = plan.score_per_day;
    const now = this.#clock.now();
    const day = now.toISOString().slice(0, 10);
    const resetAt = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
    const used = await takeScoreUnits(this.#db, { accountId, day, units, cap });
    if (used === null) throw exceeded(cap, resetAt, now);
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
}

function exceeded(cap: number | null, resetAt: Date, now: Date): ApiError {
  const seconds = Math.max(1, Math.ceil((resetAt.getTime() - now.getTime()) / 1000));
  return new ApiError("quota_exceeded", {
    detail: `The day's ${cap} score calls are used up, or would be by this request; the count turns at ${resetAt.toISOString()}`,
    headers: { "Retry-After": String(seconds) },
  });
}
