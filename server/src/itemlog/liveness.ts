import type { Db } from "../store/engine/db.ts";
import type { ItemTail } from "./tail.ts";

const stuckAfterMs = 3 * 60_000;

/**
 * Whether a restart would help this process: the log has not been read for minutes, although the database answers. When
 * the database does not answer, a restart would only add its own time.
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
    if (this.#tail.freshness.staleMs < this.#stuckAfterMs) return true;
    // Shared, because anybody may call this often without a key, and each call would open a connection.
    this.#asking ??= this.#db.answers().finally(() => {
      this.#asking = null;
    });
    return !(await this.#asking);
  }
}
