import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { postgresUrl } from "../support/db.ts";
import { temporaryFolder } from "../support/process.ts";
import { type Service, startService } from "../support/service.ts";
import type { Frame, StreamClient } from "../support/stream-client.ts";
import { connect, notice, notices } from "../support/stream-connect.ts";

const seqOf = (cursor: string) => Number(cursor.split(".")[1]);
const seqsOf = (frames: readonly Frame<"feed">[]) => frames.map(({ seq }) => seq);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Held in buffers that somebody still needs. */
function bufferedBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** Oldest first, as a snapshot is sent. */
function byListOrder({ data: a }: Frame<"feed">, { data: b }: Frame<"feed">): number {
  return a.published_at.localeCompare(b.published_at) || (a.id < b.id ? -1 : 1);
}

/** The plans that ship, with room for many streams on Enterprise, opened at once. */
function plansFile(folder: string): string {
  const plans = JSON.parse(readFileSync(new URL("../../../config/plans.json", import.meta.url), "utf8"));
  Object.assign(plans.enterprise, { stream_connections: 1_000, requests_per_minute: 600_000 });
  const path = join(folder, "plans.json");
  writeFileSync(path, JSON.stringify(plans));
  return path;
}

/** Items of two sources in turn, pushed one batch after another until it is disposed. */
function pushing(service: Service, batchItems: number) {
  let stopped = false;
  const run = async () => {
    while (!stopped) {
      const batch = Array.from({ length: batchItems }, (_, n) =>
        notice({ source: n % 2 === 0 ? "load-a" : "load-b" }),
      );
      await service.push(...batch);
    }
  };
  const running = run();
  return {
    [Symbol.asyncDispose]: async () => {
      stopped = true;
      await running;
    },
  };
}

/** Every frame from the first one on: what the others are held against. */
async function witnessUntil(client: StreamClient, seq: number, seen: Frame<"feed">[]): Promise<void> {
  while ((seen.at(-1)?.seq ?? 0) < seq) seen.push(await client.next("feed"));
}

/** Frames up to the pong of a ping sent now. */
async function untilPong(client: StreamClient): Promise<{ frames: Frame<"feed">[]; cursor: string }> {
  const frames: Frame<"feed">[] = [];
  client.send({ type: "ping" });
  for (;;) {
    const frame = await client.nextOf("feed", "pong");
    if (frame.type === "pong") return { frames, cursor: frame.cursor };
    frames.push(frame);
  }
}

/** Sends a subscribe; @returns what came before its answer too */
async function resubscribe(client: StreamClient, frame: object) {
  const before: Frame<"feed">[] = [];
  client.send({ type: "subscribe", ...frame });
  for (;;) {
    const next = await client.nextOf("feed", "subscribed");
    if (next.type === "subscribed") return { before, subscribed: next };
    before.push(next);
  }
}

