import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { RetriedStart } from "../../src/runtime/sharing/retried-start.ts";
import { until } from "../support/receiver.ts";

/** Fails as often as it is told to, and then runs. */
function failing(times: number, pauses = { baseMs: 5, maxMs: 20 }) {
  const seen = { tries: 0, pausesMs: [] as number[], runs: false };
  const first = new RetriedStart({
    start: async () => {
      seen.tries += 1;
      await sleep(1);
      if (seen.tries <= times) throw new Error("not yet");
      seen.runs = true;
    },
    isRunning: () => seen.runs,
    failed: (_, pauseMs) => void seen.pausesMs.push(pauseMs),
    pauses,
  });
  return { first, seen };
}

test("what does not start is started again by itself, after pauses that grow to a bound", async () => {
  const { first, seen } = failing(5);
  using _ = first;
  await Promise.all([first.begin(), first.begin()]);
  assert.equal(seen.tries, 1, "two calls are one try");
  await first.begin();
  assert.equal(seen.tries, 1, "in a pause nothing is tried");
  await until(() => seen.runs, "it runs");
  assert.equal(seen.tries, 6);
  const bounds = [5, 10, 20, 20, 20];
  assert.ok(seen.pausesMs.every((ms, at) => Math.abs(ms - (bounds[at] ?? 0)) <= 0.2 * (bounds[at] ?? 0) + 1));
  await first.begin();
  assert.equal(seen.tries, 6, "it runs already");
  seen.runs = false;
  await first.begin();
  assert.equal(seen.tries, 7, "what ended is started again");
});

test("nothing is tried after the end, in a pause or during a try", async () => {
  for (const endsIn of ["pause", "try"]) {
    const { first, seen } = failing(9, { baseMs: 1, maxMs: 1 });
    const tried = first.begin();
    if (endsIn === "pause") await tried;
    first[Symbol.dispose]();
    await tried;
    await sleep(20);
    await first.begin();
    assert.deepEqual([seen.tries, seen.pausesMs.length], [1, endsIn === "pause" ? 1 : 0], endsIn);
  }
});
