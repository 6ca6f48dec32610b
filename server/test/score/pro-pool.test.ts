import assert from "node:assert/strict";
import { test } from "node:test";
import { pro } from "@tapewire/scoring/pro/pro.ts";
import type { Artifact } from "@tapewire/scoring/types.ts";
import { ProPool, ProPoolError } from "../../src/score/pro-pool.ts";

const artifact = (
  title: string,
  body = "Revenue rose 12% to $5.2 billion from $4.6 billion a year earlier.",
): Artifact => ({
  type: "news",
  title,
  body,
  publishedAt: new Date("2026-03-02T14:30:00Z"),
  filing: null,
  categories: [],
});
const long = artifact(
  "Halvorn reports",
  "Revenue rose 12% to $5.2 billion from $4.6 billion a year earlier. ".repeat(3_000),
);
const failsWith = (reason: string) => (error: unknown) =>
  error instanceof ProPoolError && error.reason === reason;

test("a thread gives the verdict that the caller's own thread would give", async () => {
  await using pool = new ProPool({ threads: 1 });
  assert.equal(pool.threads, 0, "no thread before there is work");
  const wanted = artifact("Halvorn raises its outlook");
  assert.deepEqual(await pool.judge(wanted, []), pro(wanted, []));
  assert.equal(pool.threads, 1);
});

test("an option that is undefined is the default", async () => {
  const unsaid = { threads: undefined, waiting: undefined, waitingEach: undefined, deadlineMs: undefined };
  await using pool = new ProPool(unsaid);
  assert.equal((await pool.judge(artifact("Halvorn raises its outlook"), [])).model, "pro");
  assert.equal(pool.threads, 1);
});

test("many at once are all answered, each with its own verdict, by two threads at most", async () => {
  await using pool = new ProPool({ threads: 2 });
  const all = Array.from({ length: 30 }, (_, index) => artifact(`Halvorn beats estimates, part ${index}`));
  const verdicts = await Promise.all(all.map((one) => pool.judge(one, [])));
  assert.deepEqual(
    verdicts,
    all.map((one) => pro(one, [])),
  );
  assert.equal(pool.threads, 2);
});

test("over its deadline an artifact gets a timeout, and the next one a new thread", async () => {
  await using pool = new ProPool({ threads: 1 });
  await pool.judge(artifact("Warm"), []);
  await assert.rejects(pool.judge(long, [], null, { deadlineMs: 1 }), failsWith("timeout"));
  assert.equal((await pool.judge(artifact("Halvorn reports"), [])).model, "pro");
});

test("a full queue refuses at once, and those in it are still answered", async () => {
  await using pool = new ProPool({ threads: 1, waiting: 2 });
  const taken = [1, 2, 3].map((part) => pool.judge(artifact(`Part ${part}`), []));
  await assert.rejects(pool.judge(artifact("One too many"), []), failsWith("busy"));
  assert.equal((await Promise.all(taken)).length, 3);
});

test("accounts take turns: a flood of one holds up nobody else, and its own line is bounded", async () => {
  await using pool = new ProPool({ threads: 1, waitingEach: 20 });
  const ended: string[] = [];
  const judge = async (owner: string) => {
    await pool.judge(artifact("Halvorn reports"), [], null, { owner });
    ended.push(owner);
  };
  const flood = Array.from({ length: 21 }, () => judge("greedy"));
  await assert.rejects(judge("greedy"), failsWith("busy"));
  await Promise.all([...flood, judge("modest")]);
  assert.ok(ended.indexOf("modest") <= 2, ended.join());
});

test("a caller that leaves the queue is not judged", async () => {
  await using pool = new ProPool({ threads: 1, waiting: 1 });
  const first = pool.judge(artifact("First"), []);
  const caller = new AbortController();
  const left = pool.judge(artifact("Second"), [], null, { signal: caller.signal });
  caller.abort(new Error("gone"));
  await assert.rejects(left, /gone/);
  const third = pool.judge(artifact("Third"), []);
  assert.equal((await first).model, "pro");
  assert.equal((await third).model, "pro");
});

test("closing rejects whoever waits or runs, ends the threads and refuses what comes after", async () => {
  const pool = new ProPool({ threads: 1 });
  const open = [pool.judge(long, []), pool.judge(long, [])].map((one) =>
    assert.rejects(one, failsWith("closed")),
  );
  await pool[Symbol.asyncDispose]();
  await Promise.all(open);
  assert.equal(pool.threads, 0);
  await assert.rejects(pool.judge(artifact("Late"), []), failsWith("closed"));
});
