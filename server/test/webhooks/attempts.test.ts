import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { LogReader } from "../../src/itemlog/reader.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { pageDeliveries, webhookStats } from "../../src/store/webhooks/delivery-log.ts";
import { resendDelivery } from "../../src/store/webhooks/redelivery.ts";
import { updateWebhook } from "../../src/store/webhooks/webhooks.ts";
import type { Attempt } from "../../src/webhooks/send/types.ts";
import { anyEngine, testDb } from "../support/db.ts";
import { type Received, startReceivers, until } from "../support/receiver.ts";
import { countsOf, makeAccount, makeEndpoint, openLog, patient, startWorker } from "../support/webhooks.ts";

// One engine will do: what is tested here happens in the process.
test("what attempts tell, and what they do not", async (t) => {
  await using db = await testDb(anyEngine);
  let aheadMs = 0;
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) };
  await using log = await openLog(db, { clock });
  const accountId = await makeAccount(db);
  let n = 0;
  const items = (count: number, symbol: string) =>
    Array.from({ length: count }, () => ({ uniqueId: `guid:c:${n++}`, symbols: [`DEMO:${symbol}`] }));
  const only = (symbol: string) => ({ symbols: [`DEMO:${symbol}`] });
  const delivered = (id: string, count: number) => async () => (await countsOf(db, id)).delivered === count;

  await t.test("a retry whose item cannot be read for a moment is made all the same", async () => {
    const state = { status: 500 };
    await using receivers = await startReceivers({ "/": () => state.status });
    const { id } = await makeEndpoint(db, { accountId, url: receivers.url("/"), filters: only("A") });
    {
      await using worker = await startWorker(db, log.tail, { clock });
      void worker;
      await log.append(...items(1, "A"));
      await until(async () => (await countsOf(db, id)).due === 1, "it has failed");
    }
    state.status = 204;
    // Nothing else makes its worker look at it.
    await sql`update webhook_endpoints set changed_at = now() - interval '1 hour' where id = ${id}`.execute(
      db.main,
    );
    const { tail } = log;
    const { memory } = tail;
    // It is in the table alone.
    memory.forget();
    const page = memory.page.bind(memory);
    let refused = 0;
    memory.page = async () => {
      refused += 1;
      throw new Error("the database is away");
    };
    await using worker = await startWorker(db, tail, { clock });
    void worker;
    // It is tried each time.
    await until(() => refused >= 10, "reading has failed");
    memory.page = page;
    await until(delivered(id, 1), "delivered");
  });

  await t.test("attempts that were not made for want of a socket are made later", async () => {
    const stopped: Attempt = {
      ...{ ok: false, status: null, error: "stopped", ms: 0 },
      ...{ retryAfterMs: null, gone: false, response: null },
    };
    let answer: () => Promise<Attempt> | null = () => null;
    await using worker = await startWorker(db, log.tail, { clock, instead: () => answer() });
    void worker;
    await using receivers = await startReceivers({});
    const { id } = await makeEndpoint(db, { accountId, url: receivers.url("/"), filters: only("B") });
    let refused = 0;
    answer = () => {
      refused += 1;
      return Promise.resolve(stopped);
    };
    await log.append(...items(1, "B"));
    await until(() => refused >= 3, "there is no socket");
    answer = () => null;
    await until(delivered(id, 1), "the next of the log is sent");

    const held: ((attempt: Attempt) => void)[] = [];
    const hold = () => new Promise<Attempt>((resolve) => held.push(resolve));
    const release = () => {
      answer = () => null;
      for (const resolve of held.splice(0)) resolve(stopped);
    };
    answer = hold;
    await log.append(...items(8, "B"));
    await until(() => held.length === 4, "four are under way");
    release();
    aheadMs += 2_000;
    await until(delivered(id, 9), "those with others behind them are sent");

    answer = hold;
    await log.append(...items(8, "B"));
    await until(async () => (await countsOf(db, id)).due >= 4, "those under way hold up nobody");
    release();
    aheadMs += 30_000;
    await until(delivered(id, 17), "they are sent");
    const { matched, failed, due } = await countsOf(db, id);
    assert.deepEqual({ matched, failed, due }, { matched: 17, failed: 0, due: 0 });
    assert.equal(receivers.at("/").length, 17);
  });

  await t.test("one that is asked for again while it is under way is counted once", async () => {
    await using worker = await startWorker(db, log.tail, { clock });
    void worker;
    const gate = Promise.withResolvers<number>();
    let heldSeq = 0;
    const behave = ({ seq }: Received) => {
      if (heldSeq > 0 || receivers.at("/").length === 1) return 204;
      heldSeq = seq;
      return gate.promise;
    };
    await using receivers = await startReceivers({ "/": behave });
    const { id } = await makeEndpoint(db, { accountId, url: receivers.url("/"), filters: only("R") });
    await log.append(...items(1, "R"));
    await until(delivered(id, 1), "it has answered once");
    await log.append(...items(1, "R"));
    await until(() => heldSeq > 0, "the second is under way");
    const held = await new LogReader(log.tail.memory, heldSeq - 1).nextKept();
    assert.ok(held !== null);
    await resendDelivery(db.main, { accountId, id }, { seq: heldSeq, itemId: held.item.id });
    await hasLooked(db);
    gate.resolve(204);
    await until(async () => (await countsOf(db, id)).due === 0, "all is settled");
    await until(delivered(id, 2), "two");
    const { matched } = await countsOf(db, id);
    assert.equal(matched, 2);
  });

  await t.test("a Retry-After holds the whole endpoint, and its stats say until when", async () => {
    await using worker = await startWorker(db, log.tail, { clock });
    void worker;
    const busy = { status: 503, retryAfterS: 3_600 };
    await using receivers = await startReceivers({ "/": (_, before) => (before === 0 ? busy : 204) });
    const limited = await makeEndpoint(db, { accountId, url: receivers.url("/"), filters: only("L") });
    const other = await makeEndpoint(db, { accountId, url: receivers.url("/other"), filters: only("L") });
    await log.append(...items(1, "L"));
    await until(async () => (await countsOf(db, limited.id)).due === 1, "it has been asked to wait");
    await log.append(...items(5, "L"));
    await until(delivered(other.id, 6), "the other gets all");
    await hasLooked(db);
    assert.equal(receivers.at("/").length, 1);
    const stats = await webhookStats(db.main, { accountId, id: limited.id }, "2026-03-02");
    const waitMs = (stats?.pausedUntil?.getTime() ?? 0) - clock.now().getTime();
    assert.ok(waitMs > 3_500_000 && waitMs <= 3_600_000, `${waitMs} ms`);
    aheadMs += 3_601_000;
    await until(delivered(limited.id, 6), "it gets all");
  });

  await t.test("one account's retries that hang leave slots to those of others", async () => {
    await using worker = await startWorker(db, log.tail, { clock });
    void worker;
    const gate = Promise.withResolvers<number>();
    const tried = new Set<string>();
    let hanging = 0;
    const paths = Array.from({ length: 20 }, (_, path) => `/${path}`);
    const behaviour = (path: string) => (received: Received) => {
      if (!tried.has(path + received.id)) {
        tried.add(path + received.id);
        return 500;
      }
      hanging += 1;
      return gate.promise;
    };
    await using receivers = await startReceivers({
      ...Object.fromEntries(paths.map((path) => [path, behaviour(path)])),
      "/other": (_, before) => (before === 0 ? 500 : 204),
    });
    for (const path of paths)
      await makeEndpoint(db, { accountId, url: receivers.url(path), filters: only("S") });
    const filters = only("T");
    const other = await makeEndpoint(db, {
      ...{ accountId: await makeAccount(db), url: receivers.url("/other"), filters },
    });
    await log.append(...items(4, "S"));
    await until(() => hanging >= 16, "retries hang");
    await log.append(...items(1, "T"));
    await until(delivered(other.id, 1), "the other's retry is made", 8_000);
    gate.resolve(204);
  });

  await t.test("what the old URL answers tells nothing of the new one", async () => {
    await using worker = await startWorker(db, log.tail, { clock });
    void worker;
    const gate = Promise.withResolvers<number>();
    await using receivers = await startReceivers({ "/old": () => gate.promise, "/bad": () => 500 });
    const { id } = await makeEndpoint(db, { accountId, url: receivers.url("/old"), filters: only("U") });
    await log.append(...items(1, "U"));
    await until(() => receivers.at("/old").length === 1, "it is under way");
    await updateWebhook(db.main, { accountId, id }, { url: receivers.url("/new") });
    gate.resolve(410);
    await log.append(...items(1, "U"));
    await until(delivered(id, 2), "the new one gets both");
    assert.equal((await countsOf(db, id)).status, "enabled");

    await updateWebhook(db.main, { accountId, id }, { url: receivers.url("/bad") });
    await hasLooked(db);
    await log.append(...items(20, "U"));
    const paused = async () =>
      (await webhookStats(db.main, { accountId, id }, "2026-03-02"))?.pausedUntil ?? null;
    await until(async () => (await paused()) !== null, "it is held off");
    await updateWebhook(db.main, { accountId, id }, { url: receivers.url("/new") });
    await until(delivered(id, 22), "the new one gets all at once");
  });

  await t.test("whoever enables an endpoint that is held off gets deliveries at once", async () => {
    await using worker = await startWorker(db, log.tail, { clock });
    void worker;
    const state = { status: 500 };
    await using receivers = await startReceivers({ "/": () => state.status });
    const { id } = await makeEndpoint(db, { accountId, url: receivers.url("/"), filters: only("E") });
    const found = () =>
      db.main
        .selectFrom("webhook_endpoints")
        .select(["failing_since", "breaker_until"])
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
    await log.append(...items(20, "E"));
    await until(async () => (await found()).breaker_until !== null, "it is held off");
    state.status = 204;
    await updateWebhook(db.main, { accountId, id }, { enabled: true });
    await until(delivered(id, 20), "all");
    assert.deepEqual(await found(), { failing_since: null, breaker_until: null });
  });

  await t.test("what is tried from the log again and again is never told as delivered", async () => {
    const state = { status: 500 };
    await using receivers = await startReceivers({ "/": () => state.status });
    const failing = async (symbol: string) => {
      const url = receivers.url("/");
      const { id } = await makeEndpoint(db, { accountId, url, filters: only(symbol) });
      await holdOff(db, id);
      return id;
    };
    const [jumped, back] = [await failing("W"), await failing("X")];
    const newest = async (id: string) => {
      const page = await pageDeliveries(db.main, id, { beforeSeq: null, limit: 50 });
      return page.find(({ attempts }) => attempts.length > 0);
    };
    await using worker = await startWorker(db, log.tail, { clock, policy: patient });
    void worker;
    await log.append(...items(1, "W"), ...items(1, "X"));
    for (const id of [jumped, back])
      await until(async () => (await newest(id))?.state === "due", "it waits in the log");
    await updateWebhook(db.main, { accountId, id: jumped }, { enabled: false });
    assert.equal((await newest(jumped))?.state, "disabled");
    await updateWebhook(db.main, { accountId, id: jumped }, { enabled: true });
    assert.equal((await newest(jumped))?.state, "disabled");
    state.status = 204;
    aheadMs += 3_600_000;
    await until(async () => (await newest(back))?.state === "delivered", "it is told as delivered");
    assert.deepEqual(
      (await newest(back))?.attempts.map(({ ok }) => ok),
      [false, true],
    );
  });

  await t.test("what got too old while it was tried from the log is told as expired", async () => {
    await using receivers = await startReceivers({ "/": () => 500 });
    const { id } = await makeEndpoint(db, { accountId, url: receivers.url("/"), filters: only("Y") });
    await holdOff(db, id);
    await using worker = await startWorker(db, log.tail, { clock, policy: patient });
    void worker;
    await log.append(...items(1, "Y"));
    const own = async () =>
      (await pageDeliveries(db.main, id, { beforeSeq: null, limit: 50 })).find(
        (row) => row.attempts.length > 0,
      );
    await until(async () => (await own())?.state === "due", "it waits in the log");
    aheadMs += 25 * 3_600_000;
    await until(async () => (await countsOf(db, id)).expired === 1, "too old");
    assert.equal((await own())?.state, "expired");
  });
});

/** As after many failures: next it is tried with one item, and has so many to be tried again that no more are kept. */
async function holdOff(db: Db, id: string): Promise<void> {
  await sql`update webhook_endpoints set breaker_openings = 1, breaker_until = now() - interval '1 hour'
    where id = ${id}`.execute(db.main);
  await sql`
    insert into webhook_exceptions (endpoint_id, seq, item_id, state, trigger, counts, attempts, due_at, first_at)
    select ${id}, -n, ${id}, 'due', 'item', true, 1, now() + interval '30 days', now()
    from generate_series(1, 60) as n`.execute(db.main);
}

/** A change made now has been seen: so has an endpoint made now. */
async function hasLooked(db: Db): Promise<void> {
  const filters = { symbols: ["DEMO:NOBODY"] };
  const accountId = await makeAccount(db);
  const { id } = await makeEndpoint(db, { accountId, url: "http://127.0.0.1:9/", filters });
  const joined = db.main.selectFrom("webhook_endpoints").select("joined").where("id", "=", id);
  await until(async () => (await joined.executeTakeFirst())?.joined === true, "the endpoint has joined");
}
