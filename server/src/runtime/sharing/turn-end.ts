/**
 * Collects waiting callers until the end of a turn of the event loop. For writes: a reader on the same machine, such as
 * a proxy, then wakes once for all of them instead of once for each, and the writing code stays in the CPU's caches.
 */
export class TurnEnd {
  readonly #most: number;
  #waiting: (() => void)[] = [];

  /** @param most waiting callers; when it is reached, all are released at once */
  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves at the end of the turn, for all who wait, in their order. */
  reached(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(() => this.#release());
      if (this.#waiting.length >= this.#most) this.#release();
    });
  }

  #release(): void {
    const released = this.#waiting;
    this.#waiting = [];
    for (const resolve of released) resolve();
  }
}
