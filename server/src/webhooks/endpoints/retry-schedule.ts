const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Waits between the attempts of a delivery; after the last one it is a dead letter. Source: decisions, Webhooks. */
export const retryDelaysMs: readonly number[] = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
];
/** The longest time by which a receiver may postpone a retry. */
export const longestRetryAfterMs = hourMs;
/** Spreads retries of deliveries that failed at the same time. */
const jitter = 0.2;

/** The longest wait of a schedule. */
export function longestDelayMs(delaysMs: readonly number[] = retryDelaysMs): number {
  return Math.max(longestRetryAfterMs, ...delaysMs.map((delayMs) => Math.round(delayMs * (1 + jitter))));
}

/** Whether a wait has ended. One that would go on for longer than any does was begun before the clock was put back. */
export function isOver(untilMs: number, nowMs: number, longestMs: number): boolean {
  return nowMs >= untilMs || (untilMs - nowMs > longestMs && Number.isFinite(untilMs));
}

export interface RetryHints {
  /** Retry-After of a 429 or 503: the retry is not earlier, up to an hour. */
  readonly retryAfterMs?: number | null;
  /** 0..1 */
  readonly random?: number;
  readonly delaysMs?: readonly number[];
}

/**
 * The wait before the next attempt of a delivery.
 * @param attempt how many have failed, 1 or more
 * @returns null when the schedule is over
 */
export function nextAttemptMs(
  attempt: number,
  { retryAfterMs = null, random = Math.random(), delaysMs = retryDelaysMs }: RetryHints = {},
): number | null {
  const delayMs = delaysMs[attempt - 1];
  if (delayMs === undefined) return null;
  const spreadMs = delayMs * (1 - jitter + 2 * jitter * random);
  return Math.round(Math.max(spreadMs, Math.min(retryAfterMs ?? 0, longestRetryAfterMs)));
}
