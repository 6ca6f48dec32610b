import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { inProcessBus } from "../../src/bus/bus.ts";
import type { Bus } from "../../src/bus/types.ts";
import { Sequencer } from "../../src/itemlog/append.ts";
import { ItemTail } from "../../src/itemlog/tail.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { ItemWriter } from "../../src/store/append/item-writer.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { itemsAfter, logHead } from "../../src/store/log/item-reads.ts";
import { Partitions } from "../../src/store/log/partitions.ts";
import { onBothEngines, onPostgres, testDb } from "../support/db.ts";
import { newItem } from "../support/items.ts";
import { until } from "../support/receiver.ts";

const log = silentLog;
const clock = systemClock;

function process(db: Db, bus: Bus = inProcessBus()) {
  return { bus, sequencer: new Sequencer(new ItemWriter(db, new Partitions()), bus, log) };
}

const request = (...ids: string[]) => ({
  items: ids.map((uniqueId) => newItem({ uniqueId })),
  sourceId: null,
});

async function* readers(tail: ItemTail, want: number, kill: () => boolean): AsyncGenerator<number> {
  let position = 0;
  while (position < want) {
    // A reader that dies keeps nothing but the position of what it has handled.
    const life = new AbortController();
    for await (const batch of tail.follow(position, life.signal)) {
      for (const { seq } of batch.items) {
        yield seq;
        position = seq;
        if (position >= want || kill()) life.abort();
        if (life.signal.aborted) break;
      }
    }
  }
}

onBothEngines(
  "concurrent writers give dense, ordered seq; readers killed at random miss none and see none twice",
  async (_, engine) => {
    await using db = await testDb(engine);
    // Three processes on one database; the second and third do not hear each other's bus, the reader hears only the first.
    const processes = [process(db), process(db), process(db)];
    await using tail = await ItemTail.open({
      db: db.main,
      bus: processes[0]?.bus ?? inProcessBus(),
      log,
      clock,
    });
    const writers = 6;
    const perWriter = 40;
    const write = async (writer: number) => {
      const { sequencer } = processes[writer % processes.length] ?? process(db);
      for (let n = 0; n < perWriter; n++) {
        await sequencer.append(request(`guid:w${writer}:${n}`, `guid:w${writer}:${n}b`));
        if (n % 7 === writer) await delay(3);
      }
    };
    const want = writers * perWriter * 2;
    const collect = async (seed: number) => {
      const seen: number[] = [];
      let countdown = seed;
      const kill = () => --countdown % seed === 0;
      for await (const seq of readers(tail, want, kill)) seen.push(seq);
      return seen;
    };
    const reading = [collect(3), collect(17), collect(101), collect(1_000_000)];
    await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
    const expected = Array.from({ length: want }, (_, i) => i + 1);
    for (const seen of await Promise.all(reading)) assert.deepEqual(seen, expected);
    assert.equal((await logHead(db.main)).lastSeq, want);
    for (const { sequencer } of processes) await sequencer[Symbol.asyncDispose]();
  },
);

onBothEngines("a batch of known and repeated items adds each identity once", async (_, engine) => {
  await using db = await testDb(engine);
  const { sequencer } = process(db);
  const first = newItem({ uniqueId: "guid:a:1", aliases: ["url:https://a.example/1"] });
  const sameUrl = newItem({ uniqueId: "guid:b:9", aliases: ["url:https://a.example/1"] });
  const statuses = async (...items: ReturnType<typeof newItem>[]) =>
    (await sequencer.append({ items, sourceId: null })).map(({ status }) => status);
  assert.deepEqual(await statuses(first, first), ["created", "duplicate"]);
  assert.deepEqual(await statuses(sameUrl, first), ["duplicate", "duplicate"]);
  const [outcome] = await sequencer.append({ items: [sameUrl], sourceId: null });
  assert.equal(outcome?.id, first.item.id, "a duplicate answers with the id of the item it repeats");
  assert.equal(outcome?.uniqueId, "guid:a:1", "and with its unique_id");
  // The other form of its identity was kept as an alias.
  assert.deepEqual(await statuses(newItem({ uniqueId: "guid:b:9" })), ["duplicate"]);
  assert.deepEqual(
    (await itemsAfter(db.main, 0, 10)).map(({ item }) => item.unique_id),
    ["guid:a:1"],
  );
  await sequencer[Symbol.asyncDispose]();
});

