import { z } from "zod";
import { timestamp } from "./feeds.ts";
import { planName } from "./plans.ts";

const count = z.int().min(0);
const cap = count.nullable().describe("null: no limit.");

/** What a plan allows, as GET /v1/me and GET /v1/usage tell it. Source: decisions, Reference reads. */
export const planLimits = z
  .object({
    requests_per_minute: z.int().positive().describe("Requests a minute."),
    page_limit_max: z.int().positive().nullable().describe("Of GET /v1/feeds; null: not on this plan."),
    realtime_feeds_per_day: cap,
    score_per_day: cap.describe("null: no limit; 0: not on this plan."),
    stream_connections: count.describe("Streams open at once."),
    webhook_endpoints: count.describe("Webhook endpoints."),
    scored_feed: z.boolean().describe("false: items carry scoring.locked = true and no scores."),
  })
  .meta({ id: "PlanLimits" });
export type PlanLimits = z.infer<typeof planLimits>;

const usageCounts = {
  feed: count.describe("Live items delivered."),
  score: count.describe("Score calls that succeeded."),
  requests: count.describe("REST requests answered, refused ones included."),
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
        created_at: timestamp.describe("When it was made."),
        last_used_at: timestamp.nullable().describe("Last use before this one, about; null: none."),
        expires_at: timestamp.nullable().describe("When it ends to be valid; null: never."),
      })
      .describe("The key of this request."),
    account: z
      .object({ id: z.uuid().describe("Id of the account."), name: z.string().describe("Its name.") })
      .describe("Whose limits count."),
    tier: planName.describe("The account's plan."),
    limits: planLimits,
    usage: z
      .object({ ...usageCounts, reset_at: timestamp.describe("00:00 UTC of the next day.") })
      .describe("Of today (UTC), by all keys of the account."),
  })
  .meta({ id: "Me" });
export type Me = z.infer<typeof me>;

/** Days that GET /v1/usage looks back. */
export const usageDays = { min: 1, max: 90, fallback: 30 } as const;

const errors = count.describe("Of these requests, those answered 4xx or 5xx.");
const date = z.iso.date().describe("Day (UTC).");
const usageDay = z
  .object({ date, ...usageCounts, errors })
  .meta({ id: "UsageDay", description: "Use of one day (UTC)." });

export const usage = z
  .object({
    days: z.int().min(usageDays.min).max(usageDays.max).describe("Days shown."),
    timezone: z.literal("UTC").describe("Of the days."),
    data: z.array(usageDay).describe("One entry a day, oldest first, today last; days without use too."),
    limits: planLimits,
    today: z
      .object({
        date,
        ...usageCounts,
        errors,
        reset_at: timestamp.describe("00:00 UTC of the next day."),
      })
      .describe("The last entry of data, and when the counts start anew."),
  })
  .meta({ id: "Usage" });
export type Usage = z.infer<typeof usage>;
