import type { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Clock } from "../../runtime/clock.ts";
import { AttemptLimit } from "../../runtime/sharing/attempt-limit.ts";
import { rateLimited } from "../refusals.ts";

interface UnderWay {
  count: number;
  next: PromiseWithResolvers<void>;
}

/**
 * Lookups in the database of secrets that clients send: keys that are not cached, sessions that were not seen yet, and
 * tokens of hubs. Those that find nothing are limited by network.
 */
export class Lookups {
  readonly #failed: AttemptLimit;
  /** Lookups that are running, by network; `next` resolves when one of them ends. */
  readonly #underWay = new Map<string, UnderWay>();

  constructor(clock: Clock) {
    this.#failed = new AttemptLimit(clock);
  }

  /** @throws {ApiError} rate_limited, when the network has made too many that found nothing */
  async run<T>(network: string, look: () => Promise<T | null>): Promise<T | null> {
    await this.#begin(network);
    let found: T | null | undefined;
    try {
      found = await look();
      return found;
    } finally {
      // A lookup that threw is no failed attempt either.
      if (found !== null) this.#failed.giveBack(network);
      this.#end(network);
    }
  }

  /**
   * Takes one attempt of the network. After a start a network may send many good secrets, none known yet: when no attempt
   * is left, the call waits for one that a running lookup gives back.
   */
  async #begin(network: string): Promise<void> {
    for (;;) {
      const waitSeconds = this.#failed.begin(network);
      if (waitSeconds === 0) break;
      const underWay = this.#underWay.get(network);
      if (underWay === undefined) throw tooMany(waitSeconds);
      await underWay.next.promise;
    }
    const underWay = this.#underWay.get(network);
    if (underWay === undefined) this.#underWay.set(network, { count: 1, next: Promise.withResolvers() });
    else underWay.count += 1;
  }

  #end(network: string): void {
    const underWay = this.#underWay.get(network);
    if (underWay === undefined) return;
    underWay.next.resolve();
    underWay.next = Promise.withResolvers();
    underWay.count -= 1;
    if (underWay.count === 0) this.#underWay.delete(network);
  }
}

/** The error for a network that has sent too many wrong secrets. */
export const tooMany = (waitSeconds: number): ApiError =>
  rateLimited(
    waitSeconds,
    "address",
    "Too many requests with missing or invalid credentials have come from this address",
  );
