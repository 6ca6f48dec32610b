/** Runs tasks one after another, in the order they came. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /** Resolves with a release function once everybody before has released. */
  async acquire(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = promise;
    await before;
    return resolve;
  }
}
