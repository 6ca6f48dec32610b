import assert from "node:assert/strict";
import { test } from "node:test";
import { Pace, type SlotKind, Slots } from "../../src/webhooks/slots.ts";

const nowMs = 1_800_000_000_000;
const answered = { ms: 10, status: 200 };

/** How many can be taken, each for a host of its own unless one is named. */
function takeAll(slots: Slots, kind: SlotKind, host?: string): number {
  let taken = 0;
  while (slots.take(kind, host ?? `${kind}${taken}.example.com`)) taken += 1;
  return taken;
}

test("slow and late attempts leave most slots to the prompt ones", () => {
  const slots = new Slots();
  assert.equal(takeAll(slots, "slow"), 128);
  assert.equal(takeAll(slots, "late"), 64);
  assert.equal(takeAll(slots, "prompt"), 320);
  assert.equal(slots.used, 512);
  slots.free("slow", "slow0.example.com");
  assert.equal(slots.take("slow", "a.example.com"), true);
  assert.equal(slots.take("slow", "b.example.com"), false);
});

test("prompt attempts may take all", () => {
  const slots = new Slots();
  assert.equal(takeAll(slots, "prompt"), 512);
  assert.equal(slots.take("late", "a.example.com"), false);
  slots.free("prompt", "prompt7.example.com");
  assert.equal(slots.take("late", "a.example.com"), true);
});

test("one host, whatever its endpoints, takes a quarter at most", () => {
  const slots = new Slots();
  assert.equal(takeAll(slots, "prompt", "hooks.example.com"), 128);
  assert.equal(slots.take("late", "hooks.example.com"), false);
  assert.equal(slots.take("prompt", "other.example.com"), true);
  slots.free("prompt", "hooks.example.com");
  assert.equal(takeAll(slots, "slow", "hooks.example.com"), 1);
});

test("an endpoint has one attempt in flight until it has answered, then four; fewer when its breaker says so", () => {
  const pace = new Pace();
  const begin = (limit: number) => {
    let begun = 0;
    for (; pace.waitMs(nowMs, limit) === 0; begun += 1) pace.begin(nowMs);
    return begun;
  };
  assert.equal(begin(4), 1);
  assert.equal(pace.waitMs(nowMs, 4), null);
  pace.end({ ms: 15_000, status: null });
  assert.equal(begin(4), 1);
  pace.end({ ms: 10, status: 500 });
  assert.equal(begin(4), 4);
  assert.equal(pace.inFlight, 4);
  pace.end(answered);
  pace.end(answered);
  pace.end(answered);
  assert.equal(begin(2), 1);
  assert.equal(begin(0), 0);
});

test("a hundred attempts a second, at once or spread", () => {
  const pace = new Pace({ atOnce: 1_000 });
  pace.begin(nowMs);
  pace.end(answered);
  const run = (atMs: number) => {
    let begun = 0;
    for (; pace.waitMs(atMs, 1_000) === 0; begun += 1) pace.begin(atMs);
    return begun;
  };
  assert.equal(run(nowMs), 99);
  assert.equal(pace.waitMs(nowMs, 1_000), 10);
  assert.equal(run(nowMs + 9), 0);
  assert.equal(run(nowMs + 10), 1);
  assert.equal(run(nowMs + 510), 50);
  assert.equal(run(nowMs + 60_000), 100, "no more than a second's worth is saved");
  assert.equal(run(nowMs + 50_000), 0, "a clock put back gives nothing");
});

test("slow when two of the last twenty attempts took more than 2 s", () => {
  const pace = new Pace();
  const end = (ms: number) => {
    pace.begin(nowMs);
    pace.end({ ms, status: 200 });
  };
  end(2_001);
  assert.equal(pace.isSlow, false);
  end(2_000);
  assert.equal(pace.isSlow, false);
  end(15_000);
  assert.equal(pace.isSlow, true);
  for (let passed = 0; passed < 17; passed += 1) end(10);
  assert.equal(pace.isSlow, true);
  end(10);
  assert.equal(pace.isSlow, false);
});
