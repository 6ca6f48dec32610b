import { ApiError } from "@tapewire/contract/errors.ts";

/**
 * So many at a time; the others wait in the order they came, and when too many wait the next is turned away at once: a
 * queue that grows answers nobody in time.
 */
export class Turns {
  #free: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];

  constructor({ running, waiting }: { running: number; waiting: number }) {
    this.#free = running;
    this.#maxWaiting = waiting;
  }

  /** @throws {ApiError} overloaded, before any work, when too many wait */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn();
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= this.#maxWaiting)
      throw new ApiError("overloaded", {
        detail: "Too many searches of the past are waiting",
        headers: { "Retry-After": "2" },
      });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    return promise;
  }
}
