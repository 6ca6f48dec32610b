/** Tokens refill at a rate up to a bound. The bucket begins full. */
export class TokenBucket {
  readonly #most: number;
  readonly #perS: number;
  #tokens: number;
  #filledAtMs = 0;

  constructor({ most, perS }: { readonly most: number; readonly perS: number }) {
    this.#most = most;
    this.#perS = perS;
    this.#tokens = most;
  }

  /** Time until there is a token; 0: there is one. */
  waitMs(nowMs: number): number {
    this.#fill(nowMs);
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) * 1_000) / this.#perS);
  }

  /** Takes a token if there is one. @returns whether there was */
  take(nowMs: number): boolean {
    if (this.waitMs(nowMs) > 0) return false;
    this.#tokens -= 1;
    return true;
  }

  #fill(nowMs: number): void {
    const passedMs = Math.max(0, nowMs - this.#filledAtMs);
    this.#tokens = Math.min(this.#most, this.#tokens + (passedMs * this.#perS) / 1_000);
    this.#filledAtMs = nowMs;
  }
}
