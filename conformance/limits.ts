import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { burstOf } from "@tapewire/contract/plans.ts";
import type { Answer } from "./client.ts";
import type { Live } from "./live.ts";
import { limitsOf, readMe } from "./me-usage.ts";
import { NotApplicable, type Section } from "./section.ts";

const mostAtOnce = 300;
const mostGuesses = 500;

const member = /^"[a-z_-]+";[a-z]+=\d+(;[a-z]+=\d+)*$/;

/** Parameters of the first member of a RateLimit header. Source: IETF httpapi RateLimit header fields, draft 11. */
function parametersOf(field: string): Record<string, number> {
  const first = field.split(",", 1)[0] ?? "";
  assert.match(first.trim(), member);
  return Object.fromEntries(
    [...first.matchAll(/;([a-z]+)=(\d+)/g)].map(([, name, value]) => [name, Number(value)]),
  );
}

/** Sends reads at once. `most`: the largest number that a full bucket may allow in the time they took. */
async function flood(live: Live, { key, path, perMinute }: { key: string; path: string; perMinute: number }) {
  const burst = burstOf(perMinute);
  if (burst > mostAtOnce)
    throw new NotApplicable(`the Starter plan allows ${burst} requests at once, too many to test`);
  const startMs = performance.now();
  const refilled = () => Math.ceil(((performance.now() - startMs) / 60_000) * perMinute);
  const one = () => live.get(path, { key, status: null });
  const answers = await Promise.all(Array.from({ length: burst + 5 }, one));
  const refused = () => answers.filter(({ status }) => status === 429);
  // While a slow service answers, some of the rate comes back.
  while (refused().length === 0 && answers.length < 3 * mostAtOnce)
    answers.push(...(await Promise.all(Array.from({ length: refilled() + 5 }, one))));
  return { burst, most: burst + refilled(), passed: answers.length - refused().length, refused: refused() };
}

/** A new Starter account, and the results of more list reads at once than its rate allows. */
async function exhaust(live: Live) {
  const { requests_per_minute: perMinute } = await limitsOf(live, "starter");
  const made = await live.newKey({ plan: "starter" });
  const flooded = await flood(live, { key: made.key, path: "/v1/feeds", perMinute });
  return { ...made, ...flooded, perMinute };
}

function retryAfterS(answer: Answer | undefined): number {
  const seconds = Number(answer?.header("retry-after"));
  assert.ok(Number.isInteger(seconds) && seconds >= 1, `Retry-After: ${answer?.header("retry-after")}`);
  return seconds;
}

