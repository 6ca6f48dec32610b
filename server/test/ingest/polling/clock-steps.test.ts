import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { takeSlot } from "../../../src/store/intake/hosts.ts";
import { claimSources, registerSources } from "../../../src/store/intake/sources.ts";
import { anyEngine, testDb } from "../../support/db.ts";

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
});
