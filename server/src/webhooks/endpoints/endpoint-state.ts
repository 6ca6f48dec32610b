import { FailureWindow } from "./failure-window.ts";
import { paceLimits } from "./pace.ts";
import { isOver, longestRetryAfterMs } from "./retry-schedule.ts";
import type { DeliveryPolicy, Moment } from "./types.ts";

/**
 * joining: its earlier entries are being counted; nothing is sent. closed: the circuit breaker is closed, attempts begin.
 * open: it fails; no attempt begins until the wait is over. half_open: it is probed, with one attempt at a time, then
 * two. stopped: it is about to be disabled. removed: it no longer belongs to this worker, for good.
 */
export type EndpointState = "joining" | "closed" | "open" | "half_open" | "stopped" | "removed";

/**
 * joined: all earlier entries are counted. tripped: too many attempts failed. wait_over: time has passed. recovered:
 * enough probes succeeded. refused: it answered 410, or nothing could be delivered for too long. reset: its owner enabled
 * or changed it, or a test event of its owner's was answered 2xx. removed: another worker has it, or none.
 */
export type EndpointEvent =
  | "joined"
  | "tripped"
  | "wait_over"
  | "recovered"
  | "refused"
  | "reset"
  | "removed";

/** All moves; an event that a state does not list changes nothing. */
export const transitions: Readonly<Record<EndpointState, Partial<Record<EndpointEvent, EndpointState>>>> = {
  joining: { joined: "closed", removed: "removed" },
  closed: { tripped: "open", refused: "stopped", reset: "closed", removed: "removed" },
  open: { wait_over: "half_open", refused: "stopped", reset: "closed", removed: "removed" },
  half_open: {
    tripped: "open",
    recovered: "closed",
    refused: "stopped",
    reset: "closed",
    removed: "removed",
  },
  stopped: { reset: "closed", removed: "removed" },
  removed: {},
};

/** The outcome of an attempt: an answer, or none by the receiver's fault. */
export interface AttemptEnded {
  readonly ok: boolean;
  /** It answered 410. */
  readonly gone: boolean;
  /** Retry-After of a 429 or 503. */
  readonly retryAfterMs: number | null;
  readonly startedAt: Date;
  /** `resets` when the attempt began: after a later reset its outcome says nothing about the endpoint. */
  readonly resets: number;
  /** Earlier failed attempts of the delivery. */
  readonly failedBefore: number;
  /** When the item becomes too old for another attempt; null: never. */
  readonly expiry: { readonly madeAtMs: number; readonly maxAgeMs: number } | null;
}

/** The next step for the delivery. */
export type NextStep =
  | { readonly do: "settle" }
  | { readonly do: "retry"; readonly atMs: number }
  /** `expired`: it would be too old at its next attempt; otherwise the schedule is over. */
  | { readonly do: "give_up"; readonly expired: boolean };

/** The breaker's state that outlives the process, so that a restart does not try all dead endpoints at once. */
export interface KeptWait {
  /** How often it has opened since it last recovered; 0: it only waits as the receiver asked. */
  readonly openings: number;
  readonly untilMs: number;
}

const firstOpenMs = 30_000;
const longestOpenMs = 15 * 60_000;
/** Jitter only lengthens the wait: the endpoints behind one dead host must not return at once. */
const lateBy = 0.2;
const longestWaitMs = Math.max(longestOpenMs * (1 + lateBy), longestRetryAfterMs);
/** Concurrent probes, step by step, with so many successes each. */
const ramp = [1, 2] as const;
const successesPerStep = 2;

export interface EndpointStateOptions {
  readonly policy: DeliveryPolicy;
  readonly resets?: number;
  /** Its earlier entries are counted already. */
  readonly joined?: boolean;
  readonly kept?: KeptWait | null;
  readonly failingSince?: Date | null;
  /** 0..1 */
  readonly random?: () => number;
}

/**
 * Whether attempts at an endpoint may begin, and what follows when one ends: a state machine without I/O or clock.
 *
 * The breaker opens after 5 failures in a row, or when half of 10 or more attempts within 60 s failed: for 30 s, then twice
 * as long each time, up to 15 min. Then it probes with one attempt at a time, after 2 successes with two, and after 2 more
 * it closes; one failure opens it again. A pause that the receiver asked for applies in every state.
 */
export class EndpointMachine {
  readonly #policy: DeliveryPolicy;
  readonly #random: () => number;
  #state: EndpointState = "joining";
  #resets: number;
  #window = new FailureWindow();
  #openings = 0;
  /** End of the last wait; null: it has recovered since. */
  #openUntilMs: number | null = null;
  /** End of the pause that the receiver asked for. */
  #pausedUntilMs = 0;
  /** Successful probes. */
  #successes = 0;
  #failingSince: Date | null;
  #disabledReason: string | null = null;

  constructor({ policy, resets = 0, joined = true, kept = null, ...options }: EndpointStateOptions) {
    this.#policy = policy;
    this.#random = options.random ?? Math.random;
    this.#resets = resets;
    this.#failingSince = options.failingSince ?? null;
    if (kept !== null) {
      this.#openings = kept.openings;
      this.#openUntilMs = kept.untilMs;
    }
    if (joined) this.join();
  }

