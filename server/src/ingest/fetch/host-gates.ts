import { setTimeout as delay } from "node:timers/promises";
import { Gate, GateError } from "../../runtime/sharing/gate.ts";
import type { Db } from "../../store/engine/db.ts";
import { quietHost, quietMs, takeSlot, takeStrangersSlot } from "../../store/intake/hosts.ts";
import { FetchError } from "./types.ts";

/** How a request uses a host. */
export interface Visit {
  /** The pace that applies to it. */
  readonly requestsPerS: number;
  /** Not on behalf of a source of the host: a link or a redirect led there, and anybody can make many of those. */
  readonly isStranger: boolean;
}

/** Slots for requests to hosts. */
export interface HostGates {
  /**
   * Waits for a slot of the host.
   * @returns release, to be called when the request is done
   * @throws {FetchError} when the host wants no requests now, or a stranger waits for too long; the signal's reason when
   * it aborts first
   */
  enter(host: string, visit: Visit, signal: AbortSignal): Promise<() => void>;
  /** Stops requests to the host for that long; only those of strangers when a stranger was refused. Does not reject. */
  pause(host: string, ms: number, visit: Pick<Visit, "isStranger">): Promise<void>;
}

/** After a longer wait the host is checked again: it may want no requests by now. */
const longWaitMs = 250;
/** The least and the most delay before a stranger tries again. */
const lookAgainMs = [20, 250] as const;
const strangersWaitMs = 15_000;

/**
 * Politeness per host: its pace, and the times when it wants no requests, hold over all processes on one database; each
 * process makes one request at a time for the host's own sources, and one for strangers. Strangers get only slots that
 * nobody else wants, and delay no source: neither by waiting, nor when the host refuses them.
 */
export class SharedHostGates implements HostGates {
  readonly #db: Db;
  /** Hosts are owners here: one request to each at a time, any number of hosts. */
  readonly #requests = new Gate({ inside: Number.POSITIVE_INFINITY, each: { inside: 1 } });
  readonly #strangers = new Gate({ inside: Number.POSITIVE_INFINITY, each: { inside: 1 } });

  constructor(db: Db) {
    this.#db = db;
  }

  async enter(host: string, { requestsPerS, isStranger }: Visit, signal: AbortSignal): Promise<() => void> {
    const gapMs = 1000 / requestsPerS;
    const endsAtMs = performance.now() + strangersWaitMs;
    const leave = isStranger
      ? await this.#strangers.enter({ owner: host, signal, waitMs: strangersWaitMs }).catch(noSlot)
      : await this.#requests.enter({ owner: host, signal });
    try {
      if (isStranger) await this.#strangersSlot(host, { gapMs, endsAtMs, signal });
      else await this.#ownSlot(host, gapMs, signal);
      signal.throwIfAborted();
      return leave;
    } catch (error) {
      leave();
      // An aborted delay rejects with an error of its own.
      signal.throwIfAborted();
      throw error;
    }
  }

  async #ownSlot(host: string, gapMs: number, signal: AbortSignal): Promise<void> {
    const slot = await takeSlot(this.#db.main, host, gapMs);
    refuseWhileQuiet(slot.quietMs);
    if (slot.waitMs > 0) await delay(slot.waitMs, undefined, { signal });
    if (slot.waitMs > longWaitMs) refuseWhileQuiet(await quietMs(this.#db.main, host));
  }

  async #strangersSlot(
    host: string,
    { gapMs, endsAtMs, signal }: { gapMs: number; endsAtMs: number; signal: AbortSignal },
  ): Promise<void> {
    const [least, most] = lookAgainMs;
    for (;;) {
      const slot = await takeStrangersSlot(this.#db.main, host, gapMs);
      if (slot === null) return;
      refuseWhileQuiet(slot.quietMs);
      if (performance.now() + slot.waitMs > endsAtMs) throw new FetchError(noSlotText);
      await delay(Math.min(Math.max(slot.waitMs, least), most), undefined, { signal });
    }
  }

  async pause(host: string, ms: number, { isStranger }: Pick<Visit, "isStranger">): Promise<void> {
    // Ignored: while the database is away nothing else continues either.
    await quietHost(this.#db.main, host, ms, isStranger ? "strangers" : "all").catch(() => {});
  }
}

const noSlotText = "no free slot at the host: its own sources come first";

function noSlot(error: unknown): never {
  throw error instanceof GateError ? new FetchError(noSlotText) : error;
}

function refuseWhileQuiet(ms: number): void {
  if (ms > 0) throw new FetchError("the host asked to wait", { retryAfterMs: ms });
}
