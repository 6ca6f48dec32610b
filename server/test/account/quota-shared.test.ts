import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { burstOf, planTable } from "@tapewire/contract/plans.ts";
import { anyEngine, createDatabase, onPostgres } from "../support/db.ts";
import { type Service, startService } from "../support/service.ts";
import { refusal } from "../support/stream-client.ts";
import { connect, connectAgain } from "../support/stream-connect.ts";

/**
 * The plans that ship, with a Starter plan of few live items and three streams; it and Free may come as often as they
 * like.
 */
async function writePlans(folder: string, cap: number): Promise<string> {
  const shipped = JSON.parse(await readFile(new URL("../../../config/plans.json", import.meta.url), "utf8"));
  const often = { requests_per_minute: 60_000 };
  const starter = { ...shipped.starter, ...often, realtime_feeds_per_day: cap, stream_connections: 3 };
  const path = join(folder, "plans.json");
  writeFileSync(path, JSON.stringify({ ...shipped, starter, free: { ...shipped.free, ...often } }));
  return path;
}

/** Two processes' worth of service on one PostgreSQL, told the time by the test. */
async function twoServices(cap: number) {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "tapewire-test-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const database = stack.use(await createDatabase());
  const now = { at: new Date("2026-03-02T12:00:00Z") };
  const clock = {
    now: () => now.at,
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.min(ms, 100)).unref()),
  };
  const plansFile = await writePlans(folder, cap);
  const options = { databaseUrl: database.url, plansFile, clock };
  const first = stack.use(await startService("postgres", options));
  const second = stack.use(await startService("postgres", options));
  const owned = stack.move();
  return { first, second, now, plansFile, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const items = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ title: `Cap ${from + n}`, external_id: `cap-${from + n}` }));

onPostgres(
  "three connections on two processes get exactly the cap, then one quota_exceeded each",
  async () => {
    await using services = await twoServices(50);
    const { first, second, now } = services;
    const { key } = await first.key("starter");
    await using a = await connect(first, key);
    await using b = await connect(first, key);
    await using c = await connect(second, key);
    const clients = [a, b, c];
    const refused = await refusal(second.app.wsUrl, { key });
    assert.equal(refused.status, 429);
    assert.equal(refused.problem.code, "too_many_connections");
    for (const client of clients) await client.subscribe();
    // More than the cap: whoever is served first meets it too.
    await first.push(...items(0, 60));
    const counts: number[] = [];
    for (const client of clients)
      for (let frame = await client.nextOf("feed", "quota_exceeded"); ; ) {
        if (frame.type === "quota_exceeded") {
          assert.equal(frame.limit, 50);
          break;
        }
        counts.push(frame.count);
        frame = await client.nextOf("feed", "quota_exceeded");
      }
    assert.deepEqual(
      counts.sort((x, y) => x - y),
      Array.from({ length: 50 }, (_, n) => n + 1),
    );
    // Silence until the day turns, whatever comes.
    await first.push(...items(60, 5));
    const { cursor } = await a.settle();
    // The other process reads the log once a second.
    for (const client of [b, c]) while ((await client.settle()).cursor !== cursor) await sleep(50);
    now.at = new Date("2026-03-03T00:00:00.000Z");
    await first.push({ title: "A new day", external_id: "day-2" });
    for (const client of clients) assert.equal((await client.next("feed")).data.title, "A new day");
  },
);

onPostgres(
  "a Free account's second connection is refused, on another process too, until the first ends",
  async () => {
    await using services = await twoServices(50);
    const { first, second } = services;
    const { key } = await first.key("free");
    const held = await connect(first, key);
    for (const service of [first, second]) {
      const refused = await refusal(service.app.wsUrl, { key });
      assert.equal(refused.status, 429);
      assert.ok(Number(refused.headers["retry-after"]) > 0);
    }
    await held.close();
    await using again = await connectAgain(second, key);
    assert.equal((await again.subscribe()).resumed, false);
  },
);

test("a plan's limit of streams holds for upgrades that come at once", async () => {
  await using service = await startService(anyEngine);
  const { key } = await service.key("starter");
  const tried = await Promise.allSettled(Array.from({ length: 12 }, () => connect(service, key)));
  const open = tried.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  assert.equal(open.length, 2);
  await Promise.all(open.map((client) => client.close()));
});

onPostgres("Free has one allowance of snapshot items a day, whatever process grants them", async () => {
  await using services = await twoServices(50);
  const { first, second } = services;
  await first.push(...items(0, 60));
  const { key } = await first.key("free");
  const granted: number[] = [];
  for (const service of [first, second]) {
    const client = await connectAgain(service, key);
    granted.push((await client.subscribe({ snapshot: 40 })).snapshot);
    await client.close();
  }
  assert.deepEqual(granted, [40, 10]);
});

onPostgres("an account has five snapshots a minute, over all of its streams", async () => {
  await using services = await twoServices(50);
  const { first, second, now } = services;
  const { key } = await first.key("starter");
  await using a = await connect(first, key);
  await using b = await connect(second, key);
  for (const client of [a, b, a, b, a]) assert.equal((await client.subscribe({ snapshot: 7 })).snapshot, 7);
  const noSnapshot = /^No snapshot: .* at most 5 snapshots a minute\./;
  const subscribed = await b.subscribe({ snapshot: 7, id: "sixth" });
  assert.deepEqual([subscribed.snapshot, subscribed.id], [0, "sixth"]);
  const told = await b.next("error");
  assert.deepEqual([told.code, told.fatal], ["rate_limited", false]);
  assert.match(told.message, noSnapshot);
  await first.push(...items(0, 1));
  for (const client of [a, b]) assert.equal((await client.next("feed")).snapshot, false);
  {
    const abort = new AbortController();
    const headers = { authorization: `Bearer ${key}` };
    const url = `${second.url}/v1/stream/sse?snapshot=7`;
    const events = await fetch(url, { headers, signal: abort.signal });
    let text = "";
    for await (const chunk of events.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes("event: error\n")) break;
    }
    assert.match(text, /event: subscribed\n.*"snapshot":0.*event: error\n.*No snapshot/s);
    abort.abort();
  }
  now.at = new Date(now.at.getTime() + 60_000);
  assert.equal((await a.subscribe({ snapshot: 1 })).snapshot, 1);
  assert.equal((await a.next("feed")).snapshot, true);
});

onPostgres("opening a stream is one of the requests a minute, on whatever process", async () => {
  await using services = await twoServices(50);
  const { first, second, now } = services;
  const { key } = await first.key("pro");
  const ask = (service: Service) =>
    fetch(`${service.url}/v1/stream/sse`, { method: "HEAD", headers: { authorization: `Bearer ${key}` } });
  const { pro } = planTable.parse(JSON.parse(readFileSync(services.plansFile, "utf8")));
  const burst = burstOf(pro.requests_per_minute);
  for (let n = 0; n < burst; n++) assert.equal((await ask(n % 2 === 0 ? first : second)).status, 200);
  assert.equal((await ask(first)).status, 429);
  const { status, headers, problem } = await refusal(second.app.wsUrl, { key });
  assert.deepEqual([status, headers["retry-after"], problem["violated-policies"]], [429, "1", ["minute"]]);
  now.at = new Date(now.at.getTime() + 1_000);
  await using client = await connect(second, key);
  await client.settle();
});
