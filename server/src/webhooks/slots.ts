/**
 * Which share of the process's slots an attempt takes. `late`: a probe of an endpoint that recovers, or a retry;
 * `slow`: to an endpoint that is known to answer slowly; else `prompt`.
 */
export type SlotKind = "prompt" | "slow" | "late";

export interface SlotLimits {
  /** Attempts in flight, of all kinds. */
  readonly total: number;
  readonly slow: number;
  readonly late: number;
  /** To one host, which may serve thousands of endpoints: its outage must not take all slots. */
  readonly host: number;
  /** Late ones of one account: its slow endpoints must not keep the retries of all others waiting. */
  readonly lateOfAccount: number;
}

/** Whose attempt it is, and where it goes. */
export interface SlotUser {
  readonly host: string;
  readonly accountId: string;
}

export const slotLimits: SlotLimits = { total: 512, slow: 128, late: 64, host: 128, lateOfAccount: 16 };

/** The attempts that a process has in flight: bulkheads, so that neither slow nor dead endpoints can take all of them. */
export class Slots {
  readonly #limits: SlotLimits;
  readonly #used = { prompt: 0, slow: 0, late: 0 };
  readonly #hosts = new Map<string, number>();
  readonly #lateOf = new Map<string, number>();

  constructor(limits: Partial<SlotLimits> = {}) {
    this.#limits = { ...slotLimits, ...limits };
  }

  get used(): number {
    return this.#used.prompt + this.#used.slow + this.#used.late;
  }

  /** @returns false when there is no room; else `free` must follow, with the same values */
  take(kind: SlotKind, { host, accountId }: SlotUser): boolean {
    const { total, host: ofHost, lateOfAccount } = this.#limits;
    if (this.used >= total || (this.#hosts.get(host) ?? 0) >= ofHost) return false;
    if (kind !== "prompt" && this.#used[kind] >= this.#limits[kind]) return false;
    if (kind === "late" && (this.#lateOf.get(accountId) ?? 0) >= lateOfAccount) return false;
    this.#used[kind] += 1;
    add(this.#hosts, host, 1);
    if (kind === "late") add(this.#lateOf, accountId, 1);
    return true;
  }

  free(kind: SlotKind, { host, accountId }: SlotUser): void {
    this.#used[kind] -= 1;
    add(this.#hosts, host, -1);
    if (kind === "late") add(this.#lateOf, accountId, -1);
  }
}

function add(counts: Map<string, number>, name: string, more: number): void {
  const count = (counts.get(name) ?? 0) + more;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}

export const paceLimits = { atOnce: 4, perS: 100, slowMs: 2_000 } as const;
/** A bit for each of the last twenty attempts: two slow ones among them, and their 95th percentile is slow. */
const lastAttempts = 2 ** 20 - 1;
const slowOnes = 2;

/** The pace at one endpoint: attempts in flight, a token bucket of one second's worth, and whether it is slow. */
export class Pace {
  readonly #atOnce: number;
  readonly #perS: number;
  #inFlight = 0;
  #tokens: number;
  #filledAtMs = 0;
  #slowBits = 0;
  #hasAnswered = false;

  constructor({
    atOnce = paceLimits.atOnce,
    perS = paceLimits.perS,
  }: { atOnce?: number; perS?: number } = {}) {
    this.#atOnce = atOnce;
    this.#perS = perS;
    this.#tokens = perS;
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
   * How long to wait before an attempt may begin: 0, it may now; null, until one in flight ends. Before the first answer
   * one at a time: of dead endpoints nothing is known at a start, and each must not hold four slots until its time-out.
   * @param atMost the breaker's limit
   */
  waitMs(nowMs: number, atMost: number): number | null {
    const atOnce = Math.min(this.#hasAnswered ? this.#atOnce : 1, atMost);
    if (this.#inFlight >= atOnce) return null;
    this.#fill(nowMs);
    return this.#tokens >= 1 ? 0 : Math.ceil(((1 - this.#tokens) * 1_000) / this.#perS);
  }

  /** To be called when `waitMs` is 0; `end` must follow. */
  begin(nowMs: number): void {
    this.#fill(nowMs);
    this.#tokens -= 1;
    this.#inFlight += 1;
  }

  /** @param status null: no answer */
  end({ ms, status }: { readonly ms: number; readonly status: number | null }): void {
    this.#inFlight -= 1;
    this.#slowBits = ((this.#slowBits << 1) | (ms > paceLimits.slowMs ? 1 : 0)) & lastAttempts;
    this.#hasAnswered ||= status !== null;
  }

  #fill(nowMs: number): void {
    const passedMs = Math.max(0, nowMs - this.#filledAtMs);
    this.#tokens = Math.min(this.#perS, this.#tokens + (passedMs * this.#perS) / 1_000);
    this.#filledAtMs = nowMs;
  }
}
