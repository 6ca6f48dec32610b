import { z } from "zod";
import { timestamp } from "./feeds.ts";
import { integerText } from "./filter.ts";
import { compareInstants, instantText } from "./input.ts";

/** Limits of what a caller may request. */
export const deliveryLimits = {
  page: { min: 1, max: 200, fallback: 50 },
  hours: { min: 1, max: 168, fallback: 24 },
  recovered: 10_000,
  replayed: 100_000,
} as const;

export const deliveryStatus = z.enum(["due", "delivered", "failed", "expired", "disabled"]).meta({
  id: "DeliveryStatus",
  description:
    "due: waits for its next attempt. delivered: the receiver answered 2xx. failed: given up after the last retry. expired: given up because the item was older than max_age. disabled: given up because the endpoint was disabled.",
});
export type DeliveryStatus = z.infer<typeof deliveryStatus>;

const statusCode = z
  .int()
  .nullable()
  .describe("HTTP status of the receiver's response; null: there was none.");
const error = z
  .string()
  .nullable()
  .describe(
    "Why there was no response, such as connect_refused, timeout or tls_untrusted; null: there was one.",
  );
const latencyMs = z.int().min(0).describe("Milliseconds from name resolution to the end of the response.");
const responseHead = z
  .string()
  .nullable()
  .describe(
    "First KiB of the response body as text. null: there was no body, or the response came from an address that only the operator's settings allow.",
  );

const attempt = z
  .object({
    number: z.int().min(1).describe("Number of the attempt, starting at 1. A resend starts again at 1."),
    trigger: z.enum(["item", "resend", "replay"]).describe("What caused the attempt."),
    at: timestamp.describe("When the attempt began."),
    ok: z.boolean().describe("Whether the receiver answered 2xx."),
    status_code: statusCode,
    error,
    latency_ms: latencyMs,
    response: responseHead,
  })
  .meta({ id: "DeliveryAttempt" });

export const delivery = z
  .object({
    id: z.string().describe("Id of the delivery: the webhook-id header of all its attempts."),
    item_id: z.uuid().describe("Id of the item."),
    seq: z.int().describe("Position of this version of the item in the log."),
    status: deliveryStatus,
    next_attempt_at: timestamp
      .nullable()
      .describe(
        "For a due delivery: time of the next attempt, after the endpoint's pause if it is paused. null: as soon as the endpoint can be sent to.",
      ),
    attempts: z.array(attempt).describe("The last attempts, at most 20, oldest first."),
  })
  .meta({ id: "WebhookDelivery" });
export type WebhookDelivery = z.infer<typeof delivery>;

/** The request of a delivery, made again from the log. */
export const deliveryRequest = z
  .object({
    url: z.string().describe("The endpoint's URL now."),
    headers: z
      .record(z.string(), z.string())
      .describe(
        "Headers with names in lower case. webhook-timestamp and webhook-signature are of now: the attempts had others.",
      ),
    body: z
      .string()
      .describe(
        "The body of this version of the item, as the plan shows it now. Only the times in `latency` may differ from those sent.",
      ),
    signed_at: timestamp.describe(
      "When this signature was made: now, with the secrets that sign now. A receiver accepts it for five minutes.",
    ),
  })
  .meta({ id: "WebhookDeliveryRequest" });
export type DeliveryRequest = z.infer<typeof deliveryRequest>;

export const deliveryDetail = z
  .object({ ...delivery.shape, request: deliveryRequest })
  .meta({ id: "WebhookDeliveryDetail" });

export const deliveryList = z
  .object({
    data: z.array(delivery).describe("Deliveries, newest item first."),
    next_cursor: z
      .string()
      .nullable()
      .describe(
        "Cursor of the next page; null: there are no more. A page may have fewer entries than `limit`.",
      ),
  })
  .meta({ id: "WebhookDeliveryList" });

const bounded = ({ min, max }: { min: number; max: number }) => integerText.pipe(z.int().min(min).max(max));

export const deliveryQuery = z.object({
  status: deliveryStatus
    .optional()
    .meta({ description: "Returns only deliveries with this status.", examples: ["failed"] }),
  seq: integerText
    .pipe(z.int().positive())
    .optional()
    .meta({
      description: "Returns only the delivery of the item with this `seq`: none, where the list has none.",
      examples: [48213],
    }),
  limit: bounded(deliveryLimits.page)
    .optional()
    .meta({ description: `Page size. Absent: ${deliveryLimits.page.fallback}.`, examples: [20] }),
  cursor: z
    .string()
    .optional()
    .meta({ description: "next_cursor of the previous page.", examples: ["ZC40ODIxMw"] }),
});

export const statsQuery = z.object({
  hours: bounded(deliveryLimits.hours)
    .optional()
    .meta({
      description: `Number of hours, the current one included. Absent: ${deliveryLimits.hours.fallback}.`,
      examples: [24],
    }),
});

