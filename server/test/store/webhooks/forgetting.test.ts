import assert from "node:assert/strict";
import { sql } from "kysely";
import { forgetDeliveries } from "../../../src/store/webhooks/forgetting.ts";
import { onBothEngines, testDb } from "../../support/db.ts";
import { makeAccount, makeEndpoint } from "../../support/webhooks.ts";

onBothEngines("of an endpoint's attempts the newest stay, whatever others have", async (_, engine) => {
  await using db = await testDb(engine);
  const accountId = await makeAccount(db);
  const [busy, quiet] = [
    await makeEndpoint(db, { accountId, url: "https://1.1.1.1/busy" }),
    await makeEndpoint(db, { accountId, url: "https://1.1.1.1/quiet" }),
  ];
  for (const [{ id }, count] of [
    [busy, 50],
    [quiet, 20],
  ] as const)
    await sql`
      insert into webhook_attempts (endpoint_id, seq, item_id, attempt, trigger, attempted_at, ok, ms)
      select ${id}, n, gen_random_uuid(), 1, 'replay', now(), false, 1 from generate_series(1, ${count}::int) n`.execute(
      db.main,
    );
  while (await forgetDeliveries(db.main, { keptDays: 7, keptAttempts: 20, most: 7 }));
  const { rows } = await sql<{ id: string; count: number; first: number }>`
    select endpoint_id as id, count(*)::int as count, min(seq)::int as first from webhook_attempts group by 1`.execute(
    db.main,
  );
  assert.deepEqual(rows.map(({ id, count, first }) => [id === busy.id, count, first]).sort(), [
    [false, 20, 1],
    [true, 20, 31],
  ]);
});
