import assert from "node:assert/strict";
import { test } from "node:test";
import { Joint } from "../../src/runtime/joint.ts";

test("work that is shared was begun after each of those who share it asked, and one is done at a time", async () => {
  const ends: PromiseWithResolvers<void>[] = [];
  const joint = new Joint(() => {
    const end = Promise.withResolvers<void>();
    ends.push(end);
    return end.promise;
  });
  const turns = async () => {
    for (let n = 0; n < 3; n++) await new Promise((resolve) => setImmediate(resolve));
  };
  const first = [joint.done(), joint.done()];
  await turns();
  const second = [joint.done(), joint.done()];
  await turns();
  assert.equal(ends.length, 1);
  ends[0]?.reject(new Error("away"));
  for (const one of first) await assert.rejects(one, /away/);
  await turns();
  assert.equal(ends.length, 2);
  ends[1]?.resolve();
  await Promise.all(second);
  const third = joint.done();
  await turns();
  ends[2]?.resolve();
  await third;
  assert.equal(ends.length, 3);
});
