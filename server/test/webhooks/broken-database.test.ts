import assert from "node:assert/strict";
import { sql } from "kysely";
import { silentLog } from "../../src/runtime/log.ts";
import { openPostgres } from "../../src/store/engine/db.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
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