const count = z.int().min(0);
const counts = {
  matched: count.describe("Items that match the filters."),
  delivered: count.describe("Deliveries that the receiver answered with 2xx, at any attempt."),
  failed: count.describe("Deliveries given up after the last retry."),
  expired: count.describe(
    "Items given up because they were older than max_age. To get those that were never attempted use replay, not recover.",
  ),
};
const webhookCounts = z.object(counts).meta({ id: "WebhookCounts" });

const latency = z
  .object({ p50: z.number().describe("Median."), p99: z.number().describe("99th percentile.") })
  .nullable();
const pausedUntil = timestamp
  .nullable()
  .describe("Nothing is sent until this time, after repeated failures or a Retry-After; null: not paused.");
const backlog = {
  due: count.describe("Deliveries that wait for their next attempt."),
  given_up: count.describe("Deliveries that recover would send again."),
  behind: count.describe("Entries of the log, matching or not, that are not finished for this endpoint."),
  position: count.describe(
    "Entries of the log up to this seq are finished for this endpoint: delivered, due for another attempt, given up or not matching. Later ones were not sent yet.",
  ),
  paused_until: pausedUntil,
  next_attempt_at: timestamp
    .nullable()
    .describe(
      "The first of the due deliveries is not tried again before this time, which takes a pause into account; null: none is due.",
    ),
};

const hourStats = z
  .object({
    hour: timestamp.describe("Start of the hour (UTC)."),
    ...counts,
    attempts: count.describe("Attempts made, including retries, resends and replays."),
    latency_ms: latency.describe(
      "Latency of the attempts that were answered, accurate to about 20 %; null: there were none.",
    ),
  })
  .meta({ id: "WebhookHour" });

export const webhookStats = z
  .object({
    today: webhookCounts.describe("Exact counts of today (UTC)."),
    total: webhookCounts.describe("Exact counts of all time."),
    ...backlog,
    replay_remaining: count
      .nullable()
      .describe("Entries of the log that the replay has not checked yet; null: no replay is running."),
    hours: z.array(hourStats).describe("One entry per hour, oldest first."),
  })
  .meta({ id: "WebhookStats" });
export type WebhookStats = z.infer<typeof webhookStats>;

const perHour = (what: string) => z.array(count).describe(`${what} in each of the hours.`);

/** How all endpoints of an account are doing, one row each; the hours are named once for all rows. */
export const webhookStatsList = z
  .object({
    hours: z
      .array(timestamp)
      .describe("Starts of the hours (UTC), oldest first; the last is the current one."),
    data: z
      .array(
        z
          .object({
            id: z.uuid().describe("Id of the endpoint."),
            ...backlog,
            attempts: count.describe(
              "Attempts made within the hours, including retries, resends and replays.",
            ),
            latency_ms: latency.describe(
              "Latency of those that were answered, accurate to about 20 %; null: there were none.",
            ),
            delivered: perHour("Deliveries that the receiver answered with 2xx, at any attempt,"),
            failed: perHour("Deliveries given up after the last retry"),
            expired: perHour("Items given up because they were older than max_age"),
          })
          .meta({ id: "WebhookStatsRow" }),
      )
      .describe("The account's endpoints, oldest first."),
  })
  .meta({ id: "WebhookStatsList" });
export type WebhookStatsList = z.infer<typeof webhookStatsList>;

export const recoverRequest = z
  .strictObject({
    since: instantText.describe("Sends deliveries again that were given up at or after this time."),
  })
  .meta({ id: "WebhookRecover" });

const place = z.union([instantText, z.int().min(1)]);
type Place = z.infer<typeof place>;
/** Only the log can compare a seq with a time. */
function isBefore(one: Place | undefined, other: Place): boolean {
  if (typeof one === "string" && typeof other === "string") return compareInstants(one, other) < 0;
  return typeof one === "number" && typeof other === "number" && one < other;
}
export const replayRange = z
  .strictObject({
    from: place.describe("First item: a date-time or a seq."),
    to: place.optional().describe("Last item, inclusive: a date-time or a seq. Absent: the newest item."),
  })
  .refine(({ from, to }) => !isBefore(to, from), { error: "must not be before from", path: ["to"] })
  .meta({ id: "WebhookReplay" });

export const queued = z
  .object({ queued: count.describe("Number of deliveries that are now due.") })
  .meta({ id: "WebhookQueued" });

export const replayStarted = z
  .object({
    from_seq: z.int().describe("First position in the log."),
    to_seq: z.int().describe("Last position in the log. Lower than from_seq: the range is empty."),
  })
  .meta({ id: "WebhookReplayStarted" });

export const testResult = z
  .object({
    id: z.string().describe("The webhook-id header of the test."),
    at: timestamp.describe("When the test was sent."),
    ok: z.boolean().describe("Whether the receiver answered 2xx."),
    status_code: statusCode,
    error,
    latency_ms: latencyMs,
    response: responseHead,
  })
  .meta({ id: "WebhookTest" });
export type WebhookTestResult = z.infer<typeof testResult>;
