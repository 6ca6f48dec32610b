import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { labelled, type Metrics } from "../runtime/metrics.ts";
import type { AttemptLimit } from "../runtime/sharing/attempt-limit.ts";

/** The names of limits in RateLimit-Policy, in problem documents and in frames of streams. */
const policies = ["minute", "reference", "day", "address", "streams", "live_items", "snapshots"] as const;
export type Policy = (typeof policies)[number];

/** @param policy name of the limit, for the problem document */
export function rateLimited(retrySeconds: number, policy: string, detail?: string): ApiError {
  return new ApiError("rate_limited", {
    ...(detail === undefined ? {} : { detail }),
    headers: { "Retry-After": String(retrySeconds) },
    violatedPolicies: [policy],
  });
}

interface Overload {
  /** Absent: that of the table of errors. */
  readonly detail?: string;
  readonly cause?: unknown;
  readonly retrySeconds?: number;
}

/** A place where only so many wait has no room, or one has waited for too long. */
export function overloaded({ detail, cause, retrySeconds = 2 }: Overload = {}): ApiError {
  return new ApiError("overloaded", {
    ...(detail === undefined ? {} : { detail }),
    ...(cause === undefined ? {} : { cause }),
    headers: { "Retry-After": String(retrySeconds) },
  });
}

/** Takes one attempt of the subject. @throws {ApiError} rate_limited, when none is left */
export function takeAttempt(
  limit: AttemptLimit,
  subject: string,
  { policy, detail }: { policy: string; detail?: string },
): void {
  const retrySeconds = limit.begin(subject);
  if (retrySeconds > 0) throw rateLimited(retrySeconds, policy, detail);
}

/** Counts what was refused by a limit of a plan or of a network. */
export class Refusals {
  readonly #counts = new Map<string, number>(policies.map((policy) => [policy, 0]));

  constructor(metrics: Metrics) {
    metrics.counter(
      {
        name: "tapewire_refusals_total",
        help: "Requests, streams, live items and snapshots refused by a limit, by its name.",
        labels: ["policy"],
      },
      () => labelled("policy", this.#counts),
    );
  }

  count(policy: Policy): void {
    this.#add(policy);
  }

  /** Counts the limits that an error names; most errors name none. */
  countError(error: unknown): void {
    if (error instanceof ApiError) for (const policy of error.violatedPolicies) this.#add(policy);
  }

  #add(policy: string): void {
    const count = this.#counts.get(policy);
    if (count !== undefined) this.#counts.set(policy, count + 1);
  }
}
