import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Breaker } from "../../src/webhooks/endpoints/breaker.ts";

const startMs = 1_800_000_000_000;

function fail(breaker: Breaker, times: number, nowMs: number): void {
  for (let failed = 0; failed < times; failed += 1) breaker.record(false, nowMs);
}

test("five failures in a row open it, a success among them does not", () => {
  const breaker = new Breaker({ random: () => 0 });
  fail(breaker, 4, startMs);
  breaker.record(true, startMs);
  fail(breaker, 4, startMs);
  assert.equal(breaker.state(startMs), "closed");
  assert.equal(breaker.limit(startMs), 4);
  assert.equal(breaker.kept, null);
  breaker.record(false, startMs);
  assert.equal(breaker.state(startMs), "open");
  assert.equal(breaker.limit(startMs), 0);
  assert.deepEqual(breaker.kept, { openings: 1, openUntilMs: startMs + 30_000 });
});

test("half of ten or more within a minute open it", () => {
  const outcomes = (breaker: Breaker, pattern: string, stepMs: number) => {
    let nowMs = startMs;
    for (const letter of pattern) {
      breaker.record(letter === "+", nowMs);
      nowMs += stepMs;
    }
    return breaker.state(nowMs);
  };
  assert.equal(outcomes(new Breaker(), "+-+-+-+-+", 100), "closed", "nine");
  assert.equal(outcomes(new Breaker(), "+-+-+-+-+-", 100), "open");
  assert.equal(outcomes(new Breaker(), "++-++-++-++-++-++-++-", 100), "closed", "a third");
  assert.equal(outcomes(new Breaker(), "+-+-+-+-+-+-", 12_000), "closed", "never ten within a minute");
  assert.equal(outcomes(new Breaker(), "++++++++++-+--+-", 0), "closed", "five of sixteen");
  assert.equal(outcomes(new Breaker(), "++++++----+----+--", 0), "open", "ten of eighteen");
});

test("what is older than a minute does not count", () => {
  const breaker = new Breaker();
  for (let passed = 0; passed < 100; passed += 1) breaker.record(true, startMs);
  const laterMs = startMs + 60_000;
  for (const ok of [true, false, true, false, true, false, true, false, true]) breaker.record(ok, laterMs);
  assert.equal(breaker.state(laterMs), "closed");
  breaker.record(false, laterMs);
  assert.equal(breaker.state(laterMs), "open");
});

test("30 s, doubled at each opening up to 15 min, late by at most a fifth", () => {
  for (const random of [0, 1]) {
    const breaker = new Breaker({ random: () => random });
    fail(breaker, 5, startMs);
    let nowMs = startMs;
    for (const seconds of [30, 60, 120, 240, 480, 900, 900]) {
      const untilMs = nowMs + seconds * 1_000 * (1 + 0.2 * random);
      assert.equal(breaker.state(untilMs - 1), "open");
      assert.equal(breaker.state(untilMs), "half_open");
      assert.equal(breaker.limit(untilMs), 1, "a probe");
      nowMs = untilMs;
      breaker.record(false, nowMs);
    }
  }
});

test("two successes a step: one at a time, two, four; then it has forgotten", () => {
  const breaker = new Breaker({ random: () => 0 });
  fail(breaker, 5, startMs);
  fail(breaker, 1, startMs + 30_000);
  const nowMs = startMs + 90_000;
  const limits = [1, 1, 2, 2, 4].map((limit) => {
    assert.equal(breaker.limit(nowMs), limit);
    breaker.record(true, nowMs);
    return breaker.state(nowMs);
  });
  assert.deepEqual(limits, ["half_open", "half_open", "half_open", "closed", "closed"]);
  assert.equal(breaker.kept, null);
  fail(breaker, 5, nowMs);
  assert.equal(breaker.state(nowMs + 30_000), "half_open", "30 s again");
});

test("one failure on the ramp opens it again, for longer", () => {
  const breaker = new Breaker({ random: () => 0 });
  fail(breaker, 5, startMs);
  const probedMs = startMs + 30_000;
  for (let passed = 0; passed < 3; passed += 1) breaker.record(true, probedMs);
  assert.equal(breaker.limit(probedMs), 2);
  breaker.record(false, probedMs);
  assert.deepEqual(breaker.kept, { openings: 2, openUntilMs: probedMs + 60_000 });
  breaker.record(true, probedMs + 60_000);
  assert.equal(breaker.limit(probedMs + 60_000), 1, "the successes before it count no more");
});

test("what ends while it is open neither lengthens nor shortens it", () => {
  const breaker = new Breaker({ random: () => 0 });
  fail(breaker, 8, startMs);
  for (let passed = 0; passed < 10; passed += 1) breaker.record(true, startMs + 1);
  assert.deepEqual(breaker.kept, { openings: 1, openUntilMs: startMs + 30_000 });
});

test("goes on where another process has stopped", () => {
  const kept = { openings: 3, openUntilMs: startMs };
  const breaker = new Breaker({ kept, random: () => 0 });
  assert.equal(breaker.state(startMs - 1), "open");
  assert.equal(breaker.limit(startMs), 1);
  breaker.record(false, startMs);
  assert.deepEqual(breaker.kept, { openings: 4, openUntilMs: startMs + 240_000 });
});

test("as long as the receiver asked for nothing begins, whatever its state", () => {
  const breaker = new Breaker({ random: () => 0 });
  breaker.record(false, startMs);
  breaker.holdUntil(startMs + 60_000);
  assert.equal(breaker.limit(startMs + 59_999), 0);
  assert.deepEqual(breaker.kept, { openings: 0, openUntilMs: startMs + 60_000 });
  assert.equal(breaker.limit(startMs + 60_000), 4);
  breaker.record(true, startMs + 60_000);
  assert.equal(breaker.kept, null);
  fail(breaker, 5, startMs + 60_000);
  breaker.holdUntil(startMs + 3_660_000);
  assert.deepEqual(breaker.kept, { openings: 1, openUntilMs: startMs + 3_660_000 });
  assert.equal(breaker.limit(startMs + 3_659_999), 0);
  assert.equal(breaker.limit(startMs + 3_660_000), 1);
});

test("opens exactly when five failed in a row, or half of the last minute's ten or more", () => {
  const anyRun = fc.array(
    fc.record({ ok: fc.boolean(), passedMs: fc.constantFrom(0, 1_000, 10_000, 50_000) }),
  );
  fc.assert(
    fc.property(anyRun, (run) => {
      const breaker = new Breaker();
      const seen: { ok: boolean; bucket: number }[] = [];
      let nowMs = startMs;
      for (const { ok, passedMs } of run) {
        nowMs += passedMs;
        breaker.record(ok, nowMs);
        const bucket = Math.floor(nowMs / 10_000);
        seen.push({ ok, bucket });
        const recent = seen.filter((attempt) => attempt.bucket > bucket - 6);
        const failed = recent.filter((attempt) => !attempt.ok).length;
        const isOften = recent.length >= 10 && failed * 2 >= recent.length;
        const isRun = seen.length >= 5 && seen.slice(-5).every((attempt) => !attempt.ok);
        const opens = !ok && (isOften || isRun);
        assert.equal(breaker.state(nowMs), opens ? "open" : "closed");
        if (opens) return;
      }
    }),
  );
});
