import assert from "node:assert/strict";
import { sql } from "kysely";
import { silentLog } from "../../../../src/runtime/log.ts";
import { openPostgres } from "../../../../src/store/engine/db.ts";
import { type Service, startService } from "../../../support/service.ts";
import { type Client, client, plans, url } from "./client.ts";

/** What only a second look into the tables shows. */
export async function inTheDatabase(mine: Client, databaseUrl: string): Promise<void> {
  await using db = await openPostgres(databaseUrl, silentLog);
  const made = await mine.create({ url }, { "idempotency-key": "in-the-database" });
  const bytes = Buffer.from(made.secret.slice("whsec_".length), "base64");
  const kept = await sql<{ text: string }>`
    select row_to_json(e)::text as text from webhook_endpoints e
    union all select row_to_json(c)::text from idempotent_calls c
    union all select row_to_json(s)::text from settings s`.execute(db.main);
  const all = kept.rows.map(({ text }) => text).join("\n");
  assert.ok(all.includes(made.id));
  for (const shape of [made.secret, Buffer.from(made.secret).toString("hex"), bytes.toString("hex")])
    assert.ok(!all.includes(shape), "a signing secret lies open in the database");

  await sql`
    update webhook_endpoints set status = 'auto_disabled', disabled_reason = 'answers 410', failing_since = now(),
      matched_total = 5, matched_today = 3, counted_on = (now() at time zone 'utc')::date - 1
    where id = ${made.id}`.execute(db.main);
  const ended = await mine.read(made.id);
  assert.deepEqual(
    [ended.enabled, ended.status, ended.disabled_reason, ended.matched_total, ended.matched_today],
    [false, "auto_disabled", "answers 410", 5, 0],
  );
  assert.ok(ended.failing_since !== null);
  const described = await mine.update(made.id, { description: "x" });
  assert.equal(described.status, "auto_disabled");
  const revived = await mine.update(made.id, { enabled: true });
  assert.deepEqual(
    [revived.enabled, revived.status, revived.disabled_reason, revived.failing_since],
    [true, "enabled", null, null],
  );
}

export async function limitOverProcesses(first: Service): Promise<void> {
  const { databaseUrl, plansFile, secret } = first.config;
  await using second = await startService("postgres", { databaseUrl, plansFile, secret });
  const { key } = await first.key("quant");
  const limit = plans.quant.webhook_endpoints;
  const [here, there] = [client(first, key), client(second, key)];
  const creations = Array.from({ length: 100 }, (_, index) => ({ url: `${url}/${index}` })).flatMap(
    (body) => [here.call("POST", "", body), there.call("POST", "", body)],
  );
  const answers = await Promise.all(creations);
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 201).length, limit);
  assert.equal(statuses.filter((status) => status === 403).length, 200 - limit);
  const [shown, alsoShown] = [await here.list(), await there.list()];
  assert.deepEqual(shown, alsoShown);
  assert.equal(shown.length, limit);
  const id = shown[0]?.id ?? "";
  assert.deepEqual(await here.read(id), await there.read(id));
}
