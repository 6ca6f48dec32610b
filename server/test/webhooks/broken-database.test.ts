import assert from "node:assert/strict";
import { sql } from "kysely";
import { silentLog } from "../../src/runtime/log.ts";
import { type Db, openPostgres } from "../../src/store/engine/db.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
import { startReplay } from "../../src/store/webhooks/redelivery.ts";
import { createDatabase, onPostgres } from "../support/db.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { countsOf, makeAccount, makeEndpoint, openLog, startWorker } from "../support/webhooks.ts";

const batches = 30;
const batchItems = 40;

onPostgres("through broken connections nothing is lost, and nothing counted twice", async () => {
  await using database = await createDatabase();
  await using db = await openPostgres(database.url, silentLog);
  await migrate(db);
  await using workerDb = await openPostgres(`${database.url}?application_name=worker`, silentLog);
  await using log = await openLog(db);
  await using receivers = await startReceivers({});
  const accountId = await makeAccount(db);
  const made: { path: string; id: string }[] = [];
  for (const path of ["/1", "/2", "/3"])
    made.push({ path, ...(await makeEndpoint(db, { accountId, url: receivers.url(path) })) });
  await using worker = await startWorker(workerDb, log.tail, { commitEveryMs: 20 });
  void worker;
  const items = (from: number) =>
    Array.from({ length: batchItems }, (_, n) => ({ uniqueId: `guid:broken:${from + n}` }));
  let cut = 0;
  for (let batch = 0; batch < batches; batch++) {
    await log.append(...items(batch * batchItems));
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'worker' and datname = current_database()`.execute(db.main);
    cut += rows.length;
  }
  assert.ok(cut > 0);
  const all = batches * batchItems;
  for (const { id, path } of made) {
    await until(async () => (await countsOf(db, id)).delivered >= all, `all of ${path}`);
    const { matched, delivered, due } = await countsOf(db, id);
    assert.deepEqual({ matched, delivered, due }, { matched: all, delivered: all, due: 0 });
    assert.equal(receivers.seqsAt(path).length, all);
  }
});

onPostgres("a page of the log that cannot be read ends no worker, and is read again", async () => {
  await using database = await createDatabase();
  await using db = await openPostgres(database.url, silentLog);
  await using tailDb = await openPostgres(`${database.url}?application_name=tail`, silentLog);
  await using receivers = await startReceivers({});
  const accountId = await makeAccount(db);
  const { id } = await makeEndpoint(db, { accountId, url: receivers.url("/") });
  {
    await using log = await openLog(db);
    await log.append(...Array.from({ length: 5 }, (_, n) => ({ uniqueId: `guid:page:${n}` })));
  }
  // It is behind its shard, and a range is to be sent again: both need a page, in the same turn.
  await sql`update webhook_shards set cursor = 5`.execute(db.main);
  await sql`update webhook_endpoints set position = 0, joined = true where id = ${id}`.execute(db.main);
  assert.equal(await startReplay(db.main, { accountId, id }, { fromSeq: 1, toSeq: 5 }), "ordered");
  // The entries are in the table alone.
  await using log = await openLog(tailDb);
  const reading = async () => (await waitingFor(db, "tail")).length;
  const held = Promise.withResolvers<void>();
  const holding = db.main.transaction().execute(async (tx) => {
    await sql`lock table item_bodies in access exclusive mode`.execute(tx);
    await held.promise;
  });
  await using worker = await startWorker(db, log.tail);
  void worker;
  // The tail itself looks for new entries by one read at a time.
  await until(async () => (await reading()) >= 2, "the page is being read");
  for (const pid of await waitingFor(db, "tail"))
    await sql`select pg_terminate_backend(${pid})`.execute(db.main);
  held.resolve();
  await holding;
  await until(() => receivers.at("/").length >= 10, "all are sent, and sent again");
  await until(async () => (await countsOf(db, id)).delivered === 5, "all are delivered");
});

/** The sessions of an application that wait for a lock. */
async function waitingFor(db: Db, application: string): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity
    where application_name = ${application} and datname = current_database() and wait_event_type = 'Lock'`.execute(
    db.main,
  );
  return rows.map(({ pid }) => pid);
}
