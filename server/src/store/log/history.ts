import type { Db, Queries } from "../engine/db.ts";
import type { PoolName, Replica } from "../engine/replica.ts";
import type { LogPosition } from "./log-position.ts";

export interface HistoryDeps {
  readonly db: Db;
  /** null: none is configured. */
  readonly replica: Replica | null;
}

/**
 * Reads of the past, which may be served by a replica: never from a state that is older than what a caller may have been
 * shown, by this process or another.
 */
export class History {
  readonly #deps: HistoryDeps;
  #shown: (() => Promise<LogPosition>) | null = null;

  constructor(deps: HistoryDeps) {
    this.#deps = deps;
  }

  /** @param shown the newest position that any process may have shown to a caller before the call */
  follow(shown: () => Promise<LogPosition>): void {
    this.#shown = shown;
  }

  /** @param needed the position that the read depends on; absent: everything that was committed before the call */
  async read<T>(pool: PoolName, read: (db: Queries) => Promise<T>, needed?: LogPosition): Promise<T> {
    const { db, replica } = this.#deps;
    if (replica?.isDue === true) {
      const found = await this.#onReplica(replica, pool, read, needed);
      if (found !== null) return found.found;
    }
    return read(db[pool]);
  }

  async #onReplica<T>(
    replica: Replica,
    pool: PoolName,
    read: (db: Queries) => Promise<T>,
    needed: LogPosition | undefined,
  ): Promise<{ readonly found: T } | null> {
    const upTo = needed ?? (await this.#shown?.());
    if (upTo === undefined) return null;
    return replica.read(pool, upTo, read);
  }
}