export const limits: Section = {
  name: "Limits",
  rules: {
    "every response to a key has RateLimit-Policy, RateLimit and X-RateLimit-*": async (live) => {
      const { key } = await live.newKey({ plan: "pro" });
      const { requests_per_minute: perMinute } = (await readMe(live, key)).limits;
      for (const [query, status] of [
        ["limit=1", 200],
        ["limit=0", 400],
      ] as const) {
        const answer = await live.get("/v1/feeds", { key, query, status });
        const { q, w } = parametersOf(answer.header("ratelimit-policy"));
        assert.deepEqual([q, w], [perMinute, 60]);
        const { r = -1, t = -1 } = parametersOf(answer.header("ratelimit"));
        assert.ok(r >= 0 && r <= perMinute && t >= 0 && t <= 60);
        assert.equal(Number(answer.header("x-ratelimit-limit")), perMinute);
        assert.equal(Number(answer.header("x-ratelimit-remaining")), r);
        assert.match(answer.header("x-ratelimit-reset"), /^\d+$/);
      }
    },
    "the remaining requests decrease with each request": async (live) => {
      const { key } = await live.newKey({ plan: "starter" });
      const left: number[] = [];
      for (let n = 0; n < 3; n++) {
        const answer = await live.get("/v1/feeds", { key, query: { limit: 1 } });
        left.push(Number(answer.header("x-ratelimit-remaining")));
      }
      assert.ok((left[1] ?? 0) < (left[0] ?? 0) && (left[2] ?? 0) < (left[1] ?? 0), left.join(" "));
    },
    "429 rate_limited on GET /v1/feeds above the plan's rate, with a correct Retry-After": async (live) => {
      const { key, burst, most, passed, refused } = await exhaust(live);
      assert.ok(refused.length > 0, "nothing was refused");
      assert.ok(passed >= burst && passed <= most, `${passed} passed of a burst of ${burst}`);
      const found = refused[0]?.read(problem);
      assert.equal(found?.code, "rate_limited");
      assert.ok((found?.["violated-policies"]?.length ?? 0) > 0);
      const [policy = ""] = found?.["violated-policies"] ?? [];
      assert.ok(refused[0]?.header("ratelimit-policy").includes(`"${policy}"`), policy);
      assert.equal(refused[0]?.header("x-ratelimit-remaining"), "0");
      await delay(Math.max(...refused.map(retryAfterS)) * 1000);
      await live.get("/v1/feeds", { key, status: 200, query: { limit: 1 } });
    },
    "the rate counts per account: a second key does not raise it, other accounts are not affected": async (
      live,
    ) => {
      const { account_id, perMinute, burst } = await exhaust(live);
      const { key } = await live.newKey({ account_id });
      const { passed } = await flood(live, { key, path: "/v1/feeds", perMinute });
      assert.ok(passed < burst, `${passed} of a burst of ${burst} passed again`);
      const other = await live.newKey({ plan: "starter" });
      await live.get("/v1/feeds", { key: other.key });
    },
    "3 reference reads, me and usage do not share the rate of the list": async (live) => {
      const { key, perMinute, burst } = await exhaust(live);
      for (const path of ["/v1/me", "/v1/usage", "/v1/sources", "/v1/providers", "/v1/symbols", "/v1/tags"])
        assert.equal((await live.get(path, { key, status: null })).status, 200, path);
      const { passed } = await flood(live, { key, path: "/v1/feeds", perMinute });
      assert.ok(passed < burst, "the reads gave the list its rate back");
    },
    "3 reference reads have a separate rate, ten times the plan's": async (live) => {
      const { key } = await live.newKey({ plan: "starter" });
      const perMinute = 10 * (await limitsOf(live, "starter")).requests_per_minute;
      const { refused, passed, burst, most } = await flood(live, { key, path: "/v1/tags/market", perMinute });
      assert.ok(passed >= burst && passed <= most, `${passed} passed of a burst of ${burst}`);
      assert.ok(refused.length > 0);
      retryAfterS(refused[0]);
      await live.get("/v1/feeds", { key, query: { limit: 1 } });
    },
    "3 reference reads use no quota": async (live) => {
      const { key } = await live.newKey({ plan: "pro" });
      for (const path of ["/v1/sources", "/v1/providers", "/v1/symbols", "/v1/tags", "/v1/usage"])
        await live.get(path, { key });
      const { usage } = await readMe(live, key);
      assert.deepEqual([usage.feed, usage.score], [0, 0]);
    },
    "maximum limit per page: Pro 200, Quant 500, Enterprise 1,000": async (live) => {
      for (const [plan, most] of [
        ["pro", 200],
        ["quant", 500],
        ["enterprise", 1000],
      ] as const)
        assert.equal((await limitsOf(live, plan)).page_limit_max, most, plan);
    },
    "realtime feeds per day: Free 50, Starter 5,000; null means no cap": async (live) => {
      assert.equal((await limitsOf(live, "free")).realtime_feeds_per_day, 50);
      assert.equal((await limitsOf(live, "starter")).realtime_feeds_per_day, 5000);
      assert.equal((await limitsOf(live, "enterprise")).realtime_feeds_per_day, null);
    },
    "1 the Free plan cannot use GET /v1/feeds, with any parameters": async (live) => {
      const key = await live.key("free");
      for (const query of ["", "limit=1", "limit=0", "cursor=x"])
        await live.refuses("plan_required", "GET", "/v1/feeds", { key, query });
    },
    "401s are limited per address; a valid key still works from that address": async (live) => {
      const guess = async (n: number) => live.get("/v1/me", { key: `tw_live_guess${n}`, status: null });
      let answer = await guess(0);
      for (let n = 1; n < mostGuesses && answer.status === 401; n++) answer = await guess(n);
      assert.equal(answer.status, 429, `${mostGuesses} invalid keys in a row got no 429`);
      retryAfterS(answer);
      assert.equal(answer.read(problem).code, "rate_limited");
      await live.get("/v1/me");
    },
  },
};
