import { setImmediate } from "node:timers/promises";

/** How long one piece of work may block the event loop. */
const mostMs = 10;

/** For a loop over many things: yields to the event loop each time the loop has run for its share of a turn. */
export class TurnShare {
  #sinceMs = performance.now();

  get isUsedUp(): boolean {
    return performance.now() - this.#sinceMs >= mostMs;
  }

  async pause(): Promise<void> {
    await setImmediate();
    this.#sinceMs = performance.now();
  }
}
