import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { tagDictionary } from "@tapewire/contract/tags.ts";
import { sql } from "kysely";
import { z } from "zod";
import { inProcessBus } from "../../src/bus/bus.ts";
import { readConfigFile } from "../../src/config/files.ts";
import { sourceConfig } from "../../src/config/sources.ts";
import { nothingRecalled } from "../../src/feed/story/story.ts";
import { Fetcher } from "../../src/ingest/fetch/fetcher.ts";
import { Hubs } from "../../src/ingest/hubs.ts";
import { pollSource } from "../../src/ingest/polling/poller.ts";
import { ReachLog, waitMs } from "../../src/ingest/polling/reach-log.ts";
import { PageReader } from "../../src/ingest/reading/page-reader.ts";
import { adapters } from "../../src/ingest/sources/adapters.ts";
import { Sequencer } from "../../src/itemlog/append.ts";
import { type Clock, systemClock } from "../../src/runtime/clock.ts";
import { createLog } from "../../src/runtime/log.ts";
import { Signal } from "../../src/runtime/sharing/signal.ts";
import { Engine } from "../../src/score/engine.ts";
import { firstComes } from "../../src/store/append/append-request.ts";
import { ItemWriter } from "../../src/store/append/item-writer.ts";
import { claimSources, registerSources } from "../../src/store/intake/sources.ts";
import { Partitions } from "../../src/store/log/partitions.ts";
import { anyEngine, type EngineName, onAnyEngine, testDb } from "../support/db.ts";
import { LocalHostGates } from "../support/host-gates.ts";
import { listenLocally } from "../support/http.ts";
import { sourceState } from "../support/sources.ts";

const engine = new Engine();
const tags = readConfigFile(
  join(import.meta.dirname, "..", "..", "..", "config", "tags.json"),
  tagDictionary,
);
/** What must pass at most from the network's return to the next try. */
const soonMs = 30_000;
const feed = `<rss version="2.0"><channel><title>t</title></channel></rss>`;

/** A host that answers, refuses with a status, or cannot be reached. */
async function startHost() {
  const state: { answers: "well" | "busy" | "away" } = { answers: "well" };
  const server = await listenLocally((request, response) => {
    if (state.answers === "away") request.socket.destroy();
    else response.writeHead(state.answers === "busy" ? 503 : 200).end(feed);
  });
  return { ...server, state };
}

const logged = z.object({ msg: z.string(), source: z.string().optional() });

/** The wait of the log for other sources, which the test ends. */
function heldWait() {
  let end = () => {};
  return {
    wait: (ms: number) => {
      assert.equal(ms, waitMs);
      return new Promise<void>((resolve) => {
        end = resolve;
      });
    },
    pass: async () => {
      end();
      await Promise.resolve();
    },
  };
}

