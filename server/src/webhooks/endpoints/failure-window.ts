const failuresInARow = 5;
const bucketMs = 10_000;
const buckets = 6;
const leastInWindow = 10;
const failedShare = 0.5;

/** The last attempts: whether 5 failed in a row, or half of 10 or more within 60 s (in steps of 10 s). */
export class FailureWindow {
  #inARow = 0;
  /** Successes and failures, alternating, of the window's buckets. */
  readonly #counts: number[] = new Array<number>(2 * buckets).fill(0);
  #bucket = 0;

  get isFailing(): boolean {
    return this.#inARow >= failuresInARow || this.#failsOften();
  }

  count(ok: boolean, nowMs: number): void {
    this.#inARow = ok ? 0 : this.#inARow + 1;
    const now = Math.floor(nowMs / bucketMs);
    for (let passed = Math.max(this.#bucket + 1, now - buckets + 1); passed <= now; passed += 1)
      this.#counts.fill(0, 2 * (passed % buckets), 2 * (passed % buckets) + 2);
    // The wall clock may be put back.
    this.#bucket = Math.max(this.#bucket, now);
    const place = 2 * (this.#bucket % buckets) + (ok ? 0 : 1);
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
  }

  clear(): void {
    this.#inARow = 0;
    this.#counts.fill(0);
  }

  #failsOften(): boolean {
    const sum = (from: number) =>
      this.#counts.reduce((total, count, index) => total + (index % 2 === from ? count : 0), 0);
    const failed = sum(1);
    const all = sum(0) + failed;
    return all >= leastInWindow && failed >= failedShare * all;
  }
}
