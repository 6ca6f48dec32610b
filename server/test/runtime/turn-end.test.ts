import assert from "node:assert/strict";
import { test } from "node:test";
import { TurnEnd } from "../../src/runtime/sharing/turn-end.ts";

test("who waits goes on at the end of the turn, in order, and whoever comes later in a later one", async () => {
  const end = new TurnEnd(10);
  const seen: string[] = [];
  const pass = async (name: string) => {
    await end.reached();
    seen.push(name);
  };
  const first = Promise.all([pass("a"), pass("b")]);
  await Promise.resolve();
  seen.push("still in the turn");
  await first;
  const second = pass("c");
  seen.push("between");
  await second;
  assert.deepEqual(seen, ["still in the turn", "a", "b", "between", "c"]);
});

test("as many as may wait go on at once, and the others are not forgotten", async () => {
  const end = new TurnEnd(2);
  let turnEnded = false;
  setImmediate(() => {
    turnEnded = true;
  });
  const third = Promise.all([end.reached(), end.reached()]).then(() => {
    assert.equal(turnEnded, false);
    return end.reached();
  });
  await third;
  assert.equal(turnEnded, true);
});
