import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "kysely";
import type { Db } from "../../src/store/engine/db.ts";
import { logHead } from "../../src/store/log/item-reads.ts";
import { commitDeliveries, FencedError } from "../../src/store/webhooks/deliveries.ts";
import { takeShards } from "../../src/store/webhooks/shards.ts";
import { anyEngine, type EngineName, onBothEngines, onPostgres, testDb } from "../support/db.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { countsOf, makeAccount, makeEndpoint, openLog, startWorker } from "../support/webhooks.ts";

const items = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ uniqueId: `guid:fence:${from + n}` }));

onBothEngines("a worker whose shards were taken over commits nothing", async (_, engine: EngineName) => {
  await using db = await testDb(engine);
  const zombie = "00000000-0000-4000-8000-000000000001";
  const heir = "00000000-0000-4000-8000-000000000002";
  const { epoch } = await logHead(db.main);
  const held = await takeShards(db.main, { owner: zombie, epoch, held: [], most: 64, leaseMs: 60_000 });
  assert.equal(held.length, 64);
  assert.deepEqual(
    await takeShards(db.main, { owner: heir, epoch, held: [], most: 64, leaseMs: 60_000 }),
    [],
  );
  const accountId = await makeAccount(db);
  const { id } = await makeEndpoint(db, { accountId, url: "http://127.0.0.1:9/" });
  await sql`update webhook_shards set lease_until = clock_timestamp() - interval '1 second' where shard < 32`.execute(
    db.main,
  );
  const taken = await takeShards(db.main, { owner: heir, epoch, held: [], most: 64, leaseMs: 60_000 });
  assert.equal(taken.length, 32);
  const shards = held.map(({ shard, fence }) => ({ shard, fence, cursor: 5 }));
  const progress = {
    ...{
      id,
      run: 0,
      resets: 0,
      position: 5,
      matched: 5,
      delivered: 5,
      failed: 0,
      expired: 0,
      exceptions: new Map(),
    },
    ...{ failingSince: null, answeredAt: null, attempted: true, disabledReason: null },
    ...{ lastStatus: 200, lastError: null, lastAttemptAt: null },
    ...{ replaySeq: null, replayTo: null, breakerOpenings: null, breakerUntil: null },
  };
  const commit = {
    id: randomUUID(),
    owner: zombie,
    epoch,
    day: "2026-03-02",
    shards,
    endpoints: [progress],
    attempts: [],
  };
  await assert.rejects(commitDeliveries(db.main, commit), (error) => {
    assert.ok(error instanceof FencedError);
    assert.deepEqual(
      [...error.lost].sort((a, b) => a - b),
      Array.from({ length: 32 }, (__, n) => n),
    );
    return true;
  });
  assert.equal((await countsOf(db, id)).delivered, 0);
  assert.deepEqual(await cursors(db), [0]);
  const rest = shards.filter(({ shard }) => shard >= 32);
  await commitDeliveries(db.main, { ...commit, shards: rest, endpoints: [] });
  assert.deepEqual(await cursors(db), [0, 5]);
});

onBothEngines(
  "a paused worker that comes back books nothing of what another delivered",
  async (_, engine: EngineName) => {
    await using db = await testDb(engine);
    await using log = await openLog(db);
    await using receivers = await startReceivers({});
    const accountId = await makeAccount(db);
    const made: { id: string }[] = [];
    for (let n = 0; n < 8; n++) made.push(await makeEndpoint(db, { accountId, url: receivers.url(`/${n}`) }));
    const all = (count: number) => async () => {
      for (const { id } of made) if ((await countsOf(db, id)).delivered !== count) return false;
      return true;
    };
    // It looks at its leases once, and never again: to the others it is gone.
    await using zombie = await startWorker(db, log.tail, {
      leaseMs: 4_000,
      lookEveryMs: 3_600_000,
      commitEveryMs: 20,
    });
    void zombie;
    await log.append(...items(0, 20));
    await until(all(20), "the first worker delivers");
    await using heir = await startWorker(db, log.tail, { leaseMs: 60_000, lookEveryMs: 100 });
    void heir;
    await until(
      async () => (await owners(db)).length === 1 && (await shardsOf(db)) === 64,
      "the second takes over",
    );
    await log.append(...items(20, 30));
    await until(all(50), "the second worker delivers");
    for (const { id } of made) assert.equal((await countsOf(db, id)).matched, 50);
    for (const path of made.keys()) assert.equal(receivers.seqsAt(`/${path}`).length, 50);
  },
);

