import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { systemClock } from "../../src/runtime/clock.ts";
import { ClockSteps } from "../../src/webhooks/clock-steps.ts";
import { anyEngine, testDb } from "../support/db.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { countsOf, makeAccount, makeEndpoint, openLog, startWorker } from "../support/webhooks.ts";

const hourMs = 3_600_000;

test("what was made before the clock was put forward is no older for it; what is made after it ages as ever", () => {
  let [wallMs, runMs] = [Date.parse("2026-03-02T12:00:00Z"), 1_000];
  const steps = new ClockSteps({ ...systemClock, now: () => new Date(wallMs) }, () => runMs);
  const pass = (ms: number) => {
    wallMs += ms;
    runMs += ms;
    steps.look();
  };
  const ageOf = (madeAtMs: number) => wallMs - steps.since(madeAtMs);
  const first = wallMs;
  pass(60_000);
  assert.equal(ageOf(first), 60_000);
  wallMs += hourMs;
  assert.equal(ageOf(first), 60_000, "put forward");
  const second = wallMs;
  pass(30_000);
  assert.deepEqual([ageOf(first), ageOf(second)], [90_000, 30_000]);
  wallMs += 1_000;
  assert.equal(ageOf(second), 31_000, "slewed");
  wallMs -= hourMs + 1_000;
  const third = wallMs;
  assert.ok(Math.abs(ageOf(first) - 90_000) <= 2_000, `put back: ${ageOf(first)}`);
  pass(20_000);
  assert.ok(Math.abs(ageOf(second) - 50_000) <= 2_000 || ageOf(second) < 0, `${ageOf(second)}`);
  assert.equal(ageOf(third), 20_000, "never older than it is");
});

test("what failed while the clock was ahead is tried again when the clock is put back", async () => {
  await using db = await testDb(anyEngine);
  let aheadMs = 48 * hourMs;
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) };
  const state = { status: 500 };
  await using receivers = await startReceivers({ "/": () => state.status });
  await using log = await openLog(db, { clock });
  const { id } = await makeEndpoint(db, { accountId: await makeAccount(db), url: receivers.url("/") });
  await using worker = await startWorker(db, log.tail, { clock });
  void worker;
  await log.append({ uniqueId: "guid:ahead" });
  await until(async () => (await countsOf(db, id)).due === 1, "it failed");
  state.status = 204;
  aheadMs = 0;
  await until(async () => (await countsOf(db, id)).delivered === 1, "it is delivered");
});

test("a clock that is put forward by an hour expires no backlog", async () => {
  await using db = await testDb(anyEngine);
  let aheadMs = 0;
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) };
  const state = { status: 500 };
  await using receivers = await startReceivers({ "/": () => state.status });
  await using log = await openLog(db, { clock });
  const { id } = await makeEndpoint(db, { accountId: await makeAccount(db), url: receivers.url("/") });
  await sql`update webhook_endpoints set max_age_s = 600 where id = ${id}`.execute(db.main);
  const steps = new ClockSteps(clock, () => performance.now());
  await using worker = await startWorker(db, log.tail, { clock, steps });
  void worker;
  await log.append(...Array.from({ length: 40 }, (_, n) => ({ uniqueId: `guid:step:${n}` })));
  await until(async () => {
    const { rows } = await sql<{ isHeld: boolean }>`
      select breaker_until is not null as "isHeld" from webhook_endpoints where id = ${id}`.execute(db.main);
    const { due } = await countsOf(db, id);
    return rows[0]?.isHeld === true && due === receivers.at("/").length;
  }, "it fails and is held off, and no attempt is under way");
  state.status = 204;
  aheadMs = hourMs;
  await until(async () => {
    const { delivered, expired, failed } = await countsOf(db, id);
    return delivered + expired + failed === 40;
  }, "all have ended");
  const { delivered, expired } = await countsOf(db, id);
  assert.deepEqual({ delivered, expired }, { delivered: 40, expired: 0 });
});
