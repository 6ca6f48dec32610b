import assert from "node:assert/strict";
import { test } from "node:test";
import { SingleFlight } from "../../src/runtime/sharing/single-flight.ts";

test("work that is shared was begun after each of those who share it asked, and one is done at a time", async () => {
  const ends: PromiseWithResolvers<void>[] = [];
  const flight = new SingleFlight(() => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  });
  const turns = async () => {
    for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve));
  };
  const first = [flight.run(), flight.run()];
  await turns();
  const second = [flight.run(), flight.run()];
  await turns();
  assert.equal(ends.length, 1);
  ends[0]?.reject(new Error("away"));
  for (const one of first) await assert.rejects(one, /away/);
  await turns();
  assert.equal(ends.length, 2);
  ends[1]?.resolve();
  await Promise.all(second);
  const third = flight.run();
  await turns();
  ends[2]?.resolve();
  await third;
  assert.equal(ends.length, 3);
});
