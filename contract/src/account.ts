import { z } from "zod";
import { timestamp } from "./feeds.ts";
import { planName } from "./plans.ts";

const count = z.int().min(0);
const cap = count.nullable();

/** The limits of a plan, as GET /v1/me and GET /v1/usage return them. Source: decisions, Reference reads. */
export const planLimits = z
  .object({
    requests_per_minute: z.int().positive().describe("Requests per minute."),
    page_limit_max: z
      .int()
      .positive()
      .nullable()
      .describe("Largest page of GET /v1/feeds. null: not available on this plan."),
    realtime_feeds_per_day: cap.describe("Live items per day on streams and webhooks. null: no limit."),
    score_per_day: cap.describe("Score calls per day. null: no limit; 0: not available on this plan."),
    stream_connections: count.describe("Streams open at the same time."),
    webhook_endpoints: count.describe("Webhook endpoints that the account may have."),
    replay: z.boolean().describe("Whether GET /v1/replay is available."),
    scored_feed: z.boolean().describe("false: items carry scoring.locked = true and no scores."),
  })
  .meta({ id: "PlanLimits" });
export type PlanLimits = z.infer<typeof planLimits>;

const usageCounts = {
  feed: count.describe("Live items delivered."),
  score: count.describe("Score calls that succeeded."),
  requests: count.describe("REST requests, refused ones included."),
};

/** The caller's key, account, limits and today's use. */
export const me = z
  .object({
    key: z
      .object({
        id: z.uuid().describe("Id of the key, not the key itself."),
        name: z.string().describe("Name the operator gave the key."),
        prefix: z.string().describe("First characters of the key."),
        last4: z.string().describe("Last characters of the key."),
        created_at: timestamp.describe("When the key was created."),
        last_used_at: timestamp
          .nullable()
          .describe("Approximate time of the last use before this one; null: none."),
        expires_at: timestamp.nullable().describe("When the key expires; null: never."),
      })
      .describe("The key of this request."),
    account: z
      .object({
        id: z.uuid().describe("Id of the account."),
        name: z.string().describe("Name of the account."),
      })
      .describe("The account of the key. Limits count per account."),
    tier: planName.describe("The account's plan."),
    limits: planLimits,
    usage: z
      .object({ ...usageCounts, reset_at: timestamp.describe("00:00 UTC of the next day.") })
      .describe("Use of today (UTC) by all keys of the account."),
  })
  .meta({ id: "Me" });
export type Me = z.infer<typeof me>;

/** Days that GET /v1/usage looks back. */
export const usageDays = { min: 1, max: 90, fallback: 30 } as const;

const errors = count.describe("Requests that got a 4xx or 5xx response.");
const date = z.iso.date().describe("Day (UTC).");
const usageDay = z
  .object({ date, ...usageCounts, errors })
  .meta({ id: "UsageDay", description: "Use of one day (UTC)." });

export const usage = z
  .object({
    days: z.int().min(usageDays.min).max(usageDays.max).describe("Days shown."),
    timezone: z.literal("UTC").describe("Time zone of the days."),
    data: z
      .array(usageDay)
      .describe("One entry per day, oldest first, today last. Days without use are included."),
    limits: planLimits,
    open_streams: count.describe("Streams that the account has open now."),
    today: z
      .object({
        date,
        ...usageCounts,
        errors,
        reset_at: timestamp.describe("00:00 UTC of the next day."),
      })
      .describe("The last entry of `data`, with the time of the next reset."),
  })
  .meta({ id: "Usage" });
export type Usage = z.infer<typeof usage>;
