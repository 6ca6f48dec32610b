import assert from "node:assert/strict";
import { chmodSync, cpSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { feedList } from "@tapewire/contract/feeds.ts";
import { sql } from "kysely";
import { silentLog } from "../../src/runtime/log.ts";
import { type Db, openDb } from "../../src/store/engine/db.ts";
import { logItemOf } from "../../src/store/log/item-reads.ts";
import { settleLog } from "../../src/store/log/log-position.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
import { databaseCopies } from "../support/database-copies.ts";
import { onBothEngines, onPostgres, seedDataDir, testDb } from "../support/db.ts";
import { startProcess } from "../support/index-process.ts";
import type { Facts } from "../support/items.ts";
import { temporaryFolder } from "../support/process.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { type Service, startService } from "../support/service.ts";
import { connect, connectAgain, notice, notices, titles } from "../support/stream-connect.ts";
import { openLog } from "../support/webhooks.ts";

const titleOf = ({ title }: { title: string }) => title;
const cursorIn = (reason: string) => reason.slice("cursor=".length);

/** The titles that the list shows, in any order. */
async function listed(service: Service, key: string): Promise<(string | null)[]> {
  const answer = await service.get("/v1/feeds?limit=50", key);
  return feedList
    .parse(await answer.json())
    .data.map(({ title }) => title)
    .sort();
}

/** Connections that were cut off are noticed at their next use: what comes first may fail. */
async function answersAgain(service: Service, key: string): Promise<void> {
  const answers = async () => {
    const answer = await service.admin("POST", "/admin/v1/items", []);
    return answer.status === 400 && (await service.get("/v1/feeds?limit=1", key)).ok;
  };
  await until(async () => (await answers()) && (await answers()), "the service answers");
}

onPostgres(
  "a log that lost its end goes on as another: nothing new is skipped, nothing lost is shown",
  async () => {
    await using database = await databaseCopies();
    await using receivers = await startReceivers({});
    const options = { databaseUrl: database.url, webhookAllow: ["127.0.0.0/8"], demo: "off" } as const;
    await using first = await startService("postgres", options);
    await using second = await startService("postgres", options);
    const both = [first, second];
    const { key } = await first.key("enterprise");
    const made = await fetch(`${first.url}/v1/webhooks`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ url: receivers.url("/") }),
    });
    assert.equal(made.status, 201);
    const delivered = () => [...new Set(receivers.at("/").map(({ body }) => JSON.parse(body).data.title))];
    const [kept, lost, anew, live] = [notices(3), notices(4), notices(2), notices(3)];

    await first.push(...kept);
    await until(() => delivered().length === 3, "what is kept is delivered");
    await database.keep();
    for (const service of both) await answersAgain(service, key);
    const clients = [await connect(first, key), await connect(second, key)];
    for (const client of clients) await client.subscribe();
    await second.push(...lost);
    for (const client of clients) assert.deepEqual(titles(await client.feeds(4)), lost.map(titleOf));
    await until(() => delivered().length === 7, "what will be lost is delivered");

    await database.lose();
    await answersAgain(first, key);
    // Under numbers that lost items had.
    await first.push(...anew);
    for (const [at, client] of clients.entries()) {
      const { code, reason } = await client.closed;
      assert.equal(code, 1012);
      await using again = await connectAgain(both[at] ?? first, key);
      const { resumed, reason: why, cursor } = await again.subscribe({ after: cursorIn(reason) });
      assert.deepEqual([resumed, why], [false, "cursor_unknown"]);
      assert.notEqual(cursor.split(".")[0], cursorIn(reason).split(".")[0]);
      const next = live[at] ?? notice();
      await first.push(next);
      assert.deepEqual(titles(await again.feeds(1)), [next.title]);
      const there = [...kept, ...anew, ...live.slice(0, at + 1)].map(titleOf).sort();
      for (const service of both) assert.deepEqual(await listed(service, key), there);
    }
    // Beyond the number of the last lost item.
    await second.push(...live.slice(2));
    await until(() => delivered().length === 12, "what is new is delivered");
    assert.deepEqual(delivered().slice(7).sort(), [...anew, ...live].map(titleOf).sort());
  },
);

onPostgres(
  "a loss while nothing ran is recognised at the start, though its numbers are in use again",
  async () => {
    await using database = await databaseCopies();
    const options = { databaseUrl: database.url };
    let cursor = "";
    let key = "";
    {
      await using service = await startService("postgres", options);
      ({ key } = await service.key("pro"));
      await service.push(...notices(2));
      await database.keep();
      await answersAgain(service, key);
      await using client = await connect(service, key);
      await client.subscribe();
      await service.push(...notices(2));
      cursor = (await client.feeds(2)).at(-1)?.cursor ?? "";
    }
    await database.lose();
    await using service = await startService("postgres", options);
    await service.push(...notices(3));
    await using client = await connect(service, key);
    const { resumed, reason } = await client.subscribe({ after: cursor });
    assert.deepEqual([resumed, reason], [false, "cursor_unknown"]);
  },
);

