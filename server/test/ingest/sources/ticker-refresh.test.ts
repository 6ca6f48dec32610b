import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { Fetcher } from "../../../src/ingest/fetch/fetcher.ts";
import { ReachLog } from "../../../src/ingest/polling/reach-log.ts";
import { refreshTickers } from "../../../src/ingest/sources/sec-tickers.ts";
import type { Clock } from "../../../src/runtime/clock.ts";
import { silentLog } from "../../../src/runtime/log.ts";
import { Engine } from "../../../src/score/engine.ts";
import type { Db } from "../../../src/store/engine/db.ts";
import { referenceFile } from "../../../src/store/intake/reference-files.ts";
import { anyEngine, onAnyEngine, onPostgres, testDb } from "../../support/db.ts";
import { LocalHostGates } from "../../support/host-gates.ts";
import { listenLocally } from "../../support/http.ts";

type Row = readonly [cik: number, name: string, ticker: string, exchange: string];
const listOf = (...rows: readonly Row[]) =>
  JSON.stringify({ fields: ["cik", "name", "ticker", "exchange"], data: rows });

const names =
  "QUORVANE THRELLOW BRELMIST TARNVOLD ULSKERRY WENDHOLM FYRLANDE OSTREVIN KELVARRO DAGMERE ZELDRIC VORNHAM IXBORNE NULCREST".split(
    " ",
  );
let made = 0;
/** An invented issuer unlike the others. A list of so few adds lines and ends none. */
function newIssuer() {
  const name = names[made];
  assert.ok(name !== undefined);
  made += 1;
  const ticker = `${name.slice(0, 4)}X`;
  const row: Row = [9_000_000 + made, `${name} THERAPEUTICS INC`, ticker, "Nasdaq"];
  return {
    row,
    title: `${name.charAt(0)}${name.slice(1).toLowerCase()} Therapeutics wins approval`,
    symbol: `NASDAQ:${ticker}`,
  };
}

/** Loading takes long, so tests share them: what one has learned of another's issuers does not matter. */
const engines = [new Engine(), new Engine()] as const;

/** The SEC's list of tickers, as the test sets it. */
async function startSec(body: string) {
  const state = { body, status: 200, requests: 0 };
  const server = await listenLocally((_, response) => {
    state.requests += 1;
    response.writeHead(state.status, { "content-type": "application/json" }).end(state.body);
  });
  const url = `${server.origin}/files/company_tickers_exchange.json`;
  return { state, url, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** A clock that stands still until the test wakes its sleeper. */
class SleepingClock implements Clock {
  #wake: (() => void) | null = null;
  #asleep = Promise.withResolvers<void>();

  now(): Date {
    return new Date();
  }

  sleep(_ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
      this.#wake = resolve;
      this.#asleep.resolve();
    });
  }

  get asleep(): Promise<void> {
    return this.#asleep.promise;
  }

  /** Until the sleeper has done what it woke for. */
  async lookAgain(): Promise<void> {
    await this.asleep;
    this.#asleep = Promise.withResolvers<void>();
    this.#wake?.();
    await this.asleep;
  }
}

/** One process that keeps its symbols fresh. */
async function startProcess(db: Db, url: string, engine = engines[0]) {
  const clock = new SleepingClock();
  const fetcher = new Fetcher({ clock, userAgent: "test", gates: new LocalHostGates() });
  const stop = new AbortController();
  const reachLog = new ReachLog({ clock, log: silentLog }, AbortSignal.abort());
  const running = refreshTickers({ db, clock, log: silentLog, engine, fetcher, reachLog }, url, stop.signal);
  return {
    clock,
    engine,
    linked: (title: string) => {
      const artifact = {
        type: "news",
        title,
        body: "",
        publishedAt: new Date(),
        filing: null,
        categories: [],
      } as const;
      return engine
        .judge(
          artifact,
          { symbols: [], isins: [], ciks: [] },
          { declared: "en", recall: () => ({ repeatsMs: null, onSymbols: 0 }) },
        )
        .symbols.map(({ symbol }) => symbol);
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await running;
      await fetcher[Symbol.asyncDispose]();
    },
  };
}

/** As if all that is on record of the list had happened so much earlier. */
async function age(db: Db, hours: number): Promise<void> {
  const by = sql<Date>`${sql.lit(hours)} * interval '1 hour'`;
  await sql`update reference_files set asked_at = asked_at - ${by}, fetched_at = fetched_at - ${by}`.execute(
    db.main,
  );
}

