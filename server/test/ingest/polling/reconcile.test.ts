import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { tagDictionary } from "@tapewire/contract/tags.ts";
import { inProcessBus } from "../../../src/bus/bus.ts";
import { readConfigFile } from "../../../src/config/files.ts";
import { sourceConfig } from "../../../src/config/sources.ts";
import { Fetcher } from "../../../src/ingest/fetch/fetcher.ts";
import { Hubs } from "../../../src/ingest/hubs.ts";
import { pollSource } from "../../../src/ingest/polling/poller.ts";
import { ReachLog } from "../../../src/ingest/polling/reach-log.ts";
import { PageReader } from "../../../src/ingest/reading/page-reader.ts";
import { adapters } from "../../../src/ingest/sources/adapters.ts";
import { Sequencer } from "../../../src/itemlog/append.ts";
import type { Clock } from "../../../src/runtime/clock.ts";
import { silentLog } from "../../../src/runtime/log.ts";
import { Signal } from "../../../src/runtime/sharing/signal.ts";
import { Engine } from "../../../src/score/engine.ts";
import { firstComes } from "../../../src/store/append/append-request.ts";
import { ItemWriter } from "../../../src/store/append/item-writer.ts";
import { recentGaps, saveGap } from "../../../src/store/intake/gaps.ts";
import { claimSources, registerSources } from "../../../src/store/intake/sources.ts";
import { itemsAfter } from "../../../src/store/log/item-reads.ts";
import { Partitions } from "../../../src/store/log/partitions.ts";
import { anyEngine, type EngineName, onBothEngines, testDb } from "../../support/db.ts";
import { LocalHostGates } from "../../support/host-gates.ts";
import { listenLocally } from "../../support/http.ts";
import { sourceState } from "../../support/sources.ts";
import { type Filing, renderPage } from "../../support/tape.ts";

const index = readFileSync(join(import.meta.dirname, "..", "..", "fixtures", "edgar", "master.idx"), "utf8");
const tags = readConfigFile(
  join(import.meta.dirname, "..", "..", "..", "..", "config", "tags.json"),
  tagDictionary,
);
const engine = new Engine();
const reader = new PageReader(adapters);
after(() => reader[Symbol.asyncDispose]());

/** The one filing of the index that the live list shows too. */
const listed: Filing = {
  accession: "0009000200-26-000003",
  form: "8-K",
  accepted: "2026-03-02T10:15:00-05:00",
  filed: "2026-03-02",
  items: [],
  parties: [["0009000200", "VELTRONA CO", "Filer"]],
};

