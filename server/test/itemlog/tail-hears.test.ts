/** What the tail makes of messages of other processes: they come late, twice, in another order, or not at all. */
import assert from "node:assert/strict";
import { inProcessBus } from "../../src/bus/bus.ts";
import type { Committed } from "../../src/bus/types.ts";
import { ItemTail } from "../../src/itemlog/tail.ts";
import { silentLog as log } from "../../src/runtime/log.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { readLog } from "../../src/store/log/item-reads.ts";
import { unpolled } from "../bus/support.ts";
import { onAnyEngine, testDb } from "../support/db.ts";
import { until } from "../support/receiver.ts";
import { openLog } from "../support/webhooks.ts";

/** Another process that writes, and a tail that hears what it is handed and never polls. */
async function open(db: Db) {
  await using stack = new AsyncDisposableStack();
  const writer = stack.use(await openLog(db));
  const bus = inProcessBus();
  const tail = stack.use(await ItemTail.open({ db: db.main, bus, log, clock: unpolled }));
  const seen: number[] = [];
  tail.observe({ extended: (items) => seen.push(...items.map(({ seq }) => seq)) });
  const owned = stack.move();
  return {
    ...{ tail, bus, seen },
    /** Commits some items. @returns them as a message would bring them */
    commit: async (count: number): Promise<Committed> => {
      const { head } = await readLog(db.main, 0, 1);
      await writer.append(...Array.from({ length: count }, (_, n) => ({ uniqueId: `guid:${head}:${n}` })));
      const { epoch, items } = await readLog(db.main, head, 1_000);
      return { epoch, items };
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1);

onAnyEngine("entries in order need no read of the table", async (_, engine) => {
  await using db = await testDb(engine);
  await using process = await open(db);
  const ageMs = process.tail.freshness.ageMs;
  for (let n = 0; n < 5; n++) process.bus.hand({ kind: "entries", committed: await process.commit(2) });
  assert.deepEqual(process.seen, upTo(10));
  assert.ok(process.tail.freshness.ageMs > ageMs, "it was not read");
});

onAnyEngine(
  "entries that come late, twice or in another order are seen once each, in order",
  async (_, engine) => {
    await using db = await testDb(engine);
    await using process = await open(db);
    const batches: Committed[] = [];
    for (let n = 0; n < 6; n++) batches.push(await process.commit(3));
    const [a, b, c, d, e, f] = batches;
    for (const committed of [b, a, a, d, f, c, b, e, f])
      if (committed !== undefined) process.bus.hand({ kind: "entries", committed });
    await until(() => process.seen.length >= 18, "all of them");
    assert.deepEqual(process.seen, upTo(18));
    await process.tail.readOn();
    assert.deepEqual(process.seen, upTo(18));
  },
);

onAnyEngine(
  "a position is read up to, also when it comes while the table is being read",
  async (_, engine) => {
    await using db = await testDb(engine);
    await using process = await open(db);
    for (let n = 1; n <= 20; n++) {
      const { epoch } = await process.commit(1);
      process.bus.hand({ kind: "position", epoch, seq: n });
      // No pause: the next one meets the read that this one began.
    }
    await until(() => process.tail.head === 20, "the last of them");
    assert.deepEqual(process.seen, upTo(20));
  },
);

onAnyEngine(
  "a position that the log has not reached, and another log's, change nothing",
  async (_, engine) => {
    await using db = await testDb(engine);
    await using process = await open(db);
    const { epoch } = await process.commit(2);
    process.bus.hand({ kind: "position", epoch, seq: 1_000 });
    process.bus.hand({ kind: "position", epoch: "ffffffff", seq: 5 });
    await process.tail.readOn();
    assert.equal(process.tail.epoch, epoch, "the log is not taken for lost");
    assert.deepEqual([process.tail.head, process.tail.isBehind], [2, false]);
    await process.commit(1);
    process.bus.hand({ kind: "missed" });
    await until(() => process.tail.head === 3, "what was missed");
  },
);
