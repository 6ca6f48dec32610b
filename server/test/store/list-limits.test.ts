import assert from "node:assert/strict";
import { sql } from "kysely";
import { inProcessBus } from "../../src/bus/bus.ts";
import { apiErrorOf } from "../../src/http/wire/error-mapping.ts";
import { ItemTail } from "../../src/itemlog/tail.ts";
import { RecentWindow } from "../../src/itemlog/window.ts";
import { systemClock as clock } from "../../src/runtime/clock.ts";
import { silentLog as log } from "../../src/runtime/log.ts";
import { ItemWriter } from "../../src/store/append/item-writer.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { StoreError } from "../../src/store/engine/errors.ts";
import { pageItems } from "../../src/store/list/list.ts";
import { Partitions } from "../../src/store/log/partitions.ts";
import { onPostgres, testDb } from "../support/db.ts";
import { newItem } from "../support/items.ts";

const overloaded = (reason: StoreError["reason"]) => (error: unknown) => {
  assert.ok(error instanceof StoreError);
  assert.equal(error.reason, reason);
  const { code, headers } = apiErrorOf(error);
  assert.equal(code, "overloaded");
  assert.match(headers["Retry-After"] ?? "", /^[1-9]\d*$/);
  return true;
};

/** A database with one item, whose month can be locked: searches then stand still until it is let go. */
async function lockable() {
  const db = await testDb("postgres");
  const partitions = new Partitions();
  await new ItemWriter(db, partitions).append([
    { items: [newItem({ uniqueId: "guid:one" })], sourceId: null },
  ]);
  const read = (owner?: string) =>
    pageItems(db.list, partitions, {
      filter: { tags: {} },
      after: null,
      limit: 5,
      ...(owner === undefined ? {} : { owner }),
    });
  return { db, partitions, read };
}

/** Runs `work` while nobody else can read the month. */
function whileLocked(db: Db, work: () => Promise<void>): Promise<void> {
  return db.main.transaction().execute(async (tx) => {
    await sql`lock table items_202603 in access exclusive mode`.execute(tx);
    await work();
  });
}

onPostgres(
  "a search that takes over two seconds is given up: overloaded, and the next one is answered",
  async () => {
    const { db, read } = await lockable();
    await using _ = db;
    await whileLocked(db, () => assert.rejects(read(), overloaded("timeout")));
    assert.equal((await read()).docs.length, 1);
  },
);

onPostgres(
  "8 searches run, 64 wait, one more is turned away at once; those that waited are answered",
  async () => {
    const { db, read } = await lockable();
    await using _ = db;
    let answered = 0;
    const admitted: Promise<unknown>[] = [];
    await whileLocked(db, async () => {
      for (let n = 0; n < 72; n++)
        admitted.push(
          read().then(({ docs }) => {
            answered += docs.length;
          }),
        );
      await assert.rejects(read(), overloaded("busy"));
      assert.equal(answered, 0);
    });
    await Promise.all(admitted);
    assert.equal(answered, 72);
    assert.equal((await read()).docs.length, 1);
  },
);

onPostgres("one account takes 3 places and 16 of the queue; another one's search is answered", async () => {
  const { db, read } = await lockable();
  await using _ = db;
  let answered = 0;
  const count = ({ docs }: { docs: readonly string[] }) => {
    answered += docs.length;
  };
  const admitted: Promise<unknown>[] = [];
  await whileLocked(db, async () => {
    for (let n = 0; n < 19; n++) admitted.push(read("greedy").then(count));
    await assert.rejects(read("greedy"), overloaded("busy"));
    for (let n = 0; n < 5; n++) admitted.push(read("modest").then(count));
  });
  await Promise.all(admitted);
  assert.equal(answered, 24);
});

onPostgres("snapshots of streams count as searches of their account", async () => {
  const { db, partitions, read } = await lockable();
  await using _ = db;
  await using tail = await ItemTail.open({ db: db.main, bus: inProcessBus(), log, clock });
  await using window = new RecentWindow(
    { db, partitions, tail, peers: { alone: false }, clock, log },
    { items: 0, bodyBytes: 1 },
  );
  const latest = () => window.latest({ tags: {} }, { behind: null, limit: 5, owner: "greedy" });
  const admitted: Promise<{ last: unknown }>[] = [];
  await whileLocked(db, async () => {
    for (let n = 0; n < 19; n++) admitted.push(latest());
    await assert.rejects(latest(), overloaded("busy"));
    admitted.push(read("modest"));
  });
  assert.equal((await Promise.all(admitted)).length, 20);
});
