import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { quietHost, quietHosts, takeSlot, takeStrangersSlot } from "../../../src/store/intake/hosts.ts";
import {
  claimDocument,
  postponeDocument,
  tidyDocuments,
} from "../../../src/store/intake/pending-documents.ts";
import { claimSources, registerSources } from "../../../src/store/intake/sources.ts";
import { anyEngine, testDb } from "../../support/db.ts";
import { openLog } from "../../support/webhooks.ts";

test("after a clock that was put back by a day sources are polled, and hosts asked, at once", async () => {
  await using db = await testDb(anyEngine);
  const sources = ["ahead", "polled"];
  await registerSources(db.main, sources);
  await sql`update sources set next_poll_at = now() + interval '1 h', last_poll_at = now()`.execute(db.main);
  const claim = { sources, limit: 9, leaseMs: 60_000 };
  assert.deepEqual(await claimSources(db.main, claim), []);
  await sql`
    update sources set next_poll_at = now() + interval '25 h', last_poll_at = now() + interval '1 day'
    where id = 'ahead'`.execute(db.main);
  assert.deepEqual(
    (await claimSources(db.main, claim)).map(({ id }) => id),
    ["ahead"],
  );

  assert.deepEqual(await claimSources(db.main, claim), [], "it is leased");
  await sql`update sources set lease_until = lease_until + interval '1 day' where id = 'ahead'`.execute(
    db.main,
  );
  assert.equal((await claimSources(db.main, claim)).length, 1, "its process ended while the clock was ahead");

  await sql`insert into hosts (host, next_at) values ('a.example', now() + interval '1 day')`.execute(
    db.main,
  );
  assert.equal((await takeSlot(db.main, "a.example", 200)).waitMs, 0);
  assert.ok((await takeSlot(db.main, "a.example", 200)).waitMs > 0, "the pace holds again");
  const later = sql`now() + interval '3 days'`;
  await sql`
    insert into hosts (host, next_at, quiet_until, strangers_next_at, strangers_quiet_until)
    values ('b.example', now(), ${later}, now(), now()), ('c.example', ${later}, ${later}, ${later}, ${later})`.execute(
    db.main,
  );
  assert.deepEqual(await quietHosts(db.main), new Map(), "a host is believed up to a day");
  assert.equal((await takeSlot(db.main, "b.example", 200)).quietMs, 0);
  assert.equal(await takeStrangersSlot(db.main, "c.example", 200), null);
  await quietHost(db.main, "b.example", 5_000, "all");
  const { quietMs } = await takeSlot(db.main, "b.example", 200);
  assert.ok(quietMs > 0 && quietMs <= 5_000, `${quietMs}`);
});

test("after a clock that was put back documents are read that were leased, or postponed, until then", async () => {
  await using db = await testDb(anyEngine);
  await using log = await openLog(db);
  await log.append({ uniqueId: "guid:leased" }, { uniqueId: "guid:postponed" });
  await sql`
    insert into pending_documents (item_id, source_id, class, raw, due_at)
    select id, 'filings', 0, '{}', now() from item_keys`.execute(db.main);
  const claim = () => claimDocument(db.main, { sources: ["filings"], each: 2, leaseMs: 90_000 });
  const [postponed, leased] = [await claim(), await claim()];
  assert.ok(postponed !== null && leased !== null);
  await postponeDocument(db.main, postponed, { delayMs: 86_400_000, counts: true });
  assert.equal(await claim(), null);
  const ahead = sql`interval '2 days'`;
  await sql`update pending_documents set due_at = due_at + ${ahead}, lease_until = lease_until + ${ahead}`.execute(
    db.main,
  );
  await tidyDocuments(db.main, 60);
  assert.ok((await claim()) !== null && (await claim()) !== null);
});
