import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { sourceHealthList } from "@tapewire/contract/admin.ts";
import { feedList } from "@tapewire/contract/feeds.ts";
import { type Clock, systemClock } from "../../src/runtime/clock.ts";
import { listenLocally } from "../support/http.ts";
import { temporaryFolder, writeSources } from "../support/process.ts";
import { startService } from "../support/service.ts";
import { type Filing, renderPage } from "../support/tape.ts";

const index = readFileSync(join(import.meta.dirname, "..", "fixtures", "edgar", "master.idx"), "utf8");

const filing = (accession: string, form: string, accepted: string): Filing => ({
  accession,
  form,
  accepted,
  filed: accepted.slice(0, 10),
  items: [],
  parties: [["0009000200", "VELTRONA CO", "Filer"]],
});
/** The one filing of the index that the live list shows too. */
const listed = filing("0009000200-26-000003", "8-K", "2026-03-02T10:15:00-05:00");

/** EDGAR with a live list and, where the test puts it, the index of a day. */
async function startEdgar() {
  const state = {
    filings: [listed],
    indexes: new Map<string, string>(),
    asked: [] as string[],
    polls: 0,
  };
  const server = await listenLocally((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://edgar");
    if (pathname === "/current") {
      state.polls += 1;
      const page = renderPage(state.filings, Number(searchParams.get("start") ?? 0), 100);
      return response.end(Buffer.from(page, "latin1"));
    }
    state.asked.push(pathname.replace("/Archives/edgar/daily-index/", ""));
    const body = state.indexes.get(state.asked.at(-1) ?? "");
    return body === undefined ? response.writeHead(404).end() : response.end(body);
  });
  return { origin: server.origin, state, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** A service that reads from it, at a time that the test sets. */
async function startReading(folder: string, { origin, state }: Awaited<ReturnType<typeof startEdgar>>) {
  const time = { now: new Date() };
  const clock: Clock = { now: () => time.now, sleep: systemClock.sleep };
  const source = {
    id: "edgar",
    name: "sec-edgar",
    provider: "sec",
    format: "edgar",
    type: "filing",
    url: `${origin}/current?count=100`,
    archives_url: `${origin}/Archives`,
    documents: false,
    interval_s: 1,
    requests_per_s: 100,
  };
  const start = async (now: string) => {
    time.now = new Date(now);
    const service = await startService("pglite", { sourcesFile: writeSources(folder, [source]), clock });
    const { key } = await service.key("pro");
    const health = async () => {
      const answer = await service.admin("GET", "/admin/v1/sources");
      const [found] = sourceHealthList.parse(await answer.json()).data;
      assert.ok(found !== undefined);
      return found;
    };
    return {
      health,
      items: async () => feedList.parse(await (await service.get("/v1/feeds", key)).json()).data,
      /** Two polls begin at this time and end. */
      pollAt: async (now: string) => {
        time.now = new Date(now);
        // The first may have begun before.
        const polls = state.polls + 3;
        while (state.polls < polls) await delay(20);
        return health();
      },
      [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
    };
  };
  return start;
}

const monday = "2026/QTR1/master.20260302.idx";
const tuesday = "2026/QTR1/master.20260303.idx";

test("a filing that the live list never showed comes with the index of its day", async () => {
  await using edgar = await startEdgar();
  using folder = temporaryFolder();
  const start = await startReading(folder.path, edgar);
  await using reading = await start("2026-03-02T15:30:00Z");
  // 10:30 in New York. What came before the first walk is nobody's gap.
  const first = await reading.pollAt("2026-03-02T15:31:00Z");
  assert.deepEqual([first.reconciled_to, first.items, edgar.state.asked], ["2026-03-01", 1, []]);
  // 22:49: the day's index is not complete yet.
  await reading.pollAt("2026-03-03T03:49:00Z");
  assert.deepEqual(edgar.state.asked, []);

  // It is late: asked for once, and not with every poll.
  await reading.pollAt("2026-03-03T03:51:00Z");
  assert.deepEqual(edgar.state.asked, [monday]);
  edgar.state.indexes.set(monday, index);
  await reading.pollAt("2026-03-03T04:20:00Z");
  assert.deepEqual(edgar.state.asked, [monday]);
  const waiting = await reading.pollAt("2026-03-03T04:20:30Z");
  assert.deepEqual([waiting.reconciled_to, waiting.failures], ["2026-03-01", 0]);
  const read = await reading.pollAt("2026-03-03T04:22:00Z");
  assert.deepEqual(edgar.state.asked, [monday, monday]);
  assert.deepEqual([read.reconciled_to, read.items], ["2026-03-02", 3]);

  const items = await reading.items();
  const [insider] = items.filter(({ unique_id }) => unique_id === "sec:0009000001-26-000007");
  assert.deepEqual(
    [insider?.title, insider?.source],
    ["Form 4: DOE JANE Q., QUILLBROOK & SONS CORP.", "sec-edgar"],
  );
  const shown = items.filter(({ unique_id }) => unique_id === `sec:${listed.accession}`);
  assert.deepEqual(
    shown.map(({ status, published_at }) => [status, published_at]),
    [["published", "2026-03-02T15:15:00.000Z"]],
    "the index knows less of it than the live list",
  );
});

test("a day without an index was a holiday once it is two days past; the days behind it follow", async () => {
  await using edgar = await startEdgar();
  using folder = temporaryFolder();
  const start = await startReading(folder.path, edgar);
  await using reading = await start("2026-03-02T15:30:00Z");
  assert.equal((await reading.pollAt("2026-03-02T15:31:00Z")).reconciled_to, "2026-03-01");
  edgar.state.indexes.set(tuesday, index.replaceAll("20260302", "20260303"));
  // Tuesday's index is out, and waits for Monday's.
  const held = await reading.pollAt("2026-03-04T03:55:00Z");
  assert.deepEqual([held.reconciled_to, held.items, edgar.state.asked.at(-1)], ["2026-03-02", 1, monday]);
});

test("an index that is damaged is used as far as it goes, and asked for again", async () => {
  await using edgar = await startEdgar();
  using folder = temporaryFolder();
  const start = await startReading(folder.path, edgar);
  await using reading = await start("2026-03-02T15:30:00Z");
  await reading.pollAt("2026-03-02T15:31:00Z");
  edgar.state.indexes.set(monday, index.slice(0, -20));
  const cut = await reading.pollAt("2026-03-03T04:00:00Z");
  assert.deepEqual([cut.items, cut.reconciled_to, edgar.state.asked.length], [2, "2026-03-01", 1]);
  edgar.state.indexes.set(monday, index);
  const whole = await reading.pollAt("2026-03-03T04:31:00Z");
  assert.deepEqual([whole.items, whole.reconciled_to, edgar.state.asked.length], [3, "2026-03-02", 2]);
});
