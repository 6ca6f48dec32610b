import { LRUCache } from "lru-cache";
import type { Clock } from "../runtime/clock.ts";

const allowed = 60;
const refilledPerMs = 60 / 60_000;
/** Networks remembered; beyond it the one that tried longest ago is forgotten. */
const mostNetworks = 20_000;

interface Bucket {
  left: number;
  atMs: number;
}

/** Attempts that fail, by the client's network: 60 at once, then one a second. */
export class FailedAttempts {
  readonly #clock: Clock;
  readonly #buckets = new LRUCache<string, Bucket>({ max: mostNetworks });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Takes one attempt, before it is known whether it fails.
   * @returns whole seconds until the network may try again; 0: it may now
   */
  begin(network: string): number {
    const left = this.#leftOf(network);
    if (left < 1) return Math.max(1, Math.ceil((1 - left) / refilledPerMs / 1000));
    this.#set(network, left - 1);
    return 0;
  }

  /** The attempt did not fail. */
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
    // The clock was put back: time counts from there.
    bucket.atMs = Math.min(bucket.atMs, nowMs);
    const passedMs = nowMs - bucket.atMs;
    return Math.min(allowed, bucket.left + passedMs * refilledPerMs);
  }
}
