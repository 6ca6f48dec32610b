import { labelled, type Metrics } from "../runtime/metrics.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import type { Sender } from "./send/sender.ts";
import type { Attempt } from "./send/types.ts";
import { type AttemptErrorCode, attemptErrors } from "./send/types.ts";

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 15];
/** Attempts that end with the service say nothing about receivers. */
const uncounted: AttemptErrorCode = "stopped";

/** @returns counts each attempt, tests included */
export function attemptWatch(metrics: Metrics): (attempt: Attempt) => void {
  const took = metrics.histogram({
    name: "tapewire_webhook_attempt_duration_seconds",
    help: "Attempts by outcome: delivered, refused (an answer other than 2xx) or unanswered.",
    labels: ["outcome"],
    buckets,
  });
  const delivered = took({ outcome: "delivered" });
  const refused = took({ outcome: "refused" });
  const unanswered = took({ outcome: "unanswered" });
  const errors = new Map<string, number>(
    Object.keys(attemptErrors).flatMap((error) => (error === uncounted ? [] : [[error, 0]])),
  );
  metrics.counter(
    {
      name: "tapewire_webhook_attempt_errors_total",
      help: "Attempts without an answer, by reason; address_refused and dns_refused: deliveries may not go there.",
      labels: ["error"],
    },
    () => labelled("error", errors),
  );
  return ({ ok, error, ms }) => {
    if (error === uncounted) return;
    const end = ok ? delivered : error === null ? refused : unanswered;
    end(ms / 1_000);
    if (error !== null) errors.set(error, (errors.get(error) ?? 0) + 1);
  };
}

export function senderMetrics(metrics: Metrics, { counts }: Sender): void {
  metrics.counter(
    {
      name: "tapewire_webhook_connections_total",
      help: "Connections of attempts: opened for them, or reused.",
      labels: ["kind"],
    },
    () => labelled("kind", counts),
  );
}

/** The counts of this worker's deliveries. */
export interface DeliveryStats {
  /** Pairs of an item and an endpoint whose filters it passes. */
  readonly matched: number;
  /** Outcomes of matches. */
  readonly outcomes: Readonly<Record<"delivered" | "failed" | "expired" | "withheld", number>>;
  readonly inFlight: number;
  readonly waiting: number;
  readonly shards: number;
  /** Entries of the log after the position of the shard that is furthest behind. */
  readonly unread: number;
  readonly due: number;
  readonly endpoints: Readonly<Record<EndpointCondition, number>>;
}

/**
 * stopped: about to be disabled; open, half_open: as in its state; behind: an entry of the log was not sent to it yet;
 * otherwise current.
 */
export type EndpointCondition = "current" | "behind" | "half_open" | "open" | "stopped";

/** Counts the endpoints of a worker, and their due exceptions. */
export function countEndpoints(endpoints: Iterable<Endpoint>, nowMs: number) {
  const conditions = { current: 0, behind: 0, half_open: 0, open: 0, stopped: 0 };
  let due = 0;
  for (const endpoint of endpoints) {
    conditions[conditionOf(endpoint, nowMs)] += 1;
    due += endpoint.queue.due;
  }
  return { due, endpoints: conditions };
}

function conditionOf(endpoint: Endpoint, nowMs: number): EndpointCondition {
  const state = endpoint.state(nowMs);
  if (state === "stopped" || state === "removed") return "stopped";
  if (state === "open" || state === "half_open") return state;
  return endpoint.queue.seen === null ? "current" : "behind";
}

export function deliveryMetrics(
  metrics: Metrics,
  dispatcher: { stats(): DeliveryStats; lagMs(): Promise<number> },
): void {
  const stats = metrics.shared(() => dispatcher.stats());
  metrics.counter(
    {
      name: "tapewire_webhook_matches_total",
      help: "Pairs of an item and an endpoint whose filter it passed.",
    },
    () => stats().matched,
  );
  metrics.counter(
    {
      name: "tapewire_webhook_deliveries_total",
      help: "Matches by outcome; failed: all attempts, expired: max_age, withheld: the day's cap of the plan.",
      labels: ["outcome"],
    },
    () => labelled("outcome", stats().outcomes),
  );
  metrics.gauge({ name: "tapewire_webhook_in_flight", help: "Attempts in flight." }, () => stats().inFlight);
  metrics.gauge(
    {
      name: "tapewire_webhook_starved_endpoints",
      help: "Endpoints that wait for a slot for their next attempt.",
    },
    () => stats().waiting,
  );
  metrics.gauge(
    {
      name: "tapewire_webhook_exceptions",
      help: "Deliveries to be tried again, because they failed or hung.",
    },
    () => stats().due,
  );
  metrics.gauge(
    { name: "tapewire_webhook_endpoints", help: "Endpoints of this worker.", labels: ["state"] },
    () => labelled("state", stats().endpoints),
  );
  lagMetrics(metrics, { stats, lagMs: () => dispatcher.lagMs() });
}

function lagMetrics(
  metrics: Metrics,
  { stats, lagMs }: { stats: () => DeliveryStats; lagMs: () => Promise<number> },
): void {
  metrics.gauge(
    { name: "tapewire_webhook_shards", help: "Shards, of 64, that this worker has." },
    () => stats().shards,
  );
  metrics.gauge(
    {
      name: "tapewire_webhook_lag_entries",
      help: "Entries of the log that were not matched with all its shards.",
    },
    () => stats().unread,
  );
  metrics.gauge(
    {
      name: "tapewire_webhook_lag_seconds",
      help: "Age of the oldest entry of the log that was not matched with all its shards; 0: there is none.",
    },
    async () => (await lagMs()) / 1_000,
  );
}
