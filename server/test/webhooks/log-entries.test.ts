import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { LogItem } from "../../src/feed/item.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { LogEntries } from "../../src/webhooks/log-entries.ts";
import { newItem } from "../support/items.ts";

const head = 900;
const log: readonly LogItem[] = Array.from({ length: head }, (_, n) => {
  const item = { ...newItem({ uniqueId: `guid:${n}` }).item, seq: n + 1 };
  return { seq: n + 1, item, doc: "" };
});

const stretch = (after: number, limit: number) => {
  const items = log.slice(after, after + limit);
  return { items, reached: items.at(-1)?.seq ?? head };
};

test("an entry that another process has taken the log to is found before this one's head moves", async () => {
  let reads = 0;
  const entries = new LogEntries({
    log: {
      head: head - 10,
      after: async (seq, limit) => {
        reads += 1;
        return stretch(seq, limit);
      },
    },
    match: () => ({ bits: new Int32Array(0), generation: 0 }),
    clock: systemClock,
  });
  assert.equal((await entries.at(head - 5))?.seq, head - 5);
  assert.equal(reads, 1);
});

const range = fc.tuple(fc.integer({ min: 0, max: head }), fc.integer({ min: 0, max: head }));

test("wherever an endpoint stands and whatever is in memory, it walks the log onwards and misses nothing", async () => {
  await fc.assert(
    fc.asyncProperty(range, range, fc.integer({ min: 1, max: 60 }), async ([a, b], [c, d], every) => {
      const entries = new LogEntries({
        log: { head, after: async (seq, limit) => stretch(seq, limit) },
        match: () => ({ bits: new Int32Array(0), generation: 0 }),
        clock: systemClock,
      });
      for (const item of log.slice(Math.min(a, b), Math.max(a, b))) entries.add(item);
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