/** Sources on hosts of their own, polled one at a time as the test says, whoever polls them. */
async function startSources(name: EngineName, ids: readonly string[]) {
  await using stack = new AsyncDisposableStack();
  const db = stack.use(await testDb(name));
  const lines: string[] = [];
  const log = createLog("info", { format: "json", out: { write: (line) => lines.push(line) } });
  const sequencer = stack.use(new Sequencer(new ItemWriter(db, new Partitions()), inProcessBus(), log));
  // Nothing waits: the pause before a poll only spreads many sources.
  const clock: Clock = { ...systemClock, sleep: () => Promise.resolve() };
  const { wait, pass } = heldWait();
  const reachLog = new ReachLog({ clock: { ...clock, sleep: wait }, log }, new AbortController().signal);
  const fetcher = stack.use(new Fetcher({ clock, userAgent: "test", gates: new LocalHostGates() }));
  const hubs = new Hubs({ db, clock, log, publicUrl: null, fetcher });
  const recall = () => nothingRecalled;
  const reader = stack.use(new PageReader(adapters));
  const reading = { documentsWake: new Signal(), archiveRetries: new Map(), rawDays: 0 };
  const pipeline = { engine, sequencer, tags, recall, clock, log };
  const deps = { ...pipeline, ...reading, db, fetcher, reader, adapters, hubs, rules: firstComes, reachLog };
  const hosts = new Map(
    await Promise.all(ids.map(async (id) => [id, stack.use(await startHost())] as const)),
  );
  await registerSources(db.main, ids);
  const poll = async (id: string) => {
    const url = `${hosts.get(id)?.origin}/feed`;
    const source = sourceConfig.parse({ id, name: id, provider: id, format: "feed", url, interval_s: 900 });
    await db.main.updateTable("sources").set({ next_poll_at: null }).where("id", "=", id).execute();
    const [state] = await claimSources(db.main, { sources: [id], limit: 1, leaseMs: 60_000 });
    const lease = state?.lease_owner ?? null;
    assert.ok(state !== undefined && lease !== null);
    await pollSource(deps, { source, state, lease, signal: AbortSignal.timeout(20_000) });
  };
  const owned = stack.move();
  return {
    poll,
    pollAll: async (times: number) => {
      for (let n = 0; n < times; n++) for (const id of ids) await poll(id);
    },
    answer: (how: "well" | "busy" | "away", of = ids) => {
      for (const [id, { state }] of hosts) if (of.includes(id)) state.answers = how;
    },
    /** Ends the wait for other sources. */
    pass,
    /** What the log has told since it was asked last: message and source. */
    told: () =>
      lines.splice(0).map((line) => {
        const { msg, source } = logged.parse(JSON.parse(line));
        return source === undefined ? msg : `${msg}: ${source}`;
      }),
    failures: async (id: string) => (await sourceState(db.main, id))?.failures,
    dueInMs: async (id: string) => {
      const found = await sql<{ ms: number }>`
        select (extract(epoch from next_poll_at - now()) * 1000)::float8 as ms from sources where id = ${id}`.execute(
        db.main,
      );
      return found.rows[0]?.ms ?? assert.fail();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

onAnyEngine(
  "while no source can be reached all are tried again soon, and none is blamed; the first that is reached wakes the rest",
  async (_, name) => {
    const ids = ["one", "two", "three"];
    await using sources = await startSources(name, ids);
    await sources.pollAll(1);
    sources.answer("away");
    sources.told();
    await sources.pollAll(9);
    await sources.pass();
    await sources.pollAll(1);
    const [line = "", ...others] = sources.told();
    assert.match(line, /^no source can be reached: check the network and the DNS/);
    assert.deepEqual(others, [], "one line while everything fails");
    for (const id of ids) {
      assert.ok((await sources.dueInMs(id)) <= soonMs, `${id} in ${await sources.dueInMs(id)} ms`);
      assert.ok(((await sources.failures(id)) ?? 9) <= 1, `${id} failed ${await sources.failures(id)} times`);
    }
    // Any answer shows that the network is back.
    sources.answer("busy", ["one"]);
    sources.answer("well", ["two", "three"]);
    await sources.poll("one");
    assert.deepEqual(sources.told(), ["poll failed: one", "sources are reached again"]);
    for (const id of ["two", "three"]) assert.ok((await sources.dueInMs(id)) <= 0);
    assert.ok((await sources.dueInMs("one")) > soonMs, "one that refuses is left alone");
    await sources.pollAll(1);
    for (const id of ["two", "three"]) assert.equal(await sources.failures(id), 0);
  },
);

test("a source that alone cannot be reached backs off, and others that are reached do not wake it", async () => {
  await using sources = await startSources(anyEngine, ["well", "away"]);
  sources.answer("away", ["away"]);
  await sources.poll("away");
  assert.deepEqual(sources.told(), []);
  await sources.poll("well");
  assert.deepEqual(sources.told(), ["poll failed: away"], "it is told by name as soon as another is reached");
  await sources.pollAll(4);
  await sources.poll("away");
  assert.ok(((await sources.failures("away")) ?? 0) >= 4);
  assert.ok((await sources.dueInMs("away")) > soonMs);
  await sources.poll("well");
  assert.ok((await sources.dueInMs("away")) > soonMs);
});

test("many sources that cannot be reached take turns, one every few seconds", async () => {
  const ids = Array.from({ length: 12 }, (_, n) => `source-${n}`);
  await using sources = await startSources(anyEngine, ids);
  sources.answer("away");
  await sources.pollAll(1);
  const due = await Promise.all(ids.map((id) => sources.dueInMs(id)));
  const sorted = due.toSorted((a, b) => a - b);
  assert.ok((sorted[0] ?? 0) > 0 && (sorted.at(-1) ?? 0) < 90_000, sorted.join());
  for (const [index, ms] of sorted.slice(1).entries())
    assert.ok(ms - (sorted[index] ?? 0) <= 8_000, `nobody is tried for long: ${sorted.join()}`);
});

test("the only source is tried again soon: nobody else can tell whether the network is away", async () => {
  await using sources = await startSources(anyEngine, ["only"]);
  sources.answer("away");
  await sources.pollAll(9);
  await sources.pass();
  assert.deepEqual(sources.told(), ["poll failed: only"]);
  assert.ok((await sources.dueInMs("only")) <= soonMs);
  assert.equal(await sources.failures("only"), 9);
  sources.answer("busy");
  await sources.poll("only");
  assert.ok((await sources.dueInMs("only")) > soonMs, "it answers: the network is there");
});
