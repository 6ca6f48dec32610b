import assert from "node:assert/strict";
import { test } from "node:test";
import { deliveryMoves, moved } from "../../src/stream/delivery-transitions.ts";

test("delivery waits for one thing at a time: only its arrival, or the end, ends a wait", () => {
  for (const state of ["page", "units", "work"] as const) {
    assert.deepEqual(Object.keys(deliveryMoves[state]).sort(), ["arrived", "end"]);
    assert.equal(moved(state, "arrived"), "running");
  }
});

test("what arrives when nothing waits for it changes nothing; what has ended stays so", () => {
  for (const state of ["running", "stopped", "ended"] as const) assert.equal(moved(state, "arrived"), null);
  assert.deepEqual(deliveryMoves.ended, {});
  for (const state of ["running", "page", "units", "work", "stopped"] as const)
    assert.equal(moved(state, "end"), "ended");
});

test("only the day's cap stops delivery, and only the next day ends that", () => {
  const leadingTo = (to: string) =>
    Object.entries(deliveryMoves).flatMap(([from, moves]) =>
      Object.entries(moves).flatMap(([event, state]) => (state === to ? [`${from} ${event}`] : [])),
    );
  assert.deepEqual(leadingTo("stopped"), ["running cap_reached"]);
  assert.equal(moved("stopped", "day_turned"), "running");
});
