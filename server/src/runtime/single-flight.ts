/**
 * Does some work once for all who ask for it at a time. Calls made during a run share the next run: each is sure that
 * its run began after the call.
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
    // What else came in this turn of the loop joins.
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#last = this.#next ?? last;
    this.#next = null;
    await this.#work();
  }
}
