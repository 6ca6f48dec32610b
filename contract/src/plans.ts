import { z } from "zod";

export const planNames = ["free", "starter", "pro", "quant", "enterprise"] as const;
export const planName = z.enum(planNames).meta({ id: "PlanName", description: "Plan (tier) of an account." });
export type PlanName = z.infer<typeof planName>;

const cap = z.int().positive().nullable();

/** One plan: the limits of its accounts. null means "no limit"; `feed_list: null` means "no access". Source: decisions, plans. */
export const plan = z
  .strictObject({
    feed_list: z
      .strictObject({ page_max: z.int().positive(), page_default: z.int().positive() })
      .nullable()
      .describe("Page sizes of GET /v1/feeds. null: not available on this plan."),
    scores_visible: z.boolean().describe("false: items carry scoring.locked = true and no scores."),
    realtime_feeds_per_day: cap.describe("Live items per day and account."),
    score_per_day: cap
      .or(z.literal(0))
      .describe("POST /v1/score calls per day. 0: not available; null: no limit."),
    replay: z.boolean().default(false).describe("Whether GET /v1/replay is available. Absent: it is not."),
    requests_per_minute: z.int().positive(),
    stream_connections: z.int().positive(),
    webhook_endpoints: z.int().positive(),
  })
  .refine(({ feed_list, scores_visible }) => feed_list === null || scores_visible, {
    error: "must be true on a plan with feed_list: list pages are the same for every plan and contain scores",
    path: ["scores_visible"],
  });
export type Plan = z.infer<typeof plan>;

/** The lowest plan that satisfies the condition; null: none does. */
export function lowestPlan(plans: PlanTable, has: (plan: Plan) => boolean): PlanName | null {
  return planNames.find((name) => has(plans[name])) ?? null;
}

const leastBurst = 10;

/** Size of a plan's request bucket: a quarter of the requests per minute, at least 10. */
export function burstOf(requestsPerMinute: number): number {
  return Math.max(leastBurst, Math.ceil(requestsPerMinute / 4));
}

/** config/plans.json: every plan of the interface, with all its members. */
export const planTable = z.strictObject({
  free: plan,
  starter: plan,
  pro: plan,
  quant: plan,
  enterprise: plan,
});
export type PlanTable = z.infer<typeof planTable>;
