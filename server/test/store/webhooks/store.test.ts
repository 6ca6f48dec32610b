import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { silentLog } from "../../../src/runtime/log.ts";
import { type Db, openPostgres } from "../../../src/store/engine/db.ts";
import { migrate } from "../../../src/store/schema/migrate.ts";
import { wasCommitted } from "../../../src/store/webhooks/deliveries.ts";
import { pageDeliveries } from "../../../src/store/webhooks/delivery-log.ts";
import { mostRecovered, recoverDeliveries } from "../../../src/store/webhooks/redelivery.ts";
import { workerSeen } from "../../../src/store/webhooks/shards.ts";
import { deleteWebhook } from "../../../src/store/webhooks/webhooks.ts";
import { createDatabase, type EngineName, onBothEngines, onPostgres, testDb } from "../../support/db.ts";
import { until } from "../../support/receiver.ts";
import { makeAccount, makeEndpoint, openLog, startWorker } from "../../support/webhooks.ts";

const url = "http://127.0.0.1:9/";

onBothEngines("what is kept of deliveries", async (t, engine: EngineName) => {
  await using db = await testDb(engine);
  const accountId = await makeAccount(db);

  await t.test("of many attempts the last twenty are shown, oldest first", async () => {
    const { id } = await makeEndpoint(db, { accountId, url });
    await attempts(db, id, { count: 25, ageDays: 0 });
    const [row] = await pageDeliveries(db.main, id, { beforeSeq: null, limit: 1 });
    assert.deepEqual(
      row?.attempts.map(({ attempt }) => attempt),
      Array.from({ length: 20 }, (_, n) => n + 6),
    );
  });

  await t.test("a worker that was starved between two statements counts itself", async () => {
    assert.equal(await workerSeen(db.main, randomUUID(), 0), 1);
  });

  await t.test("recover brings the oldest first, and no more than may be due at a time", async () => {
    const { id } = await makeEndpoint(db, { accountId, url });
    const since = new Date(0);
    await using log = await openLog(db);
    await log.append({ uniqueId: "guid:kept" });
    const [item] = await db.main.selectFrom("item_keys").select("id").limit(1).execute();
    const itemId = item?.id ?? "";
    await exceptions(db, id, { itemId, state: "dead", from: 1, to: 500 });
    assert.deepEqual(await recoverDeliveries(db.main, { accountId, id }, since), {
      recovered: 500,
      gone: 0,
    });
    const { rows } = await sql<{ seq: number }>`
      select seq from webhook_exceptions where endpoint_id = ${id} and state = 'due' order by due_at`.execute(
      db.main,
    );
    assert.deepEqual(
      rows.map(({ seq }) => seq),
      Array.from({ length: 500 }, (_, n) => n + 1),
    );
    await exceptions(db, id, { itemId, state: "due", from: 1_001, to: mostRecovered + 490 });
    await exceptions(db, id, { itemId, state: "dead", from: 20_001, to: 20_050 });
    assert.deepEqual(await recoverDeliveries(db.main, { accountId, id }, since), {
      recovered: 10,
      gone: 0,
    });
    assert.deepEqual(await recoverDeliveries(db.main, { accountId, id }, since), {
      recovered: 0,
      gone: 0,
    });
  });

  await t.test("what is old, or of an endpoint that is deleted, is forgotten whole", async () => {
    const { id } = await makeEndpoint(db, { accountId, url });
    await attempts(db, id, { count: 10_500, ageDays: 8 });
    await attempts(db, id, { count: 3, ageDays: 6 });
    const deleted = await makeEndpoint(db, { accountId, url });
    await attempts(db, deleted.id, { count: 1_500, ageDays: 0 });
    await exceptions(db, deleted.id, { state: "due", from: 1, to: 5 });
    await deleteWebhook(db.main, { accountId, id: deleted.id });
    const left = async (table: string, of: string) => {
      const { rows } = await sql<{ rows: number }>`
        select count(*)::int as rows from ${sql.table(table)} where endpoint_id = ${of}`.execute(db.main);
      return rows[0]?.rows;
    };
    await using log = await openLog(db);
    await using worker = await startWorker(db, log.tail);
    void worker;
    await until(async () => (await left("webhook_attempts", id)) === 3, "what is old is forgotten");
    await until(async () => (await left("webhook_attempts", deleted.id)) === 0, "and what is of the deleted");
    assert.equal(await left("webhook_exceptions", deleted.id), 0);
  });
});

onPostgres("a commit that is still being stored is waited for", async () => {
  await using database = await createDatabase();
  await using db = await openPostgres(database.url, silentLog);
  await migrate(db);
  const id = randomUUID();
  const answers: boolean[] = [];
  const isWaiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      db.main,
    );
    return rows.length > 0;
  };
  await db.main.transaction().execute(async (tx) => {
    await sql`update webhook_shards set last_commit = ${id} where shard in (3, 4)`.execute(tx);
    void wasCommitted(db.main, id, [3, 4, 5]).then((answer) => answers.push(answer));
    await until(async () => answers.length > 0 || (await isWaiting()), "it waits");
  });
  await until(() => answers.length > 0, "it answers");
  assert.deepEqual(answers, [true]);
  assert.equal(await wasCommitted(db.main, randomUUID(), [3, 4, 5]), false);
});

/** Failed attempts at the entry 1. */
async function attempts(
  db: Db,
  id: string,
  { count, ageDays }: { count: number; ageDays: number },
): Promise<void> {
  await sql`
    insert into webhook_attempts (endpoint_id, seq, item_id, attempt, trigger, attempted_at, ok, ms)
    select ${id}, 1, ${id}, n, 'item', now() - ${ageDays}::int * interval '1 day', false, 1
    from generate_series(1, ${count}::int) as n`.execute(db.main);
}

/** The last ones first, as the table may well hold them. */
async function exceptions(
  db: Db,
  id: string,
  { itemId = id, state, from, to }: { itemId?: string; state: string; from: number; to: number },
): Promise<void> {
  await sql`
    insert into webhook_exceptions (endpoint_id, seq, item_id, state, trigger, counts, attempts, due_at, first_at)
    select ${id}, seq, ${itemId}, ${state}, 'item', true, 1, now(), now()
    from generate_series(${from}::int, ${to}::int) as seq order by seq desc`.execute(db.main);
}
