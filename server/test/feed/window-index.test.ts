import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { matches } from "../../src/feed/filter.ts";
import { type FeedItem, newestFirst } from "../../src/feed/item.ts";
import { compareListKeys, idOf, type ListPosition, listKey } from "../../src/feed/list-key.ts";
import type { Hit } from "../../src/feed/window/types.ts";
import { WindowIndex } from "../../src/feed/window/window-index.ts";
import { WindowTerms } from "../../src/feed/window/window-terms.ts";
import { arrivals } from "../support/arrivals.ts";
import { anyFacts, anyFilter, times } from "../support/list-shapes.ts";

test("a walk gives what matches in memory, in order, whatever came in which order", () => {
  fc.assert(
    fc.property(
      fc.array(anyFacts(60), { maxLength: 150, size: "max" }),
      fc.array(anyFilter, { minLength: 3, maxLength: 3 }),
      fc.constantFrom(2, 5, 125),
      fc.integer({ min: 1, max: 12 }),
      fc.infiniteStream(fc.nat()),
      (facts, filters, chunkItems, limit, shuffle) => {
        const items = arrivals(facts);
        const terms = new WindowTerms();
        const index = new WindowIndex(terms, { chunkItems });
        // Versions may come in any order: the table and the log bring them at the same time.
        const order = items.map((item) => ({
          item,
          at: chunkItems === 125 ? (shuffle.next().value ?? 0) : item.seq,
        }));
        for (const { item } of order.sort((x, y) => x.at - y.at)) index.put(terms.entryOf(item));

        const newest = new Map(items.map((item) => [item.id, item]));
        const all = [...newest.values()].sort(newestFirst);
        assert.equal(index.items, all.length);
        for (const filter of filters) {
          const wanted = all.filter((item) => matches(item, filter)).map(({ seq }) => seq);
          const walked: number[] = [];
          for (let after: ListPosition | null = null, more = true; more; ) {
            const hits: readonly Hit[] = index.walk(filter, after, limit);
            walked.push(...hits.map(({ seq }) => seq));
            const last = hits.at(-1);
            more = hits.length === limit;
            if (last !== undefined) after = { publishedAt: new Date(last.key.ms), id: idOf(last.key) };
          }
          assert.deepEqual(walked, wanted);
        }
      },
    ),
    { numRuns: 150 },
  );
});

test("it stays exact where chunks are large and made anew as items come, late ones and versions among them", () => {
  const seed = 20261121;
  const facts = fc.sample(anyFacts(4_000), { numRuns: 9_000, seed }).map((one, at) => ({
    ...one,
    // In no order, and many at one instant.
    publishedAt: new Date(Date.parse(times[0]) + ((at * 7_919) % 3_000) * 1_000).toISOString(),
  }));
  const items = arrivals(facts);
  const terms = new WindowTerms();
  const index = new WindowIndex(terms, { chunkItems: 4_000 });
  for (const item of items) index.put(terms.entryOf(item));
  const all = [...new Map(items.map((item) => [item.id, item])).values()].sort(newestFirst);
  for (const filter of [{ tags: {} }, ...fc.sample(anyFilter, { numRuns: 60, seed })])
    assert.deepEqual(
      index.walk(filter, null, 10_000).map(({ seq }) => seq),
      all.filter((item) => matches(item, filter)).map(({ seq }) => seq),
      JSON.stringify(filter),
    );
});

test("filters that are asked again and again find what came meanwhile, more of them than are remembered", () => {
  const seed = 20261122;
  const facts = fc.sample(anyFacts(500), { numRuns: 1_000, seed }).map((one, at) => ({
    ...one,
    // One in ten is late.
    publishedAt: new Date(Date.parse(times[0]) + (at % 10 === 0 ? at / 2 : at) * 1_000).toISOString(),
  }));
  const filters = [
    ...fc.sample(anyFilter, { numRuns: 20, seed }),
    ...Array.from({ length: 90 }, (_, at) => ({
      sentimentMin: at % 6,
      sentimentMax: 6 + (at % 5),
      ...(at < 30 ? {} : { exchanges: [at < 60 ? "XETR" : "NASDAQ"] }),
      tags: {},
    })),
  ];
  const terms = new WindowTerms();
  const index = new WindowIndex(terms, { chunkItems: 25 });
  const newest = new Map<string, FeedItem>();
  for (const item of arrivals(facts)) {
    newest.set(item.id, item);
    index.put(terms.entryOf(item));
    const filter = filters[item.seq % 3 === 0 ? item.seq % filters.length : item.seq % 2];
    if (filter === undefined) continue;
    assert.deepEqual(
      index.walk(filter, null, 10_000).map(({ seq }) => seq),
      [...newest.values()]
        .filter((one) => matches(one, filter))
        .sort(newestFirst)
        .map(({ seq }) => seq),
      JSON.stringify(filter),
    );
  }
});

test("however many filters are asked for, what is remembered of them is bounded", () => {
  const terms = new WindowTerms();
  const index = new WindowIndex(terms, { chunkItems: 25 });
  for (const item of arrivals(fc.sample(anyFacts(1_000), { numRuns: 200, seed: 5 })))
    index.put(terms.entryOf(item));
  const before = index.bytes;
  const grownBy = Array.from({ length: 660 }, (_, n) => {
    const sentimentMin = n % 11;
    const exchanges = ["NASDAQ", "XETR"].filter((_, bit) => (n >> bit) & 1);
    const countries = ["US", "DE"].filter((_, bit) => (n >> (bit + 2)) & 1);
    const filter = { sentimentMin, exchanges, tags: { market_country: countries } };
    for (let time = 0; time < 3; time++) index.walk(filter, null, 10_000);
    return index.bytes - before;
  });
  const most = 64 * 14 * 108;
  assert.ok(Math.max(...grownBy) > most / 2, "many are remembered");
  assert.ok(Math.max(...grownBy) <= most, `${Math.max(...grownBy)} bytes`);
});

test("a key compares like the published_at and id of an item", () => {
  const uuid = fc.uuid();
  fc.assert(
    fc.property(
      fc.integer({ min: -1e13, max: 1e13 }),
      fc.integer({ min: -1e13, max: 1e13 }),
      uuid,
      uuid,
      (m, n, x, y) => {
        assert.equal(idOf(listKey(m, x)), x);
        assert.equal(Math.sign(compareListKeys(listKey(m, x), listKey(m, y))), x < y ? -1 : x > y ? 1 : 0);
        assert.equal(
          Math.sign(compareListKeys(listKey(m, x), listKey(n, y))),
          m === n ? (x < y ? -1 : x > y ? 1 : 0) : Math.sign(m - n),
        );
      },
    ),
  );
});
