import assert from "node:assert/strict";
import { test } from "node:test";
import type { Worker } from "node:worker_threads";
import { ThreadError, ThreadPool } from "../../src/runtime/sharing/thread-pool.ts";
import { until } from "../support/receiver.ts";

/** Answers with twice the number, after as many ms; a negative one breaks the thread, and 0 fills its memory. */
const doubling = `
  import { parentPort } from "node:worker_threads";
  parentPort.on("message", (n) => {
    if (n < 0) throw new RangeError("below 0");
    for (const held = []; n === 0; ) held.push(new Array(100_000).fill({}));
    setTimeout(() => parentPort.postMessage(2 * n), n);
  });
  parentPort.postMessage("ready");`;

const options = {
  module: new URL(`data:text/javascript,${encodeURIComponent(doubling)}`),
  threads: 1,
  waiting: 10,
  deadlineMs: 2_000,
  heapMb: 32,
};
const newPool = (over: { threads?: number; waiting?: number; deadlineMs?: number } = {}) =>
  new ThreadPool<number, number>({ ...options, ...over });
const failsWith = (reason: ThreadError["reason"]) => (error: unknown) =>
  error instanceof ThreadError && error.reason === reason;
const never = 60_000;

test("threads start with the first tasks that need them, and no more than there may be", async () => {
  await using pool = newPool({ threads: 2 });
  assert.equal(pool.started, 0);
  assert.equal(await pool.run(1), 2);
  assert.equal(pool.started, 1);
  assert.deepEqual(await Promise.all([1, 2, 3, 4].map((n) => pool.run(n))), [2, 4, 6, 8]);
  assert.equal(pool.started, 2);
});

test("a thread can be started before there is a task, and one that ends between two tasks is replaced", async () => {
  const workers: Worker[] = [];
  const note = (worker: Worker) => workers.push(worker);
  process.on("worker", note);
  await using pool = newPool({ threads: 2 });
  await pool.prepare();
  assert.deepEqual([pool.started, pool.ready], [1, 1]);
  await pool.prepare();
  assert.equal(await pool.run(1), 2);
  assert.equal(pool.started, 1, "it is used, and no second one started");
  await workers[0]?.terminate();
  assert.equal(pool.ready, 0);
  assert.equal(await pool.run(2, { deadlineMs: never }), 4);
  process.off("worker", note);
  assert.equal(workers.length, 2);
  const broken = new ThreadPool({ ...options, module: new URL("data:text/javascript,throw 1") });
  await assert.rejects(broken.prepare(), failsWith("failed"));
});

test("a task that breaks, is too slow or takes too much memory ends its thread; the next gets a new one", async () => {
  await using pool = newPool();
  await assert.rejects(pool.run(-1), (error) => {
    return failsWith("failed")(error) && error instanceof Error && /below 0/.test(String(error.cause));
  });
  await assert.rejects(pool.run(never, { deadlineMs: 10 }), failsWith("timeout"));
  await assert.rejects(pool.run(0, { deadlineMs: never }), failsWith("memory"));
  assert.equal(pool.started, 0);
  assert.equal(await pool.run(3), 6);
});

test("whoever waits longer than it may for a thread is late, and the task before goes on", async () => {
  await using pool = newPool();
  await pool.run(1);
  const first = pool.run(200);
  await assert.rejects(pool.run(1, { waitMs: 10 }), failsWith("late"));
  assert.equal(await first, 400);
});

test("whoever waits longer than it may for a thread that starts is late too, and the start goes on for the next", async () => {
  const workers: Worker[] = [];
  const note = (worker: Worker) => workers.push(worker);
  process.on("worker", note);
  const held = new Int32Array(new SharedArrayBuffer(4));
  const waits = `import { workerData } from "node:worker_threads"; Atomics.wait(workerData, 0, 0);${doubling}`;
  const module = new URL(`data:text/javascript,${encodeURIComponent(waits)}`);
  await using pool = new ThreadPool<number, number>({ ...options, module, data: held });
  await assert.rejects(pool.run(1, { waitMs: 10 }), failsWith("late"));
  const gone = new AbortController();
  const left = pool.run(1, { signal: gone.signal });
  gone.abort(new Error("gone"));
  await assert.rejects(left, /gone/);
  assert.deepEqual([pool.started, pool.ready], [1, 0]);
  const next = pool.run(2);
  Atomics.store(held, 0, 1);
  Atomics.notify(held, 0);
  assert.equal(await next, 4);
  process.off("worker", note);
  assert.equal(workers.length, 1);
});

test("a pool whose threads take long to start begins with another at once where a task has ended one", async () => {
  await using pool = new ThreadPool<number, number>({ ...options, startsAgain: true });
  await assert.rejects(pool.run(-1), failsWith("failed"));
  await until(() => pool.ready === 1, "another is ready");
  assert.equal(await pool.run(1), 2);
});

test("an abort ends the task and its thread, and one that waits takes none", async () => {
  await using pool = newPool({ waiting: 1 });
  await pool.run(1);
  const gone = new AbortController();
  const running = pool.run(never, { deadlineMs: never, signal: gone.signal });
  const waiting = pool.run(1, { signal: gone.signal });
  await assert.rejects(pool.run(1), failsWith("busy"));
  gone.abort(new Error("gone"));
  await Promise.all([assert.rejects(running, /gone/), assert.rejects(waiting, /gone/)]);
  assert.equal(await pool.run(4), 8);
});

test("a closed pool has rejected all tasks, and takes no more", async () => {
  const pool = newPool();
  const open = [pool.run(never, { deadlineMs: never }), pool.run(1)].map((one) =>
    assert.rejects(one, failsWith("closed")),
  );
  await pool[Symbol.asyncDispose]();
  await Promise.all(open);
  assert.equal(pool.started, 0);
  await assert.rejects(pool.run(1), failsWith("closed"));
});