onBothEngines("a request that cannot be stored fails alone and uses no seq", async (_, engine) => {
  await using db = await testDb(engine);
  const { sequencer } = process(db);
  const bad = { ...newItem({ uniqueId: "guid:bad:1" }), body: "NUL \0 has no place in PostgreSQL text" };
  const results = await Promise.allSettled([
    sequencer.append(request("guid:ok:1")),
    sequencer.append({ items: [bad], sourceId: null }),
    sequencer.append(request("guid:ok:2")),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
  assert.deepEqual(
    (await itemsAfter(db.main, 0, 10)).map(({ seq }) => seq),
    [1, 2],
  );
  await sequencer[Symbol.asyncDispose]();
});

onBothEngines("a follower that starts in the past reads the table, then goes on live", async (_, engine) => {
  await using db = await testDb(engine);
  const { bus, sequencer } = process(db);
  await sequencer.append(request(...Array.from({ length: 1200 }, (_, n) => `guid:past:${n}`)));
  await using tail = await ItemTail.open({ db: db.main, bus, log, clock });
  const stop = new AbortController();
  const seen: number[] = [];
  const reading = (async () => {
    for await (const batch of tail.follow(100, stop.signal)) {
      seen.push(...batch.items.map(({ seq }) => seq));
      if (seen.at(-1) === 1250) stop.abort();
    }
  })();
  for (let n = 0; n < 50; n++) await sequencer.append(request(`guid:live:${n}`));
  await reading;
  assert.deepEqual(
    seen,
    Array.from({ length: 1150 }, (_, i) => i + 101),
  );
  await sequencer[Symbol.asyncDispose]();
});

onBothEngines("closing finishes what is queued and takes nothing new", async (_, engine) => {
  await using db = await testDb(engine);
  const { sequencer } = process(db);
  const appended = Array.from({ length: 30 }, (_, n) => sequencer.append(request(`guid:q:${n}`)));
  await sequencer[Symbol.asyncDispose]();
  assert.equal((await Promise.all(appended)).length, 30);
  await assert.rejects(sequencer.append(request("guid:late:1")), { name: "SequencerClosed" });
  assert.equal((await logHead(db.main)).lastSeq, 30);
});

/** Counts its transactions. */
class CountingWriter extends ItemWriter {
  begun = 0;

  override append(...given: Parameters<ItemWriter["append"]>): ReturnType<ItemWriter["append"]> {
    this.begun += 1;
    return super.append(...given);
  }
}

onPostgres("requests of a batch that time out are given up with the second in a row", async () => {
  await using db = await testDb("postgres");
  const writer = new CountingWriter(db, new Partitions());
  await using sequencer = new Sequencer(writer, inProcessBus(), log);
  await sequencer.append(request("guid:first:1"));
  /** What becomes of a batch while the log's head is locked, until so many of its transactions were cancelled. */
  const outcomes = async (cancels: number, of: string) => {
    const held = Promise.withResolvers<void>();
    const isLocked = Promise.withResolvers<void>();
    const holding = db.slow.transaction().execute(async (tx) => {
      await sql`select 1 from log_head for update`.execute(tx);
      isLocked.resolve();
      await held.promise;
    });
    await isLocked.promise;
    const before = writer.begun;
    const appends = Promise.allSettled([1, 2, 3, 4].map((n) => sequencer.append(request(`guid:${of}:${n}`))));
    for (let n = 1; n <= cancels; n++) {
      await until(async () => writer.begun >= before + n && (await cancelWaiting(db)), "one waits");
      await until(() => writer.begun > before + n || n === cancels, "the next begins");
    }
    held.resolve();
    await holding;
    const statuses = (await appends).map(({ status }) => status);
    return { statuses, begun: writer.begun - before };
  };
  // One large request may be why the batch took too long.
  assert.deepEqual(await outcomes(2, "large"), {
    statuses: ["rejected", "fulfilled", "fulfilled", "fulfilled"],
    begun: 5,
  });
  assert.deepEqual(await outcomes(3, "locked"), { statuses: Array(4).fill("rejected"), begun: 3 });
  assert.equal((await sequencer.append(request("guid:last:1"))).length, 1);
});

/** Ends a statement that waits for a lock as its time limit would. @returns whether one waited */
async function cancelWaiting(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`
    select pg_cancel_backend(pid) as is from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db.slow);
  return rows.some(({ is }) => is);
}