const many = 80;
const options = postgresUrl === null ? { skip: "no PostgreSQL" } : {};
test("a stream under load", options, async (context) => {
  using folder = temporaryFolder();
  await using service = await startService("postgres", { plansFile: plansFile(folder.path) });
  const { key } = await service.key("enterprise");

  await context.test(`${many} clients that come at once all get every item, compressed or not`, async () => {
    await using stack = new AsyncDisposableStack();
    const clients = await Promise.all(
      Array.from({ length: many }, async (_, n) => {
        const client = stack.use(await connect(service, key, { compress: n % 2 === 0 }));
        await client.subscribe();
        return client;
      }),
    );
    const symbols = Array.from({ length: 50 }, (_, n) => `DEMO:ORBITEX-ROBOTICS-${n}`);
    const title = "Größe – 株式 “quoted” \\ \u0007 ".repeat(30);
    await service.push(...notices(5), notice({ title, symbols }));
    const counts: number[] = [];
    const [first, ...others] = await Promise.all(clients.map((client) => client.feeds(6)));
    const shared = (frames: Frame<"feed">[] = []) => frames.map(({ count: _, ...rest }) => rest);
    for (const frames of [first ?? [], ...others]) {
      const own = frames.map(({ count }) => count);
      assert.deepEqual(
        own,
        own.toSorted((a, b) => a - b),
      );
      counts.push(...own);
    }
    for (const frames of others) assert.deepEqual(shared(frames), shared(first));
    assert.deepEqual(
      counts.sort((a, b) => a - b),
      range(1, many * 6),
    );
  });

  await context.test(
    "nothing of the old filter follows the new answer, nothing of the new is missing",
    async () => {
      await using witness = await connect(service, key);
      const start = await witness.subscribe();
      const seen: Frame<"feed">[] = [];
      await using clients = new AsyncDisposableStack();
      const turning = await Promise.all(
        Array.from({ length: 8 }, async () => clients.use(await connect(service, key))),
      );
      const parts: { source: string; from: number; frames: Frame<"feed">[]; ended: boolean }[] = [];
      let end = seqOf(start.cursor);
      {
        await using _ = pushing(service, 20);
        await Promise.all(
          turning.map(async (client, n) => {
            let source = "";
            let from = 0;
            for (let turn = 0; turn < 5; turn++) {
              const next = (n + turn) % 2 === 0 ? "load-a" : "load-b";
              const { before, subscribed } = await resubscribe(client, { filters: { aggregators: [next] } });
              if (turn > 0) parts.push({ source, from, frames: before, ended: false });
              source = next;
              from = seqOf(subscribed.cursor);
              const { frames } = await untilPong(client);
              // At least one item of each filter, so that a turn shows something.
              frames.push(await client.next("feed"));
              parts.push({ source, from, frames, ended: false });
              from = frames.at(-1)?.seq ?? from;
            }
            const { frames, cursor } = await untilPong(client);
            parts.push({ source, from, frames, ended: true });
            end = Math.max(end, seqOf(cursor));
          }),
        );
      }
      await witnessUntil(witness, end, seen);
      assert.deepEqual(seqsOf(seen), range(seqOf(start.cursor) + 1, seen.at(-1)?.seq ?? 0));
      for (const { source, from, frames } of parts) {
        assert.deepEqual([...new Set(frames.map(({ data }) => data.source))].length <= 1, true);
        const to = frames.at(-1)?.seq ?? from;
        const owed = seen.filter(({ seq, data }) => seq > from && seq <= to && data.source === source);
        assert.deepEqual(seqsOf(frames), seqsOf(owed));
      }
    },
  );

  await context.test("a snapshot is whole and live follows it without gap, whatever comes in", async () => {
    const wanted = 40;
    await service.push(...notices(wanted, { source: "load-a" }));
    await using witness = await connect(service, key);
    const start = await witness.subscribe({ after: (await witness.settle()).cursor.replace(/\d+$/, "0") });
    const seen: Frame<"feed">[] = [];
    assert.equal(start.resumed, true);
    await using stack = new AsyncDisposableStack();
    const found: { tip: number; snapshot: number[]; live: number[] }[] = [];
    {
      await using _ = pushing(service, 300);
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          // Of an account of its own: each has so many snapshots a minute.
          const client = stack.use(await connect(service, (await service.key("enterprise")).key));
          for (let turn = 0; turn < 2; turn++) {
            const { subscribed } = await resubscribe(client, {
              snapshot: wanted,
              filters: { aggregators: ["load-a"] },
            });
            assert.equal(subscribed.snapshot, wanted);
            const frames = await client.feeds(wanted + 5);
            const { frames: more } = await untilPong(client);
            frames.push(...more);
            found.push({
              tip: seqOf(subscribed.cursor),
              snapshot: seqsOf(frames.filter(({ snapshot }) => snapshot)),
              live: seqsOf(frames.filter(({ snapshot }) => !snapshot)),
            });
          }
        }),
      );
    }
    const head = seqOf((await untilPong(await connect(service, key))).cursor);
    await witnessUntil(witness, head, seen);
    const ofSource = seen.filter(({ data }) => data.source === "load-a");
    for (const { tip, snapshot, live } of found) {
      const until = ofSource.filter(({ seq }) => seq <= tip).sort(byListOrder);
      assert.deepEqual(snapshot, seqsOf(until).slice(-wanted));
      const to = live.at(-1) ?? tip;
      assert.deepEqual(live, seqsOf(ofSource.filter(({ seq }) => seq > tip && seq <= to)));
    }
  });

  await context.test(
    "clients that hang cost no memory and delay nobody; they catch up from the table",
    async () => {
      await using reader = await connect(service, key);
      const start = seqOf((await reader.subscribe()).cursor);
      await using stack = new AsyncDisposableStack();
      const hanging = await Promise.all(
        Array.from({ length: 36 }, async () => {
          const client = stack.use(await connect(service, key, { compress: false }));
          await client.subscribe();
          client.pause();
          return client;
        }),
      );
      // More than the log in memory has room for.
      const items = 5_000;
      const before = bufferedBytes();
      for (let pushed = 0; pushed < items; pushed += 1_000) await service.push(...notices(1_000));
      const all = range(start + 1, start + items);
      assert.deepEqual(seqsOf(await reader.feeds(items)), all);
      // The log and the list's window in memory are a part of it, up to 50 MB by how full they are; a queue for each of
      // the clients would be 180 MB.
      const grown = bufferedBytes() - before;
      assert.ok(grown < 90 * 1024 * 1024, `${grown} bytes`);
      await using late = await connect(service, key);
      await late.subscribe({ after: (await reader.settle()).cursor.replace(/\d+$/, String(start)) });
      assert.deepEqual(seqsOf(await late.feeds(items)), all);
      const [one] = hanging;
      one?.resume();
      assert.deepEqual(seqsOf((await one?.feeds(items)) ?? []), all);
    },
  );
});
