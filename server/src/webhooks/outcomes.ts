import type { Clock } from "../runtime/clock.ts";
import type { AttemptRow, Exception, Trigger } from "../store/webhook-deliveries.ts";
import type { ClockSteps } from "./endpoints/clock-steps.ts";
import type { Endpoint } from "./endpoints/endpoint-set.ts";
import type { RetryHints } from "./endpoints/retry-schedule.ts";
import type { HourlyCounts } from "./hourly-counts.ts";
import type { Attempt } from "./send/sender.ts";

/** What of a delivery's policy an operator may set. */
export interface DeliveryPolicy {
  /** The wait before the next attempt; null: there is none. */
  readonly nextAttemptMs: (attempt: number, hints: RetryHints) => number | null;
  /** Nothing but failures for so long disables an endpoint. */
  readonly disableAfterMs: number;
}

/** One delivery that is under way. */
export interface Delivery {
  readonly endpoint: Endpoint;
  readonly seq: number;
  readonly itemId: string;
  readonly trigger: Trigger;
  readonly counts: boolean;
  /** Attempts that failed before. */
  readonly attempts: number;
  readonly firstAt: Date;
  readonly madeAtMs: number;
}

/** A delivery that is found parked, and by nobody under way, is tried again after this long: longer than an attempt. */
const parkedMs = 20_000;
/** One that could not be made is to be made again after this long. */
const unmadeMs = 1_000;
/** last_error of what is parked. */
export const underWay = "under_way";
const successesLogged = { atOnce: 20, perS: 1 } as const;

/** An entry of the log as its first attempt knows it. */
type First = Pick<Delivery, "seq" | "itemId">;

export interface OutcomeDeps {
  readonly clock: Clock;
  readonly policy: DeliveryPolicy;
  readonly hours: HourlyCounts;
  readonly steps: ClockSteps;
}

/** What attempts tell: of their endpoints, for the log of deliveries, and of what is to be done with a failed one. */
export class Outcomes {
  readonly #deps: OutcomeDeps;
  #attempts: AttemptRow[] = [];

  constructor(deps: OutcomeDeps) {
    this.#deps = deps;
  }

  /** What is to be logged since it was last taken. */
  takeAttempts(): AttemptRow[] {
    const attempts = this.#attempts;
    this.#attempts = [];
    return attempts;
  }

  /**
   * Books an attempt and what it tells of its endpoint.
   * @param tells whether it was made since the owner of the endpoint decided anew: else it tells of what was before
   */
  note(
    { endpoint, seq, itemId, trigger, attempts }: Delivery,
    attempt: Attempt,
    { at, tells }: { at: Date; tells: boolean },
  ): void {
    const { ok, status, error, ms, response } = attempt;
    const now = this.#deps.clock.now();
    this.#deps.hours.attempted(endpoint.id, ms);
    endpoint.attempted = true;
    endpoint.lastStatus = status;
    if (status !== null) endpoint.answeredAt = now;
    if (tells) this.#judge(endpoint, attempt, at);
    // Somebody looks for a success after a failure, and for one that was asked for.
    const isAwaited =
      attempts > 0 || trigger === "resend" || seq === endpoint.failedSeq || endpoint.takenBack.has(seq);
    if (!ok) endpoint.failedSeq = seq;
    if (ok && !isAwaited && !isLogged(endpoint, now.getTime())) return;
    const about = { endpointId: endpoint.id, seq, itemId, attempt: attempts + 1, trigger };
    this.#attempts.push({ ...about, at, ok, status, error, ms, response });
  }

  #judge(endpoint: Endpoint, { ok, gone }: Attempt, at: Date): void {
    if (ok) endpoint.failingSince = null;
    else endpoint.failingSince ??= at;
    if (gone) disable(endpoint, "it answered 410 Gone");
    const nowMs = this.#deps.clock.now().getTime();
    const since = endpoint.failingSince?.getTime();
    const failedMs = since === undefined ? 0 : nowMs - this.#deps.steps.since(since);
    if (failedMs >= this.#deps.policy.disableAfterMs)
      disable(endpoint, "nothing could be delivered since failing_since");
  }

  /** What becomes of a delivery that has failed (again). */
  failure(delivery: Delivery, { status, error, retryAfterMs }: Attempt): Exception {
    const { endpoint, seq, itemId, trigger, counts, madeAtMs, firstAt } = delivery;
    const attempts = delivery.attempts + 1;
    const waitMs = this.#deps.policy.nextAttemptMs(attempts, { retryAfterMs });
    const now = this.#deps.clock.now();
    const dueAt = new Date(now.getTime() + (waitMs ?? 0));
    const ageMs = dueAt.getTime() - this.#deps.steps.since(madeAtMs);
    const expires = waitMs !== null && trigger === "item" && ageMs > endpoint.maxAgeMs;
    const isDead = waitMs === null || expires;
    return {
      ...{ seq, itemId, trigger, counts, attempts, firstAt },
      state: isDead ? "dead" : "due",
      dueAt: isDead ? now : dueAt,
      lastStatus: status,
      lastError: expires ? "expired" : error,
    };
  }

  /** How a first attempt that hangs is kept. */
  parked(first: First): Exception {
    return this.#untried(first, parkedMs);
  }

  /** How a first attempt that was not made, for want of a socket, is kept. */
  unmade(first: First): Exception {
    return this.#untried(first, unmadeMs);
  }

  /** One that failed, was to be tried again from the log, and is too old now. */
  expired({ seq, itemId }: First): Exception {
    const now = this.#deps.clock.now();
    const what = { seq, itemId, trigger: "item", counts: true, attempts: 1 } as const;
    return { ...what, state: "dead", dueAt: now, firstAt: now, lastStatus: null, lastError: "expired" };
  }

  #untried({ seq, itemId }: First, waitMs: number): Exception {
    const now = this.#deps.clock.now();
    const dueAt = new Date(now.getTime() + waitMs);
    const what = { seq, itemId, trigger: "item", counts: true, attempts: 0 } as const;
    return { ...what, state: "due", dueAt, firstAt: now, lastStatus: null, lastError: underWay };
  }
}

function disable(endpoint: Endpoint, reason: string): void {
  endpoint.stopped = true;
  endpoint.disabledReason ??= reason;
}

/** Successes at once are logged while they are few. */
function isLogged(endpoint: Endpoint, nowMs: number): boolean {
  const passedS = Math.max(0, nowMs - endpoint.logAllowanceAtMs) / 1000;
  const { atOnce, perS } = successesLogged;
  endpoint.logAllowance = Math.min(atOnce, endpoint.logAllowance + passedS * perS);
  endpoint.logAllowanceAtMs = nowMs;
  if (endpoint.logAllowance < 1) return false;
  endpoint.logAllowance -= 1;
  return true;
}
