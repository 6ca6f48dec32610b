import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { me } from "@tapewire/contract/account.ts";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { type PlanName, planTable } from "@tapewire/contract/plans.ts";
import { verdict } from "@tapewire/contract/score.ts";
import pg from "pg";
import { makeKey } from "../../src/account/keys/key.ts";
import { settings } from "../../src/config/config.ts";
import { type Clock, systemClock } from "../../src/runtime/clock.ts";
import { postgresUrl } from "../support/db.ts";
import { type Service, startService } from "../support/service.ts";

const artifact = { type: "news", title: "Tidewane Shipping orders two vessels", body: "For $84 million." };

/** The plans that ship; but starter scores, and as often as one likes: what is under test there is the day's quota. */
function writePlans(folder: string): string {
  const plans = planTable.parse(JSON.parse(readFileSync(settings.plansFile.fallback, "utf8")));
  const path = join(folder, "plans.json");
  const starter = { ...plans.starter, score_per_day: 1_000, requests_per_minute: 600_000 };
  writeFileSync(path, JSON.stringify({ ...plans, starter }));
  return path;
}

describe("limits, over three services on one PostgreSQL and a clock that stands still", {
  skip: postgresUrl === null ? "no PostgreSQL" : false,
}, () => {
  const services: Service[] = [];
  const folder = mkdtempSync(join(tmpdir(), "tapewire-test-"));
  let nowMs = Date.parse("2026-03-02T14:30:00Z");
  /** How far each service's clock is ahead. */
  const aheadMs = [0, 0, 0];
  const databaseUrl = () => services[0]?.config.databaseUrl ?? "";

  before(async () => {
    const plansFile = writePlans(folder);
    for (const n of aheadMs.keys()) {
      const clock: Clock = { ...systemClock, now: () => new Date(nowMs + (aheadMs[n] ?? 0)) };
      const shared = n === 0 ? {} : { databaseUrl: databaseUrl() };
      services.push(await startService("postgres", { clock, plansFile, trustedProxies: 1, ...shared }));
    }
  });
  after(async () => {
    // The first one owns the database.
    for (const service of services.toReversed()) await service[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const service = (n: number): Service => {
    const found = services[n];
    assert.ok(found !== undefined);
    return found;
  };
  const keyOf = async (plan: PlanName) => (await service(0).key(plan)).key;
  /** So many requests at once, spread over the services named. A bad one counts like any other, and asks no list. */
  const ask = (count: number, key: string, { path = "/v1/feeds?limit=0", over = [0, 1, 2] } = {}) =>
    Promise.all(Array.from({ length: count }, (_, n) => service(over[n % over.length] ?? 0).get(path, key)));
  const passed = (answers: readonly Response[]) => withStatus(answers, 400).length;
  const withStatus = (answers: readonly Response[], status: number) =>
    answers.filter((answer) => answer.status === status);

  const bursts: [plan: PlanName, burst: number, perSecond: number][] = [
    ["pro", 75, 5],
    ["quant", 300, 20],
    ["enterprise", 1_500, 100],
  ];
  // A thousand requests more tell nothing of one service that they do not tell of three.
  for (const [plan, burst, perSecond] of bursts)
    for (const over of plan === "enterprise" ? [[0, 1, 2]] : [[0], [0, 1, 2]])
      test(`${plan}: of ${burst + 100} requests at once over ${over.length} services ${burst} pass, and ${perSecond} a second later`, async () => {
        const key = await keyOf(plan);
        const answers = await ask(burst + 100, key, { over });
        assert.deepEqual([passed(answers), withStatus(answers, 429).length], [burst, 100]);
        for (const refused of withStatus(answers, 429)) {
          assert.equal(refused.headers.get("retry-after"), "1");
          const body = problem.parse(await refused.json());
          assert.equal(body.code, "rate_limited");
          assert.deepEqual(body["violated-policies"], ["minute"]);
        }
        nowMs += 1_000;
        assert.equal(passed(await ask(perSecond + 50, key, { over })), perSecond);
      });

  test("whoever waits for Retry-After is served, however slow the plan", async () => {
    const key = await keyOf("free");
    // The plan has no list: 403 is an answer, too.
    const answers = await ask(20, key);
    assert.deepEqual([withStatus(answers, 403).length, withStatus(answers, 429).length], [10, 10]);
    assert.ok(withStatus(answers, 429).every(({ headers }) => headers.get("retry-after") === "2"));
    nowMs += 2_000;
    const later = (await ask(2, key, { over: [0] })).map(({ status }) => status);
    assert.deepEqual(later.toSorted(), [403, 429]);
  });

  test("clocks that differ let nothing through twice", async () => {
    const key = await keyOf("pro");
    assert.equal(passed(await ask(85, key, { over: [0] })), 75);
    aheadMs[1] = 60_000;
    const turns: number[] = [];
    for (const n of [1, 0, 2, 1, 0, 2]) turns.push(passed(await ask(85, key, { over: [n] })));
    aheadMs[1] = 0;
    // The minute that the second was ahead is counted once.
    assert.deepEqual(turns, [75, 0, 0, 0, 0, 0]);
    nowMs += 60_000;
    assert.equal(passed(await ask(20, key)), 0);
    nowMs += 1_000;
    assert.equal(passed(await ask(20, key)), 5);
  });

  test("keys of one account share its limit; reference reads have ten times as much of their own", async () => {
    const first = await service(0).key("pro");
    const made = await service(0).admin("POST", "/admin/v1/keys", { account_id: first.account_id });
    const { key: second } = problemFree(await made.json());
    const [one, other] = [await ask(45, first.key), await ask(45, second)];
    assert.equal(passed([...one, ...other]), 75);
    const reads = await ask(800, second, { path: "/v1/sources" });
    assert.equal(withStatus(reads, 200).length, 750);
    const refused = withStatus(reads, 429)[0];
    assert.deepEqual(problem.parse(await refused?.json())["violated-policies"], ["reference"]);
    assert.equal(refused?.headers.get("ratelimit-policy"), '"reference";q=3000;w=60');
  });

  test("every answer to a known key tells where it stands, whatever the answer", async () => {
    const key = await keyOf("pro");
    const seen = [];
    for (const path of ["/v1/feeds", "/v1/feeds?limit=0", "/v1/feeds/6f2c1d1e-0000-5000-8000-000000000000"]) {
      const { headers } = await service(0).get(path, key);
      seen.push([
        headers.get("ratelimit-policy"),
        headers.get("ratelimit"),
        headers.get("x-ratelimit-limit"),
        headers.get("x-ratelimit-remaining"),
        headers.get("x-ratelimit-reset"),
      ]);
    }
    const policy = '"minute";q=300;w=60';
    assert.deepEqual(seen, [
      [policy, '"minute";r=74;t=1', "300", "74", "1"],
      [policy, '"minute";r=73;t=1', "300", "73", "1"],
      [policy, '"minute";r=72;t=1', "300", "72", "1"],
    ]);
  });

  test("at 990 of 1,000 score calls 10 of 200 at once pass, and a failed one costs nothing", async () => {
    const { key, account_id } = await service(0).key("starter");
    nowMs = Date.parse("2026-03-03T14:30:00Z");
    const client = new pg.Client({ connectionString: databaseUrl() });
    await client.connect();
    await client.query("insert into usage_days (account_id, day, score) values ($1, '2026-03-03', 990)", [
      account_id,
    ]);
    await client.end();
    const score = (n: number, body: unknown) =>
      fetch(`${service(n % 3).url}/v1/score`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const failed = await score(0, { artifact: { ...artifact, title: "" } });
    assert.equal(failed.status, 400);
    assert.match(failed.headers.get("ratelimit") ?? "", /^"minute";r=\d+;t=\d+, "day";r=10;t=34200$/);
    const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => score(n, { artifact })));
    assert.deepEqual([withStatus(answers, 200).length, withStatus(answers, 429).length], [10, 190]);
    const used = withStatus(answers, 200).map(async (one) => verdict.parse(await one.json()).usage.used);
    const ordinals = (await Promise.all(used)).toSorted((a, b) => a - b);
    assert.deepEqual(ordinals, [991, 992, 993, 994, 995, 996, 997, 998, 999, 1000]);
    const refused = withStatus(answers, 429)[0];
    assert.equal(refused?.headers.get("retry-after"), "34200");
    assert.match(refused?.headers.get("ratelimit-policy") ?? "", /, "day";q=1000;w=86400$/);
    const body = problem.parse(await refused?.json());
    assert.deepEqual([body.code, body["violated-policies"]], ["quota_exceeded", ["day"]]);
    for (const { get } of services)
      assert.equal(me.parse(await (await get("/v1/me", key)).json()).usage.score, 1_000);
  });

  test("a revocation and a change of plan are known to every service within 5 seconds", async () => {
    const [revoked, moved] = [await service(0).key("pro"), await service(0).key("pro")];
    const statuses = async () => {
      nowMs += 60_000;
      const asked = [1, 2].flatMap((n) => [
        service(n).get("/v1/me", revoked.key),
        service(n).get("/v1/feeds?limit=0", moved.key),
      ]);
      return (await Promise.all(asked)).map(({ status }) => status);
    };
    assert.deepEqual(await statuses(), [200, 400, 200, 400]);
    await service(0).admin("DELETE", `/admin/v1/keys/${revoked.id}`);
    await service(0).admin("PATCH", `/admin/v1/accounts/${moved.account_id}`, { plan: "free" });
    const changedAt = performance.now();
    const wanted = [401, 403, 401, 403];
    let found = await statuses();
    while (!isDeepStrictEqual(found, wanted) && performance.now() - changedAt < 5_000) {
      await systemClock.sleep(50);
      found = await statuses();
    }
    assert.deepEqual(found, wanted);
  });

  describe("requests without a valid key", () => {
    let networks = 0;
    const from = (address: string, authorization?: string, path = "/v1/feeds") =>
      fetch(service(0).url + path, {
        headers: {
          "x-forwarded-for": `1.2.3.4, ${address}`,
          ...(authorization === undefined ? {} : { authorization: `Bearer ${authorization}` }),
        },
      });
    const statuses = async (answers: readonly Promise<Response>[]) =>
      Map.groupBy(await Promise.all(answers), ({ status }) => status);
    const exhaust = async (address: string) => {
      const found = await statuses(Array.from({ length: 60 }, () => from(address, makeKey())));
      assert.deepEqual([...found.keys()], [401], address);
    };
    const freshAddress = () => {
      networks += 1;
      return `198.51.100.${networks}`;
    };

    test("after 60 from an address more are 429, until it has waited", async () => {
      const address = freshAddress();
      await exhaust(address);
      for (const key of [undefined, "nonsense", makeKey()]) {
        const refused = await from(address, key);
        assert.equal(refused.status, 429);
        assert.equal(refused.headers.get("retry-after"), "1");
        const body = problem.parse(await refused.json());
        assert.deepEqual([body.code, body["violated-policies"]], ["rate_limited", ["address"]]);
      }
      assert.equal((await from(freshAddress(), makeKey())).status, 401);
      nowMs += 1_000;
      const found = await statuses(Array.from({ length: 5 }, () => from(address, makeKey())));
      assert.deepEqual([found.get(401)?.length, found.get(429)?.length], [1, 4]);
    });

    test("a key that was good a moment ago still passes, one not seen yet is not looked up", async () => {
      const address = freshAddress();
      const [known, unseen] = [await keyOf("pro"), await keyOf("pro")];
      assert.equal((await from(address, known)).status, 200);
      await exhaust(address);
      assert.equal((await from(address, known)).status, 200);
      assert.equal((await from(address, unseen)).status, 429);
      assert.equal((await from(freshAddress(), unseen)).status, 200);
    });

    test("a hundred good keys of one address, none seen yet, pass at once: as after a start", async () => {
      const address = freshAddress();
      const keys = await Promise.all(Array.from({ length: 100 }, () => keyOf("pro")));
      const found = await statuses(keys.map((key) => from(address, key)));
      assert.deepEqual([...found.keys()], [200]);
      const guesses = await statuses(Array.from({ length: 80 }, () => from(address, makeKey())));
      assert.deepEqual([guesses.get(401)?.length, guesses.get(429)?.length], [60, 20]);
    });

    test("keys that need no look-up to be refused hold up no good one", async () => {
      const address = freshAddress();
      const unseen = await keyOf("pro");
      const { key: revoked, id } = await service(0).key("pro");
      await service(0).admin("DELETE", `/admin/v1/keys/${id}`);
      const found = await statuses(
        Array.from({ length: 200 }, (_, n) => from(address, n % 2 === 0 ? revoked : "nonsense")),
      );
      assert.deepEqual([found.get(401)?.length, found.get(429)?.length], [60, 140]);
      assert.equal((await from(address, unseen)).status, 200);
    });

    test("guesses of the admin token are limited alike; the right one passes", async () => {
      const address = freshAddress();
      await exhaust(address);
      assert.equal((await from(address, "guess", "/admin/v1/keys")).status, 429);
      assert.equal((await from(address, service(0).adminToken, "/admin/v1/keys")).status, 200);
    });

    test("addresses of one IPv6 network count together, in whatever spelling", async () => {
      await exhaust("2001:db8:7:1::1");
      for (const address of ["2001:db8:7:1:ffff::2", "2001:0DB8:0007:0001:0:0:0:3", "[2001:db8:7:1::4]:443"])
        assert.equal((await from(address, makeKey())).status, 429, address);
      assert.equal((await from("2001:db8:7:2::1", makeKey())).status, 401);
      await exhaust("203.0.113.9");
      for (const address of ["::ffff:203.0.113.9", "203.0.113.9:5000"])
        assert.equal((await from(address, makeKey())).status, 429, address);
    });
  });
});

function problemFree(body: unknown): { key: string } {
  assert.ok(typeof body === "object" && body !== null && "key" in body && typeof body.key === "string");
  return { key: body.key };
}
