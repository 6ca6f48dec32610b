import { setTimeout as delay } from "node:timers/promises";
import { Gate, GateError } from "../../runtime/gate.ts";
import type { Db } from "../../store/engine/db.ts";
import { quietHost, quietMs, quietStrangers, takeSlot, takeStrangersSlot } from "../../store/intake/hosts.ts";
import { FetchError } from "./types.ts";

/** How a request comes to a host. */
export interface Visit {
  /** The pace that holds for it. */
  readonly requestsPerS: number;
  /** Not on behalf of a source that the host belongs to: a link or a redirect led there, of which anybody may make many. */
  readonly isStranger: boolean;
}

/** Whose turn it is at a host. */
export interface HostGates {
  /**
   * Waits for the host's turn.
   * @returns release, to be called when the request is done
   * @throws {FetchError} when the host has asked for quiet, or a stranger waits for too long; the signal's reason when
   * it aborts first
   */
  enter(host: string, visit: Visit, signal: AbortSignal): Promise<() => void>;
  /** Nothing more to this host for so long; only from strangers when a stranger was told so. Does not reject. */
  pause(host: string, ms: number, visit: Pick<Visit, "isStranger">): Promise<void>;
}

/** A turn that comes later than this is looked at again: the host may have asked for quiet meanwhile. */
const longWaitMs = 250;
/** A stranger looks again so often at least, and gives up after so long. */
const lookAgainMs = [20, 250] as const;
const strangersWaitMs = 15_000;

/**
 * Politeness per host: its pace and its requests for quiet hold over all processes on one database, and each process
 * has one request of its own sources to it at a time, and one of strangers. Strangers come when nobody else wants a
 * turn, and hold up no source: not by what they wait for, nor by what they are told.
 */
export class SharedHostGates implements HostGates {
  readonly #db: Db;
  /** A host is an owner: one request to each at a time, any number of hosts. */
  readonly #requests = new Gate({ inside: Number.POSITIVE_INFINITY, each: { inside: 1 } });
  readonly #strangers = new Gate({ inside: Number.POSITIVE_INFINITY, each: { inside: 1 } });

  constructor(db: Db) {
    this.#db = db;
  }

  async enter(host: string, { requestsPerS, isStranger }: Visit, signal: AbortSignal): Promise<() => void> {
    const gapMs = 1000 / requestsPerS;
    const endsAtMs = performance.now() + strangersWaitMs;
    const leave = isStranger
      ? await this.#strangers.enter({ owner: host, signal, waitMs: strangersWaitMs }).catch(noTurn)
      : await this.#requests.enter({ owner: host, signal });
    try {
      if (isStranger) await this.#strangersTurn(host, { gapMs, endsAtMs, signal });
      else await this.#ownTurn(host, gapMs, signal);
      signal.throwIfAborted();
      return leave;
    } catch (error) {
      leave();
      // A delay cut short rejects with an error of its own.
      signal.throwIfAborted();
      throw error;
    }
  }

  async #ownTurn(host: string, gapMs: number, signal: AbortSignal): Promise<void> {
    const slot = await takeSlot(this.#db.main, host, gapMs);
    refuseWhileQuiet(slot.quietMs);
    if (slot.waitMs > 0) await delay(slot.waitMs, undefined, { signal });
    if (slot.waitMs > longWaitMs) refuseWhileQuiet(await quietMs(this.#db.main, host));
  }

  async #strangersTurn(
    host: string,
    { gapMs, endsAtMs, signal }: { gapMs: number; endsAtMs: number; signal: AbortSignal },
  ): Promise<void> {
    const [least, most] = lookAgainMs;
    for (;;) {
      const slot = await takeStrangersSlot(this.#db.main, host, gapMs);
      if (slot === null) return;
      refuseWhileQuiet(slot.quietMs);
      if (performance.now() + slot.waitMs > endsAtMs) throw new FetchError(noTurnText);
      await delay(Math.min(Math.max(slot.waitMs, least), most), undefined, { signal });
    }
  }

  async pause(host: string, ms: number, { isStranger }: Pick<Visit, "isStranger">): Promise<void> {
    // While the database is away nothing else goes on either.
    await (isStranger ? quietStrangers : quietHost)(this.#db.main, host, ms).catch(() => {});
  }
}

const noTurnText = "no turn at the host: its own sources come first";

function noTurn(error: unknown): never {
  throw error instanceof GateError ? new FetchError(noTurnText) : error;
}

function refuseWhileQuiet(ms: number): void {
  if (ms > 0) throw new FetchError("the host has asked for quiet", { retryAfterMs: ms });
}
