import { TokenBucket } from "./token-bucket.ts";
import type { Delivery } from "./types.ts";

const successes = { most: 20, perS: 1 } as const;

/** Which attempts at an endpoint belong in the log of deliveries: failures, and successes that somebody looks for. */
export class AttemptSampling {
  readonly #bucket = new TokenBucket(successes);
  /** Of the entry of the log that failed last. */
  #failedSeq: number | null = null;

  /**
   * A success is looked for after a failure, and when it was asked for; others are logged while they are few.
   * @param wasTried it failed before, and was sent from the log again
   */
  isLogged({ attempts, trigger, seq }: Delivery, ok: boolean, of: { wasTried: boolean; nowMs: number }) {
    if (!ok) {
      this.#failedSeq = seq;
      return true;
    }
    const isAwaited = attempts > 0 || trigger === "resend" || seq === this.#failedSeq || of.wasTried;
    return isAwaited || this.#bucket.take(of.nowMs);
  }
}
