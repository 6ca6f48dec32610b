import assert from "node:assert/strict";
import { test } from "node:test";
import type { Worker } from "node:worker_threads";
import { Encoder } from "@tapewire/scoring/pro/encoder/encoder.ts";
import { pro } from "@tapewire/scoring/pro/pro.ts";
import type { Artifact } from "@tapewire/scoring/types.ts";
import { ProPool, ProPoolError } from "../../src/score/pro-pool.ts";
import { until } from "../support/receiver.ts";

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

test("threads give the verdicts that the caller's own would give, by one where little is to do and two at most", async () => {
  const unsaid = { waiting: undefined, waitingEach: undefined, deadlineMs: undefined };
  await using pool = new ProPool({ ...unsaid, threads: 2 });
  assert.equal(pool.threads, 0, "no thread before there is work");
  const encoder = await Encoder.load();
  const wanted = artifact("Halvorn raises its outlook");
  assert.deepEqual(
    await pool.judge(wanted, []),
    await pro(encoder, wanted, []),
    "an option that is undefined is the default",
  );
  assert.equal(pool.threads, 1);
  const all = Array.from({ length: 10 }, (_, index) => artifact(`Halvorn beats estimates, part ${index}`));
  const verdicts = await Promise.all(all.map((one) => pool.judge(one, [])));
  assert.deepEqual(verdicts, await Promise.all(all.map((one) => pro(encoder, one, []))));
  assert.equal(pool.threads, 2);
});

test("a thread that does not start is started again by itself, before there is a text", async () => {
  let started = 0;
  const endFirst = (worker: Worker) => {
    started += 1;
    if (started === 1) void worker.terminate();
  };
  process.on("worker", endFirst);
  await using pool = new ProPool({ threads: 1 });
  await pool.warm();
  assert.deepEqual([started, pool.ready], [1, 0]);
  await until(() => pool.ready === 1, "a second one is ready", 60_000);
  process.off("worker", endFirst);
  assert.equal(started, 2);
});

test("over its deadline an artifact gets a timeout, and the next one a new thread", async () => {
  await using pool = new ProPool({ threads: 1 });
  await pool.judge(artifact("Warm"), []);
  await assert.rejects(pool.judge(long, [], null, { deadlineMs: 1 }), failsWith("timeout"));
  assert.equal((await pool.judge(artifact("Halvorn reports"), [])).model, "pro");
});

test("a full queue refuses at once, and those in it are still answered; a caller that leaves it is not judged", async () => {
  await using pool = new ProPool({ threads: 1, waiting: 2 });
  const caller = new AbortController();
  const first = pool.judge(artifact("First"), []);
  const left = pool.judge(artifact("Second"), [], null, { signal: caller.signal });
  const third = pool.judge(artifact("Third"), []);
  await assert.rejects(pool.judge(artifact("One too many"), []), failsWith("busy"));
  caller.abort(new Error("gone"));
  await assert.rejects(left, /gone/);
  const fourth = pool.judge(artifact("In the place of the second"), []);
  const verdicts = await Promise.all([first, third, fourth]);
  assert.deepEqual(
    verdicts.map(({ model }) => model),
    ["pro", "pro", "pro"],
  );
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
