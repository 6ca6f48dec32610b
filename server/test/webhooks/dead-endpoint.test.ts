import assert from "node:assert/strict";
import { sql } from "kysely";
import { systemClock } from "../../src/runtime/clock.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { onAnyEngine, testDb } from "../support/db.ts";
import { isFull } from "../support/full-length.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { countsOf, makeAccount, makeEndpoint, openLog, startWorker } from "../support/webhooks.ts";

const items = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ uniqueId: `guid:dead:${from + n}` }));

/** 50,000 with TAPEWIRE_CHAOS=full. */
const missed = isFull ? { old: 15_000, young: 35_000 } : { old: 300, young: 700 };
const batchItems = 500;

async function appendAll(
  log: { append: (...some: ReturnType<typeof items>) => Promise<void> },
  from: number,
  count: number,
): Promise<void> {
  for (let n = 0; n < count; n += batchItems)
    await log.append(...items(from + n, Math.min(batchItems, count - n)));
}

onAnyEngine(
  "a dead endpoint costs a few rows, and gets later what is not too old, in order",
  async (_, engine) => {
    await using db = await testDb(engine);
    let aheadMs = 0;
    const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) };
    await using log = await openLog(db, { clock });
    const state = { alive: false };
    await using receivers = await startReceivers({ "/dead": () => (state.alive ? 204 : 503) });
    const accountId = await makeAccount(db);
    const dead = await makeEndpoint(db, { accountId, url: receivers.url("/dead") });
    const alive = await makeEndpoint(db, { accountId, url: receivers.url("/alive") });
    const { old, young } = missed;
    {
      await using worker = await startWorker(db, log.tail, { clock });
      void worker;
      await appendAll(log, 0, old);
      await until(async () => (await countsOf(db, alive.id)).delivered === old, "the other gets the first");
      const before = await rowsOf(db, dead.id);
      // A day passes, and the items of before are too old.
      aheadMs += 24 * 3_600_000;
      await appendAll(log, old, young);
      await until(async () => (await countsOf(db, alive.id)).delivered === old + young, "and the rest");
      const { matched, due, dead: given } = await countsOf(db, dead.id);
      assert.equal(matched, old + young, "what it misses is counted");
      assert.ok(due + given < 20, `${due + given} exceptions`);
      assert.ok((await rowsOf(db, dead.id)) - before < 20, "items add no rows");
    }
    // After a restart, too, it is found where it was.
    await using worker = await startWorker(db, log.tail, { clock });
    void worker;
    state.alive = true;
    const from = receivers.at("/dead").length;
    // Its pause is over.
    aheadMs += 3_600_000;
    await until(async () => {
      const { delivered, expired, failed } = await countsOf(db, dead.id);
      return delivered + expired + failed === old + young;
    }, "it has caught up");
    const { delivered, expired, failed, due } = await countsOf(db, dead.id);
    assert.ok(delivered >= young, `${delivered} delivered`);
    assert.ok(expired + failed <= old && expired >= old - 20, `${expired} expired`);
    assert.equal(due, 0);
    const came = [
      ...new Set(
        receivers
          .at("/dead")
          .slice(from)
          .map(({ seq }) => seq),
      ),
    ].filter((seq) => seq > old);
    const tried = new Set(
      receivers
        .at("/dead")
        .slice(0, from)
        .map(({ seq }) => seq),
    );
    const first = came.filter((seq) => !tried.has(seq));
    for (const [at, seq] of first.entries())
      assert.ok(seq - (first[0] ?? 0) - at < 4, `${seq} came too early`);
    assert.ok(came.length + tried.size >= young);
  },
);

async function rowsOf(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select (select count(*) from webhook_exceptions where endpoint_id = ${id})
      + (select count(*) from webhook_attempts where endpoint_id = ${id}) as rows`.execute(db.main);
  return Number(rows[0]?.rows);
}

onAnyEngine("an endpoint that only fails is disabled after the set time, and says why", async (_, engine) => {
  await using db = await testDb(engine);
  let aheadMs = 0;
  const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) };
  await using log = await openLog(db, { clock });
  await using receivers = await startReceivers({ "/": () => 500 });
  const { id } = await makeEndpoint(db, { accountId: await makeAccount(db), url: receivers.url("/") });
  await using worker = await startWorker(db, log.tail, { clock });
  void worker;
  await log.append(...items(0, 1));
  await until(async () => (await countsOf(db, id)).failed === 1, "the first is given up");
  aheadMs = 119 * 3_600_000;
  await log.append(...items(1, 1));
  await until(async () => (await countsOf(db, id)).due === 1, "the second has failed");
  assert.equal((await countsOf(db, id)).status, "enabled");
  aheadMs = 121 * 3_600_000;
  await log.append(...items(2, 1));
  await until(async () => (await countsOf(db, id)).status === "auto_disabled", "it is disabled");
  const tried = receivers.at("/").length;
  await log.append(...items(3, 5));
  const { disabled_reason: reason } = await db.main
    .selectFrom("webhook_endpoints")
    .select("disabled_reason")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  assert.match(reason ?? "", /failing_since/);
  assert.equal(receivers.at("/").length, tried);
});

onAnyEngine(
  "an endpoint that has recovered gets new items while retries wait for hours",
  async (_, engine) => {
    await using db = await testDb(engine);
    await using log = await openLog(db);
    await using receivers = await startReceivers({});
    await log.append(...items(0, 20));
    const { id } = await makeEndpoint(db, { accountId: await makeAccount(db), url: receivers.url("/") });
    // The first is due, and the rest in five hours.
    await sql`
    insert into webhook_exceptions (endpoint_id, seq, item_id, state, trigger, counts, attempts, due_at, first_at)
    select ${id}, seq, id, 'due', 'item', true, 4,
      now() + case when seq = 1 then interval '0' else interval '5 hours' end, now() from item_keys`.execute(
      db.main,
    );
    // Its pause is over: it is probed with one attempt at a time.
    await sql`
    update webhook_endpoints set failing_since = now() - interval '3 hours', breaker_openings = 3,
      breaker_until = now() - interval '1 second'
    where id = ${id}`.execute(db.main);
    await using worker = await startWorker(db, log.tail);
    void worker;
    await log.append(...items(20, 6));
    await until(
      async () => (await countsOf(db, id)).delivered === 7,
      "the first and all new ones are delivered",
    );
    assert.equal((await countsOf(db, id)).due, 19);
  },
);
