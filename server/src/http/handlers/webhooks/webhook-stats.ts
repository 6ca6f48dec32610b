import {
  deliveryLimits,
  type WebhookStats,
  type WebhookStatsList,
} from "@tapewire/contract/webhook-deliveries.ts";
import { latencyBins, latencyQuantile } from "../../../feed/latency-bins.ts";
import type { Clock } from "../../../runtime/clock.ts";
import { utcDay } from "../../../runtime/utc-day.ts";
import type { Db } from "../../../store/engine/db.ts";
import { type Backlog, backlogs, webhookStats } from "../../../store/webhooks/delivery-log.ts";
import { type HourCounts, hoursOfEndpoints, hoursSince } from "../../../store/webhooks/hourly-counts.ts";
import type { Handlers } from "../../contract-routes.ts";
import { noSuchWebhook } from "./webhooks.ts";

const hourMs = 3_600_000;
const nothing: HourCounts = { matched: 0, delivered: 0, failed: 0, expired: 0, latency: [], unanswered: 0 };

interface StatsDeps {
  readonly db: Db;
  readonly clock: Clock;
}

export function webhookStatsHandlers(
  deps: StatsDeps,
): Pick<Handlers, "readWebhookStats" | "listWebhookStats"> {
  return { readWebhookStats: readWebhookStats(deps), listWebhookStats: listWebhookStats(deps) };
}

/** The starts of the last hours, the current one included, in milliseconds. */
function startsOf(now: Date, hours: number): number[] {
  const lastMs = now.getTime() - (now.getTime() % hourMs);
  return Array.from({ length: hours }, (_, n) => lastMs - (hours - 1 - n) * hourMs);
}

/** GET /v1/webhooks/stats: a row for every endpoint of the account. */
function listWebhookStats({ db, clock }: StatsDeps): Handlers["listWebhookStats"] {
  return async ({ query: { hours = deliveryLimits.hours.fallback }, caller }) => {
    const starts = startsOf(clock.now(), hours);
    const endpoints = await backlogs(db.main, caller.accountId);
    const counted = await hoursOfEndpoints(
      db.main,
      endpoints.map(({ id }) => id),
      new Date(starts[0] ?? 0),
    );
    const body: WebhookStatsList = {
      hours: starts.map((startMs) => new Date(startMs).toISOString()),
      data: endpoints.map((one) => rowOf(one, starts, counted.get(one.id) ?? new Map())),
    };
    return { body };
  };
}

function rowOf(
  { id, due, dead, behindSeqs, position, pausedUntil, nextAttemptAt }: Backlog,
  starts: readonly number[],
  counted: ReadonlyMap<number, HourCounts>,
): WebhookStatsList["data"][number] {
  const hours = starts.map((startMs) => counted.get(startMs) ?? nothing);
  const bins = Array.from({ length: latencyBins }, (_, bin) =>
    hours.reduce((sum, { latency }) => sum + (latency[bin] ?? 0), 0),
  );
  return {
    id,
    due,
    given_up: dead,
    behind: behindSeqs,
    position,
    paused_until: pausedUntil?.toISOString() ?? null,
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
    ...attemptsOf(
      bins,
      hours.reduce((sum, { unanswered }) => sum + unanswered, 0),
    ),
    delivered: hours.map(({ delivered }) => delivered),
    failed: hours.map(({ failed }) => failed),
    expired: hours.map(({ expired }) => expired),
  };
}

/** GET /v1/webhooks/{id}/stats: totals, backlog, and an entry for every hour, also without attempts. */
function readWebhookStats({ db, clock }: StatsDeps): Handlers["readWebhookStats"] {
  return async ({ params: { id }, query: { hours = deliveryLimits.hours.fallback }, caller }) => {
    const now = clock.now();
    const key = { accountId: caller.accountId, id };
    const found = await webhookStats(db.main, key, utcDay(now));
    if (found === null) throw noSuchWebhook();
    const starts = startsOf(now, hours);
    const counted = await hoursSince(db.main, id, new Date(starts[0] ?? 0));
    const body: WebhookStats = {
      today: found.today,
      total: found.total,
      due: found.due,
      given_up: found.dead,
      behind: found.behindSeqs,
      position: found.position,
      paused_until: found.pausedUntil?.toISOString() ?? null,
      next_attempt_at: found.nextAttemptAt?.toISOString() ?? null,
      replay_remaining: found.replaySeqs,
      hours: starts.map((startMs) => ({
        hour: new Date(startMs).toISOString(),
        ...viewOf(counted.get(startMs) ?? nothing),
      })),
    };
    return { body };
  };
}

function viewOf({ latency, unanswered, ...counts }: HourCounts): Omit<WebhookStats["hours"][number], "hour"> {
  return { ...counts, ...attemptsOf(latency, unanswered) };
}

/** @param bins answered attempts by the bins of feed/latency-bins.ts */
function attemptsOf(
  bins: readonly number[],
  unanswered: number,
): Pick<WebhookStats["hours"][number], "attempts" | "latency_ms"> {
  const [p50, p99] = [latencyQuantile(bins, 0.5), latencyQuantile(bins, 0.99)];
  return {
    attempts: bins.reduce((sum, count) => sum + count, unanswered),
    latency_ms: p50 === null || p99 === null ? null : { p50, p99 },
  };
}
