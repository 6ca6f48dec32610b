export type BreakerState = "closed" | "open" | "half_open";

const failuresInARow = 5;
const bucketMs = 10_000;
const buckets = 6;
const leastInWindow = 10;
const failedShare = 0.5;
const firstOpenMs = 30_000;
const longestOpenMs = 15 * 60_000;
/** The wait is never shortened by chance: the endpoints behind one dead host must not return at once. */
const lateBy = 0.2;
const successesPerStep = 2;
/** Attempts at a time: while it recovers, step by step, and when it has. */
const ramp = [1, 2, 4] as const;
const whole = ramp.length - 1;

/** What must outlive the process, so that a restart does not knock at every dead endpoint at once. */
export interface KeptBreaker {
  /** How often it has opened without having recovered in between; 0: it only waits as the receiver asked. */
  readonly openings: number;
  readonly openUntilMs: number;
}

/**
 * Holds attempts at one endpoint back when it fails: after 5 failures in a row, or when half of 10 or more within 60 s
 * (in steps of 10 s) failed. Open for 30 s, then twice as long each time, to 15 min. Then it is half open: one attempt
 * at a time, after 2 successes two, after 2 more it is closed; one failure opens it again.
 */
export class Breaker {
  readonly #random: () => number;
  #inARow = 0;
  #openings: number;
  #openUntilMs: number;
  /** The receiver asked for it, whatever else is found of it. */
  #heldUntilMs = 0;
  /** Place on the ramp; at its end it is closed. */
  #step: number;
  #successes = 0;
  /** Successes and failures by turns, of the window's buckets. */
  readonly #counts: number[] = new Array<number>(2 * buckets).fill(0);
  #bucket = 0;

  constructor({
    kept = null,
    random = Math.random,
  }: { kept?: KeptBreaker | null; random?: () => number } = {}) {
    this.#random = random;
    this.#openings = kept?.openings ?? 0;
    this.#openUntilMs = kept?.openUntilMs ?? 0;
    this.#step = kept === null ? whole : 0;
  }

  state(nowMs: number): BreakerState {
    if (this.#step === whole) return "closed";
    return nowMs < this.#openUntilMs ? "open" : "half_open";
  }

  /** How many attempts may be in flight: 0 while it is open, 1 for a probe. */
  limit(nowMs: number): number {
    if (nowMs < this.#heldUntilMs) return 0;
    return this.state(nowMs) === "open" ? 0 : (ramp[this.#step] ?? 1);
  }

  /** Nothing begins until then. */
  holdUntil(untilMs: number): void {
    this.#heldUntilMs = Math.max(this.#heldUntilMs, untilMs);
  }

  /** To be stored; null: it holds nothing back. */
  get kept(): KeptBreaker | null {
    if (this.#step === whole && this.#heldUntilMs === 0) return null;
    return { openings: this.#openings, openUntilMs: Math.max(this.#openUntilMs, this.#heldUntilMs) };
  }

  /**
   * Takes the outcome of an attempt. What ends while it is open was begun before, and says nothing new; all of that has
   * ended when it half opens, since an attempt is shorter than the shortest opening.
   */
  record(ok: boolean, nowMs: number): void {
    if (nowMs >= this.#heldUntilMs) this.#heldUntilMs = 0;
    const state = this.state(nowMs);
    if (state === "half_open") this.#recordProbe(ok, nowMs);
    if (state === "closed") this.#recordUsual(ok, nowMs);
  }

  #recordProbe(ok: boolean, nowMs: number): void {
    if (!ok) {
      this.#open(nowMs);
      return;
    }
    this.#successes += 1;
    if (this.#successes < successesPerStep) return;
    this.#successes = 0;
    this.#step += 1;
    if (this.#step === whole) this.#openings = 0;
  }

  #recordUsual(ok: boolean, nowMs: number): void {
    this.#count(ok, nowMs);
    this.#inARow = ok ? 0 : this.#inARow + 1;
    if (!ok && (this.#inARow >= failuresInARow || this.#failsOften())) this.#open(nowMs);
  }

  #open(nowMs: number): void {
    const doubledMs = Math.min(longestOpenMs, firstOpenMs * 2 ** Math.min(this.#openings, 30));
    this.#openings += 1;
    this.#openUntilMs = nowMs + Math.round(doubledMs * (1 + lateBy * this.#random()));
    this.#step = 0;
    this.#successes = 0;
    this.#inARow = 0;
    this.#counts.fill(0);
  }

  #count(ok: boolean, nowMs: number): void {
    const now = Math.floor(nowMs / bucketMs);
    for (let passed = Math.max(this.#bucket + 1, now - buckets + 1); passed <= now; passed += 1)
      this.#counts.fill(0, 2 * (passed % buckets), 2 * (passed % buckets) + 2);
    // The clock of the wall may be put back.
    this.#bucket = Math.max(this.#bucket, now);
    const place = 2 * (this.#bucket % buckets) + (ok ? 0 : 1);
    this.#counts[place] = (this.#counts[place] ?? 0) + 1;
  }

  #failsOften(): boolean {
    const sum = (from: number) =>
      this.#counts.reduce((total, count, index) => total + (index % 2 === from ? count : 0), 0);
    const failed = sum(1);
    const all = sum(0) + failed;
    return all >= leastInWindow && failed >= failedShare * all;
  }
}
