import { burstOf } from "@tapewire/contract/plans.ts";
import { type Clock, systemClock } from "../runtime/clock.ts";
import { lruOf } from "../runtime/sharing/lru.ts";
import { clocksDifferS, takeTokens } from "../store/accounts/rate-buckets.ts";
import type { Queries } from "../store/engine/db.ts";

/** The state of one limit, as the headers show it; see requests-per-minute.ts. */
export interface Standing {
  readonly policy: string;
  /** Requests allowed in each window. */
  readonly quota: number;
  readonly windowSeconds: number;
  /** Requests that may be made at once. */
  readonly remaining: number;
  /** Until the bucket is full again. */
  readonly resetSeconds: number;
  /** Until the next request is accepted; 0 when this one was. */
  readonly retrySeconds: number;
}

/** How far ahead of need a process takes tokens, in the bucket's refill time; also how long such tokens are valid. */
const aheadSeconds = 0.2;
/** Buckets remembered; forgetting one loses its leased tokens, which are few. */
const mostShares = 50_000;

/** What this process knows of an account's bucket. */
interface Share {
  readonly perMinute: number;
  /** What a full bucket holds. */
  readonly burst: number;
  /** Taken from the bucket and not used yet; valid until `expiresMs`. */
  leased: number;
  expiresMs: number;
  /** Left in the bucket at `atMs`. */
  tokens: number;
  atMs: number;
  waiting: number;
  taking: Promise<void> | null;
}

/**
 * Token buckets of requests, per account, exact over all processes: the database holds the tokens, and each process
 * takes what its waiting requests need. From a bucket that refills quickly a process takes some tokens ahead of need, at
 * most those that refill during their validity, and none once the bucket is half empty, so that no process holds tokens
 * that others need. The database is not queried about an empty bucket before a token can be in it. While the embedded
 * database is lent, its one process counts the tokens itself; afterwards a bucket may hold what was taken meanwhile once more.
 */
export class RateLimits {
  readonly #db: Queries;
  readonly #clock: Clock;
  readonly #lentUntilMs: () => number;
  readonly #shares = lruOf<string, Share>(mostShares);

  /** @param deps.lentUntilMs see Db, absent: it is lent to nobody */
  constructor(deps: { db: Queries; clock: Clock; lentUntilMs?: () => number }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
    this.#lentUntilMs = deps.lentUntilMs ?? (() => 0);
  }

  /** Takes one request out of an account's bucket. Rejects when the database fails. */
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
        // A call that came too late for this statement counts itself again for the next.
        share.waiting = 0;
      });
      await share.taking;
    }
  }

  #share(key: string, perMinute: number, burst: number): Share {
    const known = this.#shares.get(key);
    if (known?.perMinute === perMinute) return known;
    // Unknown, or of another plan: assume a token, so that the database is queried.
    const share = { perMinute, burst, leased: 0, expiresMs: 0, tokens: 1, atMs: 0, waiting: 0, taking: null };
    this.#shares.set(key, share);
    return share;
  }

  async #take(accountId: string, bucket: string, share: Share): Promise<void> {
    // Callers that the previous statement woke count themselves first.
    await null;
    if (this.#lentUntilMs() > performance.now()) return takeUnwritten(share, this.#clock.now().getTime());
    const ratePerSecond = share.perMinute / 60;
    const { granted, tokens, aheadMs } = await takeTokens(this.#db, {
      accountId,
      bucket,
      ratePerSecond,
      burst: share.burst,
      // Machines' clocks differ, so the database's counts; a test has a clock of its own.
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

/** Takes tokens for those who wait by what this process knows of the bucket; one that it does not know counts as full. */
function takeUnwritten(share: Share, nowMs: number): void {
  const refilled = (Math.max(0, nowMs - share.atMs) * share.perMinute) / 60_000;
  const held = Math.min(share.burst, share.tokens + refilled);
  share.leased = Math.min(Math.floor(held), share.waiting);
  share.tokens = held - share.leased;
  share.atMs = nowMs;
  share.expiresMs = nowMs + aheadSeconds * 1000;
}

/** Milliseconds until the bucket has a token by its last known state; 0 when it may have one. Others may take it first. */
function msToToken({ perMinute, tokens, atMs }: Share, nowMs: number): number {
  // The clock was put back: the known state is void.
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
