import assert from "node:assert/strict";
import { test } from "node:test";
import { WindowBodies } from "../../src/feed/window/window-bodies.ts";

/** With what an entry takes beside it, 1,000 bytes. */
const doc = "x".repeat(850);
const body = Buffer.from(doc);

test("the newest and those read last are held, each within its share", () => {
  const bodies = new WindowBodies(16_000);
  for (let seq = 101; seq <= 120; seq++) bodies.put(seq, doc);
  assert.ok(bodies.isFull);
  for (let seq = 1; seq <= 6; seq++) {
    bodies.putRead(seq, body);
    assert.ok(bodies.bytes <= 16_000);
  }
  assert.deepEqual({ count: bodies.count, bytes: bodies.bytes }, { count: 16, bytes: 16_000 });
  const held = [1, 2, 5, 6, 101, 108, 109, 120].filter((seq) => bodies.get(seq) !== undefined);
  assert.deepEqual(held, [5, 6, 109, 120]);
});

test("of those that were read the ones go first that were not asked for longest", () => {
  const bodies = new WindowBodies(16_000);
  for (let seq = 1; seq <= 100; seq++) {
    bodies.putRead(seq, body);
    assert.ok(bodies.get(1) !== undefined, `asked for with each of ${seq}`);
  }
  assert.equal(bodies.get(90), undefined);
  assert.ok(bodies.bytes <= 4_000);
});

test("one that is larger than the room is not held", () => {
  const bodies = new WindowBodies(16_000);
  bodies.putRead(1, Buffer.alloc(5_000));
  assert.deepEqual([bodies.get(1), bodies.bytes], [undefined, 0]);
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
