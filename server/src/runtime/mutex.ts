/** Runs tasks one after another, in the order they came. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Resolves with a release function once everybody before has released. One that stops waiting hands its turn on when
   * it comes.
   * @throws the signal's reason when it aborts first
   */
  async acquire(signal?: AbortSignal): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = promise;
    if (signal === undefined) await before;
    else
      await untilAborted(before, signal).catch((error: unknown) => {
        void before.then(() => resolve());
        throw error;
      });
    return resolve;
  }
}

async function untilAborted(awaited: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    signal.throwIfAborted();
    await Promise.race([awaited, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
