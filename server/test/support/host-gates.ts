import { setTimeout as delay } from "node:timers/promises";
import type { HostGates, Visit } from "../../src/ingest/fetch/host-gates.ts";
import { Gate } from "../../src/runtime/sharing/gate.ts";

interface Host {
  readonly gate: Gate;
  nextAtMs: number;
}

/** Turns at hosts within one process: for tests that need no database. */
export class LocalHostGates implements HostGates {
  readonly #hosts = new Map<string, Host>();

  /**
   * Waits for the host's turn.
   * @returns release, to be called when the request is done
   * @throws the signal's reason when it aborts first
   */
  async enter(host: string, { requestsPerS }: Visit, signal: AbortSignal): Promise<() => void> {
    const turn = this.#host(host);
    const release = await turn.gate.enter({ signal });
    try {
      const waitMs = turn.nextAtMs - performance.now();
      if (waitMs > 0) await delay(waitMs, undefined, { signal });
      signal.throwIfAborted();
      turn.nextAtMs = performance.now() + 1000 / requestsPerS;
      return release;
    } catch (error) {
      release();
      // A delay cut short rejects with an error of its own.
      signal.throwIfAborted();
      throw error;
    }
  }

  /** Nothing more to this host for so long. */
  async pause(host: string, ms: number): Promise<void> {
    const turn = this.#host(host);
    turn.nextAtMs = Math.max(turn.nextAtMs, performance.now() + ms);
  }

  #host(host: string): Host {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    const made = { gate: new Gate({ inside: 1 }), nextAtMs: 0 };
    this.#hosts.set(host, made);
    return made;
  }
}
