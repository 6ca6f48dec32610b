import assert from "node:assert/strict";
import { verdict } from "@tapewire/contract/score.ts";
import { dull, news } from "./artifacts.ts";
import type { Live } from "./live.ts";
import { limitsOf, nextMidnight, readMe } from "./me-usage.ts";
import { NotApplicable, type Section } from "./section.ts";

/** A new key on the cheapest plan with a daily quota that a run can use up. */
async function quotaKey(live: Live) {
  for (const plan of ["pro", "quant"] as const) {
    const { score_per_day: limit } = await limitsOf(live, plan);
    if (limit !== null && limit > 0 && limit <= 2_000) return { ...(await live.newKey({ plan })), limit };
  }
  throw new NotApplicable("no plan here has a quota of at most 2,000 score calls a day");
}

/** Uses up units, 100 at a time. */
async function spend(live: Live, key: string, units: number): Promise<void> {
  for (let left = units; left > 0; left -= 100) {
    const artifacts = Array.from({ length: Math.min(left, 100) }, () => dull);
    await live.call("POST", "/v1/score/batch", { key, body: { artifacts } });
  }
}

export const scoreQuota: Section = {
  name: "POST /v1/score, quota",
  rules: {
    "usage has limit, used, remaining and the reset at 00:00 UTC": async (live) => {
      const { key } = await live.newKey({ plan: "pro" });
      const { limits } = await readMe(live, key);
      const body = { artifact: news };
      const { usage } = (await live.call("POST", "/v1/score", { key, body })).read(verdict);
      const remaining = limits.score_per_day === null ? null : limits.score_per_day - 1;
      assert.deepEqual([usage.limit, usage.used, usage.remaining], [limits.score_per_day, 1, remaining]);
      assert.equal(usage.reset_at, nextMidnight(new Date()));
    },
    "429 quota_exceeded exactly when the daily quota is used up, with Retry-After until the reset": async (
      live,
    ) => {
      const { key, limit } = await quotaKey(live);
      await spend(live, key, limit - 3);
      const body = { artifact: dull };
      const answers = await Promise.all(
        Array.from({ length: 9 }, () =>
          live.call("POST", "/v1/score", { key, body, status: null, waits: true }),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      assert.deepEqual(statuses, [200, 200, 200, 429, 429, 429, 429, 429, 429]);
      const found = await live.refuses("quota_exceeded", "POST", "/v1/score", { key, body });
      assert.ok((found["violated-policies"]?.length ?? 0) > 0, "violated-policies is missing");
      const refusal = answers.find(({ status }) => status === 429);
      const leftS = (Date.parse(nextMidnight(new Date())) - Date.now()) / 1000;
      assert.ok(Math.abs(Number(refusal?.header("retry-after")) - leftS) < 60);
    },
    "a call that fails gives its unit back": async (live) => {
      const { key, limit } = await quotaKey(live);
      await spend(live, key, limit - 1);
      await live.refuses("invalid_body", "POST", "/v1/score", { key, body: { artifact: {} } });
      await live.call("POST", "/v1/score", { key, rawBody: "{", status: 400 });
      const { usage } = (await live.call("POST", "/v1/score", { key, body: { artifact: dull } })).read(
        verdict,
      );
      assert.deepEqual([usage.used, usage.remaining], [limit, 0]);
    },
    "the quota counts per account: a second key does not raise it": async (live) => {
      const { key, limit, account_id } = await quotaKey(live);
      await spend(live, key, limit);
      const other = await live.newKey({ account_id });
      await live.refuses("quota_exceeded", "POST", "/v1/score", { key: other.key, body: { artifact: dull } });
    },
    "a repeat with the same Idempotency-Key gets the stored response and costs nothing": async (live) => {
      const { key } = await live.newKey({ plan: "pro" });
      const send = (artifact: typeof news | typeof dull, status: number) =>
        live.call("POST", "/v1/score", {
          key,
          body: { artifact },
          headers: { "idempotency-key": `order-${live.run}` },
          status,
        });
      const first = (await send(news, 200)).read(verdict);
      assert.deepEqual((await send(news, 200)).read(verdict), first);
      await send(dull, 409);
      const { usage } = (await live.call("POST", "/v1/score", { key, body: { artifact: news } })).read(
        verdict,
      );
      assert.equal(usage.used, 2);
    },
    "an Idempotency-Key costs one unit, even with many calls at once": async (live) => {
      const { key } = await live.newKey({ plan: "pro" });
      const call = {
        key,
        body: { artifact: news },
        headers: { "idempotency-key": `at-once-${live.run}` },
        status: null,
        waits: true,
      };
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => live.call("POST", "/v1/score", call)),
      );
      assert.ok(answers.every(({ status }) => status === 200 || status === 409));
      const { usage } = (await live.call("POST", "/v1/score", { ...call, status: 200 })).read(verdict);
      assert.equal(usage.used, 1);
      assert.equal((await readMe(live, key)).usage.score, 1);
    },
    "400 for an invalid Idempotency-Key": async (live) => {
      for (const text of ["", "a b", "x".repeat(256), "\u00e9"])
        await live.refuses("invalid_parameter", "POST", "/v1/score", {
          body: { artifact: news },
          headers: { "idempotency-key": text },
          fields: ["Idempotency-Key"],
        });
    },
  },
};
