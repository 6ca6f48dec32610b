import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { sql } from "kysely";
import { beginCall } from "../../src/store/accounts/idempotent-calls.ts";
import { gatewaySeen, openStreams, takeSlots } from "../../src/store/accounts/stream-slots.ts";
import { areOthersSeen, processSeen } from "../../src/store/log/processes.ts";
import { holdSegments } from "../../src/store/segments/state.ts";
import { shardCount, takeShards, workerSeen } from "../../src/store/webhooks/shards.ts";
import { anyEngine, testDb } from "../support/db.ts";
import { makeAccount } from "../support/webhooks.ts";

/** As if the clock of the database had been a day ahead when these were written, and was put back. */
describe("what a process left that ended while the clock was ahead does not last until the clock is there again", () => {
  const [gone, alive] = [randomUUID(), randomUUID()];
  const day = sql`interval '1 day'`;

  test("streams", async () => {
    await using db = await testDb(anyEngine);
    const accountId = await makeAccount(db);
    await gatewaySeen(db.main, gone);
    assert.equal(await takeSlots(db.main, { accountId, gateway: gone, most: 1, wanted: 1 }), 1);
    await sql`update gateways set seen_at = seen_at + ${day}`.execute(db.main);
    await gatewaySeen(db.main, alive);
    assert.equal(await openStreams(db.main, accountId), 1, "it may live");
    await sql`update gateways set seen_at = seen_at - interval '11 s'`.execute(db.main);
    await gatewaySeen(db.main, alive);
    assert.equal(await openStreams(db.main, accountId), 0);
  });

  test("shards of webhooks, and the part of their worker", async () => {
    await using db = await testDb(anyEngine);
    const { rows } = await sql<{ epoch: string }>`select epoch from log_head`.execute(db.main);
    const lease = { epoch: rows[0]?.epoch ?? "", held: [], most: shardCount, leaseMs: 15_000 };
    await workerSeen(db.main, gone, 15_000);
    assert.equal((await takeShards(db.main, { ...lease, owner: gone })).length, shardCount);
    assert.equal((await takeShards(db.main, { ...lease, owner: alive })).length, 0);
    await sql`update webhook_workers set seen_at = seen_at + ${day}`.execute(db.main);
    await sql`update webhook_shards set lease_until = lease_until + ${day}`.execute(db.main);
    assert.equal((await takeShards(db.main, { ...lease, owner: alive })).length, shardCount);
    assert.equal(await workerSeen(db.main, alive, 15_000), 2, "it may live");
    await sql`update webhook_workers set seen_at = seen_at - interval '16 s'`.execute(db.main);
    assert.equal(await workerSeen(db.main, alive, 15_000), 1);
  });

  test("its sign of life", async () => {
    await using db = await testDb(anyEngine);
    await processSeen(db.main, gone);
    await sql`update processes set seen_at = seen_at + ${day}`.execute(db.main);
    await processSeen(db.main, alive);
    assert.ok(await areOthersSeen(db.main, alive), "it may live");
    await sql`update processes set seen_at = seen_at - interval '61 s'`.execute(db.main);
    await processSeen(db.main, alive);
    assert.ok(!(await areOthersSeen(db.main, alive)));
  });

  test("its lease of the segments", async () => {
    await using db = await testDb(anyEngine);
    assert.ok(await holdSegments(db.main, gone));
    assert.ok(!(await holdSegments(db.main, alive)));
    await sql`update segment_state set lease_until = lease_until + ${day}`.execute(db.main);
    assert.ok(await holdSegments(db.main, alive));
  });

  test("a call that it had begun under a key", async () => {
    await using db = await testDb(anyEngine);
    const call = { accountId: await makeAccount(db), key: "once", requestHash: "a" };
    assert.deepEqual(await beginCall(db.main, call), { state: "first" });
    assert.deepEqual(await beginCall(db.main, call), { state: "running" });
    await sql`update idempotent_calls set called_at = called_at + ${day}`.execute(db.main);
    assert.deepEqual(await beginCall(db.main, call), { state: "first" });
  });
});
