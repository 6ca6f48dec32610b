import { ApiError } from "@tapewire/contract/errors.ts";
import { labelled, type Metrics } from "../runtime/metrics.ts";

/** As RateLimit-Policy and problem documents name the limits; and what streams are told in frames. */
const policies = ["minute", "reference", "day", "address", "streams", "live_items", "snapshots"] as const;
export type Policy = (typeof policies)[number];

/** Counts what was refused because a limit of a plan, or of a network, was reached. */
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

  /** What an error tells of limits; most tell nothing. */
  countError(error: unknown): void {
    if (error instanceof ApiError) for (const policy of error.violatedPolicies) this.#add(policy);
  }

  #add(policy: string): void {
    const count = this.#counts.get(policy);
    if (count !== undefined) this.#counts.set(policy, count + 1);
  }
}
