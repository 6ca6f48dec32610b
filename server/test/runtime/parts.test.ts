import assert from "node:assert/strict";
import { test } from "node:test";
import { Parts } from "../../src/runtime/parts.ts";

const limits = { partMs: 50, totalMs: 100, leastMs: 5 };
const never = () => new Promise<void>(() => {});

/** Parts that note when they end, the last of the names first. */
function noting(parts: Parts, names: readonly string[], ended: string[]): void {
  for (const name of names) parts.defer(name, () => void ended.push(name));
}

test("parts end in the reverse order of their start, once, by whoever has them in the end", async () => {
  const ended: string[] = [];
  const parts = new Parts(limits);
  noting(parts, ["database", "log"], ended);
  parts.use({ [Symbol.asyncDispose]: async () => void ended.push("server") });
  parts.use({ [Symbol.dispose]: () => void ended.push("timer") });
  const owned = parts.move();
  await parts[Symbol.asyncDispose]();
  assert.deepEqual(ended, []);
  await owned[Symbol.asyncDispose]();
  await owned[Symbol.asyncDispose]();
  assert.deepEqual(ended, ["timer", "server", "log", "database"]);
});

test("what fails or hangs keeps nothing before it from ending, and is told of", async () => {
  const ended: string[] = [];
  const parts = new Parts(limits);
  noting(parts, ["database"], ended);
  parts.defer("hanging", never);
  noting(parts, ["log"], ended);
  parts.defer("failing", () => Promise.reject(new Error("no")));
  await assert.rejects(parts[Symbol.asyncDispose](), ({ error, suppressed }: SuppressedError) => {
    assert.match(String(error), /hanging did not end in 50 ms/);
    assert.match(String(suppressed), /no/);
    return true;
  });
  assert.deepEqual(ended, ["log", "database"]);
});

test("however many hang, the others have their time", async () => {
  const ended: string[] = [];
  const parts = new Parts(limits);
  parts.defer("database", async () => {
    await new Promise((resolve) => setImmediate(resolve));
    ended.push("database");
  });
  for (let n = 0; n < 10; n++) parts.defer(`hanging ${n}`, never);
  await assert.rejects(parts[Symbol.asyncDispose]());
  assert.deepEqual(ended, ["database"]);
});
