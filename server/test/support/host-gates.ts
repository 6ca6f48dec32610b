import { setTimeout as delay } from "node:timers/promises";
import type { HostGates } from "../../src/ingest/fetch/host-gates.ts";
import { Mutex } from "../../src/runtime/mutex.ts";

interface Gate {
  readonly mutex: Mutex;
  nextAtMs: number;
}

/** Turns at hosts within one process: for tests that need no database. */
export class LocalHostGates implements HostGates {
  readonly #gates = new Map<string, Gate>();

  /**
   * Waits for the host's turn.
   * @returns release, to be called when the request is done
   * @throws the signal's reason when it aborts first
   */
  async enter(host: string, requestsPerS: number, signal: AbortSignal): Promise<() => void> {
    const gate = this.#gate(host);
    const release = await gate.mutex.acquire(signal);
    try {
      const waitMs = gate.nextAtMs - performance.now();
      if (waitMs > 0) await delay(waitMs, undefined, { signal });
      signal.throwIfAborted();
      gate.nextAtMs = performance.now() + 1000 / requestsPerS;
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
    const gate = this.#gate(host);
    gate.nextAtMs = Math.max(gate.nextAtMs, performance.now() + ms);
  }

  #gate(host: string): Gate {
    const known = this.#gates.get(host);
    if (known !== undefined) return known;
    const made = { mutex: new Mutex(), nextAtMs: 0 };
    this.#gates.set(host, made);
    return made;
  }
}
