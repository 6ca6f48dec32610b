import assert from "node:assert/strict";
import { test } from "node:test";
import { type SlotKind, Slots } from "../../src/webhooks/attempt-capacity.ts";
import { Pace } from "../../src/webhooks/endpoints/pace.ts";

const nowMs = 1_800_000_000_000;
const answered = { ms: 10, status: 200 };

/** Somebody's attempt at a host, by default of an account that has that host only. */
const at = (host: string, accountId = host) => ({ host, accountId });

/** How many can be taken, each for a host and an account of its own unless they are named. */
function takeAll(slots: Slots, kind: SlotKind, user?: ReturnType<typeof at>): number {
  let taken = 0;
  while (slots.take(kind, user ?? at(`${kind}${taken}.example.com`))) taken += 1;
  return taken;
}

test("slow and late attempts leave most slots to the prompt ones", () => {
  const slots = new Slots();
  assert.equal(takeAll(slots, "slow"), 128);
  assert.equal(takeAll(slots, "late"), 64);
  assert.equal(takeAll(slots, "prompt"), 320);
  assert.equal(slots.used, 512);
  slots.free("slow", at("slow0.example.com"));
  assert.equal(slots.take("slow", at("a.example.com")), true);
  assert.equal(slots.take("slow", at("b.example.com")), false);
});

test("prompt attempts may take all", () => {
  const slots = new Slots();
  assert.equal(takeAll(slots, "prompt"), 512);
  assert.equal(slots.take("late", at("a.example.com")), false);
  slots.free("prompt", at("prompt7.example.com"));
  assert.equal(slots.take("late", at("a.example.com")), true);
});

test("one host, whatever its endpoints, takes a quarter at most", () => {
  const slots = new Slots();
  assert.equal(takeAll(slots, "prompt", at("hooks.example.com")), 128);
  assert.equal(slots.take("late", at("hooks.example.com")), false);
  assert.equal(slots.take("prompt", at("other.example.com")), true);
  slots.free("prompt", at("hooks.example.com"));
  assert.equal(takeAll(slots, "slow", at("hooks.example.com")), 1);
});

test("one account, whatever its endpoints, takes a quarter of the late ones at most", () => {
  const slots = new Slots();
  const one = (n: number) => at(`${n}.example.com`, "one");
  for (let n = 0; n < 16; n += 1) assert.equal(slots.take("late", one(n)), true);
  assert.equal(slots.take("late", one(16)), false);
  assert.equal(slots.take("prompt", one(16)), true);
  assert.equal(takeAll(slots, "late"), 48);
  slots.free("late", one(0));
  assert.equal(slots.take("late", one(0)), true);
});

test("one account, whatever its endpoints, takes a quarter of the slow ones at most", () => {
  const slots = new Slots();
  const one = (n: number) => at(`${n}.example.com`, "one");
  for (let n = 0; n < 32; n += 1) assert.equal(slots.take("slow", one(n)), true);
  assert.equal(slots.take("slow", one(32)), false);
  assert.equal(slots.take("late", one(32)), true, "late ones have a share of their own");
  assert.equal(slots.take("prompt", one(33)), true);
  assert.equal(takeAll(slots, "slow"), 96);
  slots.free("slow", one(0));
  assert.equal(slots.take("slow", one(0)), true);
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
