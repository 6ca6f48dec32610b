import { FailureWindow } from "./failure-window.ts";
import { paceLimits } from "./pace.ts";
import { longestRetryAfterMs } from "./retry-schedule.ts";
import type { DeliveryPolicy, Moment } from "./types.ts";

/**
 * joining: what it is owed from before is being counted; nothing is sent. closed: its breaker is, attempts begin. open:
 * it fails; none begins until its wait is over. half_open: it is tried, one attempt at a time, then two. stopped: it is
 * about to be disabled. removed: it is not this worker's any more, for good.
 */
export type EndpointState = "joining" | "closed" | "open" | "half_open" | "stopped" | "removed";

/**
 * joined: all of it is counted. tripped: too many attempts failed. wait_over: time has passed. recovered: attempts
 * succeeded while it was tried. refused: it answered 410, or nothing could be delivered for too long. reset: its owner
 * decided anew. removed: another worker has it, or nobody.
 */
export type EndpointEvent =
  | "joined"
  | "tripped"
  | "wait_over"
  | "recovered"
  | "refused"
  | "reset"
  | "removed";

/** Every move there is; an event that a state does not name changes nothing. */
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

/** An attempt has ended with an answer, or without one by the receiver's fault. */
export interface AttemptEnded {
  readonly ok: boolean;
  /** It answered 410. */
  readonly gone: boolean;
  /** What a 429 or 503 asked for. */
  readonly retryAfterMs: number | null;
  readonly startedAt: Date;
  /** The owner's decisions, `resets`, when it began: it tells nothing of what was decided since. */
  readonly resets: number;
  /** Attempts of the delivery that failed before. */
  readonly failedBefore: number;
  /** When what is delivered gets too old for another attempt; null: never. */
  readonly expiry: { readonly madeAtMs: number; readonly maxAgeMs: number } | null;
}

/** What is to be done with the delivery. */
export type NextStep =
  | { readonly do: "settle" }
  | { readonly do: "retry"; readonly atMs: number }
  /** `expired`: it would be too old at its next attempt; else the schedule is over. */
  | { readonly do: "give_up"; readonly expired: boolean };

/** What must outlive the process, so that a restart does not knock at every dead endpoint at once. */
export interface KeptWait {
  /** How often it has opened without having recovered in between; 0: it only waits as the receiver asked. */
  readonly openings: number;
  readonly untilMs: number;
}

const firstOpenMs = 30_000;
const longestOpenMs = 15 * 60_000;
/** The wait is never shortened by chance: the endpoints behind one dead host must not return at once. */
const lateBy = 0.2;
/** Attempts at a time while it is tried, step by step, so many successes each. */
const ramp = [1, 2] as const;
const successesPerStep = 2;

export interface EndpointStateOptions {
  readonly policy: DeliveryPolicy;
  readonly resets?: number;
  /** What it is owed from before is counted already. */
  readonly joined?: boolean;
  readonly kept?: KeptWait | null;
  readonly failingSince?: Date | null;
  /** 0..1 */
  readonly random?: () => number;
}

/**
 * Whether attempts at an endpoint may begin, and what follows when one ends: a state machine without I/O or clock.
 *
 * It opens after 5 failures in a row, or when half of 10 or more within 60 s failed: for 30 s, then twice as long each
 * time, to 15 min. Then it is tried with one attempt at a time, after 2 successes with two, after 2 more it is closed;
 * one failure opens it again. A pause that the receiver asked for holds in every state.
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
  /** The receiver asked for it. */
  #pausedUntilMs = 0;
  /** Successes since it is tried. */
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
    if (this.#state === "open" && nowMs >= (this.#openUntilMs ?? 0)) this.#move("wait_over");
    return this.#state;
  }

  get isJoining(): boolean {
    return this.#state === "joining";
  }

  /** Nothing begins any more unless its owner decides anew. */
  get isStopped(): boolean {
    return this.#state === "stopped" || this.#state === "removed";
  }

  /** It has failed too often, and has not recovered yet. */
  isFailing(nowMs: number): boolean {
    const state = this.state(nowMs);
    return state === "open" || state === "half_open";
  }

  get resets(): number {
    return this.#resets;
  }

  /** Since when nothing but failures; null: the last attempt succeeded. */
  get failingSince(): Date | null {
    return this.#failingSince;
  }

  /** Why it is to be disabled. */
  get disabledReason(): string | null {
    return this.#disabledReason;
  }

  /** To be stored; null: nothing holds it back. */
  get kept(): KeptWait | null {
    if (this.#openUntilMs === null && this.#pausedUntilMs === 0) return null;
    return { openings: this.#openings, untilMs: Math.max(this.#openUntilMs ?? 0, this.#pausedUntilMs) };
  }

  /** How many attempts may be under way. */
  atOnce(nowMs: number): number {
    const state = this.state(nowMs);
    if (nowMs < this.#pausedUntilMs) return 0;
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

  /** Its owner has decided anew: nothing that was found of it holds any more. */
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
    if (nowMs >= this.#pausedUntilMs) this.#pausedUntilMs = 0;
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
   * What ends while it is open was begun before, and says nothing new; all of that has ended when its wait is over, since
   * an attempt is shorter than the shortest wait.
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
