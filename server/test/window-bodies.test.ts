import assert from "node:assert/strict";
import { test } from "node:test";
import { WindowBodies } from "../src/feed/window-bodies.ts";

/** With what an entry takes beside it, 1,000 bytes. */
const doc = "x".repeat(850);
const body = Buffer.from(doc);

test("the newest and those read last are held, each within its share", () => {
  const bodies = new WindowBodies(8_000);
  for (let seq = 101; seq <= 110; seq++) bodies.put(seq, doc);
  assert.ok(bodies.isFull);
  for (let seq = 1; seq <= 3; seq++) bodies.putRead(seq, body);
  const held = [1, 2, 3, 101, 104, 105, 110].filter((seq) => bodies.get(seq) !== undefined);
  assert.deepEqual(held, [2, 3, 105, 110]);
  assert.deepEqual({ count: bodies.count, bytes: bodies.bytes }, { count: 8, bytes: 8_000 });
});

test("of those that were read the one goes first that was not asked for longest", () => {
  const bodies = new WindowBodies(12_000);
  for (let seq = 1; seq <= 3; seq++) bodies.putRead(seq, body);
  bodies.get(1);
  bodies.putRead(4, body);
  assert.deepEqual(
    [1, 2, 3, 4].filter((seq) => bodies.get(seq) !== undefined),
    [1, 3, 4],
  );
});

test("a version is held once, and not at all when another replaced it", () => {
  const bodies = new WindowBodies(12_000);
  bodies.putRead(7, body);
  bodies.put(7, doc);
  bodies.putRead(7, body);
  assert.equal(bodies.bytes, 1_000);
  bodies.putRead(8, body);
  bodies.delete(7);
  bodies.delete(8);
  assert.deepEqual({ count: bodies.count, bytes: bodies.bytes }, { count: 0, bytes: 0 });
});
