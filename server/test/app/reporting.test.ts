import assert from "node:assert/strict";
import { test } from "node:test";
import { Reporter } from "../../src/app/reporting.ts";
import { PublishedMinutes } from "../../src/feed/published-minutes.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { minutesSince } from "../../src/store/log/process-minutes.ts";
import { anyEngine, testDb } from "../support/db.ts";

const startMs = Date.parse("2026-03-02T14:30:00Z");
const minuteMs = 60_000;

test("a minute is written again until it ends, holds what came within it, and is forgotten after a day", async () => {
  await using db = await testDb(anyEngine);
  const time = { nowMs: startMs + 1_000 };
  const clock: Clock = {
    now: () => new Date(time.nowMs),
    // The loop rests: the test says when it is written.
    sleep: (_, signal) => new Promise((resolve) => signal?.addEventListener("abort", () => resolve())),
  };
  const published = new PublishedMinutes();
  const done = { delivered: 5 };
  const state = {
    streams: () => ({ ...done, open: { websocket: 2, sse: 1 } }),
    deliveries: null,
    scoring: null,
  };
  const deps = { db: db.main, clock, log: silentLog, roles: ["api"], dataDir: ".", published, state };
  await using reporter = new Reporter({ ...deps, tail: { head: 7 } });
  const add = (source: string, revision = 0) =>
    published.add({ source, revision }, { atMs: time.nowMs, latency: { source: null, receipt: 100 } });
  const written = async () => {
    await reporter.write();
    const [one] = await minutesSince(db.main, new Date(0));
    const { startsMs = [], items, revisions, streams, streamItems } = one ?? {};
    return startsMs.map((atMs, n) => [
      ...[(atMs - startMs) / minuteMs, items?.[n], revisions?.[n], streams?.[n], streamItems?.[n]],
    ]);
  };
  assert.deepEqual(await written(), [[0, 0, 0, 3, 0]]);
  add("a");
  done.delivered = 9;
  assert.deepEqual(await written(), [[0, 1, 0, 3, 4]]);
  time.nowMs += 58_000;
  add("b");
  add("b", 1);
  time.nowMs += 3_000;
  add("c");
  assert.deepEqual(await written(), [
    [0, 2, 1, 3, 4],
    [1, 1, 0, 3, 0],
  ]);
  const [first] = await minutesSince(db.main, new Date(startMs));
  assert.deepEqual(first?.sources[0], { a: 1, b: 1 });
  assert.ok(Math.abs((first?.receiveP50Ms[0] ?? 0) - 100) <= 10, `${first?.receiveP50Ms[0]}`);
  time.nowMs += 25 * 60 * minuteMs;
  assert.deepEqual(await written(), [
    [1, 1, 0, 3, 0],
    [1501, 0, 0, 3, 0],
  ]);
});

test("sources beyond the twentieth of a minute are counted together", () => {
  const published = new PublishedMinutes();
  for (let n = 0; n < 25; n++)
    for (let times = 0; times <= n; times++)
      published.add(
        { source: `s${n}`, revision: 0 },
        { atMs: startMs, latency: { source: null, receipt: null } },
      );
  const { sources, items, fromReceipt } = published.read(startMs);
  assert.equal(items, 325);
  assert.equal(Object.keys(sources).length, 21);
  assert.deepEqual([sources.s24, sources[""], fromReceipt], [25, 15, null]);
});
