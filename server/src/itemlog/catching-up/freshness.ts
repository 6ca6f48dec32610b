const staleAfterMs = 10_000;

/** How recently the log's table was read. */
export class Freshness {
  readonly #lentUntilMs: () => number;
  #readAtMs = performance.now();

  /** @param lentUntilMs see Db */
  constructor(lentUntilMs: () => number = () => 0) {
    this.#lentUntilMs = lentUntilMs;
  }

  /** The table was read. */
  read(): void {
    this.#readAtMs = performance.now();
  }

  /** Time since the table was last read successfully. */
  get ageMs(): number {
    return performance.now() - this.#readAtMs;
  }

  /** Time since anybody could have written what is not read yet. */
  get staleMs(): number {
    return Math.max(0, performance.now() - Math.max(this.#readAtMs, this.#lentUntilMs()));
  }

  /** Whether the table was read in the last seconds, so that other processes' writes would be seen. */
  get isCurrent(): boolean {
    return this.staleMs < staleAfterMs;
  }
}
