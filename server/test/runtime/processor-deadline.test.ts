import assert from "node:assert/strict";
import { test } from "node:test";
import { processorDeadline } from "../../src/runtime/sharing/processor-deadline.ts";

const mostMs = 40;
const refuse = () => processorDeadline(mostMs, () => new Error("too long"));

test("a calculation is stopped when it used its processor time", () => {
  const check = refuse();
  assert.throws(() => {
    for (;;) check();
  }, /too long/);
});

test("time in which the thread did not run does not count", () => {
  const check = refuse();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * mostMs);
  check();
});