/** EDGAR with a live list and, where the test puts them, the indexes of days. */
async function startEdgar() {
  const asked: string[] = [];
  const state = { indexes: new Map<string, string>(), asked, status: 404 };
  const server = await listenLocally((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://edgar");
    if (pathname === "/current") {
      const page = renderPage([listed], Number(searchParams.get("start") ?? 0), 100);
      return response.end(Buffer.from(page, "latin1"));
    }
    const day =
      /^\/Archives\/edgar\/daily-index\/\d{4}\/QTR\d\/master\.(\d{8})\.idx$/.exec(pathname)?.[1] ?? pathname;
    state.asked.push(day);
    const body = state.indexes.get(day);
    return body === undefined ? response.writeHead(state.status).end() : response.end(body);
  });
  return { origin: server.origin, state, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Polls of EDGAR, one after another, each at a time that the test sets. */
async function startReading(name: EngineName) {
  await using stack = new AsyncDisposableStack();
  const db = stack.use(await testDb(name));
  const { origin, state } = stack.use(await startEdgar());
  const sequencer = stack.use(new Sequencer(new ItemWriter(db, new Partitions()), inProcessBus(), silentLog));
  const time = { now: new Date() };
  // Nothing waits: the pause before a poll only spreads many sources.
  const clock: Clock = { now: () => time.now, sleep: () => Promise.resolve() };
  const fetcher = stack.use(new Fetcher({ clock, userAgent: "test", gates: new LocalHostGates() }));
  const hubs = new Hubs({ db, clock, log: silentLog, publicUrl: null, fetcher });
  const pipeline = {
    engine,
    sequencer,
    tags,
    recall: () => ({ repeatsMs: null, onSymbols: 0 }),
    clock,
    log: silentLog,
  };
  const reading = {
    documentsWake: new Signal(),
    archiveRetries: new Map(),
    rawDays: 0,
    rules: firstComes,
  };
  const reachLog = new ReachLog(pipeline, AbortSignal.abort());
  const deps = { ...pipeline, ...reading, db, fetcher, adapters, reader, hubs, reachLog };
  const source = sourceConfig.parse({
    id: "edgar",
    name: "sec-edgar",
    provider: "sec",
    format: "edgar",
    type: "filing",
    url: `${origin}/current?count=100`,
    archives_url: `${origin}/Archives`,
    documents: false,
    requests_per_s: 100,
  });
  await registerSources(db.main, [source.id]);
  const owned = stack.move();
  return {
    edgar: state,
    db,
    items: async () => (await itemsAfter(db.main, 0, 100)).map(({ item }) => item),
    /** @returns the state of the source when the poll has ended */
    pollAt: async (at: string) => {
      time.now = new Date(at);
      await db.main.updateTable("sources").set({ next_poll_at: null }).execute();
      const [state] = await claimSources(db.main, { sources: [source.id], limit: 1, leaseMs: 60_000 });
      const lease = state?.lease_owner ?? null;
      assert.ok(state !== undefined && lease !== null);
      await pollSource(deps, { source, state, lease, signal: AbortSignal.timeout(10_000) });
      const after = await sourceState(db.main, source.id);
      assert.ok(after !== null);
      return after;
    },
    gap: (to: string) =>
      saveGap(db.main, { sourceId: source.id, from: null, to: new Date(to), reason: "test" }),
    /** The ends of the gaps that are open, and their reasons. */
    openGaps: async () =>
      ((await recentGaps(db.main)).get(source.id) ?? [])
        .filter(({ closed_at }) => closed_at === null)
        .map(({ to_at, reason }) => `${to_at?.toISOString().slice(8, 16)} ${reason}`)
        .sort(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

onBothEngines("a filing that the live list never showed comes with the index of its day", async (_, name) => {
  await using reading = await startReading(name);
  const { asked, indexes } = reading.edgar;
  // 10:30 in New York: what came before the first walk is nobody's gap. 22:49: the day's index is not complete.
  const times = ["2026-03-02T15:30:00Z", "2026-03-02T15:31:00Z", "2026-03-03T03:49:00Z"];
  for (const at of times) {
    const { reconciled_to, items } = await reading.pollAt(at);
    assert.deepEqual([reconciled_to, items, asked], ["2026-03-01", 1, []], at);
  }
  indexes.set("20260302", index);
  const { reconciled_to, items, failures } = await reading.pollAt("2026-03-03T03:51:00Z");
  assert.deepEqual([reconciled_to, items, failures, asked], ["2026-03-02", 3, 0, ["20260302"]]);
  const stored = await reading.items();
  assert.deepEqual(
    stored.map(({ unique_id, status }) => [unique_id, status]),
    [
      ["sec:0009000200-26-000003", "published"],
      ["sec:0009000300-26-000011", "published"],
      ["sec:0009000001-26-000007", "published"],
    ],
  );
  // The index knows less of a listed filing than the live list did.
  assert.deepEqual([stored[0]?.revision, stored[0]?.published_at], [0, "2026-03-02T15:15:00.000Z"]);
  await reading.pollAt("2026-03-03T04:30:00Z");
  assert.deepEqual(asked, ["20260302"]);
});

test("an index that is not out is asked for again half an hour later", async () => {
  await using reading = await startReading(anyEngine);
  const { edgar } = reading;
  await reading.pollAt("2026-03-02T15:30:00Z");
  const late = [
    {
      status: 404,
      asked: 1,
      times: ["2026-03-03T03:51:00Z", "2026-03-03T03:52:00Z", "2026-03-03T04:20:59Z"],
    },
    { status: 403, asked: 2, times: ["2026-03-03T04:21:01Z", "2026-03-03T04:51:00Z"] },
  ];
  for (const { status, asked, times } of late) {
    edgar.status = status;
    for (const at of times) {
      const { reconciled_to, failures } = await reading.pollAt(at);
      assert.deepEqual([reconciled_to, failures, edgar.asked.length], ["2026-03-01", 0, asked], at);
    }
  }
  edgar.indexes.set("20260302", index);
  const { reconciled_to, items } = await reading.pollAt("2026-03-03T04:51:02Z");
  assert.deepEqual([reconciled_to, items], ["2026-03-02", 3]);
  assert.deepEqual(edgar.asked, ["20260302", "20260302", "20260302"]);
});

test("a damaged index is used as far as it goes, and asked for again", async () => {
  await using reading = await startReading(anyEngine);
  const { asked, indexes } = reading.edgar;
  await reading.pollAt("2026-03-02T15:30:00Z");
  indexes.set("20260302", index.slice(0, -20));
  for (const at of ["2026-03-03T04:00:00Z", "2026-03-03T04:29:00Z"]) {
    const cut = await reading.pollAt(at);
    assert.deepEqual([cut.items, cut.reconciled_to, asked.length], [2, "2026-03-01", 1]);
  }
  indexes.set("20260302", index);
  const whole = await reading.pollAt("2026-03-03T04:31:00Z");
  assert.deepEqual([whole.items, whole.reconciled_to, asked.length], [3, "2026-03-02", 2]);
});

test("an index that stays damaged delays the days after it for hours only, and leaves a gap", async () => {
  await using reading = await startReading(anyEngine);
  const { asked, indexes } = reading.edgar;
  await reading.pollAt("2026-03-02T15:30:00Z");
  await reading.gap("2026-03-02T20:00:00Z");
  indexes.set("20260302", index.slice(0, -20));
  indexes.set("20260303", "<html>Undergoing maintenance</html>");
  indexes.set("20260304", index.replaceAll("20260302", "20260304"));
  const days = [];
  // On the second day after it nobody repairs it any more. The error page of the next day's stays for six hours.
  for (const at of ["03T04:00", "03T16:00", "05T15:00", "05T20:59", "06T02:58", "06T03:30", "06T03:31"])
    days.push((await reading.pollAt(`2026-03-${at}:00Z`)).reconciled_to?.slice(-2));
  assert.deepEqual(days, ["01", "01", "02", "02", "02", "03", "04"]);
  assert.deepEqual([asked.length, asked.at(-1)], [7, "20260304"]);
  assert.equal((await reading.items()).length, 3);
  const after = (day: string) => `the archive of ${day} stays damaged: what only it has was not seen`;
  assert.deepEqual(await reading.openGaps(), [
    "02T20:00 test",
    `02T22:30 ${after("2026-03-02")}`,
    `03T22:30 ${after("2026-03-03")}`,
  ]);
});

test("a damaged index of some days ago is asked for again before it is given up", async () => {
  await using reading = await startReading(anyEngine);
  const { indexes } = reading.edgar;
  await reading.pollAt("2026-03-02T15:30:00Z");
  indexes.set("20260302", index.slice(0, -20));
  const cut = await reading.pollAt("2026-03-05T15:00:00Z");
  assert.deepEqual([cut.items, cut.reconciled_to], [2, "2026-03-01"]);
  indexes.set("20260302", index);
  const whole = await reading.pollAt("2026-03-05T15:31:00Z");
  assert.deepEqual([whole.items, whole.reconciled_to], [3, "2026-03-02"]);
});

test("days are made up for one a poll, in order, and a day without an index was a holiday", async () => {
  await using reading = await startReading(anyEngine);
  const { asked, indexes } = reading.edgar;
  await reading.pollAt("2026-03-02T15:30:00Z");
  indexes.set("20260303", index.replaceAll("20260302", "20260303"));
  indexes.set("20260304", index.slice(0, index.indexOf("9000001|")));
  // The service was off from Monday to Thursday.
  const days = [];
  for (const minute of [0, 1, 2, 3]) {
    const { reconciled_to } = await reading.pollAt(`2026-03-05T15:0${minute}:00Z`);
    days.push(reconciled_to);
  }
  assert.deepEqual(days, ["2026-03-02", "2026-03-03", "2026-03-04", "2026-03-04"]);
  assert.deepEqual(asked, ["20260302", "20260303", "20260304"]);
  assert.equal((await reading.items()).length, 3);
});

onBothEngines("an index closes the gaps of its day, and none behind it", async (_, name) => {
  await using reading = await startReading(name);
  await reading.pollAt("2026-03-02T15:30:00Z");
  // 15:00 and 17:31 in New York, and the next morning: what is accepted after 17:30 is in the index of the next day.
  for (const to of ["2026-03-02T20:00:00Z", "2026-03-02T22:31:00Z", "2026-03-03T11:30:00Z"])
    await reading.gap(to);
  await reading.pollAt("2026-03-03T04:00:00Z");
  assert.equal((await reading.openGaps()).length, 3);
  reading.edgar.indexes.set("20260302", index);
  await reading.pollAt("2026-03-03T04:31:00Z");
  assert.deepEqual(await reading.openGaps(), ["02T22:31 test", "03T11:30 test"]);
  reading.edgar.indexes.set("20260303", index);
  await reading.pollAt("2026-03-04T04:31:00Z");
  assert.deepEqual(await reading.openGaps(), []);
});
