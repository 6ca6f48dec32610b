import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { me, usage } from "@tapewire/contract/account.ts";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { Usage } from "../../../src/account/usage.ts";
import { type Clock, systemClock } from "../../../src/runtime/clock.ts";
import { silentLog } from "../../../src/runtime/log.ts";
import { insertAccount } from "../../../src/store/accounts/accounts.ts";
import { usageSince } from "../../../src/store/accounts/usage.ts";
import { anyEngine, onAnyEngine, testDb } from "../../support/db.ts";
import { type Service, startService } from "../../support/service.ts";
import { StreamClient } from "../../support/stream-client.ts";

/** A clock that stands until the test moves it. */
function standingClock(at: string): { clock: Clock; state: { nowMs: number } } {
  const state = { nowMs: Date.parse(at) };
  return { clock: { ...systemClock, now: () => new Date(state.nowMs) }, state };
}

const readMe = async (service: Service, key: string) =>
  me.strict().parse(await (await service.get("/v1/me", key)).json());
const readUsage = async (service: Service, key: string, query = "") =>
  usage.strict().parse(await (await service.get(`/v1/usage${query}`, key)).json());

onAnyEngine("GET /v1/me and GET /v1/usage", async (context, engine) => {
  const { clock, state } = standingClock("2026-03-02T22:00:00Z");
  await using service = await startService(engine, { clock });

  await context.test("tell the key, the account, its limits, and nothing used yet", async () => {
    const { key, id, account_id, prefix, last4 } = await service.key("pro");
    const found = await readMe(service, key);
    assert.deepEqual(found.key, {
      id,
      name: found.key.name,
      prefix,
      last4,
      created_at: "2026-03-02T22:00:00.000Z",
      last_used_at: null,
      expires_at: null,
    });
    assert.equal(found.account.id, account_id);
    assert.equal(found.tier, "pro");
    assert.deepEqual(
      { ...found.limits, requests_per_minute: 0 },
      {
        requests_per_minute: 0,
        page_limit_max: 200,
        realtime_feeds_per_day: null,
        score_per_day: 1_000,
        stream_connections: 5,
        webhook_endpoints: 10,
        replay: true,
        scored_feed: true,
      },
    );
    assert.deepEqual(found.usage, { feed: 0, score: 0, requests: 0, reset_at: "2026-03-03T00:00:00.000Z" });
  });

  await context.test("tell when the key was used before, not now", async () => {
    const { key } = await service.key("pro");
    const secondMs = 1_000;
    const lastUse = async () => (await readMe(service, key)).key.last_used_at;
    assert.equal(await lastUse(), null);
    state.nowMs += secondMs;
    assert.equal(await lastUse(), "2026-03-02T22:00:00.000Z");
    state.nowMs += secondMs;
    assert.equal((await service.get("/v1/sources", key)).status, 200);
    state.nowMs += secondMs;
    assert.equal(await lastUse(), "2026-03-02T22:00:02.000Z");
  });

  await context.test("count what was answered, and of that what was refused, at once", async () => {
    const { key } = await service.key("free");
    assert.equal((await service.get("/v1/sources", key)).status, 200);
    assert.equal((await service.get("/v1/feeds", key)).status, 403);
    assert.equal((await service.get("/v1/usage?days=0", key)).status, 400);
    const { today, data } = await readUsage(service, key, "?days=1");
    assert.deepEqual([today.requests, today.errors], [3, 2]);
    assert.deepEqual(data, [{ date: "2026-03-02", feed: 0, score: 0, requests: 3, errors: 2 }]);
    assert.equal((await readMe(service, key)).usage.requests, 4);
  });

  await context.test("count live items one by one", async () => {
    const { key } = await service.key("enterprise");
    assert.equal((await readUsage(service, key)).open_streams, 0);
    await using client = await StreamClient.connect(service.app.wsUrl, { key });
    await client.next("welcome");
    assert.equal((await readUsage(service, key)).open_streams, 1);
    client.send({ type: "subscribe", filters: {} });
    await client.next("subscribed");
    for (const n of [1, 2, 3]) await service.push({ title: `Notice ${n} of ${engine}` });
    for (const _ of [1, 2, 3]) await client.next("feed");
    assert.equal((await readMe(service, key)).usage.feed, 3);
  });

  await context.test("turn the day at 00:00 UTC, and keep days without use as zeros", async () => {
    const { key } = await service.key("pro");
    assert.equal((await readUsage(service, key)).days, 30);
    state.nowMs = Date.parse("2026-03-02T23:59:59.999Z");
    await service.get("/v1/sources", key);
    state.nowMs += 1;
    assert.equal((await readMe(service, key)).usage.requests, 0);
    state.nowMs = Date.parse("2026-03-05T12:00:00Z");
    const { data, today, days } = await readUsage(service, key, "?days=5");
    assert.equal(days, 5);
    assert.deepEqual(
      data.map(({ date, requests }) => [date, requests]),
      [
        ["2026-03-01", 0],
        ["2026-03-02", 2],
        ["2026-03-03", 1],
        ["2026-03-04", 0],
        ["2026-03-05", 0],
      ],
    );
    assert.deepEqual([today.date, today.reset_at], ["2026-03-05", "2026-03-06T00:00:00.000Z"]);
    assert.deepEqual(await readUsage(service, key, "?days=90").then(({ data: rows }) => rows.length), 90);
    for (const bad of ["0", "91", "1.5", "x", ""]) {
      const refused = await service.get(`/v1/usage?days=${bad}`, key);
      assert.deepEqual(
        problem.parse(await refused.json()).errors?.map(({ name }) => name),
        ["days"],
      );
    }
  });

  // The embedded database belongs to one process.
  if (engine === "pglite") return;
  await context.test("tell of a use of the key at another service", async () => {
    state.nowMs = Date.parse("2026-04-01T12:00:00Z");
    const { key } = await service.key("pro");
    assert.equal((await readMe(service, key)).key.last_used_at, null);
    {
      const databaseUrl = service.config.databaseUrl ?? "";
      await using other = await startService("postgres", { clock, databaseUrl });
      state.nowMs += 1_000;
      assert.equal((await other.get("/v1/sources", key)).status, 200);
    }
    state.nowMs += 1_000;
    assert.equal((await readMe(service, key)).key.last_used_at, "2026-04-01T12:00:01.000Z");
    state.nowMs += 1_000;
    assert.equal((await readMe(service, key)).key.last_used_at, "2026-04-01T12:00:02.000Z");
  });
  await context.test("lose nothing of what another service counted before it stopped", async () => {
    state.nowMs = Date.parse("2026-04-02T12:00:00Z");
    const { key } = await service.key("pro");
    {
      const databaseUrl = service.config.databaseUrl ?? "";
      await using other = await startService("postgres", { clock, databaseUrl });
      await Promise.all(Array.from({ length: 25 }, () => other.get("/v1/sources", key)));
      state.nowMs += 86_400_000;
      await other.get("/v1/feeds?limit=0", key);
    }
    const { data } = await readUsage(service, key, "?days=2");
    const counted = data.map(({ requests, errors }) => [requests, errors]);
    assert.deepEqual(counted, [
      [25, 0],
      [1, 1],
    ]);
  });
});

test("counts that could not be added are added later; days of more than 400 days ago are dropped", async () => {
  await using db = await testDb(anyEngine);
  const { clock, state } = standingClock("2025-01-01T00:00:00Z");
  const id = randomUUID();
  const usage = new Usage({ db: db.main, clock, log: silentLog });
  usage.countRequest(id, false);
  // There is no such account yet.
  await assert.rejects(usage.flush());
  await insertAccount(db.main, { id, name: "late", plan: "pro", created_at: clock.now() });
  usage.countRequest(id, true);
  await usage.flush();
  const [row] = await usageSince(db.main, id, "2000-01-01");
  assert.deepEqual([row?.requests, row?.errors], [2, 1]);
  state.nowMs += 400 * 86_400_000;
  await usage.dropOld();
  assert.equal((await usageSince(db.main, id, "2000-01-01")).length, 1);
  state.nowMs += 86_400_000;
  await usage.dropOld();
  assert.equal((await usageSince(db.main, id, "2000-01-01")).length, 0);
  await usage[Symbol.asyncDispose]();
});
