import { setTimeout as delay } from "node:timers/promises";
import { Gate } from "../../runtime/gate.ts";
import type { Db } from "../../store/engine/db.ts";
import { quietHost, quietMs, takeSlot } from "../../store/intake/hosts.ts";
import { FetchError } from "./types.ts";

/** Whose turn it is at a host. */
export interface HostGates {
  /**
   * Waits for the host's turn.
   * @returns release, to be called when the request is done
   * @throws {FetchError} when the host has asked for quiet; the signal's reason when it aborts first
   */
  enter(host: string, requestsPerS: number, signal: AbortSignal): Promise<() => void>;
  /** Nothing more to this host for so long. Does not reject. */
  pause(host: string, ms: number): Promise<void>;
}

/** A turn that comes later than this is looked at again: the host may have asked for quiet meanwhile. */
const longWaitMs = 250;

/**
 * Politeness per host: its pace and its requests for quiet hold over all processes on one database, and each process
 * has one request to it at a time.
 */
export class SharedHostGates implements HostGates {
  readonly #db: Db;
  /** A host is an owner: one request to each at a time, any number of hosts. */
  readonly #requests = new Gate({ inside: Number.POSITIVE_INFINITY, each: { inside: 1 } });

  constructor(db: Db) {
    this.#db = db;
  }

  async enter(host: string, requestsPerS: number, signal: AbortSignal): Promise<() => void> {
    const leave = await this.#requests.enter({ owner: host, signal });
    try {
      const slot = await takeSlot(this.#db.main, host, 1000 / requestsPerS);
      refuseWhileQuiet(slot.quietMs);
      if (slot.waitMs > 0) await delay(slot.waitMs, undefined, { signal });
      if (slot.waitMs > longWaitMs) refuseWhileQuiet(await quietMs(this.#db.main, host));
      signal.throwIfAborted();
      return leave;
    } catch (error) {
      leave();
      // A delay cut short rejects with an error of its own.
      signal.throwIfAborted();
      throw error;
    }
  }

  async pause(host: string, ms: number): Promise<void> {
    // While the database is away nothing else goes on either.
    await quietHost(this.#db.main, host, ms).catch(() => {});
  }
}

function refuseWhileQuiet(ms: number): void {
  if (ms > 0) throw new FetchError("the host has asked for quiet", { retryAfterMs: ms });
}
