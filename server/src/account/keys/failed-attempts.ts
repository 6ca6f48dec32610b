import type { Clock } from "../../runtime/clock.ts";
import { lruOf } from "../../runtime/sharing/lru.ts";

const allowed = 60;
const refilledPerMs = 60 / 60_000;
/** Networks remembered; above it the one whose last attempt is oldest is forgotten. */
const mostNetworks = 20_000;

interface Bucket {
  left: number;
  atMs: number;
}

/** Limits failed attempts per client network: 60 at once, then one a second. */
export class FailedAttempts {
  readonly #clock: Clock;
  readonly #buckets = lruOf<string, Bucket>(mostNetworks);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Takes one attempt, before it is known whether it fails.
   * @returns whole seconds until the network may try again; 0 when it may now
   */
  begin(network: string): number {
    const left = this.#leftOf(network);
    if (left < 1) return Math.max(1, Math.ceil((1 - left) / refilledPerMs / 1000));
    this.#set(network, left - 1);
    return 0;
  }

  /** Gives an attempt back that did not fail. */
  giveBack(network: string): void {
    this.#set(network, Math.min(allowed, this.#leftOf(network) + 1));
  }

  #set(network: string, left: number): void {
    if (left < allowed) this.#buckets.set(network, { left, atMs: this.#clock.now().getTime() });
    else this.#buckets.delete(network);
  }

  #leftOf(network: string): number {
    const bucket = this.#buckets.get(network);
    if (bucket === undefined) return allowed;
    const nowMs = this.#clock.now().getTime();
    // The clock was put back: refilling starts again from the new time.
    bucket.atMs = Math.min(bucket.atMs, nowMs);
    const passedMs = nowMs - bucket.atMs;
    return Math.min(allowed, bucket.left + passedMs * refilledPerMs);
  }
}
