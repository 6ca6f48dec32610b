import assert from "node:assert/strict";
import { sql } from "kysely";
import { deliveryIdOf, parseDeliveryId } from "../../src/feed/delivery-id.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { pageDeliveries, webhookStats } from "../../src/store/webhooks/delivery-log.ts";
import {
  mostRecovered,
  recoverDeliveries,
  resendDelivery,
  startReplay,
} from "../../src/store/webhooks/redelivery.ts";
import { updateWebhook } from "../../src/store/webhooks/webhooks.ts";
import { sendTest } from "../../src/webhooks/owner-requests.ts";
import { Sender } from "../../src/webhooks/send/sender.ts";
import { Targets } from "../../src/webhooks/targets.ts";
import { onAnyEngine, testDb } from "../support/db.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { countsOf, makeAccount, makeEndpoint, openLog, secrets, startWorker } from "../support/webhooks.ts";

onAnyEngine("deliveries on demand", async (t, engine) => {
  await using db = await testDb(engine);
  await using log = await openLog(db);
  await using worker = await startWorker(db, log.tail);
  void worker;
  const accountId = await makeAccount(db);
  const day = new Date().toISOString().slice(0, 10);
  let n = 0;
  const items = (count: number, symbol: string) =>
    Array.from({ length: count }, () => ({ uniqueId: `guid:o:${n++}`, symbols: [symbol] }));

  await t.test("one is sent once more by its id, and counted once", async () => {
    await using receivers = await startReceivers({});
    const { id } = await makeEndpoint(db, {
      accountId,
      url: receivers.url("/"),
      filters: { symbols: ["DEMO:A"] },
    });
    await log.append(...items(3, "DEMO:A"));
    await until(async () => (await countsOf(db, id)).delivered === 3, "three");
    const [newest] = await pageDeliveries(db.main, id, { beforeSeq: null, limit: 1 });
    assert.ok(newest !== undefined);
    assert.deepEqual(parseDeliveryId(deliveryIdOf(newest.itemId, newest.seq)), {
      itemId: newest.itemId,
      seq: newest.seq,
    });
    assert.equal(await resendDelivery(db.main, { accountId, id }, newest), "ordered");
    await until(() => receivers.at("/").length === 4, "the fourth");
    await until(async () => (await countsOf(db, id)).due === 0, "it is settled");
    assert.equal(receivers.at("/")[3]?.id, receivers.at("/")[2]?.id);
    assert.equal((await countsOf(db, id)).delivered, 3);
    const other = { accountId: await makeAccount(db), id };
    assert.equal(await resendDelivery(db.main, other, newest), "not_found");
    const unknown = { seq: newest.seq + 1_000, itemId: newest.itemId };
    assert.equal(await resendDelivery(db.main, { accountId, id }, unknown), "unknown_item");
  });

  await t.test("what was given up is recovered, and counts as delivered then", async () => {
    const state = { status: 500 };
    await using receivers = await startReceivers({ "/": () => state.status });
    const { id } = await makeEndpoint(db, {
      accountId,
      url: receivers.url("/"),
      filters: { symbols: ["DEMO:B"] },
    });
    const since = new Date();
    await log.append(...items(1, "DEMO:B"));
    await until(async () => (await countsOf(db, id)).failed === 1, "it is given up");
    const [given] = await pageDeliveries(db.main, id, { beforeSeq: null, limit: 10 });
    assert.equal(given?.state, "failed");
    assert.deepEqual(
      given?.attempts.map(({ attempt, status, ok }) => ({ attempt, status, ok })),
      [1, 2, 3, 4].map((attempt) => ({ attempt, status: 500, ok: false })),
    );
    state.status = 200;
    assert.deepEqual(await recoverDeliveries(db.main, { accountId, id }, new Date()), {
      recovered: 0,
      gone: 0,
    });
    assert.deepEqual(await recoverDeliveries(db.main, { accountId, id }, since), {
      recovered: 1,
      gone: 0,
    });
    await until(async () => (await countsOf(db, id)).delivered === 1, "delivered");
    const stats = await webhookStats(db.main, { accountId, id }, day);
    assert.deepEqual(stats?.total, { matched: 1, delivered: 1, failed: 0, expired: 0 });
    assert.deepEqual(stats?.today, stats?.total);
    assert.deepEqual({ due: stats?.due, dead: stats?.dead }, { due: 0, dead: 0 });
  });

  await t.test(
    "a range of the log is replayed in order, through the filter, and counts nothing",
    async () => {
      await using receivers = await startReceivers({});
      const from = log.tail.head + 1;
      const filters = { symbols: ["DEMO:C"] };
      await log.append(...items(250, "DEMO:C"), ...items(20, "DEMO:D"));
      const { id } = await makeEndpoint(db, { accountId, url: receivers.url("/"), filters });
      const key = { accountId, id };
      assert.equal(await startReplay(db.main, key, { fromSeq: from, toSeq: log.tail.head + 99 }), "ordered");
      assert.equal(await startReplay(db.main, key, { fromSeq: 1, toSeq: 5 }), "replaying");
      await until(async () => (await webhookStats(db.main, key, day))?.replaySeqs === null, "it ends");
      const seqs = receivers.at("/").map(({ seq }) => seq);
      assert.deepEqual(
        seqs,
        Array.from({ length: 250 }, (_, at) => from + at),
      );
      assert.equal((await countsOf(db, id)).matched, 0);
      assert.equal((await countsOf(db, id)).delivered, 0);
      assert.equal(await startReplay(db.main, key, { fromSeq: from, toSeq: from }), "ordered");
      await until(() => receivers.at("/").length === 251, "one more");
      await updateWebhook(db.main, key, { enabled: false });
      assert.equal(await startReplay(db.main, key, { fromSeq: 1, toSeq: 5 }), "disabled");
    },
  );

  await t.test("what was counted as failed, and is replayed, is not counted once more", async () => {
    const state = { status: 500 };
    let replays = 0;
    await using receivers = await startReceivers({
      "/": ({ seq }) => {
        if (state.status === 500 || seq > head) return state.status;
        replays += 1;
        return replays === 1 ? 500 : 204;
      },
    });
    const filters = { symbols: ["DEMO:E"] };
    const { id } = await makeEndpoint(db, { accountId, url: receivers.url("/"), filters });
    const key = { accountId, id };
    const head = log.tail.head + 1;
    await log.append(...items(1, "DEMO:E"));
    await until(async () => (await countsOf(db, id)).failed === 1, "it is given up");
    state.status = 204;
    // After a fifth failure in a row it would be held off.
    await log.append(...items(1, "DEMO:E"));
    await until(async () => (await countsOf(db, id)).delivered === 1, "the next is delivered");
    assert.equal(await startReplay(db.main, key, { fromSeq: head, toSeq: head }), "ordered");
    await until(() => replays === 2, "its retry succeeds");
    await until(async () => (await countsOf(db, id)).due + (await countsOf(db, id)).dead === 0, "settled");
    const { matched, delivered, failed } = await countsOf(db, id);
    assert.deepEqual({ matched, delivered, failed }, { matched: 2, delivered: 1, failed: 1 });
  });

  await t.test("what was given up, and comes by a replay, is delivered", async () => {
    const state = { status: 204 };
    await using receivers = await startReceivers({ "/": () => state.status });
    const filters = { symbols: ["DEMO:R"] };
    const from = log.tail.head + 1;
    // More than are logged at once of those that succeed.
    await log.append(...items(30, "DEMO:R"));
    const { id } = await makeEndpoint(db, { accountId, url: receivers.url("/"), filters });
    state.status = 500;
    await log.append(...items(1, "DEMO:R"));
    await until(async () => (await countsOf(db, id)).failed === 1, "it is given up");
    state.status = 204;
    const range = { fromSeq: from, toSeq: log.tail.head };
    assert.equal(await startReplay(db.main, { accountId, id }, range), "ordered");
    await until(async () => (await countsOf(db, id)).dead === 0, "it is given up no longer");
    const [given] = await pageDeliveries(db.main, id, { beforeSeq: null, limit: 1 });
    assert.deepEqual([given?.seq, given?.state], [range.toSeq, "delivered"]);
    assert.equal((await countsOf(db, id)).failed, 1, "the counts are of what the endpoint got by itself");
  });

  /** Orders a delivery of an endpoint again while an attempt of it waits for its answer, and lets that answer then. */
  async function orderDuring(
    attempt: number,
    { answers, looks }: { answers: readonly number[]; looks: boolean },
  ) {
    const gate = Promise.withResolvers<void>();
    const symbol = `DEMO:G${n}`;
    await using receivers = await startReceivers({
      "/": async (_, before) => {
        if (before + 1 === attempt) await gate.promise;
        return answers[before] ?? 204;
      },
    });
    const { id } = await makeEndpoint(db, {
      accountId,
      url: receivers.url("/"),
      filters: { symbols: [symbol] },
    });
    await log.append(...items(1, symbol));
    const seq = log.tail.head;
    await until(() => receivers.at("/").length >= attempt, "an attempt is in flight");
    const [sent] = receivers.at("/");
    const itemId = parseDeliveryId(sent?.id ?? "")?.itemId ?? "";
    assert.equal(await resendDelivery(db.main, { accountId, id }, { seq, itemId }), "ordered");
    if (looks) await until(() => hears(), "its worker knows of the order");
    gate.resolve();
    await until(() => receivers.at("/").length > attempt, "the ordered one is sent");
    await until(async () => (await countsOf(db, id)).due === 0, "all is settled");
    const { matched, delivered, failed, dead } = await countsOf(db, id);
    return { sent: receivers.at("/").length, matched, delivered, failed, dead };
  }

  /** A change made now has been seen: so has an endpoint made now. */
  async function hears(): Promise<boolean> {
    const filters = { symbols: ["DEMO:NOBODY"] };
    const { id } = await makeEndpoint(db, { accountId, url: "http://127.0.0.1:9/", filters });
    const joined = db.main.selectFrom("webhook_endpoints").select("joined").where("id", "=", id);
    await until(async () => (await joined.executeTakeFirst())?.joined === true, "the endpoint has joined");
    return true;
  }

  for (const looks of [false, true]) {
    const when = looks ? "and is known" : "and is not known yet";
    await t.test(`an order that comes during a retry, ${when}, is carried out after it`, async () => {
      const delivered = { matched: 1, delivered: 1, failed: 0, dead: 0 };
      assert.deepEqual(await orderDuring(2, { answers: [500, 204], looks }), { sent: 3, ...delivered });
      const failed = { matched: 1, delivered: 0, failed: 1, dead: 0 };
      const answers = [500, 500, 500, 500];
      assert.deepEqual(await orderDuring(4, { answers, looks }), { sent: 5, ...failed }, "of the last retry");
    });
  }

  await t.test("an order that comes while another one is carried out is carried out too", async () => {
    const gate = Promise.withResolvers<void>();
    await using receivers = await startReceivers({
      "/": async (_, before) => {
        if (before === 1) await gate.promise;
        return 204;
      },
    });
    const { id } = await makeEndpoint(db, {
      accountId,
      url: receivers.url("/"),
      filters: { symbols: ["DEMO:H"] },
    });
    await log.append(...items(1, "DEMO:H"));
    await until(async () => (await countsOf(db, id)).delivered === 1, "delivered");
    const [given] = await pageDeliveries(db.main, id, { beforeSeq: null, limit: 1 });
    assert.ok(given !== undefined);
    assert.equal(await resendDelivery(db.main, { accountId, id }, given), "ordered");
    await until(() => receivers.at("/").length === 2, "it is in flight");
    assert.equal(await resendDelivery(db.main, { accountId, id }, given), "ordered");
    gate.resolve();
    await until(() => receivers.at("/").length === 3, "it is sent once more");
    await until(async () => (await countsOf(db, id)).due === 0, "all is settled");
    assert.equal((await countsOf(db, id)).delivered, 1);
  });

  await t.test("no more are ordered one by one than recover orders at once", async () => {
    const { id } = await makeEndpoint(db, { accountId, url: "http://127.0.0.1:9/", filters: {} });
    await sql`
      insert into webhook_exceptions (endpoint_id, seq, item_id, state, trigger, counts, attempts, due_at, first_at)
      select ${id}, 1000000 + n, gen_random_uuid(), 'due', 'resend', false, 0, now() + interval '10 hours', now()
      from generate_series(1, ${mostRecovered}::int) n`.execute(db.main);
    const [known] = await db.main.selectFrom("item_keys").select(["id", "seq"]).limit(1).execute();
    assert.ok(known !== undefined);
    const placed = { seq: known.seq, itemId: known.id };
    assert.equal(await resendDelivery(db.main, { accountId, id }, placed), "too_many");
  });

  await t.test("what waits for an endpoint that is disabled is told as disabled", async () => {
    await using receivers = await startReceivers({ "/": () => ({ status: 503, retryAfterS: 60 }) });
    const filters = { symbols: ["DEMO:F"] };
    const { id } = await makeEndpoint(db, { accountId, url: receivers.url("/"), filters });
    await log.append(...items(1, "DEMO:F"));
    await until(async () => (await countsOf(db, id)).due === 1, "it waits");
    await updateWebhook(db.main, { accountId, id }, { enabled: false });
    const [given] = await pageDeliveries(db.main, id, { beforeSeq: null, limit: 1 });
    assert.deepEqual([given?.state, given?.nextAttemptAt], ["disabled", null]);
    assert.equal((await countsOf(db, id)).due, 0);
  });

  await t.test("a test is sent at once, signed, and counts nothing", async () => {
    await using receivers = await startReceivers({ "/": () => 202 });
    const { id } = await makeEndpoint(db, { accountId, url: receivers.url("/") });
    await using sender = new Sender({
      targets: new Targets({ opened: ["127.0.0.0/8"] }),
      clock: systemClock,
    });
    const { secret, url, format } = await db.main
      .selectFrom("webhook_endpoints")
      .select(["secret", "url", "format"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    const attempt = await sendTest({ sender, secrets, clock: systemClock }, { id, url, secret, format });
    assert.equal(attempt.status, 202);
    assert.equal(JSON.parse(receivers.at("/")[0]?.body ?? "{}").type, "webhook.test");
    assert.equal((await countsOf(db, id)).matched, 0);
  });
});
