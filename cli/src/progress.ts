/** Counts on the last line of a terminal, some times a second; elsewhere it is silent. */
export class Progress {
  readonly #what: string;
  #count = 0;
  #shownMs = 0;

  constructor(what: string) {
    this.#what = what;
  }

  add(): void {
    this.#count += 1;
    if (this.#count % 100 !== 0 || !process.stderr.isTTY) return;
    const nowMs = performance.now();
    if (nowMs - this.#shownMs < 200) return;
    this.#shownMs = nowMs;
    process.stderr.write(`\r${this.#count} ${this.#what} ...`);
  }

  end(): void {
    if (process.stderr.isTTY) process.stderr.write("\r");
    console.error(`${this.#count} ${this.#what}`);
  }
}
