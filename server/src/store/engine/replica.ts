import { type Kysely, sql } from "kysely";
import { backoffMs } from "../../runtime/backoff.ts";
import type { Log } from "../../runtime/log.ts";
import { Connections } from "./connections.ts";
import { StoreError } from "./errors.ts";
import { listMs, listSession, mainMs, postgresPool } from "./postgres-pools.ts";
import type { Tables } from "./tables.ts";

/**
 * up: it is asked. behind: it lacked entries, and is left alone for a moment. down: it failed, and is left alone for longer.
 * trying: one read finds out whether it can be asked again.
 */
export type ReplicaState = "up" | "behind" | "down" | "trying";
type ReplicaEvent = "served" | "lagged" | "failed" | "due";

/** All moves; an event that a state does not list changes nothing. */
export const replicaMoves: Readonly<Record<ReplicaState, Partial<Record<ReplicaEvent, ReplicaState>>>> = {
  up: { lagged: "behind", failed: "down" },
  behind: { failed: "down", due: "trying" },
  down: { due: "trying" },
  trying: { served: "up", lagged: "behind", failed: "down" },
};

const behindMs = 250;
const downMs = { baseMs: 1_000, maxMs: 30_000 } as const;
/** A replica that does not answer costs its first callers so much. */
const connectMs = 1_000;

export type PoolName = "main" | "list";

/** A position of the log that a state of the database must have reached. */
interface Needed {
  readonly epoch: string;
  readonly seq: number;
}

/**
 * A read replica of the database, which may lag and may fail. A read happens on one connection, after that connection has
 * shown a head of the log that is at least the needed one: behind one address there may be several replicas.
 */
export class Replica implements AsyncDisposable {
  readonly #connections: Connections;
  readonly #pools: Readonly<Record<PoolName, Kysely<Tables>>>;
  readonly #log: Log;
  #state: ReplicaState = "up";
  #dueMs = 0;
  #failures = 0;
  readonly counts = { replica: 0, behind: 0, failed: 0 };

  constructor(connectionString: string, log: Log) {
    this.#log = log;
    this.#connections = new Connections(log);
    const pool = (ms: typeof mainMs, session = "") =>
      postgresPool(this.#connections, { connectionString, max: 8, ms, session, connectMs }).queries;
    this.#pools = { main: pool(mainMs), list: pool(listMs, listSession) };
  }

  get state(): ReplicaState {
    return this.#state;
  }

  /** Whether a read now would ask it. */
  get isDue(): boolean {
    return this.#state === "up" || (this.#state !== "trying" && performance.now() >= this.#dueMs);
  }

  /**
   * @returns null: it is left alone, is older than needed, or failed: the main database must be read
   * @throws {StoreError} what the read is refused by itself: a search that takes too long would there as well
   */
  async read<T>(
    pool: PoolName,
    needed: Needed,
    read: (db: Kysely<Tables>) => Promise<T>,
  ): Promise<{ readonly found: T } | null> {
    if (!this.isDue) return null;
    // One of the callers tries a replica that was left alone.
    this.#move("due");
    try {
      const found = await this.#pools[pool].connection().execute(async (own) => {
        const { rows } = await sql<{ is: boolean }>`
          select epoch = ${needed.epoch} and last_seq >= ${needed.seq}::bigint as is from log_head`.execute(
          own,
        );
        return rows[0]?.is === true ? { found: await read(own) } : null;
      });
      if (found === null) this.#lag();
      else this.#serve();
      return found;
    } catch (error) {
      if (error instanceof StoreError) {
        this.#serve();
        throw error;
      }
      this.#fail(error);
      return null;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Object.values(this.#pools).map((queries) => queries.destroy()));
    await this.#connections[Symbol.asyncDispose]();
  }

  #serve(): void {
    this.counts.replica += 1;
    if (this.#state === "trying" && this.#failures > 0) {
      this.#failures = 0;
      this.#log.info("the read replica can be used again");
    }
    this.#move("served");
  }

  #lag(): void {
    this.counts.behind += 1;
    if (this.#state === "down") return;
    this.#dueMs = performance.now() + behindMs;
    this.#move("lagged");
  }

  #fail(error: unknown): void {
    this.counts.failed += 1;
    if (this.#state === "down") return;
    if (this.#failures === 0)
      this.#log.warn(
        { err: error },
        "the read replica cannot be used: its reads go to DATABASE_URL until it can",
      );
    this.#failures += 1;
    this.#dueMs = performance.now() + backoffMs(this.#failures, downMs);
    this.#move("failed");
  }

  #move(event: ReplicaEvent): void {
    this.#state = replicaMoves[this.#state][event] ?? this.#state;
  }
}
