import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { RateLimits } from "../../src/account/request-buckets.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { AttemptLimit } from "../../src/runtime/sharing/attempt-limit.ts";
import { anyEngine, testDb } from "../support/db.ts";

const hourMs = 3_600_000;

describe("a clock that is put back or forward by an hour", () => {
  let nowMs = Date.parse("2026-03-02T14:30:00Z");
  const clock = { ...systemClock, now: () => new Date(nowMs) };

  test("neither closes an empty bucket of requests nor gives more than a bucket", async () => {
    await using db = await testDb(anyEngine);
    for (const stepMs of [-hourMs, hourMs]) {
      const account = randomUUID();
      const knowing = new RateLimits({ db: db.main, clock });
      const passed = async (limits: RateLimits) => {
        const all = await Promise.all(
          Array.from({ length: 30 }, () => limits.take(account, "minute", 60, 10)),
        );
        return all.filter(({ retrySeconds }) => retrySeconds === 0).length;
      };
      assert.equal(await passed(knowing), 10);
      nowMs += stepMs;
      // One that was there before the step, and one that has come since.
      for (const limits of [knowing, new RateLimits({ db: db.main, clock })]) {
        const atOnce = await passed(limits);
        assert.ok(atOnce <= 10, `${atOnce} at once`);
        assert.equal(await passed(limits), 0);
        nowMs += 5_000;
        assert.equal(await passed(limits), 5, `5 s after a step of ${stepMs} ms`);
      }
    }
  });

  test("does not shut a network out", () => {
    const attempts = new AttemptLimit(clock);
    while (attempts.begin("192.0.2.0/24") === 0);
    nowMs -= hourMs;
    const waitS = attempts.begin("192.0.2.0/24");
    assert.ok(waitS > 0 && waitS <= 2, `${waitS} s`);
    nowMs += waitS * 1_000;
    assert.equal(attempts.begin("192.0.2.0/24"), 0);
  });
});
