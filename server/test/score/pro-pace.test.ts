import assert from "node:assert/strict";
import { test } from "node:test";
import { ProPace, workOf } from "../../src/score/pro-pace.ts";

function startPace() {
  const clock = { ms: 0 };
  const pace = new ProPace(() => clock.ms);
  return {
    clock,
    pace,
    /** Judges a text of the work in so many ms. */
    run: (work: number, tookMs: number) => {
      const text = pace.enter("a", work);
      pace.begin(text);
      clock.ms += tookMs;
      pace.answered(text);
      pace.leave(text);
    },
  };
}

test("a text alone takes its work; one behind others takes what is left of them as well, shared by the threads", () => {
  const { clock, pace } = startPace();
  assert.equal(pace.expectedMs("a", 20, 1), 20);
  const first = pace.enter("a", 30);
  pace.begin(first);
  pace.enter("a", 10);
  assert.equal(pace.expectedMs("a", 20, 1), 60);
  assert.equal(pace.expectedMs("a", 20, 2), 40);
  clock.ms += 25;
  assert.equal(pace.expectedMs("a", 20, 1), 35);
  clock.ms += 100;
  assert.equal(pace.expectedMs("a", 20, 1), 30, "what takes longer than expected may end at any time");
});

test("owners take turns: a long line of another lets each text pass but one", () => {
  const { pace } = startPace();
  pace.begin(pace.enter("a", 10));
  for (let n = 0; n < 50; n++) pace.enter("b", 10);
  assert.equal(pace.expectedMs("a", 10, 1), 30);
  pace.enter("a", 10);
  assert.equal(pace.expectedMs("a", 10, 1), 50);
  assert.equal(pace.expectedMs("b", 10, 1), 530);
});

test("a text that leaves, in the line or under way, delays nobody any more", () => {
  const { pace } = startPace();
  const [running, waiting] = [pace.enter("a", 30), pace.enter("b", 10)];
  pace.begin(running);
  pace.leave(waiting);
  pace.leave(running);
  assert.equal(pace.expectedMs("a", 20, 1), 20);
});

test("slow texts make the next ones slow, and after a while without any they are forgotten", () => {
  const { clock, pace, run } = startPace();
  for (let n = 0; n < 30; n++) run(10, 30);
  assert.ok(Math.abs(pace.expectedMs("a", 10, 1) - 30) < 1);
  clock.ms += 60_000;
  assert.ok(pace.expectedMs("a", 10, 1) < 10.1);
  run(10, 3_600_000);
  assert.ok(pace.expectedMs("a", 10, 1) < 60, "one thread that stood still for an hour");
});

test("longer texts and more companies are more work", () => {
  const text = (length: number) => ({ title: "Halvorn reports", body: "x".repeat(length) });
  const works = [
    workOf(text(0), []),
    workOf(text(500), []),
    workOf(text(500), [1, 2]),
    workOf(text(30_000), [1, 2]),
  ];
  assert.deepEqual(
    works,
    works.toSorted((a, b) => a - b),
  );
  assert.equal(workOf(text(0), []), workOf(text(0), [1]), "one company is read with the text");
});
