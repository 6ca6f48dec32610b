/** The part of the room that one body takes. */
export interface BodyShare extends Disposable {
  grow(bytes: number): void;
}

interface Held {
  readonly sinceMs: number;
  readonly giveUp: () => void;
  bytes: number;
}

/**
 * The memory for bodies that are being read, all together. No body waits for room: those that trickle would keep the
 * others waiting. When it runs out, the body that has held most for longest is given up.
 */
export class BodyRoom {
  readonly #maxBytes: number;
  readonly #held = new Set<Held>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @param giveUp ends the reading of the body */
  enter(giveUp: () => void): BodyShare {
    const held: Held = { sinceMs: performance.now(), giveUp, bytes: 0 };
    this.#held.add(held);
    return {
      grow: (bytes) => this.#grow(held, bytes),
      [Symbol.dispose]: () => this.#leave(held),
    };
  }

  #grow(held: Held, bytes: number): void {
    if (!this.#held.has(held)) return;
    held.bytes += bytes;
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes) this.#giveUpHeaviest();
  }

  #giveUpHeaviest(): void {
    const nowMs = performance.now();
    const weight = ({ bytes, sinceMs }: Held) => bytes * (nowMs - sinceMs);
    const heaviest = [...this.#held].reduce((one, other) => (weight(other) > weight(one) ? other : one));
    this.#leave(heaviest);
    heaviest.giveUp();
  }

  #leave(held: Held): void {
    if (this.#held.delete(held)) this.#bytes -= held.bytes;
  }
}
