import assert from "node:assert/strict";
import { sql } from "kysely";
import { apiErrorOf } from "../../src/http/wire/error-mapping.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { StoreError } from "../../src/store/engine/errors.ts";
import { onPostgres, testDb } from "../support/db.ts";
import { startProcess } from "../support/index-process.ts";

const overloaded = (reason: StoreError["reason"]) => (error: unknown) => {
  assert.ok(error instanceof StoreError);
  assert.equal(error.reason, reason);
  const { code, headers } = apiErrorOf(error);
  assert.equal(code, "overloaded");
  assert.match(headers["Retry-After"] ?? "", /^[1-9]\d*$/);
  return true;
};

/** A database whose segments can be locked: searches then stand still until they are let go. */
async function lockable() {
  await using stack = new AsyncDisposableStack();
  const db = stack.use(await testDb("postgres"));
  const process = stack.use(await startProcess(db));
  const index = stack.use(await process.open({ cacheBytes: 1, bodyBytes: 1_000_000 }));
  await process.append([{ uniqueId: "guid:one" }]);
  {
    await using keeper = process.keep(index, { foldEntries: 1, leastPerSegment: 1, segmentItems: 10 });
    while (index.stats().segments === 0) await keeper.step();
  }
  const read = (owner?: string) =>
    index.page({ filter: { tags: {} }, after: null, limit: 5, ...(owner === undefined ? {} : { owner }) });
  const owned = stack.move();
  return { db, index, read, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Runs `work` while nobody else can read segments. */
function whileLocked(db: Db, work: () => Promise<void>): Promise<void> {
  return db.main.transaction().execute(async (tx) => {
    await sql`lock table segments in access exclusive mode`.execute(tx);
    await work();
  });
}

onPostgres(
  "a search that takes over two seconds is given up: overloaded, and the next one is answered",
  async () => {
    await using held = await lockable();
    const { db, read } = held;
    await whileLocked(db, () => assert.rejects(read(), overloaded("timeout")));
    assert.equal((await read()).docs.length, 1);
  },
);

onPostgres(
  "8 searches run, 64 wait, one more is turned away at once; those that waited are answered",
  async () => {
    await using held = await lockable();
    const { db, read } = held;
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
  await using held = await lockable();
  const { db, read } = held;
  let answered = 0;
  const count = ({ docs }: { docs: readonly unknown[] }) => {
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
  await using held = await lockable();
  const { db, index, read } = held;
  const latest = () => index.latest({ tags: {} }, { behind: null, limit: 5, owner: "greedy" });
  const admitted: Promise<{ last: unknown }>[] = [];
  await whileLocked(db, async () => {
    for (let n = 0; n < 19; n++) admitted.push(latest());
    await assert.rejects(latest(), overloaded("busy"));
    admitted.push(read("modest"));
  });
  assert.equal((await Promise.all(admitted)).length, 20);
});
