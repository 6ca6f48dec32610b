import { setImmediate } from "node:timers/promises";

/** So long one piece of work may keep the event loop. */
const mostMs = 10;

/** For a loop over many things: lets other work of the process go first whenever it has had its share of the turn. */
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