test("shards whose taking the worker never heard of are taken by it again at once", async () => {
  await using db = await testDb(anyEngine);
  const { epoch } = await logHead(db.main);
  const taking = { owner: "00000000-0000-4000-8000-000000000003", epoch, most: 64, leaseMs: 60_000 };
  const unheard = await takeShards(db.main, { ...taking, held: [] });
  const held = unheard.slice(0, 10).map(({ shard }) => shard);
  assert.equal((await takeShards(db.main, { ...taking, held })).length, 54);
});

test("a worker that ends notes what is its own, though another has taken a shard of it", async () => {
  await using db = await testDb(anyEngine);
  await using log = await openLog(db);
  const gate = Promise.withResolvers<number>();
  await using receivers = await startReceivers({ "/": () => gate.promise });
  const accountId = await makeAccount(db);
  const lost = await makeEndpoint(db, { accountId, url: receivers.url("/") });
  const shardOf = (id: string) => Number.parseInt(id.slice(0, 2), 16) % 64;
  let kept = await makeEndpoint(db, { accountId, url: receivers.url("/") });
  while (shardOf(kept.id) === shardOf(lost.id))
    kept = await makeEndpoint(db, { accountId, url: receivers.url("/") });
  const worker = await startWorker(db, log.tail);
  await log.append(...items(0, 1));
  await until(() => receivers.at("/").length >= 2, "both are under way");
  const ending = worker[Symbol.asyncDispose]();
  await sql`update webhook_shards set owner = ${lost.id}, fence = fence + 1 where shard = ${shardOf(lost.id)}`.execute(
    db.main,
  );
  gate.resolve(204);
  await ending;
  assert.deepEqual(
    [(await countsOf(db, lost.id)).delivered, (await countsOf(db, kept.id)).delivered],
    [0, 1],
  );
});

onPostgres("workers share the shards, and one that ends leaves its own to the other", async () => {
  // An embedded database has one process, hence one worker: it takes all leases for ended when it starts.
  await using db = await testDb("postgres");
  await using log = await openLog(db);
  await using receivers = await startReceivers({});
  const accountId = await makeAccount(db);
  const made: { id: string }[] = [];
  for (let n = 0; n < 8; n++) made.push(await makeEndpoint(db, { accountId, url: receivers.url(`/${n}`) }));
  const all = (count: number) => async () => {
    for (const { id } of made) if ((await countsOf(db, id)).delivered !== count) return false;
    return true;
  };
  const options = { leaseMs: 1_500, lookEveryMs: 100 };
  await using one = await startWorker(db, log.tail, options);
  void one;
  await log.append(...items(0, 10));
  await until(all(10), "one delivers");
  {
    await using two = await startWorker(db, log.tail, options);
    void two;
    await until(async () => (await owners(db)).every((shards) => shards === 32), "each has half");
    await log.append(...items(10, 40));
    await until(all(50), "both deliver");
  }
  await log.append(...items(50, 10));
  await until(all(60), "one delivers all again");
  for (const { id } of made) assert.equal((await countsOf(db, id)).matched, 60);
  for (const path of made.keys()) assert.equal(receivers.at(`/${path}`).length, 60, "nothing twice");
});

onPostgres("shards that could not be handed over are handed over in the next round", async () => {
  await using db = await testDb("postgres");
  await using log = await openLog(db);
  // It commits only when it hands over.
  await using one = await startWorker(db, log.tail, { ...quick, commitEveryMs: 3_600_000 });
  void one;
  await until(async () => (await shardsOf(db)) === 64, "one has all");
  await log.append(...items(0, 1));
  const refusing = await refuse(db, "before update of cursor on webhook_shards");
  await using two = await startWorker(db, log.tail, quick);
  void two;
  await until(() => refusing.hasRefused(), "its progress cannot be written");
  assert.deepEqual(await owners(db), [64]);
  await refusing.end();
  await until(async () => (await owners(db)).join() === "32,32", "each has half");
});

