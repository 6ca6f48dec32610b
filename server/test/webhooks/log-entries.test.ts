import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { LogItem } from "../../src/feed/item.ts";
import { LogMemory } from "../../src/itemlog/memory.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { LogEntries } from "../../src/webhooks/log-entries.ts";
import { newItem } from "../support/items.ts";

const head = 900;
const log: readonly LogItem[] = Array.from({ length: head }, (_, n) => {
  const item = { ...newItem({ uniqueId: `guid:${n}` }).item, seq: n + 1 };
  return { seq: n + 1, item, doc: "" };
});

let reads = 0;

/** A memory that ends at a seq, of a log whose table goes on to its end. */
function memoryTo(seq: number): LogMemory {
  return new LogMemory({ epoch: "e", seq }, async (after, limit) => {
    reads += 1;
    const items = log.slice(after, after + limit);
    return { epoch: "e", head, items, reached: items.at(-1)?.seq ?? head };
  });
}

function entriesOf(memory: LogMemory): LogEntries {
  const match = () => ({ bits: new Int32Array(0), generation: 0 });
  return new LogEntries({ log: { memory }, match, clock: systemClock });
}

test("an entry that another process has taken the log to is found before this one's head moves", async () => {
  reads = 0;
  const entries = entriesOf(memoryTo(head - 10));
  assert.equal((await entries.at(head - 5))?.seq, head - 5);
  assert.equal(reads, 1);
});

test("an entry is matched once, however it is reached", async () => {
  const memory = memoryTo(head);
  let matched = 0;
  const match = () => {
    matched += 1;
    return { bits: new Int32Array(0), generation: 0 };
  };
  const entries = new LogEntries({ log: { memory }, match, clock: systemClock });
  const found = await Promise.all([entries.at(5), entries.at(5), entries.at(5)]);
  assert.equal(new Set(found).size, 1);
  assert.equal(matched, 1);
});

const range = fc.tuple(fc.integer({ min: 0, max: head }), fc.integer({ min: 0, max: head }));

test("wherever an endpoint stands and whatever is in memory, it walks the log onwards and misses nothing", async () => {
  await fc.assert(
    fc.asyncProperty(range, range, fc.integer({ min: 1, max: 60 }), async ([a, b], [c, d], every) => {
      const memory = memoryTo(Math.min(a, b));
      memory.extend(log.slice(Math.min(a, b), Math.max(a, b)), Math.max(a, b));
      const entries = entriesOf(memory);
      const [from, to] = [Math.min(c, d), Math.max(c, d)];
      const found: number[] = [];
      for (let at = from; at < to; ) {
        const next = entries.scan(at, to, ({ seq }) => seq % every === 0);
        if (next instanceof Promise) {
          await next;
          continue;
        }
        assert.ok(next.reached > at && next.reached <= to, `from ${at} to ${next.reached}`);
        if (next.entry !== null) found.push(next.entry.seq);
        at = next.reached;
      }
      const owed = log.map(({ seq }) => seq).filter((seq) => seq > from && seq <= to && seq % every === 0);
      assert.deepEqual(found, owed);
    }),
    { numRuns: 200 },
  );
});
