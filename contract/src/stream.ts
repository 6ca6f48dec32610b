import { z } from "zod";
import { feedItem, scoring, timestamp } from "./feeds.ts";
import { type SubscriptionFilters, subscriptionFilters } from "./filter.ts";
import { absentIfNull } from "./input.ts";
import { planName } from "./plans.ts";
import type { Dictionary } from "./tags.ts";

/** Limits of the stream. Source: decisions, Stream. */
export const streamLimits = {
  clientFrameBytes: 64 * 1024,
  snapshotItems: 500,
  snapshotsPerMinute: 5,
  freeSnapshotItemsPerDay: 50,
  subscribes: 5,
  subscribesWindowMs: 10_000,
  /** Of all that a client sends: control frames and fragments too. */
  receivedBytes: 512 * 1024,
  receivedWindowMs: 10_000,
  badFramesInARow: 3,
} as const;

/** Close codes. 4000-4499: the client should reconnect with its cursor. 4500-4999: it should not. Source: decisions, Stream. */
export const closeCodes = {
  restart: 1012,
  silence: 4408,
  slow_client: 4413,
  too_many_frames: 4429,
  bad_frames: 4500,
  key_revoked: 4501,
  connection_limit: 4502,
  plan_changed: 4503,
} as const;

/** An id that a client gives to a frame. The reply repeats it. */
const id = z.union([z.string().max(100), z.number()]);
const frameId = id.optional();
export const clientFrameId = absentIfNull(id);

/** Frames a client sends. */
export function clientFrame(dictionary: Dictionary) {
  return z.discriminatedUnion("type", [
    z.object({
      type: z.literal("subscribe"),
      filters: absentIfNull(subscriptionFilters(dictionary)).default({}),
      snapshot: absentIfNull(z.int().min(0)).describe(
        "Sends the latest N matching items before live ones. Lowered to 500 when larger.",
      ),
      after: absentIfNull(z.string().max(100)).describe(
        "Cursor to resume from: sends every matching item after it, then live items.",
      ),
      id: clientFrameId.describe("Repeated in the reply."),
    }),
    z.object({ type: z.literal("unsubscribe"), id: clientFrameId }),
    z.object({ type: z.literal("ping") }),
  ]);
}
export type ClientFrame = z.infer<ReturnType<typeof clientFrame>>;
export type { SubscriptionFilters };

/** Scoring as the stream carries it. Check `locked` first. */
export const streamScoring = scoring
  .pick({
    locked: true,
    message: true,
    actionability: true,
    actionability_score: true,
    actionability_comment: true,
    sentiment_score: true,
    sentiment_short: true,
    sentiment_long: true,
    sentiment_conviction: true,
    sentiment_comment: true,
    model: true,
  })
  .meta({ id: "StreamScoring" });

export const streamItem = z.object({ ...feedItem.shape, scoring: streamScoring }).meta({ id: "StreamItem" });
export type StreamItem = z.infer<typeof streamItem>;

/** When the item was published by its source, and when it passed each stage of the service. */
export const latency = z
  .object({
    source_time: timestamp.nullable().describe("Time that the source gives; null: it gives none."),
    received_time: timestamp.describe("When the service first saw this version."),
    scored_time: timestamp.nullable().describe("When it was scored; null: it was not."),
    publish_time: timestamp.describe("When it was encoded for the stream or the webhook."),
    source_to_publish_ms: z.int().nullable().describe("From source_time to publish_time."),
    receive_to_publish_ms: z.int().describe("From received_time to publish_time."),
  })
  .meta({ id: "Latency" });
export type Latency = z.infer<typeof latency>;

const cursor = z.string().describe("`<epoch>.<seq>`, opaque to clients.");
export const frameErrorCodes = [
  "invalid_frame",
  "rate_limited",
  "key_revoked",
  "plan_changed",
  "restarting",
  "overloaded",
  "internal",
] as const;

/** Limits of a page of a replay: entries wanted, and positions of the log that are examined for them. */
export const replayLimits = { page: { min: 1, max: 1000, fallback: 200 }, examined: 4000 } as const;

/** An entry of the log: what the stream's feed frame carried of it. */
export const replayEntry = z
  .object({
    cursor,
    seq: z.int().describe("Position in the log."),
    logged_at: timestamp.describe(
      "When the entry was logged; the stream sent it within milliseconds. Neighbours may be out of order by as long as scoring took.",
    ),
    latency: latency.describe("As in the feed frame, but publish_time is logged_at."),
    data: streamItem.describe("The item as the stream carried it then: this version, with its scores."),
  })
  .meta({ id: "ReplayEntry" });
export const replayPage = z
  .object({
    data: z.array(replayEntry).describe("In the order of the log. May be empty although more follows."),
    cursor: cursor.describe(
      "Everything up to here was examined. A stream that subscribes after it continues without a gap.",
    ),
    next_cursor: cursor
      .nullable()
      .describe("Send it as `after` to get the next page. null: `until`, or the end of the log, is reached."),
  })
  .meta({ id: "ReplayPage" });
export type ReplayPage = z.infer<typeof replayPage>;

/** Frames the server sends. Clients ignore types and members they do not know. */
export const serverFrame = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("welcome"),
    tier: planName,
    limits: z.object({ realtime_feeds_per_day: z.int().nullable(), scored_feed: z.boolean() }),
  }),
  z.object({
    type: z.literal("subscribed"),
    filters: z.record(z.string(), z.unknown()),
    cursor,
    resumed: z.boolean(),
    reason: z.enum(["cursor_unknown", "cursor_expired"]).optional(),
    oldest: cursor.optional(),
    snapshot: z.int(),
    id: frameId,
  }),
  z.object({ type: z.literal("unsubscribed"), cursor, id: frameId }),
  z.object({
    type: z.literal("feed"),
    snapshot: z.boolean(),
    count: z.int().describe("Number of live items delivered to the account today, this one included."),
    cursor,
    seq: z.int(),
    latency,
    data: streamItem,
  }),
  z.object({ type: z.literal("quota_exceeded"), limit: z.int(), message: z.string() }),
  z.object({ type: z.literal("pong"), cursor, time: timestamp }),
  z.object({ type: z.literal("heartbeat"), cursor, time: timestamp }),
  z.object({
    type: z.literal("error"),
    code: z.enum(frameErrorCodes),
    message: z.string(),
    id: frameId,
    fatal: z.boolean().describe("true: the connection is closed next."),
    retry_after_ms: z
      .int()
      .optional()
      .describe(
        "With code restarting: how long to wait before you reconnect. Each client gets a different time.",
      ),
  }),
]);
export type ServerFrame = z.infer<typeof serverFrame>;
