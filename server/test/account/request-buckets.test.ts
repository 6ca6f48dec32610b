import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { RateLimits } from "../../src/account/request-buckets.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { anyEngine, testDb } from "../support/db.ts";

const anyStep = fc.record({
  process: fc.nat({ max: 2 }),
  passMs: fc.constantFrom(0, 0, 10, 150, 1_000, 7_000),
  requests: fc.integer({ min: 1, max: 30 }),
});

test("whatever processes ask when, by clocks that differ: never more passes than the bucket held and time has filled", async () => {
  await using db = await testDb(anyEngine);
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(30, 300, 6_000),
      fc.array(fc.constantFrom(0, 0, 40, 5_000), { minLength: 3, maxLength: 3 }),
      fc.array(anyStep, { minLength: 1, maxLength: 12 }),
      async (perMinute, aheadMs, steps) => {
        let nowMs = Date.parse("2026-03-02T14:30:00Z");
        const id = randomUUID();
        const processes = aheadMs.map((ahead) => {
          const clock = { ...systemClock, now: () => new Date(nowMs + ahead) };
          return new RateLimits({ db: db.main, clock });
        });
        const take = async (process: number) => processes[process]?.take(id, "minute", perMinute);
        const burst = Math.max(10, perMinute / 4);
        let first = Number.POSITIVE_INFINITY;
        let last = 0;
        let passed = 0;
        for (const { process, passMs, requests } of steps) {
          nowMs += passMs;
          const clockMs = nowMs + (aheadMs[process] ?? 0);
          first = Math.min(first, clockMs);
          last = Math.max(last, clockMs);
          const taken = await Promise.all(Array.from({ length: requests }, () => take(process)));
          passed += taken.filter((one) => one?.retrySeconds === 0).length;
          assert.ok(passed <= burst + ((last - first) * perMinute) / 60_000 + 1e-6, `${passed} passed`);
          let wait = Math.max(...taken.map((one) => one?.retrySeconds ?? 0));
          if (wait === 0) continue;
          // Once more for what other processes took meanwhile; then nobody is in the way.
          for (let tries = 0; tries < 2 && wait > 0; tries++) {
            nowMs += wait * 1_000;
            wait = (await take(process))?.retrySeconds ?? 0;
          }
          assert.equal(wait, 0, "whoever has waited is served");
          last = Math.max(last, nowMs + (aheadMs[process] ?? 0));
          passed += 1;
        }
      },
    ),
    { numRuns: 60 },
  );
});
