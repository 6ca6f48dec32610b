import type { Db, Queries } from "../engine/db.ts";
import type { PoolName, Replica } from "../engine/replica.ts";
import type { LogPosition } from "./log-position.ts";
import { Partitions } from "./partitions.ts";

/** Where a read of history takes place. */
export interface HistorySource {
  readonly db: Queries;
  /** The months that this database has. */
  readonly partitions: Partitions;
}

export interface HistoryDeps {
  readonly db: Db;
  readonly partitions: Partitions;
  /** null: none is configured. */
  readonly replica: Replica | null;
}

/**
 * Reads of the past, which may be served by a replica: never from a state that is older than what a caller may have been
 * shown, by this process or another.
 */
export class History {
  readonly #deps: HistoryDeps;
  /** A replica may not have a month yet that the main database has. */
  readonly #ofReplica = new Partitions();
  #shown: (() => Promise<LogPosition>) | null = null;

  constructor(deps: HistoryDeps) {
    this.#deps = deps;
  }

  /** @param shown the newest position that any process may have shown to a caller before the call */
  follow(shown: () => Promise<LogPosition>): void {
    this.#shown = shown;
  }

  /** @param needed the position that the read depends on; absent: everything that was committed before the call */
  async read<T>(pool: PoolName, read: (from: HistorySource) => Promise<T>, needed?: LogPosition): Promise<T> {
    const { db, partitions, replica } = this.#deps;
    if (replica?.isDue === true) {
      const found = await this.#onReplica(replica, pool, read, needed);
      if (found !== null) return found.found;
    }
    return read({ db: db[pool], partitions });
  }

  async #onReplica<T>(
    replica: Replica,
    pool: PoolName,
    read: (from: HistorySource) => Promise<T>,
    needed: LogPosition | undefined,
  ): Promise<{ readonly found: T } | null> {
    const upTo = needed ?? (await this.#shown?.());
    if (upTo === undefined) return null;
    return replica.read(pool, upTo, (db) => read({ db, partitions: this.#ofReplica }));
  }
}
