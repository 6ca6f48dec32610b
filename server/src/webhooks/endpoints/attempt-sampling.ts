import { TokenBucket } from "./token-bucket.ts";
import type { Delivery } from "./types.ts";

const successes = { most: 20, perS: 1 } as const;

/** Which attempts at an endpoint are logged: failures, and successes that owners look for. */
export class AttemptSampling {
  readonly #bucket = new TokenBucket(successes);
  /** Seq of the entry that failed last. */
  #failedSeq: number | null = null;

  /**
   * Logs a success after a failure, and one that was ordered; other successes are logged while they are few.
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
