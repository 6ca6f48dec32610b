import assert from "node:assert/strict";
import { filterOfSubscription } from "@tapewire/contract/filter.ts";
import { matches } from "../../src/feed/filter.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { itemsAfter } from "../../src/store/log/item-reads.ts";
import { pageDeliveries } from "../../src/store/webhooks/delivery-log.ts";
import { deleteWebhook, updateWebhook } from "../../src/store/webhooks/webhooks.ts";
import { type EngineName, onBothEngines, testDb } from "../support/db.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { countsOf, makeAccount, makeEndpoint, openLog, startWorker } from "../support/webhooks.ts";

onBothEngines("endpoints and deliveries", async (t, engine: EngineName) => {
  await using db = await testDb(engine);
  await using log = await openLog(db);
  await using worker = await startWorker(db, log.tail);
  void worker;
  let n = 0;
  const items = (count: number, symbol = "DEMO:AAA") =>
    Array.from({ length: count }, () => ({ uniqueId: `guid:t:${n++}`, symbols: [symbol] }));

  await t.test("each gets what its filter lets through, once and in order, signed", async () => {
    await using receivers = await startReceivers({});
    const accountId = await makeAccount(db);
    const all = await makeEndpoint(db, { accountId, url: receivers.url("/all") });
    const some = await makeEndpoint(db, {
      accountId,
      url: receivers.url("/some"),
      filters: { symbols: ["DEMO:BBB"] },
    });
    const from = log.tail.head;
    await log.append(...items(30), ...items(10, "DEMO:BBB"));
    await log.append(...items(3, "DEMO:BBB"));
    await until(async () => (await countsOf(db, all.id)).delivered === 43, "43 delivered");
    await until(async () => (await countsOf(db, some.id)).delivered === 13, "13 delivered");
    const entries = await itemsAfter(db.main, from, 100);
    const filter = filterOfSubscription({ symbols: ["DEMO:BBB"] });
    const owed = entries.filter(({ item }) => matches(item, filter)).map(({ seq }) => seq);
    assertInOrder(
      receivers.at("/all").map(({ seq }) => seq),
      entries.map(({ seq }) => seq),
    );
    assertInOrder(
      receivers.at("/some").map(({ seq }) => seq),
      owed,
    );
    assert.deepEqual(await counted(db, all.id), { matched: 43, delivered: 43, due: 0 });
    assert.deepEqual(await counted(db, some.id), { matched: 13, delivered: 13, due: 0 });
  });

  await t.test("a failure is tried again with the same id, then delivered or given up", async () => {
    await using receivers = await startReceivers({
      "/twice": (_, before) => (before < 1 ? 500 : 204),
      "/never": () => 500,
    });
    const accountId = await makeAccount(db);
    const twice = await makeEndpoint(db, { accountId, url: receivers.url("/twice") });
    const never = await makeEndpoint(db, { accountId, url: receivers.url("/never") });
    await log.append(...items(1));
    await until(async () => (await countsOf(db, twice.id)).delivered === 1, "delivered");
    await until(async () => (await countsOf(db, never.id)).failed === 1, "given up");
    assert.equal(new Set(receivers.at("/twice").map(({ id }) => id)).size, 1);
    assert.equal(receivers.at("/twice").length, 2);
    assert.equal(receivers.at("/never").length, 4, "the first, and one for each delay");
    assert.deepEqual(await countsOf(db, never.id), {
      ...{ matched: 1, delivered: 0, failed: 1, expired: 0, due: 0, dead: 1, status: "enabled" },
    });
  });

  await t.test(
    "disabled it gets nothing, enabled again it begins at the head, deleted it is gone",
    async () => {
      await using receivers = await startReceivers({});
      const accountId = await makeAccount(db);
      const { id } = await makeEndpoint(db, { accountId, url: receivers.url("/") });
      const delivered = (count: number) => async () => (await countsOf(db, id)).delivered === count;
      await log.append(...items(2));
      await until(delivered(2), "two");
      await updateWebhook(db.main, { accountId, id }, { enabled: false });
      await until(() => hears(db), "the worker has looked");
      await log.append(...items(3));
      await updateWebhook(db.main, { accountId, id }, { enabled: true });
      await log.append(...items(4));
      await until(delivered(6), "two and four");
      assert.equal((await countsOf(db, id)).matched, 6);
      await deleteWebhook(db.main, { accountId, id });
      await until(() => hears(db), "the worker has looked");
      await log.append(...items(3));
      await until(() => hears(db), "the worker has looked");
      assert.equal(receivers.at("/").length, 6);
    },
  );

  await t.test("410 disables it at once, and says why", async () => {
    await using receivers = await startReceivers({ "/": () => 410 });
    const accountId = await makeAccount(db);
    const { id } = await makeEndpoint(db, { accountId, url: receivers.url("/") });
    await log.append(...items(1));
    await until(async () => (await countsOf(db, id)).status === "auto_disabled", "disabled");
    await log.append(...items(3));
    await until(() => hears(db), "the worker has looked");
    assert.equal(receivers.at("/").length, 1);
    const [given] = await pageDeliveries(db.main, id, { beforeSeq: null, limit: 1 });
    assert.equal(given?.state, "disabled", "what would be tried again is given up with it");
  });

  await t.test("the free plan: locked, at most its cap a day, blind to filters by score", async () => {
    await using receivers = await startReceivers({});
    const accountId = await makeAccount(db, "free");
    const capped = await makeEndpoint(db, { accountId, url: receivers.url("/capped") });
    const blind = await makeEndpoint(db, {
      accountId,
      url: receivers.url("/blind"),
      filters: { actionability: false },
    });
    await log.append(...items(60));
    await until(async () => (await countsOf(db, capped.id)).delivered === 50, "the cap");
    await until(async () => (await countsOf(db, capped.id)).matched === 60, "all matched");
    await until(() => hears(db), "the worker has looked");
    assert.equal(receivers.at("/capped").length, 50);
    assert.equal(receivers.at("/blind").length, 0);
    assert.equal((await countsOf(db, blind.id)).matched, 0);
    const { data } = JSON.parse(receivers.at("/capped")[0]?.body ?? "{}");
    assert.equal(data.scoring.locked, true);
    assert.equal(data.scoring.sentiment_score, null);
  });

  /** A change made now has been seen: so has an endpoint made now. */
  async function hears(on: Db): Promise<boolean> {
    const filters = { symbols: ["DEMO:NOBODY"] };
    const { id } = await makeEndpoint(on, {
      accountId: await makeAccount(on),
      url: "http://127.0.0.1:9/",
      filters,
    });
    const joined = on.main.selectFrom("webhook_endpoints").select("joined").where("id", "=", id);
    await until(async () => (await joined.executeTakeFirst())?.joined === true, "the endpoint has joined");
    return true;
  }
});

/** Each once; as four are under way at a time, none comes before one that is four or more places earlier. */
function assertInOrder(got: readonly number[], owed: readonly number[]): void {
  assert.deepEqual(
    got.toSorted((a, b) => a - b),
    owed,
  );
  for (const [place, seq] of got.entries()) assert.ok(owed.indexOf(seq) - place < 4, `${seq} came too early`);
}

async function counted(db: Db, id: string) {
  const { matched, delivered, due } = await countsOf(db, id);
  return { matched, delivered, due };
}
