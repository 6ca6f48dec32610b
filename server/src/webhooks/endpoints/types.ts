import type { KeyObject } from "node:crypto";
import type { Filter } from "@tapewire/contract/filter.ts";
import type { Plan } from "@tapewire/contract/plans.ts";
import type { WebhookFormat } from "@tapewire/contract/webhooks.ts";
import type { Trigger } from "../../store/webhooks/attempts.ts";
import type { Replay } from "./replay.ts";
import type { RetryHints } from "./retry-schedule.ts";

/** The part of the delivery policy that an operator may set. */
export interface DeliveryPolicy {
  /** The wait before the next attempt; null: there is none. */
  readonly nextAttemptMs: (attempt: number, hints: RetryHints) => number | null;
  /** No such wait is longer. */
  readonly longestDelayMs: number;
  /** An endpoint is disabled after failing without a success for this long. */
  readonly disableAfterMs: number;
}

/** The time of an event. */
export interface Moment {
  readonly nowMs: number;
  /** The age of something with a wall-clock time; steps of the clock make nothing older. */
  readonly ageMs: (madeAtMs: number) => number;
}

/** The receiver's last answers, as its owner sees them. */
export interface Contact {
  answeredAtMs: number | null;
  lastStatus: number | null;
  lastError: string | null;
  lastAttemptAtMs: number | null;
  /** Whether an attempt ended since the last commit. */
  attempted: boolean;
}

/** An endpoint's settings by its owner and by the plan of its account. */
export interface EndpointSettings {
  readonly url: string;
  readonly filter: Filter;
  readonly plan: Plan;
  readonly maxAgeMs: number;
  readonly format: WebhookFormat;
  readonly key: KeyObject;
  /** Signs beside the current key until then. */
  readonly previous: { readonly key: KeyObject; readonly untilMs: number } | null;
}

/** A delivery, as its endpoint's queue knows it. */
export interface Delivery {
  /** first: from the log, in its order; again: a retry or an ordered one; replay: from a range of the log. */
  readonly kind: "first" | "again" | "replay";
  readonly seq: number;
  readonly itemId: string;
  readonly trigger: Trigger;
  /** Whether the endpoint's counters still have to count its end. */
  readonly counts: boolean;
  /** Failed attempts before. */
  readonly attempts: number;
  readonly firstAt: Date;
  /** The order that it carries out, see Exception.order; null: none. */
  readonly order: number | null;
  /** When this version of the item was made. */
  readonly madeAtMs: number;
}

/** The settings with which an attempt was begun. */
export interface Begun {
  readonly at: Date;
  readonly resets: number;
  readonly url: string;
  readonly keys: readonly KeyObject[];
  /** Items are sent without their scores. */
  readonly locked: boolean;
  readonly format: WebhookFormat;
  /** The replay it belongs to; null: none. */
  readonly replay: Replay | null;
}