onAnyEngine("one of two processes fetches the list, and both link its new lines", async (_, name) => {
  const { row, title, symbol } = newIssuer();
  await using db = await testDb(name);
  await using sec = await startSec(listOf(row));
  await using one = await startProcess(db, sec.url, engines[0]);
  await using two = await startProcess(db, sec.url, engines[1]);
  await Promise.all([one.clock.asleep, two.clock.asleep]);
  // One of them may have looked before the other had the list.
  for (const { clock } of [one, two]) await clock.lookAgain();
  assert.equal(sec.state.requests, 1);
  for (const { linked } of [one, two]) assert.deepEqual(linked(title), [symbol]);
});

onAnyEngine(
  "a list that was fetched while the clock was ahead is fetched again, and used",
  async (_, name) => {
    const [first, second] = [newIssuer(), newIssuer()];
    await using db = await testDb(name);
    await using sec = await startSec(listOf(first.row));
    await using process = await startProcess(db, sec.url);
    await process.clock.asleep;
    await age(db, -10_000);
    await process.clock.lookAgain();
    assert.equal(sec.state.requests, 2);
    // Another process has fetched it since, at a time that seems earlier.
    await sql`
    update reference_files set body = ${listOf(first.row, second.row)}, fetched_at = fetched_at - interval '1 day'`.execute(
      db.main,
    );
    await process.clock.lookAgain();
    assert.equal(sec.state.requests, 2);
    assert.deepEqual(process.linked(second.title), [second.symbol]);
  },
);

onAnyEngine("the list is fetched again after a week, and not before", async (_, name) => {
  const first = newIssuer();
  const second = newIssuer();
  await using db = await testDb(name);
  await using sec = await startSec(listOf(first.row));
  await using one = await startProcess(db, sec.url);
  await one.clock.asleep;
  assert.deepEqual(one.linked(first.title), [first.symbol]);
  sec.state.body = listOf(first.row, second.row);
  await age(db, 7 * 24 - 1);
  await one.clock.lookAgain();
  assert.equal(sec.state.requests, 1);
  assert.deepEqual(one.linked(second.title), []);
  await age(db, 2);
  await one.clock.lookAgain();
  assert.equal(sec.state.requests, 2);
  for (const { title, symbol } of [first, second]) assert.deepEqual(one.linked(title), [symbol]);
});

// Its clock tells microseconds, ours milliseconds.
onPostgres("a list that is applied is not applied again with the next look", async () => {
  const { row, title, symbol } = newIssuer();
  await using db = await testDb("postgres");
  await using sec = await startSec(listOf(row));
  await using one = await startProcess(db, sec.url);
  await one.clock.asleep;
  assert.deepEqual(one.linked(title), [symbol]);
  const { symbols } = one.engine;
  await one.clock.lookAgain();
  assert.ok(one.engine.symbols === symbols, "half a second of work for nothing");
});

test("a broken list leaves the table as it is, is not kept, and is asked for again in six hours", async () => {
  const { row, title, symbol } = newIssuer();
  const good = { status: 200, body: listOf(row) };
  const html = { status: 200, body: "<html>busy</html>" };
  const broken = [
    { status: 200, body: '{"error": "rate exceeded"}' },
    { status: 200, body: good.body.slice(0, -3) },
    { status: 200, body: listOf([0, "", "", ""]) },
    { status: 503, body: good.body },
  ];
  await using db = await testDb(anyEngine);
  await using sec = await startSec(html.body);
  const [engine] = engines;
  const { symbols } = engine;
  await using one = await startProcess(db, sec.url, engine);
  await one.clock.asleep;
  for (const [index, answer] of broken.entries()) {
    Object.assign(sec.state, answer);
    await age(db, 5);
    await one.clock.lookAgain();
    assert.equal(sec.state.requests, index + 1);
    await age(db, 2);
    await one.clock.lookAgain();
    assert.equal(sec.state.requests, index + 2);
    assert.ok(engine.symbols === symbols);
    assert.equal(await referenceFile(db.main, "sec-tickers"), null);
  }
  Object.assign(sec.state, good);
  await age(db, 7);
  await one.clock.lookAgain();
  assert.deepEqual(one.linked(title), [symbol]);

  // With a good one on record, the next broken one changes nothing, and a process that starts takes the good one.
  Object.assign(sec.state, html);
  const { requests } = sec.state;
  await age(db, 8 * 24);
  await using two = await startProcess(db, sec.url, engines[1]);
  await two.clock.lookAgain();
  assert.equal(sec.state.requests, requests + 1);
  assert.equal((await referenceFile(db.main, "sec-tickers"))?.body, good.body);
  assert.deepEqual(two.linked(title), [symbol]);
});
