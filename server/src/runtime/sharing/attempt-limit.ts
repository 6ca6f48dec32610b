import type { Clock } from "../clock.ts";
import { lruOf } from "./lru.ts";

/** Runs a lookup for a caller whose network may make only so many that find nothing. */
export type LookUp = <T>(look: () => Promise<T | null>) => Promise<T | null>;

/** Failed attempts of a network. */
const usual = { atOnce: 60, perSecond: 1 } as const;
/** Subjects remembered; above it the one whose last attempt is oldest is forgotten. */
const mostSubjects = 20_000;

interface Bucket {
  left: number;
  atMs: number;
}

/** Limits attempts per subject, such as a client's network: some at once, then so many a second. In this process only. */
export class AttemptLimit {
  readonly #clock: Clock;
  readonly #buckets = lruOf<string, Bucket>(mostSubjects);

  readonly #atOnce: number;
  readonly #perMs: number;

  constructor(clock: Clock, { atOnce, perSecond }: { atOnce: number; perSecond: number } = usual) {
    this.#clock = clock;
    this.#atOnce = atOnce;
    this.#perMs = perSecond / 1_000;
  }

  /**
   * Takes one attempt, before it is known whether it fails.
   * @returns whole seconds until the subject may try again; 0 when it may now
   */
  begin(subject: string): number {
    const left = this.#leftOf(subject);
    if (left < 1) return Math.max(1, Math.ceil((1 - left) / this.#perMs / 1000));
    this.#set(subject, left - 1);
    return 0;
  }

  /** Gives an attempt back that did not fail. */
  giveBack(subject: string): void {
    this.#set(subject, Math.min(this.#atOnce, this.#leftOf(subject) + 1));
  }

  #set(subject: string, left: number): void {
    if (left < this.#atOnce) this.#buckets.set(subject, { left, atMs: this.#clock.now().getTime() });
    else this.#buckets.delete(subject);
  }

  #leftOf(subject: string): number {
    const bucket = this.#buckets.get(subject);
    if (bucket === undefined) return this.#atOnce;
    const nowMs = this.#clock.now().getTime();
    // The clock was put back: refilling starts again from the new time.
    bucket.atMs = Math.min(bucket.atMs, nowMs);
    const passedMs = nowMs - bucket.atMs;
    return Math.min(this.#atOnce, bucket.left + passedMs * this.#perMs);
  }
}
