/**
 * Brings together what is ready within one turn of the event loop. For writes: a reader on the same machine, such as a
 * proxy, is then woken once for all of them, not once for each, and the code that writes stays at hand.
 */
export class TurnEnd {
  readonly #most: number;
  #waiting: (() => void)[] = [];

  /** @param most that wait; with so many it is the end of the turn already */
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
