import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { sourceHealthList } from "@tapewire/contract/admin.ts";
import { feedItem } from "@tapewire/contract/feeds.ts";
import { itemIdOf } from "../../../src/feed/item.ts";
import { anyEngine } from "../../support/db.ts";
import { listenLocally } from "../../support/http.ts";
import { temporaryFolder, writeSources } from "../../support/process.ts";
import { type Service, startService } from "../../support/service.ts";
import { type Filing, renderPage } from "../../support/tape.ts";

const startedMs = Date.now();
const filing = (n: number, form = "424B2"): Filing => ({
  accession: `0009999999-26-${String(n).padStart(6, "0")}`,
  form,
  // Of these minutes: a source that has been quiet for long is asked less often.
  accepted: new Date(startedMs + (n - 100) * 1_000).toISOString(),
  filed: "2026-03-02",
  items: [],
  parties: [["0009999999", "TIDEWANE SHIPPING CORP", "Filer"]],
});

/** A list of filings, ten a page; documents are never there at the first request. */
async function startList() {
  const state = {
    filings: [] as Filing[],
    starts: [] as number[],
    arriving: [] as Filing[],
    failOnceAt: null as number | null,
  };
  const asked = new Set<string>();
  const server = await listenLocally((request, response) => {
    const url = new URL(request.url ?? "/", "http://edgar");
    if (url.pathname !== "/current") {
      const first = !asked.has(url.pathname);
      asked.add(url.pathname);
      return response.writeHead(first ? 404 : 200).end("no submission");
    }
    const start = Number(url.searchParams.get("start") ?? 0);
    state.starts.push(start);
    if (start > 0) state.filings = [...state.filings, ...state.arriving.splice(0)];
    if (state.failOnceAt === start) {
      state.failOnceAt = null;
      return response.writeHead(503).end();
    }
    return response.end(Buffer.from(renderPage(state.filings, start, 10), "latin1"));
  });
  return { origin: server.origin, state, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

async function startReading(folder: string, origin: string): Promise<Service> {
  const source = {
    id: "edgar",
    name: "sec-edgar",
    provider: "sec",
    format: "edgar",
    type: "filing",
    interval_s: 1,
  };
  const sourcesFile = writeSources(folder, [
    { ...source, url: `${origin}/current?count=10`, archives_url: `${origin}/Archives`, requests_per_s: 100 },
  ]);
  return startService(anyEngine, { sourcesFile });
}

async function stored(service: Service): Promise<number> {
  const answer = sourceHealthList.parse(await (await service.admin("GET", "/admin/v1/sources")).json());
  return answer.data[0]?.items ?? 0;
}

async function untilStored(service: Service, count: number): Promise<void> {
  while ((await stored(service)) < count) await delay(30);
}

/** Rows of nine filings of one party each stand before it on the first page of ten. */
const sharedFiling = (accepted: Filing): Filing => ({
  ...accepted,
  form: "SC 13G",
  parties: [
    ["0009000401", "HARROWGATE PARTNERS LP", "Filed by"],
    ["0009000402", "DUNMOOR FUND LLC", "Filed by"],
    ["0009000400", "LARKMERE BANCORP", "Subject"],
  ],
});

async function partiesOf(service: Service, { accession }: Filing): Promise<(string | null)[]> {
  const { key } = await service.key("pro");
  const found = await service.get(`/v1/feeds/${itemIdOf(`sec:${accession}`)}`, key);
  if (found.status === 404) return [];
  const { filing } = feedItem.pick({ filing: true }).parse(await found.json());
  return (filing?.parties ?? []).map(({ cik }) => cik).sort();
}

const all = ["0009000400", "0009000401", "0009000402"];

// Each waits for polls of a service of its own.
describe("walks over pages", { concurrency: true }, () => {
  test("a walk that breaks off is made good over every page", async () => {
    await using list = await startList();
    using folder = temporaryFolder();
    list.state.filings = Array.from({ length: 10 }, (_, n) => filing(n));
    await using service = await startReading(folder.path, list.origin);
    await untilStored(service, 10);
    // An outage: forty came, the newest with a document that is not there yet, and the third page fails once.
    list.state.failOnceAt = 20;
    const missed = Array.from({ length: 40 }, (_, n) => filing(10 + n, n === 39 ? "8-K" : "424B2"));
    list.state.filings = [...list.state.filings, ...missed];
    await untilStored(service, 50);
  });

  test("a filing with a document costs the next polls one page each", async () => {
    await using list = await startList();
    using folder = temporaryFolder();
    list.state.filings = Array.from({ length: 60 }, (_, n) => filing(n));
    await using service = await startReading(folder.path, list.origin);
    await untilStored(service, 60);
    while (list.state.starts.at(-1) !== 0 || list.state.starts.at(-2) !== 0) await delay(30);
    list.state.starts.length = 0;
    list.state.filings = [...list.state.filings, filing(60, "8-K")];
    await untilStored(service, 61);
    const polls = list.state.starts.length;
    while (list.state.starts.length < polls + 5) await delay(30);
    assert.ok(Math.max(...list.state.starts) <= 10, `pages from ${[...new Set(list.state.starts)]}`);
  });

  test("a filing whose parties stand on two pages has all of them, whichever pages show it later", async () => {
    await using list = await startList();
    using folder = temporaryFolder();
    const older = Array.from({ length: 10 }, (_, n) => filing(n));
    const split = sharedFiling(filing(10));
    list.state.filings = [...older, split, ...Array.from({ length: 9 }, (_, n) => filing(11 + n))];
    await using service = await startReading(folder.path, list.origin);
    await untilStored(service, 20);
    assert.deepEqual(await partiesOf(service, split), all);
    // Now the second page begins with its last party only, and the first ends with the others.
    list.state.filings = list.state.filings.toSpliced(12, 1);
    list.state.starts.length = 0;
    while (list.state.starts.length < 6) await delay(30);
    assert.deepEqual(await partiesOf(service, split), all);
  });

  for (const [arriving, where] of [
    [9, "ends within it again"],
    [12, "does not reach it"],
  ] as const)
    test(`a filing is stored once and whole when the list grows so much that the next page ${where}`, async () => {
      await using list = await startList();
      using folder = temporaryFolder();
      const split = sharedFiling(filing(20));
      const newer = Array.from({ length: 9 }, (_, n) => filing(21 + n));
      list.state.filings = [filing(0), split, ...newer];
      list.state.arriving = Array.from({ length: arriving }, (_, n) => filing(30 + n));
      await using service = await startReading(folder.path, list.origin);
      await untilStored(service, 11 + arriving);
      assert.deepEqual(await partiesOf(service, split), all);
      const { key } = await service.key("pro");
      const response = await service.get(`/v1/feeds/${itemIdOf(`sec:${split.accession}`)}`, key);
      assert.equal(feedItem.parse(await response.json()).revision, 0);
    });

  test("parties that only a later poll shows are added to those that are known", async () => {
    await using list = await startList();
    using folder = temporaryFolder();
    const whole = sharedFiling(filing(10));
    list.state.filings = [filing(0), { ...whole, parties: whole.parties.slice(0, 1) }];
    await using service = await startReading(folder.path, list.origin);
    await untilStored(service, 2);
    assert.deepEqual(await partiesOf(service, whole), all.slice(1, 2));
    list.state.filings = [filing(0), { ...whole, parties: whole.parties.slice(1) }];
    while ((await partiesOf(service, whole)).length < 3) await delay(50);
    assert.deepEqual(await partiesOf(service, whole), all);
  });
});
