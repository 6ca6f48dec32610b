import { deliveryLimits, type WebhookStats } from "@tapewire/contract/webhook-deliveries.ts";
import { latencyQuantile } from "../../feed/latency-bins.ts";
import type { Clock } from "../../runtime/clock.ts";
import { utcDay } from "../../runtime/utc-day.ts";
import type { Db } from "../../store/engine/db.ts";
import { webhookStats } from "../../store/webhooks/delivery-log.ts";
import { type HourCounts, hoursSince } from "../../store/webhooks/hourly-counts.ts";
import type { Handlers } from "../contract-routes.ts";
import { noSuchWebhook } from "./webhooks.ts";

const hourMs = 3_600_000;
const nothing: HourCounts = { matched: 0, delivered: 0, failed: 0, expired: 0, latency: [] };

/** GET /v1/webhooks/{id}/stats: totals, backlog, and an entry for every hour, also without attempts. */
export function readWebhookStats({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): Handlers["readWebhookStats"] {
  return async ({ params: { id }, query: { hours = deliveryLimits.hours.fallback }, caller }) => {
    const now = clock.now();
    const key = { accountId: caller.accountId, id };
    const found = await webhookStats(db.main, key, utcDay(now));
    if (found === null) throw noSuchWebhook();
    const firstMs = now.getTime() - (now.getTime() % hourMs) - (hours - 1) * hourMs;
    const counted = await hoursSince(db.main, id, new Date(firstMs));
    const body: WebhookStats = {
      today: found.today,
      total: found.total,
      due: found.due,
      given_up: found.dead,
      behind: found.behindSeqs,
      paused_until: found.pausedUntil?.toISOString() ?? null,
      replay_remaining: found.replaySeqs,
      hours: Array.from({ length: hours }, (_, n) => {
        const startMs = firstMs + n * hourMs;
        return { hour: new Date(startMs).toISOString(), ...viewOf(counted.get(startMs) ?? nothing) };
      }),
    };
    return { body };
  };
}

function viewOf({ latency, ...counts }: HourCounts): Omit<WebhookStats["hours"][number], "hour"> {
  const [p50, p99] = [latencyQuantile(latency, 0.5), latencyQuantile(latency, 0.99)];
  return {
    ...counts,
    attempts: latency.reduce((sum, count) => sum + count, 0),
    latency_ms: p50 === null || p99 === null ? null : { p50, p99 },
  };
}