  state(nowMs: number): EndpointState {
    if (this.#state === "open" && isOver(this.#openUntilMs ?? 0, nowMs, longestWaitMs))
      this.#move("wait_over");
    return this.#state;
  }

  get isJoining(): boolean {
    return this.#state === "joining";
  }

  /** No attempt begins until its owner enables or changes it. */
  get isStopped(): boolean {
    return this.#state === "stopped" || this.#state === "removed";
  }

  /** It failed too often, and has not recovered yet. */
  isFailing(nowMs: number): boolean {
    const state = this.state(nowMs);
    return state === "open" || state === "half_open";
  }

  get resets(): number {
    return this.#resets;
  }

  /** Since when every attempt has failed; null: the last one succeeded. */
  get failingSince(): Date | null {
    return this.#failingSince;
  }

  /** Why it is to be disabled. */
  get disabledReason(): string | null {
    return this.#disabledReason;
  }

  /** The state to store; null: there is no wait. */
  get kept(): KeptWait | null {
    if (this.#openUntilMs === null && this.#pausedUntilMs === 0) return null;
    return { openings: this.#openings, untilMs: Math.max(this.#openUntilMs ?? 0, this.#pausedUntilMs) };
  }

  /** How many attempts may be in flight. */
  atOnce(nowMs: number): number {
    const state = this.state(nowMs);
    if (!isOver(this.#pausedUntilMs, nowMs, longestWaitMs)) return 0;
    if (state === "closed") return paceLimits.atOnce;
    return state === "half_open" ? (ramp[this.#step] ?? 1) : 0;
  }

  join(): void {
    if (this.#state !== "joining") return;
    this.#move("joined");
    if (this.#openUntilMs !== null) this.#move("tripped");
  }

  remove(): void {
    this.#move("removed");
  }

  /** Drops all findings, because its owner has enabled or changed it, or has found that it answers. */
  reset(resets: number): void {
    if (resets === this.#resets) return;
    this.#resets = resets;
    this.#move("reset");
    this.#window = new FailureWindow();
    this.#openings = 0;
    this.#openUntilMs = null;
    this.#pausedUntilMs = 0;
    this.#successes = 0;
    this.#failingSince = null;
    this.#disabledReason = null;
  }

  end(attempt: AttemptEnded, time: Moment): NextStep {
    if (attempt.resets === this.#resets) this.#learn(attempt, time);
    return attempt.ok ? { do: "settle" } : this.#afterFailure(attempt, time);
  }

  #learn({ ok, gone, retryAfterMs, startedAt }: AttemptEnded, time: Moment): void {
    const { nowMs } = time;
    if (isOver(this.#pausedUntilMs, nowMs, longestWaitMs)) this.#pausedUntilMs = 0;
    this.#count(ok, nowMs);
    if (retryAfterMs !== null) {
      const untilMs = nowMs + Math.min(retryAfterMs, longestRetryAfterMs);
      this.#pausedUntilMs = Math.max(this.#pausedUntilMs, untilMs);
    }
    this.#failingSince = ok ? null : (this.#failingSince ?? startedAt);
    if (gone) this.#refuse("it answered 410 Gone");
    const failedMs = this.#failingSince === null ? 0 : time.ageMs(this.#failingSince.getTime());
    if (failedMs >= this.#policy.disableAfterMs)
      this.#refuse("nothing could be delivered since failing_since");
  }

  /**
   * Attempts that end while it is open began before, and say nothing new. All of them have ended when its wait is over,
   * since an attempt is shorter than the shortest wait.
   */
  #count(ok: boolean, nowMs: number): void {
    const state = this.state(nowMs);
    if (state === "half_open") {
      if (!ok) this.#trip(nowMs);
      else this.#succeed();
    }
    if (state === "closed") {
      this.#window.count(ok, nowMs);
      if (!ok && this.#window.isFailing) this.#trip(nowMs);
    }
  }

  #trip(nowMs: number): void {
    const doubledMs = Math.min(longestOpenMs, firstOpenMs * 2 ** Math.min(this.#openings, 30));
    this.#openings += 1;
    this.#openUntilMs = nowMs + Math.round(doubledMs * (1 + lateBy * this.#random()));
    this.#successes = 0;
    this.#window.clear();
    this.#move("tripped");
  }

  #succeed(): void {
    this.#successes += 1;
    if (this.#step < ramp.length) return;
    this.#successes = 0;
    this.#openings = 0;
    this.#openUntilMs = null;
    this.#move("recovered");
  }

  get #step(): number {
    return Math.floor(this.#successes / successesPerStep);
  }

  #refuse(reason: string): void {
    this.#disabledReason ??= reason;
    this.#move("refused");
  }

  #afterFailure({ failedBefore, retryAfterMs, expiry }: AttemptEnded, { nowMs, ageMs }: Moment): NextStep {
    const waitMs = this.#policy.nextAttemptMs(failedBefore + 1, { retryAfterMs });
    if (waitMs === null) return { do: "give_up", expired: false };
    const expired = expiry !== null && ageMs(expiry.madeAtMs) + waitMs > expiry.maxAgeMs;
    return expired ? { do: "give_up", expired } : { do: "retry", atMs: nowMs + waitMs };
  }

  #move(event: EndpointEvent): void {
    this.#state = transitions[this.#state][event] ?? this.#state;
  }
}
