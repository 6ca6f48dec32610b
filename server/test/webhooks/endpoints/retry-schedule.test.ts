import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { nextAttemptMs, retryDelaysMs } from "../../../src/webhooks/endpoints/retry-schedule.ts";

const hourMs = 3_600_000;

test("5 s, 5 min, 30 min, 2 h, 5 h, 10 h; then it is over", () => {
  const delays = [1, 2, 3, 4, 5, 6, 7].map((attempt) => nextAttemptMs(attempt, { random: 0.5 }));
  assert.deepEqual(delays, [5_000, 300_000, 1_800_000, 2 * hourMs, 5 * hourMs, 10 * hourMs, null]);
  assert.equal(nextAttemptMs(7, { retryAfterMs: 1_000 }), null);
  assert.equal(nextAttemptMs(2, { delaysMs: [10], random: 0.5 }), null);
});

test("spread by 20 % either way", () => {
  assert.equal(nextAttemptMs(1, { random: 0 }), 4_000);
  assert.equal(nextAttemptMs(1, { random: 1 }), 6_000);
  assert.equal(nextAttemptMs(6, { random: 0 }), 8 * hourMs);
  assert.equal(nextAttemptMs(6, { random: 1 }), 12 * hourMs);
});

test("Retry-After puts a retry off, up to an hour, and never brings it forward", () => {
  assert.equal(nextAttemptMs(1, { retryAfterMs: 60_000, random: 0 }), 60_000);
  assert.equal(nextAttemptMs(1, { retryAfterMs: 86_400_000, random: 0 }), hourMs);
  assert.equal(nextAttemptMs(1, { retryAfterMs: 1_000, random: 0 }), 4_000);
  assert.equal(nextAttemptMs(1, { retryAfterMs: 0, random: 0.5 }), 5_000);
  assert.equal(nextAttemptMs(4, { retryAfterMs: hourMs, random: 0.5 }), 2 * hourMs);
});

test("whatever chance and the receiver say, within the bounds", () => {
  const anyHint = fc.option(fc.integer({ min: 0, max: 10 * 86_400_000 }));
  const anyRandom = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 6 }), anyHint, anyRandom, (attempt, retryAfterMs, random) => {
      const waitMs = nextAttemptMs(attempt, { retryAfterMs, random }) ?? 0;
      const delayMs = retryDelaysMs[attempt - 1] ?? 0;
      const hintMs = Math.min(retryAfterMs ?? 0, hourMs);
      assert.ok(waitMs >= Math.max(hintMs, delayMs * 0.8) - 1);
      assert.ok(waitMs <= Math.max(hintMs, delayMs * 1.2) + 1);
    }),
  );
});