onPostgres("what comes after a loss is found by its own values, though lost ones had their ids", async () => {
  await using database = await databaseCopies();
  await using db = await openDb({ databaseUrl: database.url, dataDir: "", log: silentLog });
  await migrate(db);
  await using process = await startProcess(db);
  await using index = await process.open({ cacheBytes: 1_000_000, bodyBytes: 1_000_000 });
  await using keeper = process.keep(index, { foldEntries: 4, leastPerSegment: 1, segmentItems: 16 });
  const works = async (work: () => Promise<unknown>) =>
    work().then(
      () => true,
      () => false,
    );
  const folded = async (of: string, facts: (n: number) => Partial<Facts>) => {
    const items = Array.from({ length: 4 }, (_, n) => ({ ...facts(n), uniqueId: `guid:${of}:${n}` }));
    // A connection that was cut off fails once.
    await until(() => works(() => process.append(items)), `${of} items are stored`);
    await until(async () => {
      await works(() => keeper.step());
      const { rows } = await sql`
        select from segment_state, log_head where folded_seq = last_seq`.execute(db.main);
      return rows.length === 1 && index.stats().unfolded === 0;
    }, `${of} items are in segments`);
  };
  await folded("kept", () => ({ symbols: ["DEMO:KEPT"] }));
  await database.keep();
  await folded("lost", (n) => ({ source: `lost ${n}` }));
  await database.lose();
  await folded("new", (n) => ({ symbols: [`DEMO:NEW${n}`] }));
  for (const [at, symbol] of ["NEW0", "NEW1", "NEW2", "NEW3"].entries()) {
    const { docs } = await index.page({ filter: { tags: {}, symbols: [symbol] }, after: null, limit: 9 });
    const found = docs.map((doc) => logItemOf(doc.toString()).item.unique_id);
    assert.deepEqual(found, [`guid:new:${at}`], symbol);
  }
});

onBothEngines(
  "a head that went back, or an entry that is another, makes a new epoch once",
  async (_, engine) => {
    await using db = await testDb(engine);
    await using mine = await openLog(db);
    await using other = await openLog(db);
    const appended = (count: number, of: string) =>
      mine.append(...Array.from({ length: count }, (_, n) => ({ uniqueId: `guid:${of}:${n}` })));
    const both = [mine.tail, other.tail];
    const read = () => Promise.all(both.map((tail) => tail.readOn()));
    const [epochOf, headOf] = [() => both.map(({ epoch }) => epoch), () => both.map(({ head }) => head)];
    await appended(5, "a");
    await read();
    const [begun = ""] = epochOf();
    await sql`delete from item_bodies where id in (select id from item_keys where seq > 3)`.execute(db.main);
    await sql`delete from item_aliases where item_id in (select id from item_keys where seq > 3)`.execute(
      db.main,
    );
    await sql`delete from item_keys where seq > 3`.execute(db.main);
    await sql`update log_head set last_seq = 3`.execute(db.main);
    // The writer is the first to see it.
    await appended(1, "b");
    await read();
    const [back = ""] = epochOf();
    assert.notEqual(back, begun);
    assert.deepEqual(
      [epochOf(), headOf()],
      [
        [back, back],
        [4, 4],
      ],
    );

    await appended(1, "c");
    await read();
    await sql`update item_bodies set doc = replace(doc, 'guid:c:0', 'guid:d:0')`.execute(db.main);
    await read();
    const [anew = ""] = epochOf();
    assert.notEqual(anew, back);
    assert.deepEqual(
      [epochOf(), headOf()],
      [
        [anew, anew],
        [5, 5],
      ],
    );
  },
);

test("a log whose home was told by the change of a file keeps its epoch when it is migrated, once", async () => {
  using folder = temporaryFolder();
  await seedDataDir(folder.path);
  const epoch = async (before: (db: Db) => Promise<unknown> = async () => {}) => {
    await using db = await openDb({ databaseUrl: null, dataDir: folder.path, log: silentLog });
    await before(db);
    await migrate(db);
    return (await settleLog(db.main, null)).epoch;
  };
  const begun = await epoch();
  const file = join(folder.path, "pglite", "PG_VERSION");
  chmodSync(file, 0o600);
  const { ino, ctimeNs } = statSync(file, { bigint: true });
  const put = ({ main }: Db) =>
    sql`update log_head set home = regexp_replace(home, '[^/]*$', ${`${ino}.${ctimeNs}`})`.execute(main);
  const migration = new URL("../../migrations/0027_birth_of_home.sql", import.meta.url);
  const migratesAgain = async (db: Db) => {
    await put(db);
    await sql.raw(readFileSync(migration, "utf8")).execute(db.main);
  };
  assert.equal(await epoch(migratesAgain), begun);
  assert.notEqual(await epoch(put), begun);
});

test("an embedded database whose files were put back is another; one that was stopped is not", async () => {
  using folder = temporaryFolder();
  const dataDir = join(folder.path, "data");
  await seedDataDir(dataDir);
  const epoch = async () => {
    await using db = await openDb({ databaseUrl: null, dataDir, log: silentLog });
    await migrate(db);
    return (await settleLog(db.main, null)).epoch;
  };
  const begun = await epoch();
  // As a container's fsGroup or an operator's chown -R do at each start.
  const made = join(dataDir, "pglite", "PG_VERSION");
  chmodSync(made, statSync(made).mode);
  assert.equal(await epoch(), begun);
  cpSync(dataDir, `${dataDir}.copy`, { recursive: true, preserveTimestamps: true });
  assert.equal(await epoch(), begun);
  rmSync(dataDir, { recursive: true });
  renameSync(`${dataDir}.copy`, dataDir);
  assert.notEqual(await epoch(), begun);
});
