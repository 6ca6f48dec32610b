import { burstOf } from "@tapewire/contract/plans.ts";
import { LRUCache } from "lru-cache";
import { type Clock, systemClock } from "../runtime/clock.ts";
import { clocksDifferS, takeTokens } from "../store/accounts/rate-buckets.ts";
import type { Queries } from "../store/engine/db.ts";

/** One limit as the headers tell it; see request-rate.ts. */
export interface Standing {
  readonly policy: string;
  /** Requests allowed in each window. */
  readonly quota: number;
  readonly windowSeconds: number;
  /** What may be asked at once. */
  readonly remaining: number;
  /** Until `remaining` is at its most again. */
  readonly resetSeconds: number;
  /** Until the next request is served; 0: this one was. */
  readonly retrySeconds: number;
}

/** Tokens that a process takes at most ahead of need: those of this time, which is also how long they are good. */
const aheadSeconds = 0.2;
/** Buckets remembered; one that is forgotten costs its leased tokens, of which there are few. */
const mostShares = 50_000;

/** What this process knows of an account's bucket. */
interface Share {
  readonly perMinute: number;
  /** What a full bucket holds. */
  readonly burst: number;
  /** Taken from the bucket and not used yet; good until `expiresMs`. */
  leased: number;
  expiresMs: number;
  /** What was left in the bucket, at `atMs`. */
  tokens: number;
  atMs: number;
  waiting: number;
  taking: Promise<void> | null;
}

/**
 * Token buckets of requests, per account, exact over all processes: the tokens lie in the database, and each process
 * takes from there what its waiting requests need. A fast bucket gives some ahead of need, no more than refill while
 * they are good, and none once it is half empty, so that no process sits on what another is refused. A bucket known to
 * be empty is not asked again before a token can be in it.
 */
export class RateLimits {
  readonly #db: Queries;
  readonly #clock: Clock;
  readonly #shares = new LRUCache<string, Share>({ max: mostShares });

  constructor({ db, clock }: { db: Queries; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Takes one request out of an account's bucket. Rejects when the database cannot be asked. */
  async take(
    accountId: string,
    bucket: string,
    perMinute: number,
    burst = burstOf(perMinute),
  ): Promise<Standing> {
    const share = this.#share(`${bucket} ${accountId}`, perMinute, burst);
    for (;;) {
      const nowMs = this.#clock.now().getTime();
      const isGood = nowMs < share.expiresMs && share.expiresMs - nowMs <= aheadSeconds * 1000;
      if (share.leased > 0 && isGood) {
        share.leased -= 1;
        return standing(bucket, share, nowMs, 0);
      }
      const waitMs = msToToken(share, nowMs);
      if (waitMs > 0) return standing(bucket, share, nowMs, Math.max(1, Math.ceil(waitMs / 1000)));
      share.waiting += 1;
      share.taking ??= this.#take(accountId, bucket, share).finally(() => {
        share.taking = null;
        // Who came too late for this statement counts again for the next.
        share.waiting = 0;
      });
      await share.taking;
    }
  }

  #share(key: string, perMinute: number, burst: number): Share {
    const known = this.#shares.get(key);
    if (known?.perMinute === perMinute) return known;
    // Unknown, or of another plan: nothing is known of the bucket but that it may have tokens.
    const share = { perMinute, burst, leased: 0, expiresMs: 0, tokens: 1, atMs: 0, waiting: 0, taking: null };
    this.#shares.set(key, share);
    return share;
  }

  async #take(accountId: string, bucket: string, share: Share): Promise<void> {
    // Everybody who was woken by the statement before gets in line first.
    await null;
    const ratePerSecond = share.perMinute / 60;
    const { granted, tokens, aheadMs } = await takeTokens(this.#db, {
      accountId,
      bucket,
      ratePerSecond,
      burst: share.burst,
      // Clocks of machines differ; a test's is its own.
      now: this.#clock === systemClock ? null : this.#clock.now(),
      waiting: share.waiting,
      ahead: Math.floor(ratePerSecond * aheadSeconds),
    });
    share.leased = granted;
    share.tokens = tokens;
    const nowMs = this.#clock.now().getTime();
    share.atMs = nowMs + aheadMs;
    share.expiresMs = nowMs + aheadSeconds * 1000;
  }
}

/** By what was last known of the bucket; others may take the token first. 0: there may be one. */
function msToToken({ perMinute, tokens, atMs }: Share, nowMs: number): number {
  // The clock was put back: nothing is known any more.
  if (atMs - nowMs > clocksDifferS * 1000) return 0;
  return tokens >= 1 ? 0 : Math.max(0, Math.ceil(atMs + ((1 - tokens) * 60_000) / perMinute - nowMs));
}

function standing(policy: string, share: Share, nowMs: number, retrySeconds: number): Standing {
  const { perMinute, burst, tokens, atMs, leased } = share;
  const refilled = (Math.max(0, nowMs - atMs) * perMinute) / 60_000;
  const held = Math.min(burst, tokens + leased + refilled);
  return {
    policy,
    quota: perMinute,
    windowSeconds: 60,
    remaining: Math.floor(held),
    resetSeconds: Math.ceil(((burst - held) * 60) / perMinute),
    retrySeconds,
  };
}
