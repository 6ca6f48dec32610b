import assert from "node:assert/strict";
import { sql } from "kysely";
import { Fetcher } from "../../src/ingest/fetcher.ts";
import { refreshTickers } from "../../src/ingest/ticker-refresh.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { Engine } from "../../src/score/engine.ts";
import type { Db } from "../../src/store/db.ts";
import { referenceFile } from "../../src/store/reference-files.ts";
import { onBothEngines, testDb } from "../support/db.ts";
import { LocalHostGates } from "../support/host-gates.ts";
import { listenLocally } from "../support/http.ts";

type Row = readonly [cik: number, name: string, ticker: string, exchange: string];
/** Invented issuers: so short a list adds lines and ends none. */
const quorvane: Row = [9_000_001, "QUORVANE THERAPEUTICS INC", "QRVNX", "Nasdaq"];
const threllow: Row = [9_000_002, "Threllow Systems Inc.", "THLWX", "NYSE"];
const listOf = (...rows: readonly Row[]) =>
  JSON.stringify({ fields: ["cik", "name", "ticker", "exchange"], data: rows });

/** The SEC's list of tickers, as the test sets it. */
async function startSec() {
  const state = { body: listOf(quorvane), status: 200, requests: 0 };
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
async function startProcess(db: Db, url: string) {
  const clock = new SleepingClock();
  const engine = await Engine.load();
  const fetcher = new Fetcher({ clock, userAgent: "test", gates: new LocalHostGates() });
  const stop = new AbortController();
  const running = refreshTickers({ db, clock, log: silentLog, engine, fetcher }, url, stop.signal);
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
        .judge(artifact, { symbols: [], isins: [], ciks: [] }, "en")
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

onBothEngines("one of two processes fetches the list, and both link its new lines", async (_, name) => {
  await using db = await testDb(name);
  await using sec = await startSec();
  await using one = await startProcess(db, sec.url);
  await using two = await startProcess(db, sec.url);
  for (const { clock } of [one, two]) await clock.lookAgain();
  assert.equal(sec.state.requests, 1);
  for (const { linked } of [one, two]) {
    assert.deepEqual(linked("Quorvane Therapeutics wins approval"), ["NASDAQ:QRVNX"]);
    assert.deepEqual(linked("Maker of pumps (NYSE: THLWX) names a chief"), []);
  }
});

onBothEngines("the list is fetched again after a week, and not before", async (_, name) => {
  await using db = await testDb(name);
  await using sec = await startSec();
  await using one = await startProcess(db, sec.url);
  await one.clock.asleep;
  sec.state.body = listOf(quorvane, threllow);
  await age(db, 7 * 24 - 1);
  await one.clock.lookAgain();
  assert.equal(sec.state.requests, 1);
  assert.deepEqual(one.linked("Threllow Systems reports results"), []);
  await age(db, 2);
  await one.clock.lookAgain();
  assert.equal(sec.state.requests, 2);
  assert.deepEqual(one.linked("Threllow Systems reports results"), ["NYSE:THLWX"]);
  assert.deepEqual(one.linked("Quorvane Therapeutics wins approval"), ["NASDAQ:QRVNX"]);
});

onBothEngines("a list that is applied is not applied again: that takes half a second", async (_, name) => {
  await using db = await testDb(name);
  await using sec = await startSec();
  await using one = await startProcess(db, sec.url);
  await one.clock.asleep;
  const { symbols } = one.engine;
  assert.ok(symbols.get("NASDAQ:QRVNX") !== undefined);
  await one.clock.lookAgain();
  assert.ok(one.engine.symbols === symbols);
});

onBothEngines(
  "a broken list leaves the table as it is, is not kept, and is asked for again in six hours",
  async (_, name) => {
    await using db = await testDb(name);
    await using sec = await startSec();
    sec.state.body = "<html>busy</html>";
    await using one = await startProcess(db, sec.url);
    const { symbols } = one.engine;
    await one.clock.asleep;
    const broken: [status: number, body: string][] = [
      [200, '{"error": "rate exceeded"}'],
      [200, listOf(quorvane).slice(0, -3)],
      [200, JSON.stringify({ fields: ["cik", "name", "ticker", "exchange"], data: [[0, "", "", ""]] })],
      [503, listOf(quorvane)],
    ];
    for (const [index, [status, body]] of broken.entries()) {
      assert.equal(sec.state.requests, index + 1);
      assert.ok(one.engine.symbols === symbols);
      assert.equal(await referenceFile(db.main, "sec-tickers"), null);
      Object.assign(sec.state, { status, body });
      await age(db, 5);
      await one.clock.lookAgain();
      assert.equal(sec.state.requests, index + 1);
      await age(db, 2);
      await one.clock.lookAgain();
    }
    Object.assign(sec.state, { status: 200, body: listOf(quorvane) });
    await age(db, 7);
    await one.clock.lookAgain();
    assert.deepEqual(one.linked("Quorvane Therapeutics wins approval"), ["NASDAQ:QRVNX"]);

    // With a good one on record, a process that starts uses that.
    sec.state.body = "<html>busy</html>";
    await age(db, 8 * 24);
    await using two = await startProcess(db, sec.url);
    await two.clock.asleep;
    assert.equal(sec.state.requests, broken.length + 3);
    assert.equal((await referenceFile(db.main, "sec-tickers"))?.body, listOf(quorvane));
    await two.clock.lookAgain();
    assert.deepEqual(two.linked("Quorvane Therapeutics wins approval"), ["NASDAQ:QRVNX"]);
  },
);
