/**
 * Does some work for all who ask for it. Whoever asks while it is done shares the next time: each is sure that it was
 * begun after it asked.
 */
export class Joint {
  readonly #work: () => Promise<void>;
  #next: Promise<void> | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Rejects as the work does, for all who share it. */
  done(): Promise<void> {
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
