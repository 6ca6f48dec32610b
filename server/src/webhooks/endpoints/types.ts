import type { KeyObject } from "node:crypto";
import type { Filter } from "@tapewire/contract/filter.ts";
import type { Plan } from "@tapewire/contract/plans.ts";
import type { Trigger } from "../../store/webhooks/deliveries.ts";
import type { Replay } from "./replay.ts";
import type { RetryHints } from "./retry-schedule.ts";

/** What of a delivery's policy an operator may set. */
export interface DeliveryPolicy {
  /** The wait before the next attempt; null: there is none. */
  readonly nextAttemptMs: (attempt: number, hints: RetryHints) => number | null;
  /** Nothing but failures for so long disables an endpoint. */
  readonly disableAfterMs: number;
}

/** When an event happens. */
export interface Moment {
  readonly nowMs: number;
  /** How old by now is what bears a time of the wall clock; steps of that clock make nothing older. */
  readonly ageMs: (madeAtMs: number) => number;
}

/** What the owner of an endpoint has set, and the plan of the account allows. */
export interface EndpointSettings {
  readonly url: string;
  readonly filter: Filter;
  readonly plan: Plan;
  readonly maxAgeMs: number;
  readonly key: KeyObject;
  /** Signs beside the current one until then. */
  readonly previous: { readonly key: KeyObject; readonly untilMs: number } | null;
}

/** A delivery as what is owed of it knows it. */
export interface Delivery {
  /** first: of the log, in its order; again: of what failed or was asked for; replay: of a range of the log. */
  readonly kind: "first" | "again" | "replay";
  readonly seq: number;
  readonly itemId: string;
  readonly trigger: Trigger;
  /** Whether the endpoint's counters owe its end. */
  readonly counts: boolean;
  /** Attempts that failed before. */
  readonly attempts: number;
  readonly firstAt: Date;
  /** When this version of the item was made. */
  readonly madeAtMs: number;
}

/** What an attempt is made with. */
export interface Begun {
  readonly at: Date;
  readonly resets: number;
  readonly url: string;
  readonly keys: readonly KeyObject[];
  /** Items are sent without their scores. */
  readonly locked: boolean;
  /** What it is of; null: nothing is replayed. */
  readonly replay: Replay | null;
}
