import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { ArticleReader } from "../../../src/ingest/articles/articles.ts";
import { DocumentReader } from "../../../src/ingest/documents/documents.ts";
import { Fetcher } from "../../../src/ingest/fetch/fetcher.ts";
import { SharedHostGates } from "../../../src/ingest/fetch/host-gates.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { silentLog } from "../../../src/runtime/log.ts";
import type { Db } from "../../../src/store/engine/db.ts";
import { page, paragraph } from "../../support/article-pages.ts";
import { onAnyEngine, testDb } from "../../support/db.ts";
import { listenLocally } from "../../support/http.ts";
import { pollingOf } from "../../support/polls.ts";

const start = "2026-03-02T14:30:00Z";
/** Less than one fetch may take. */
const soonMs = 12_000;

/** A feed of so many items, whose articles answer as the test says. */
async function startSite(items: number, article: (response: ServerResponse) => void) {
  const asked: string[] = [];
  const server = await listenLocally((request, response) => {
    const path = request.url ?? "";
    if (path !== "/list") {
      asked.push(path);
      return article(response);
    }
    const list = Array.from(
      { length: items },
      (_, n) =>
        `<item><title>Halvorn opens plant ${n}</title><guid>g${n}</guid><link>${server.origin}/a/${n}</link></item>`,
    );
    response.end(`<rss version="2.0"><channel><title>t</title>${list.join("")}</channel></rss>`);
  });
  return { ...server, asked };
}

const answers = (response: ServerResponse) =>
  response.writeHead(200, { "content-type": "text/html" }).end(page(`<p>${paragraph.repeat(4)}</p>`));
const isSilent = () => {};
const blocks = (response: ServerResponse) => response.end("<html><title>Blocked for a while</title></html>");
const blockNotice = { page: /blocked for a while/i, quietMs: 600_000 };
/** A byte now and then, for ever. */
const drips = (response: ServerResponse) => {
  response.writeHead(200, { "content-type": "text/html" });
  const timer = setInterval(() => response.write(" "), 100);
  response.once("close", () => clearInterval(timer));
};

type Sites = Readonly<Record<string, { readonly origin: string }>>;

/** The sources, and processes that read their articles. */
function readingOf(db: Db, sites: Sites) {
  const ids = Object.keys(sites);
  const polling = pollingOf(
    db,
    ids.map((id) => ({
      id,
      name: id,
      provider: id,
      format: "feed" as const,
      articles: true,
      requests_per_s: 100,
      url: `${sites[id]?.origin}/list`,
    })),
    start,
  );
  return {
    poll: async () => {
      for (const id of ids) await polling.poll(id);
    },
    startProcess: (limits?: { readMs: number }) => {
      const stop = new AbortController();
      const gates = new SharedHostGates(db);
      const options = { clock: systemClock, userAgent: "test", gates, isAllowed: () => true };
      const fetcher = new Fetcher({ ...options, blockNotices: [blockNotice] });
      const articles = new ArticleReader();
      const deps = { ...polling.deps, clock: systemClock, log: silentLog, fetcher, articles };
      const running = new DocumentReader(deps, polling.deps.sources, limits).run(stop.signal);
      return {
        [Symbol.asyncDispose]: async () => {
          stop.abort();
          await running;
          await articles[Symbol.asyncDispose]();
          await fetcher[Symbol.asyncDispose]();
        },
      };
    },
    [Symbol.asyncDispose]: () => polling[Symbol.asyncDispose](),
  };
}

async function pending(db: Db, id: string) {
  const found = await sql<{ tries: number; due_in_ms: number; is_leased: boolean }>`
    select tries, (extract(epoch from due_at - now()) * 1000)::float8 as due_in_ms,
      coalesce(lease_until > now(), false) as is_leased
    from pending_documents where source_id = ${id}`.execute(db.main);
  return found.rows;
}

const leased = async (db: Db, id: string) => (await pending(db, id)).filter((row) => row.is_leased).length;

async function until(condition: () => Promise<boolean>, withinMs = soonMs): Promise<void> {
  const endsAt = performance.now() + withinMs;
  while (!(await condition())) {
    assert.ok(performance.now() < endsAt, `not within ${withinMs} ms`);
    await delay(20);
  }
}

onAnyEngine("sources whose articles do not come delay the articles of no other", async (_, engine) => {
  await using db = await testDb(engine);
  await using dripping = await startSite(40, drips);
  await using silent = await startSite(40, isSilent);
  await using well = await startSite(12, answers);
  await using reading = readingOf(db, { dripping, silent, well });
  await reading.poll();
  await using _first = reading.startProcess();
  await until(async () => (await pending(db, "well")).length === 0);
  assert.equal(well.asked.length, 12);
  assert.equal(await leased(db, "dripping"), 2);
  assert.equal(await leased(db, "silent"), 2);
  await using _second = reading.startProcess();
  await reading.poll();
  await delay(1_500);
  assert.equal(await leased(db, "dripping"), 2, "all processes together");
});

onAnyEngine(
  "articles that never come are given up after ten tries, with pauses that grow",
  async (_, engine) => {
    await using db = await testDb(engine);
    await using away = await startSite(1, (response) => response.writeHead(500).end());
    await using reading = readingOf(db, { away });
    await reading.poll();
    await using _process = reading.startProcess();
    const pauses: number[] = [];
    for (let tries = 1; tries < 10; tries++) {
      await until(async () => (await pending(db, "away"))[0]?.tries === tries);
      const [row] = await pending(db, "away");
      pauses.push(row?.due_in_ms ?? 0);
      await sql`update pending_documents set due_at = now()`.execute(db.main);
    }
    await until(async () => (await pending(db, "away")).length === 0);
    assert.equal(away.asked.length, 10);
    assert.ok((pauses[0] ?? 0) < 90_000 && (pauses[4] ?? 0) > 5 * (pauses[0] ?? 0), pauses.join());
    assert.ok((pauses[8] ?? 0) > 3_600_000, pauses.join());
  },
);

onAnyEngine("a reading that takes too long ends, and counts as a try", async (_, engine) => {
  await using db = await testDb(engine);
  await using dripping = await startSite(3, drips);
  await using reading = readingOf(db, { dripping });
  await reading.poll();
  await using _process = reading.startProcess({ readMs: 300 });
  await until(async () => (await pending(db, "dripping")).every(({ tries }) => tries === 1));
});

onAnyEngine(
  "a notice of a block in place of a document is no document, whatever its status",
  async (_, engine) => {
    await using db = await testDb(engine);
    await using blocking = await startSite(3, blocks);
    await using reading = readingOf(db, { blocking });
    await reading.poll();
    await using _process = reading.startProcess();
    const isPostponed = async () => (await pending(db, "blocking")).every((row) => row.due_in_ms > 30_000);
    await until(isPostponed);
    const waiting = await pending(db, "blocking");
    assert.equal(waiting.length, 3, "none is given up");
    assert.ok(waiting.some(({ tries, due_in_ms }) => tries === 1 && due_in_ms > 500_000));
    assert.ok(blocking.asked.length <= 2, "the host has its peace, but for what was under way");
  },
);

onAnyEngine("a process that stops leaves its documents to the next one at once", async (_, engine) => {
  await using db = await testDb(engine);
  await using silent = await startSite(5, isSilent);
  await using reading = readingOf(db, { silent });
  await reading.poll();
  {
    await using _process = reading.startProcess();
    await until(async () => (await leased(db, "silent")) > 0);
  }
  const left = await pending(db, "silent");
  assert.equal(left.length, 5);
  assert.ok(left.every(({ is_leased, tries }) => !is_leased && tries === 0));
});
