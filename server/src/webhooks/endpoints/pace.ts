import { TokenBucket } from "./token-bucket.ts";

export const paceLimits = { atOnce: 4, perS: 100, slowMs: 2_000 } as const;
/** A bit for each of the last twenty attempts: with two slow ones among them, their 95th percentile is slow. */
const lastAttempts = 2 ** 20 - 1;
const slowOnes = 2;

/** The pace at one endpoint: attempts in flight, a token bucket for one second, and whether it is slow. */
export class Pace {
  readonly #atOnce: number;
  readonly #tokens: TokenBucket;
  #inFlight = 0;
  #slowBits = 0;
  #hasAnswered = false;

  constructor({
    atOnce = paceLimits.atOnce,
    perS = paceLimits.perS,
  }: { atOnce?: number; perS?: number } = {}) {
    this.#atOnce = atOnce;
    this.#tokens = new TokenBucket({ most: perS, perS });
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Whether the 95th percentile of the last 20 attempts is above 2 s. */
  get isSlow(): boolean {
    let slow = 0;
    for (let bits = this.#slowBits; bits !== 0; bits &= bits - 1) slow += 1;
    return slow >= slowOnes;
  }

  /**
   * How long an attempt must wait: 0, it may begin; null, until one in flight ends. Before the first answer only one at a
   * time is allowed: dead endpoints are unknown after a start, and each must not hold four slots until its timeout.
   * @param atMost what the endpoint's state allows
   */
  waitMs(nowMs: number, atMost: number): number | null {
    const atOnce = Math.min(this.#hasAnswered ? this.#atOnce : 1, atMost);
    return this.#inFlight >= atOnce ? null : this.#tokens.waitMs(nowMs);
  }

  /** Call it when `waitMs` is 0; `end` must follow. */
  begin(nowMs: number): void {
    this.#tokens.take(nowMs);
    this.#inFlight += 1;
  }

  /** @param status null: no answer */
  end({ ms, status }: { readonly ms: number; readonly status: number | null }): void {
    this.#inFlight -= 1;
    this.#slowBits = ((this.#slowBits << 1) | (ms > paceLimits.slowMs ? 1 : 0)) & lastAttempts;
    this.#hasAnswered ||= status !== null;
  }
}
