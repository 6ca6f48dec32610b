import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { labelled, type Metrics } from "../runtime/metrics.ts";

/** The names of limits in RateLimit-Policy, in problem documents and in frames of streams. */
const policies = ["minute", "reference", "day", "address", "streams", "live_items", "snapshots"] as const;
export type Policy = (typeof policies)[number];

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
