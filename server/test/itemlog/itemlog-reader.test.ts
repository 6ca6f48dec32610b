import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { LogItem } from "../../src/feed/item.ts";
import { LogMemory } from "../../src/itemlog/memory.ts";
import { LogReader } from "../../src/itemlog/reader.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { readLog } from "../../src/store/log/item-reads.ts";
import { beginEpoch } from "../../src/store/log/log-position.ts";
import { onBothEngines, testDb } from "../support/db.ts";
import { newItem } from "../support/items.ts";
import { openLog } from "../support/webhooks.ts";

const pageItems = 200;
const { item } = newItem({ uniqueId: "guid:entry" });
const logItem = (seq: number): LogItem => ({ seq, item: { ...item, seq }, doc: "" });
const facts = (count: number, of: string) =>
  Array.from({ length: count }, (_, n) => ({ uniqueId: `guid:${of}:${n}` }));
const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

/** The memory of a log that was not read yet, and the statements that are sent for it. */
async function coldMemory(db: Db) {
  const { epoch, head } = await readLog(db.main, 0, 1);
  const statements: number[] = [];
  const memory = new LogMemory({ epoch, seq: head }, (afterSeq, limit) => {
    statements.push(afterSeq);
    return readLog(db.main, afterSeq, limit);
  });
  return { memory, statements };
}

/** The seq that a reader takes up to a position, some at a time; an entry that is not kept counts as null. */
async function taken(reader: LogReader, to: number, atOnce = 37): Promise<(number | null)[]> {
  const found: (number | null)[] = [];
  while (reader.position < to) {
    const entry = reader.next();
    if (entry === undefined) await reader.load();
    else if (found.push(entry?.seq ?? null) % atOnce === 0)
      await new Promise((resolve) => setImmediate(resolve));
  }
  return found;
}

/** The same, of a log that grows meanwhile. */
async function takenLive(memory: LogMemory, reader: LogReader, to: number): Promise<(number | null)[]> {
  const found: (number | null)[] = [];
  while (reader.position < to) {
    found.push(...(await taken(reader, Math.min(to, memory.head), 20)));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return found;
}

onBothEngines("readers anywhere in the log share its pages: each is one statement", async (_, engine) => {
  await using db = await testDb(engine);
  await using log = await openLog(db);
  await log.append(...facts(900, "a"));
  const { memory, statements } = await coldMemory(db);
  const positions = [0, 0, 3, 199, 200, 201, 555, 899, ...range(400, 450)];
  const found = await Promise.all(
    positions.map((position, n) => taken(new LogReader(memory, position), 900, 1 + n)),
  );
  assert.deepEqual(
    found,
    positions.map((position) => range(position + 1, 900)),
  );
  assert.deepEqual(
    statements.sort((a, b) => a - b),
    [0, 200, 400, 600, 800],
  );
});

onBothEngines(
  "a reader goes from the table into memory and stays in order while the log grows",
  async (_, engine) => {
    await using db = await testDb(engine);
    {
      await using before = await openLog(db);
      await before.append(...facts(450, "a"));
    }
    await using log = await openLog(db);
    const { memory } = log.tail;
    const slow = new LogReader(memory, 0);
    const readers = [slow, new LogReader(memory, 449), new LogReader(memory, 450)];
    const reading = Promise.all(readers.map((reader) => takenLive(memory, reader, 600)));
    for (let n = 0; n < 15; n++) await log.append(...facts(10, `live ${n}`));
    assert.deepEqual(await reading, [range(1, 600), range(450, 600), range(451, 600)]);
    assert.ok(slow.isAtHead);
    slow.position = 440;
    assert.deepEqual(await taken(slow, 600), range(441, 600));
  },
);

onBothEngines("entries that were dropped are passed over, in the table and in memory", async (_, engine) => {
  await using db = await testDb(engine);
  await using log = await openLog(db);
  await log.append(...facts(10, "a"));
  const { memory } = log.tail;
  await sql`delete from item_bodies where id in (select id from item_keys where seq in (2, 3, 9))`.execute(
    db.main,
  );
  assert.deepEqual(await taken(new LogReader(memory, 0), 10), range(1, 10));
  memory.forget();
  const kept = [1, null, null, 4, 5, 6, 7, 8, null, 10];
  assert.deepEqual(await taken(new LogReader(memory, 0), 10), kept);
  const next = new LogReader(memory, 8);
  assert.equal((await next.nextKept())?.seq, 10);
  assert.equal(await next.nextKept(), null);
  // A batch with a hole in it empties the ring.
  memory.extend([logItem(12)], 12);
  assert.equal(memory.size, 0);
});

onBothEngines("a reader of a log that was replaced gets nothing of the next one", async (_, engine) => {
  await using db = await testDb(engine);
  await using log = await openLog(db);
  await log.append(...facts(10, "a"));
  const { memory, statements } = await coldMemory(db);
  const { memory: known } = log.tail;
  await db.main.transaction().execute((tx) => beginEpoch(tx));
  for (let n = 1; n <= 2; n++) {
    await assert.rejects(new LogReader(memory, 4).load(), { name: "LogReplaced" });
    assert.equal(statements.length, n);
  }
  await log.tail.readOn();
  assert.notEqual(log.tail.memory, known);
  assert.notEqual(log.tail.memory.epoch, known.epoch);
  await log.append(...facts(1, "b"));
  assert.equal(known.head, 10);
  assert.deepEqual(await taken(new LogReader(log.tail.memory, 9), 11), [10, 11]);
});

/** A log whose reads end when the test says so. */
function heldLog(head: number) {
  const reads: (() => void)[] = [];
  const under = { way: 0, most: 0 };
  const state = { head };
  const memory = new LogMemory({ epoch: "e", seq: head }, async (seq, limit) => {
    const { head: seen } = state;
    under.way += 1;
    under.most = Math.max(under.most, under.way);
    await new Promise<void>((resolve) => reads.push(resolve));
    under.way -= 1;
    const items = range(seq + 1, Math.min(seq + limit, seen)).map(logItem);
    return { epoch: "e", head: seen, items, reached: Math.min(seq + limit, seen) };
  });
  return { memory, reads, under, state };
}

test("the log is read in four places at a time, whoever comes in the turn in which one is free", async () => {
  const { memory, reads, under } = heldLog(100_000);
  const pages: Promise<unknown>[] = [];
  const ask = () => pages.push(memory.page(1 + pageItems * pages.length));
  for (let n = 0; n < 12; n++) ask();
  while (pages.length < 40 || under.way > 0) {
    reads.shift()?.();
    // One more in each of the turns in which the place is handed on.
    for (let turn = 0; turn < 8; turn++) {
      await null;
      if (pages.length < 40) ask();
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(pages);
  assert.equal(under.most, 4);
});

test("the last page is read again for what was committed since, also while it is being read", async () => {
  const { memory, reads, state } = heldLog(50);
  const first = taken(new LogReader(memory, 40), 50);
  await new Promise((resolve) => setImmediate(resolve));
  state.head = 60;
  const second = taken(new LogReader(memory, 40), 60);
  while (reads.length > 0) {
    reads.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual(await first, range(41, 50));
  assert.deepEqual(await second, range(41, 60));
  const beyond = new LogReader(memory, 60).load();
  await new Promise((resolve) => setImmediate(resolve));
  reads.shift()?.();
  await assert.rejects(beyond, { message: "the log ends before its entry 61" });
});
