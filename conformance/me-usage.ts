import assert from "node:assert/strict";
import { type Me, me, type PlanLimits, type Usage, usage } from "@tapewire/contract/account.ts";
import { type PlanName, planNames } from "@tapewire/contract/plans.ts";
import { eventually } from "./eventually.ts";
import type { Live } from "./live.ts";
import type { Section } from "./section.ts";

export async function readMe(live: Live, key: string): Promise<Me> {
  return (await live.get("/v1/me", { key })).read(me);
}

/** The limits of a plan on this service. */
export async function limitsOf(live: Live, plan: PlanName): Promise<PlanLimits> {
  return (await readMe(live, await live.key(plan))).limits;
}

async function readUsage(live: Live, key: string, days?: number): Promise<Usage> {
  return (await live.get("/v1/usage", { key, query: days === undefined ? {} : { days } })).read(usage);
}

/** 00:00 UTC of the day after a time. */
export function nextMidnight(time: Date): string {
  const dayMs = 86_400_000;
  return new Date((Math.floor(time.getTime() / dayMs) + 1) * dayMs).toISOString();
}

const artifact = { type: "news", title: "Orbitex Robotics raises guidance", body: "Orders rose 40%." };

export const meRules: Section = {
  name: "GET /v1/me",
  rules: {
    "200 on every plan, with the tier": async (live) => {
      for (const plan of planNames) assert.equal((await readMe(live, await live.key(plan))).tier, plan);
    },
    "key: id, name, prefix, last4 and times, never the key itself": async (live) => {
      const made = await live.newKey({ plan: "pro" });
      const answer = await live.get("/v1/me", { key: made.key });
      assert.ok(!answer.text.includes(made.key));
      const { key, account } = answer.read(me);
      const { id, name, prefix, last4, created_at, expires_at } = made;
      assert.deepEqual(
        { ...key, last_used_at: null },
        { id, name, prefix, last4, created_at, expires_at, last_used_at: null },
      );
      assert.deepEqual([key.prefix, key.last4], [made.key.slice(0, 12), made.key.slice(-4)]);
      assert.equal(account.id, made.account_id);
    },
    "limits are the plan's: the Free plan has no list, no scoring and no scores": async (live) => {
      for (const plan of planNames) {
        const limits = await limitsOf(live, plan);
        assert.ok(limits.stream_connections >= 1 && limits.webhook_endpoints >= 1, plan);
        assert.equal(limits.scored_feed, plan !== "free", plan);
        assert.equal(limits.replay, plan !== "free" && plan !== "starter", plan);
        assert.equal(limits.page_limit_max === null, plan === "free", plan);
        assert.equal(limits.score_per_day === 0, plan === "free" || plan === "starter", plan);
      }
    },
    "limits.page_limit_max equals X-Page-Limit": async (live) => {
      for (const plan of ["starter", "pro", "quant", "enterprise"] as const) {
        const answer = await live.get("/v1/feeds", { query: { limit: 999_999 }, key: await live.key(plan) });
        assert.equal(
          Number(answer.header("x-page-limit")),
          (await limitsOf(live, plan)).page_limit_max,
          plan,
        );
      }
    },
    "usage counts today's score calls that succeeded, and resets at 00:00 UTC": async (live) => {
      const { key } = await live.newKey({ plan: "pro" });
      const before = await readMe(live, key);
      assert.equal(before.usage.reset_at, nextMidnight(new Date()));
      assert.deepEqual([before.usage.score, before.usage.feed], [0, 0]);
      await live.call("POST", "/v1/score", { key, body: { artifact } });
      await live.call("POST", "/v1/score", { key, body: { artifact: {} }, status: 400 });
      await eventually(async () => assert.equal((await readMe(live, key)).usage.score, 1));
    },
    "usage.requests increases": async (live) => {
      const { key } = await live.newKey({ plan: "pro" });
      for (let n = 0; n < 5; n++) await live.get("/v1/feeds", { key, query: { limit: 1 } });
      await eventually(async () => assert.ok((await readMe(live, key)).usage.requests >= 5));
    },
  },
};

export const usageRules: Section = {
  name: "GET /v1/usage",
  rules: {
    "200 on every plan": async (live) => {
      for (const plan of planNames) await readUsage(live, await live.key(plan));
    },
    "days is 30 when absent": async (live) => {
      const answer = await readUsage(live, await live.key("pro"));
      assert.deepEqual([answer.days, answer.data.length], [30, 30]);
    },
    "days 1 to 90: one row per day, oldest first, today last, zeros included": async (live) => {
      for (const days of [1, 2, 89, 90]) {
        const { data, today, timezone, days: told } = await readUsage(live, await live.key("pro"), days);
        assert.deepEqual([told, data.length, timezone], [days, days, "UTC"]);
        const last = Date.parse(today.date);
        assert.deepEqual(
          data.map(({ date }) => date),
          Array.from({ length: days }, (_, n) =>
            new Date(last - (days - 1 - n) * 86_400_000).toISOString().slice(0, 10),
          ),
        );
      }
    },
    "400 for days outside 1 to 90, or not an integer": async (live) => {
      for (const days of ["0", "-1", "91", "1.5", "", "x", "1e1", "99999999999"])
        await live.refuses("invalid_parameter", "GET", "/v1/usage", { query: { days }, fields: ["days"] });
      await live.refuses("invalid_parameter", "GET", "/v1/usage", { query: "days=1&days=2" });
    },
    "today's totals equal today's row, with the reset": async (live) => {
      const { data, today } = await readUsage(live, (await live.newKey({ plan: "pro" })).key, 3);
      const { reset_at: resetAt, ...counts } = today;
      assert.deepEqual(counts, data.at(-1));
      assert.equal(resetAt, nextMidnight(new Date(today.date)));
    },
    "feed and score are counted separately; requests include errors": async (live) => {
      const { key } = await live.newKey({ plan: "pro" });
      for (let n = 0; n < 3; n++) await live.call("POST", "/v1/score", { key, body: { artifact } });
      await live.get("/v1/feeds", { key, query: { limit: 0 }, status: 400 });
      await eventually(async () => {
        const { today } = await readUsage(live, key, 1);
        assert.deepEqual([today.score, today.feed], [3, 0]);
        assert.ok(today.errors >= 1 && today.requests >= 4 && today.errors < today.requests);
      });
    },
    "counts are per account: a second key shows the same": async (live) => {
      const { key, account_id } = await live.newKey({ plan: "pro" });
      const other = await live.newKey({ account_id });
      await live.call("POST", "/v1/score", { key, body: { artifact } });
      await eventually(async () => assert.equal((await readUsage(live, other.key, 1)).today.score, 1));
    },
    "limits equal those of GET /v1/me": async (live) => {
      for (const plan of planNames)
        assert.deepEqual((await readUsage(live, await live.key(plan), 1)).limits, await limitsOf(live, plan));
    },
  },
};
