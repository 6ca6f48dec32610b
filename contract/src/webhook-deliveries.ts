import { z } from "zod";
import { timestamp } from "./feeds.ts";
import { integerText } from "./filter.ts";
import { compareInstants, instantText } from "./input.ts";

/** Bounds of what a caller asks for. */
export const deliveryLimits = {
  page: { min: 1, max: 200, fallback: 50 },
  hours: { min: 1, max: 168, fallback: 24 },
  recovered: 10_000,
  replayed: 100_000,
} as const;

export const deliveryStatus = z.enum(["due", "delivered", "failed", "expired", "disabled"]).meta({
  id: "DeliveryStatus",
  description:
    "due: to be tried again. Given up: failed, after the last retry; expired, when older than max_age; disabled, when the endpoint was disabled before its turn came.",
});
export type DeliveryStatus = z.infer<typeof deliveryStatus>;

const statusCode = z.int().nullable().describe("HTTP status of the answer; null: there was none.");
const error = z
  .string()
  .nullable()
  .describe(
    "Why there was no answer, such as connect_refused, timeout or tls_untrusted; null: there was one.",
  );
const latencyMs = z.int().min(0).describe("From resolving the name to the end of the answer.");
const responseHead = z
  .string()
  .nullable()
  .describe(
    "First KiB of the answer's body as text; null: it had none, or came from an address that only the operator's settings open.",
  );

const attempt = z
  .object({
    number: z.int().min(1).describe("1 for the first; starts again with a resend."),
    trigger: z.enum(["item", "resend", "replay"]).describe("What it was made for."),
    at: timestamp.describe("When it began."),
    ok: z.boolean().describe("Answered with 2xx."),
    status_code: statusCode,
    error,
    latency_ms: latencyMs,
    response: responseHead,
  })
  .meta({ id: "DeliveryAttempt" });

export const delivery = z
  .object({
    id: z.string().describe("The webhook-id header of all its attempts."),
    item_id: z.uuid().describe("Id of the item."),
    seq: z.int().describe("Place of this version of the item in the log."),
    status: deliveryStatus,
    next_attempt_at: timestamp
      .nullable()
      .describe("While it is due: when it is tried again; null: when the endpoint's turn comes."),
    attempts: z.array(attempt).describe("Oldest first, at most the last 20."),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.infer<typeof delivery>;

export const deliveryList = z
  .object({
    data: z.array(delivery).describe("Newest item first."),
    next_cursor: z
      .string()
      .nullable()
      .describe("null: there are no more. A page may hold fewer than `limit`."),
  })
  .meta({ id: "WebhookDeliveryList" });

const bounded = ({ min, max }: { min: number; max: number }) => integerText.pipe(z.int().min(min).max(max));

export const deliveryQuery = z.object({
  status: deliveryStatus.optional().meta({ description: "Only those.", examples: ["failed"] }),
  limit: bounded(deliveryLimits.page)
    .optional()
    .meta({ description: `Entries wanted; ${deliveryLimits.page.fallback} when absent.`, examples: [20] }),
  cursor: z
    .string()
    .optional()
    .meta({ description: "next_cursor of the page before.", examples: ["ZC40ODIxMw"] }),
});

export const statsQuery = z.object({
  hours: bounded(deliveryLimits.hours)
    .optional()
    .meta({
      description: `Hours to look back, this one included; ${deliveryLimits.hours.fallback} when absent.`,
      examples: [24],
    }),
});

const count = z.int().min(0);
const counts = {
  matched: count.describe("Items that the filters let through."),
  delivered: count.describe("Deliveries that were answered with 2xx, at whichever attempt."),
  failed: count.describe("Deliveries given up after the last retry."),
  expired: count.describe(
    "Items given up because they were older than max_age; those that were never tried are for a replay, not for recover.",
  ),
};
const webhookCounts = z.object(counts).meta({ id: "WebhookCounts" });

const hourStats = z
  .object({
    hour: timestamp.describe("Start of the hour (UTC)."),
    ...counts,
    attempts: count.describe("Attempts that were made; retries, resends and replays among them."),
    latency_ms: z
      .object({ p50: z.number().describe("Median."), p99: z.number().describe("99th percentile.") })
      .nullable()
      .describe("Of the attempts, to about a fifth; null: there were none."),
  })
  .meta({ id: "WebhookHour" });

export const webhookStats = z
  .object({
    today: webhookCounts.describe("Of this day (UTC), exact."),
    total: webhookCounts.describe("Of all time, exact."),
    due: count.describe("Deliveries that wait to be tried again."),
    given_up: count.describe("Deliveries that recover could bring back."),
    behind: count.describe("Items of the log, matching or not, that are not settled yet."),
    paused_until: timestamp
      .nullable()
      .describe(
        "After failures in a row, or as Retry-After asked, nothing is sent until then; null: it is not held off.",
      ),
    replay_remaining: count
      .nullable()
      .describe("Items of the log that a replay has yet to look at; null: none runs."),
    hours: z.array(hourStats).describe("One entry an hour, oldest first."),
  })
  .meta({ id: "WebhookStats" });
export type WebhookStats = z.infer<typeof webhookStats>;

export const recoverRequest = z
  .strictObject({ since: instantText.describe("Deliveries given up at or after this time.") })
  .meta({ id: "WebhookRecover" });

const place = z.union([instantText, z.int().min(1)]);
type Place = z.infer<typeof place>;
/** A seq and a time are compared by the log alone. */
function isBefore(one: Place | undefined, other: Place): boolean {
  if (typeof one === "string" && typeof other === "string") return compareInstants(one, other) < 0;
  return typeof one === "number" && typeof other === "number" && one < other;
}
export const replayRange = z
  .strictObject({
    from: place.describe("First item: a date-time, or a seq."),
    to: place.optional().describe("Last item, included: a date-time, or a seq; the newest when absent."),
  })
  .refine(({ from, to }) => !isBefore(to, from), { error: "must not be before from", path: ["to"] })
  .meta({ id: "WebhookReplay" });

export const queued = z
  .object({ queued: count.describe("Deliveries that are due now.") })
  .meta({ id: "WebhookQueued" });

export const replayStarted = z
  .object({
    from_seq: z.int().describe("First place of the log."),
    to_seq: z.int().describe("Last place of the log; before from_seq: there is nothing in the range."),
  })
  .meta({ id: "WebhookReplayStarted" });

export const testResult = z
  .object({
    id: z.string().describe("The webhook-id header it was sent with."),
    at: timestamp.describe("When it was sent."),
    ok: z.boolean().describe("Answered with 2xx."),
    status_code: statusCode,
    error,
    latency_ms: latencyMs,
    response: responseHead,
  })
  .meta({ id: "WebhookTest" });
export type WebhookTestResult = z.infer<typeof testResult>;
