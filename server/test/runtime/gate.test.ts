import assert from "node:assert/strict";
import { test } from "node:test";
import { Gate, GateError } from "../../src/runtime/sharing/gate.ts";

const refused = (reason: GateError["reason"]) => (error: unknown) =>
  error instanceof GateError && error.reason === reason;
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test("so many are inside; the others come in in the order they came, one for each that leaves", async () => {
  const gate = new Gate({ inside: 2 });
  const leaves = await Promise.all([gate.enter(), gate.enter()]);
  const came: number[] = [];
  const waiting = [1, 2, 3].map(async (n) => {
    const leave = await gate.enter();
    came.push(n);
    return leave;
  });
  await settled();
  assert.deepEqual(came, []);
  leaves[0]?.();
  leaves[0]?.();
  await settled();
  assert.deepEqual(came, [1], "a place is handed on once");
  leaves[1]?.();
  (await waiting[0])?.();
  await settled();
  assert.deepEqual(came, [1, 2, 3]);
});

test("whoever asks while the place is handed on comes after those that wait", async () => {
  const gate = new Gate({ inside: 1 });
  const came: string[] = [];
  const leave = await gate.enter();
  const first = gate.run(async () => void came.push("first"));
  leave();
  const second = gate.run(async () => void came.push("second"));
  await Promise.all([first, second]);
  assert.deepEqual(came, ["first", "second"]);
});

test("tryEnter takes a place that is free for its owner, and never waits", async () => {
  const gate = new Gate({ inside: 3, each: { inside: 1 } });
  const leave = gate.tryEnter("a");
  assert.notEqual(leave, null);
  assert.equal(gate.tryEnter("a"), null, "the owner has its one place");
  assert.notEqual(gate.tryEnter("b"), null);
  assert.notEqual(gate.tryEnter(null), null);
  assert.equal(gate.tryEnter("c"), null, "all places are taken");
  const waiting = gate.enter({ owner: "a" });
  leave?.();
  assert.equal(gate.tryEnter("a"), null, "the place went to the one that waited");
  (await waiting)();
  assert.notEqual(gate.tryEnter("a"), null);
});

test("full: one more is refused at once, and those that wait come in", async () => {
  const gate = new Gate({ inside: 1, waiting: 1 });
  const leave = await gate.enter();
  const waiting = gate.enter();
  await assert.rejects(gate.enter(), refused("full"));
  leave();
  (await waiting)();
  (await gate.enter())();
});

test("whoever stops waiting, by signal or by time, takes no place", async () => {
  const gate = new Gate({ inside: 1, waiting: 2 });
  const leave = await gate.enter();
  const gone = new AbortController();
  const left = gate.enter({ signal: gone.signal });
  const late = gate.enter({ waitMs: 5 });
  gone.abort(new Error("gone"));
  await assert.rejects(left, /gone/);
  await assert.rejects(late, refused("late"));
  await assert.rejects(gate.enter({ signal: gone.signal }), /gone/);
  const next = gate.enter();
  leave();
  (await next)();
});

test("an owner has limits of its own, and others pass by those that wait for them", async () => {
  const gate = new Gate({ inside: 3, waiting: 10, each: { inside: 1, waiting: 1 } });
  const leave = await gate.enter({ owner: "greedy" });
  const own = gate.enter({ owner: "greedy" });
  await assert.rejects(gate.enter({ owner: "greedy" }), refused("full"));
  const others = [await gate.enter({ owner: "modest" }), await gate.enter()];
  leave();
  (await own)();
  for (const one of others) one();
  (await gate.enter({ owner: "greedy" }))();
});

test("owners take turns, whoever has the longer line; within one line the order stays", async () => {
  const gate = new Gate({ inside: 1 });
  const leave = await gate.enter();
  const order: string[] = [];
  const work = (owner: string, name: string) => gate.run(async () => void order.push(name), { owner });
  const all = ["a1", "a2", "a3", "a4"].map((name) => work("a", name));
  all.push(work("b", "b1"), work("b", "b2"), work("c", "c1"));
  leave();
  await Promise.all(all);
  assert.deepEqual(order, ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

test("work that fails leaves", async () => {
  const gate = new Gate({ inside: 1 });
  await assert.rejects(
    gate.run(async () => {
      throw new Error("broken");
    }),
    /broken/,
  );
  assert.equal(await gate.run(async () => 7), 7);
});

test("who waits gets the next place, in order, or leaves with its own reason", async () => {
  const gate = new Gate({ inside: 1 });
  const { signal } = new AbortController();
  const stop = new AbortController();
  const reason = new Error("stopped");
  const order: string[] = [];
  const first = await gate.enter({ signal });
  const leaver = gate.enter({ signal: stop.signal });
  const waiting = ["second", "third"].map(async (name) => {
    const release = await gate.enter({ signal });
    order.push(name);
    release();
  });
  stop.abort(reason);
  await assert.rejects(leaver, (thrown) => thrown === reason);
  assert.deepEqual(order, []);
  first();
  await Promise.all(waiting);
  assert.deepEqual(order, ["second", "third"]);
  (await gate.enter({ signal }))();
  await assert.rejects(gate.enter({ signal: stop.signal }), (thrown) => thrown === reason);
});
