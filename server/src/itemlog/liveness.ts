import type { Db } from "../store/engine/db.ts";
import type { ItemTail } from "./tail.ts";

const stuckAfterMs = 3 * 60_000;

/**
 * Whether a restart would help this process: the log has not been read for minutes, although the database answers. Where
 * it answers nobody a restart would only add the time of a start.
 */
export class Liveness {
  readonly #tail: ItemTail;
  readonly #db: Db;
  readonly #stuckAfterMs: number;
  #asking: Promise<boolean> | null = null;

  constructor(parts: { tail: ItemTail; db: Db }, options: { stuckAfterMs?: number | undefined } = {}) {
    this.#tail = parts.tail;
    this.#db = parts.db;
    this.#stuckAfterMs = options.stuckAfterMs ?? stuckAfterMs;
  }

  async alive(): Promise<boolean> {
    if (this.#tail.readAgeMs < this.#stuckAfterMs) return true;
    // Whoever asks often, without a key, must not open a connection each time.
    this.#asking ??= this.#db.answers().finally(() => {
      this.#asking = null;
    });
    return !(await this.#asking);
  }
}