onPostgres("an endpoint gets its items after a handover whose end the database refused", async () => {
  await using db = await testDb("postgres");
  await using log = await openLog(db);
  await using receivers = await startReceivers({});
  const made = await makeEndpoints(db, receivers);
  await using one = await startWorker(db, log.tail, quick);
  void one;
  await log.append(...items(0, 10));
  await until(() => haveAll(db, made, 10), "one delivers");
  const refusing = await refuse(db, "before update of owner on webhook_shards", "new.owner is null");
  {
    await using two = await startWorker(db, log.tail, quick);
    void two;
    await until(() => refusing.hasRefused(), "they cannot be released");
    await refusing.end();
    await until(async () => (await owners(db)).join() === "32,32", "each has half");
  }
  await until(async () => (await owners(db)).join() === "64", "one has all again");
  await log.append(...items(10, 10));
  await until(() => haveAll(db, made, 20), "one delivers again");
});

onPostgres("an endpoint gets its items after its shard was lost in a round that failed", async () => {
  await using db = await testDb("postgres");
  await using log = await openLog(db);
  await using receivers = await startReceivers({});
  const made = await makeEndpoints(db, receivers);
  await using worker = await startWorker(db, log.tail, quick);
  void worker;
  await log.append(...items(0, 10));
  await until(() => haveAll(db, made, 10), "it delivers");
  await until(async () => (await cursors(db)).join() === "10", "it has nothing to commit");
  const refusing = await refuse(db, "before insert on webhook_workers");
  await sql`update webhook_shards set owner = gen_random_uuid(), fence = fence + 1, lease_until = clock_timestamp()`.execute(
    db.main,
  );
  await until(() => refusing.hasRefused(), "its round fails");
  await refusing.end();
  await until(async () => (await owners(db)).join() === "64", "it has taken them again");
  await log.append(...items(10, 10));
  await until(() => haveAll(db, made, 20), "it delivers again");
});

const quick = { leaseMs: 1_500, lookEveryMs: 100 };

async function makeEndpoints(db: Db, receivers: { url(path: string): string }): Promise<string[]> {
  const accountId = await makeAccount(db);
  const ids: string[] = [];
  for (let n = 0; n < 8; n++)
    ids.push((await makeEndpoint(db, { accountId, url: receivers.url(`/${n}`) })).id);
  return ids;
}

async function haveAll(db: Db, endpoints: readonly string[], count: number): Promise<boolean> {
  for (const id of endpoints) if ((await countsOf(db, id)).delivered !== count) return false;
  return true;
}

/** Lets the database refuse such statements, until the end. @param on of a trigger, as `before insert on accounts` */
async function refuse(db: Db, on: string, when = "true") {
  await sql`create sequence refused`.execute(db.main);
  // What a sequence has counted stays when the statement fails.
  await sql`create function refuse() returns trigger language plpgsql as $$ begin
    perform nextval('refused'); raise exception 'refused'; end $$`.execute(db.main);
  await sql`create trigger refuse ${sql.raw(on)} for each row when (${sql.raw(when)}) execute function refuse()`.execute(
    db.main,
  );
  return {
    hasRefused: async () => {
      const { rows } = await sql<{ has: boolean }>`select is_called as has from refused`.execute(db.main);
      return rows[0]?.has === true;
    },
    end: async () => {
      await sql`drop function refuse cascade`.execute(db.main);
      await sql`drop sequence refused`.execute(db.main);
    },
  };
}

async function cursors(db: Db): Promise<number[]> {
  const { rows } = await sql<{
    cursor: number;
  }>`select distinct cursor from webhook_shards order by 1`.execute(db.main);
  return rows.map(({ cursor }) => cursor);
}

/** How many shards each owner has. */
async function owners(db: Db): Promise<number[]> {
  const { rows } = await sql<{ shards: number }>`
    select count(*)::int as shards from webhook_shards where owner is not null and lease_until > clock_timestamp()
    group by owner`.execute(db.main);
  return rows.map(({ shards }) => shards);
}

async function shardsOf(db: Db): Promise<number> {
  return (await owners(db)).reduce((sum, shards) => sum + shards, 0);
}
