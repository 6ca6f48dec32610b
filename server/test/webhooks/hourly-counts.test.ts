import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { sql } from "kysely";
import { latencyBin, latencyBins, latencyQuantile } from "../../src/feed/latency-bins.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { hoursSince } from "../../src/store/webhooks/hourly-counts.ts";
import { HourlyCounts } from "../../src/webhooks/hourly-counts.ts";
import { anyEngine, onBothEngines, testDb } from "../support/db.ts";

test("a quantile of the bins is right to a fifth", () => {
  const durations = fc.array(fc.integer({ min: 1, max: 30_000 }), { minLength: 1 });
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.99), (all, share) => {
      const counts = Array.from({ length: latencyBins }, () => 0);
      for (const ms of all) counts[latencyBin(ms)] = (counts[latencyBin(ms)] ?? 0) + 1;
      const exact = all.toSorted((a, b) => a - b)[Math.ceil(share * all.length) - 1] ?? 0;
      const found = latencyQuantile(counts, share) ?? 0;
      assert.ok(Math.abs(found - exact) <= 0.2 * exact + 0.5, `${found} for ${exact}`);
    }),
  );
  assert.equal(latencyQuantile([], 0.5), null);
  assert.deepEqual([latencyBin(0), latencyBin(1e9)], [0, latencyBins - 1]);
});

onBothEngines("what two processes count in two hours adds up, and goes after a week", async (_, engine) => {
  await using db = await testDb(engine);
  let nowMs = Date.parse("2026-03-02T14:59:59Z");
  const clock = { ...systemClock, now: () => new Date(nowMs) };
  const [one, other] = [new HourlyCounts({ db: db.main, clock }), new HourlyCounts({ db: db.main, clock })];
  const id = randomUUID();
  const none = { matched: 0, delivered: 0, failed: 0, expired: 0 };
  one.settled(id, { ...none, matched: 3, delivered: 2 });
  one.attempted(id, { ms: 8, isAnswered: true });
  other.settled(id, { ...none, matched: 1, failed: 1 });
  other.attempted(id, { ms: 9, isAnswered: true });
  one.attempted(id, { ms: 1, isAnswered: false });
  other.attempted(id, { ms: 1, isAnswered: false });
  nowMs += 1_000;
  one.settled(id, { ...none, expired: 4 });
  await one.write();
  await other.write();
  other.attempted(id, { ms: 9_000, isAnswered: true });
  await other.write();
  await other.write();
  const found = await hoursSince(db.main, id, new Date("2026-03-02T00:00:00Z"));
  const [first, second] = ["2026-03-02T14:00:00Z", "2026-03-02T15:00:00Z"].map((hour) =>
    found.get(Date.parse(hour)),
  );
  assert.ok(first !== undefined && second !== undefined && found.size === 2);
  const { latency, ...counts } = first;
  assert.deepEqual(counts, { matched: 4, delivered: 2, failed: 1, expired: 0, unanswered: 2 });
  assert.deepEqual([latency.length, latency[latencyBin(8)]], [latencyBins, 2]);
  assert.equal(latency[latencyBin(1)], 0, "nobody answered in that time");
  assert.deepEqual([second.expired, second.latency[latencyBin(9_000)]], [4, 1]);
  nowMs += 9 * 86_400_000;
  await one.forget();
  assert.equal((await hoursSince(db.main, id, new Date(0))).size, 0);
});

test("what could not be written while the database was away is written later, once", async () => {
  await using db = await testDb(anyEngine);
  let nowMs = Date.parse("2026-03-02T14:59:00Z");
  const hours = new HourlyCounts({ db: db.main, clock: { ...systemClock, now: () => new Date(nowMs) } });
  const id = randomUUID();
  const attempted = async (ms: number) => {
    hours.attempted(id, { ms, isAnswered: true });
    return hours.write();
  };
  await attempted(8);
  await sql`alter table webhook_hours rename to webhook_hours_away`.execute(db.main);
  await assert.rejects(attempted(8));
  await assert.rejects(attempted(9_000));
  nowMs += 60_000;
  await assert.rejects(attempted(8));
  await sql`alter table webhook_hours_away rename to webhook_hours`.execute(db.main);
  await hours.write();
  await hours.write();
  const found = [...(await hoursSince(db.main, id, new Date(0))).values()].map(({ latency }) => [
    latency[latencyBin(8)],
    latency[latencyBin(9_000)],
  ]);
  assert.deepEqual(found, [
    [2, 1],
    [1, 0],
  ]);
});
