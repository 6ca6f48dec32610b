/** The state of an endpoint by hand: no receiver, and no clock but the times it is told. */
import {
  type AttemptEnded,
  EndpointMachine,
  type EndpointStateOptions,
} from "../../../src/webhooks/endpoints/endpoint-state.ts";
import { longestDelayMs, nextAttemptMs } from "../../../src/webhooks/endpoints/retry-schedule.ts";
import type { DeliveryPolicy } from "../../../src/webhooks/endpoints/types.ts";

export const startMs = 1_800_000_000_000;
export const hourMs = 3_600_000;
const policy: DeliveryPolicy = {
  nextAttemptMs: (attempt, hints) => nextAttemptMs(attempt, { ...hints, random: 0.5 }),
  longestDelayMs: longestDelayMs(),
  disableAfterMs: 120 * hourMs,
};

export function newMachine(options: Partial<EndpointStateOptions> = {}): EndpointMachine {
  return new EndpointMachine({ policy, ...options });
}

const momentOf = (nowMs: number) => ({ nowMs, ageMs: (madeAtMs: number) => nowMs - madeAtMs });

export function end(machine: EndpointMachine, nowMs: number, how: Partial<AttemptEnded> = {}) {
  const usual = { ok: false, gone: false, retryAfterMs: null, failedBefore: 0, expiry: null };
  const begun = { startedAt: new Date(nowMs), resets: machine.resets };
  return machine.end({ ...usual, ...begun, ...how }, momentOf(nowMs));
}

export function fail(machine: EndpointMachine, times: number, nowMs: number): void {
  for (let failed = 0; failed < times; failed += 1) end(machine, nowMs);
}
