/**
 * Runs some work once for all concurrent callers. Calls made during a run share the next run, so every caller's run
 * began after its call.
 */
export class SingleFlight {
  readonly #work: () => Promise<void>;
  #next: Promise<void> | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Rejects as the work does, for all who share the run. */
  run(): Promise<void> {
    this.#next ??= this.#begin(this.#last);
    return this.#next;
  }

  async #begin(last: Promise<void>): Promise<void> {
    await last.catch(() => {});
    // Other calls of this turn of the event loop join.
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#last = this.#next ?? last;
    this.#next = null;
    await this.#work();
  }
}
