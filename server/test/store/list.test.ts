import assert from "node:assert/strict";
import { test } from "node:test";
import type { Filter } from "@tapewire/contract/filter.ts";
import fc from "fast-check";
import { sql } from "kysely";
import { matches } from "../../src/feed/filter.ts";
import { type FeedItem, itemIdOf, newestFirst } from "../../src/feed/item.ts";
import type { ListPosition } from "../../src/feed/list-key.ts";
import { ListCursors } from "../../src/http/list-cursors.ts";
import type { FeedIndex, FeedIndexLimits } from "../../src/itemlog/feed-index.ts";
import type { KeeperLimits } from "../../src/itemlog/segments/building.ts";
import { buildSegmentsAnew } from "../../src/store/segments/state.ts";
import { onBothEngines, onPostgres, testDb } from "../support/db.ts";
import { startProcess } from "../support/index-process.ts";
import type { Facts } from "../support/items.ts";
import { anyFacts, times } from "../support/list-shapes.ts";
import { until } from "../support/receiver.ts";

// One title for all: a second item under an identity says nothing new, and is a duplicate.
const itemFacts = anyFacts(401).map(({ title: _, ...facts }): Facts => facts);

const axis = <T>(...values: T[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 }), {
    nil: undefined,
    freq: 3,
  });
const maybe = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 3 });
const anyFilter: fc.Arbitrary<Filter> = fc.record({
  since: maybe(...times.map((time) => new Date(time))),
  until: maybe(...times.map((time) => new Date(time))),
  aggregators: axis("wire-a", "wire-b", "unknown"),
  providers: axis("p1", "p2"),
  exchanges: axis("NASDAQ", "XETR", "LSE"),
  symbols: axis("AAPL", "NASDAQ:AAPL", "F", "ZZZZ"),
  actionability: maybe(true, false),
  sentimentMin: maybe(0, 5, 6),
  sentimentMax: maybe(5, 10),
  storyCopies: maybe(false as const),
  tags: fc.record({
    market: axis("stock", "bond"),
    corp_activity: axis("earnings", "ipo"),
    market_country: axis("US", "FR"),
    economic_category: fc.constant(undefined),
  }),
});

async function readAllPages(index: FeedIndex, filter: Filter, between: () => Promise<void> = async () => {}) {
  const cursors = new ListCursors(Buffer.alloc(32, 7));
  const ids: string[] = [];
  let cursor: string | null = null;
  do {
    const after = cursor === null ? null : cursors.decode(cursor, filter);
    const page = await index.page({ filter, after, limit: 3 });
    assert.ok(page.docs.length <= 3);
    ids.push(...page.docs.map((doc): string => JSON.parse(doc.toString()).id));
    cursor = page.last === null ? null : cursors.encode(page.last, filter);
    await between();
  } while (cursor !== null);
  return ids;
}

const limits: FeedIndexLimits = { cacheBytes: 1_000_000, bodyBytes: 1_000_000 };
const folding: KeeperLimits = { foldEntries: 4, leastPerSegment: 1, segmentItems: 20 };

onBothEngines(
  "paging through a filter gives exactly the items that match it in memory",
  async (_, engine) => {
    await using db = await testDb(engine);
    await using process = await startProcess(db);
    await using index = await process.open(limits);
    await using keeper = process.keep(index, folding);
    const stored = new Map<string, FeedItem>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(itemFacts, { maxLength: 6 }),
        fc.array(anyFilter, { minLength: 2, maxLength: 4 }),
        async (facts, filters) => {
          await process.append(facts);
          for (const { item } of process.logged()) stored.set(item.id, item);
          await keeper.step();
          const all = [...stored.values()].sort(newestFirst);
          for (const filter of filters) {
            const expected = all.filter((item) => matches(item, filter)).map(({ id }) => id);
            assert.deepEqual(await readAllPages(index, filter), expected);
          }
        },
      ),
      { numRuns: engine === "pglite" ? 25 : 40 },
    );
    assert.ok(index.stats().segments > 0);
  },
);

onBothEngines(
  "a walk shows each item that existed at its start once, whatever arrives and is folded meanwhile",
  async (_, engine) => {
    await using db = await testDb(engine);
    await using process = await startProcess(db);
    await using index = await process.open(limits);
    await using keeper = process.keep(index, folding);
    // Another process goes on with the walk, and one that was started again.
    await using other = await process.open(limits);
    let made = 0;
    const arrive = (count: number) =>
      process.append(
        Array.from({ length: count }, () => {
          made += 1;
          return { uniqueId: `guid:walk:${made}`, publishedAt: times[(made * 7) % times.length] ?? "" };
        }),
      );
    const existing = new Set((await arrive(40)).map(({ id }) => id));
    // Late ones, ones in the instant of an item already shown, and new ones.
    let page = 0;
    const ids: string[] = [];
    for (let after: ListPosition | null = null, more = true; more; page++) {
      await using restarted = page % 4 === 3 ? await process.open(limits) : null;
      const at = restarted ?? (page % 2 === 0 ? index : other);
      const { docs, last } = await at.page({ filter: { tags: {} }, after, limit: 3 });
      ids.push(...docs.map((doc): string => JSON.parse(doc.toString()).id));
      after = last;
      more = last !== null;
      if (made < 100) await arrive(5);
      await keeper.step();
      if (page % 3 === 0) await other.refresh();
    }
    assert.equal(new Set(ids).size, ids.length, "none twice");
    assert.deepEqual(new Set(ids.filter((id) => existing.has(id))), existing, "none missed");
    assert.ok(index.stats().segments > 0);
  },
);

onBothEngines(
  "a database without segments shows the same pages before, while and after they are built",
  async (_, engine) => {
    await using db = await testDb(engine);
    await using process = await startProcess(db);
    const facts = fc.sample(itemFacts, { numRuns: 150, seed: 7 });
    await process.append(facts.slice(0, 120));
    await buildSegmentsAnew(db.main);
    await using index = await process.open(limits);
    const filters = fc.sample(anyFilter, { numRuns: 6, seed: 8 });
    const samePages = async () => {
      const all = process.logged().map(({ item }) => item);
      for (const filter of [{ tags: {} }, ...filters]) {
        const expected = all.filter((item) => matches(item, filter)).sort(newestFirst);
        assert.deepEqual(
          await readAllPages(index, filter),
          expected.map(({ id }) => id),
        );
      }
    };
    await samePages();
    assert.equal(index.stats().building, true);
    await using keeper = process.keep(index, { ...folding, foldEntries: 8, segmentItems: 10 });
    for (let at = 120; index.stats().building; at++) {
      await process.append(facts.slice(at, at + 1));
      await keeper.step();
      await samePages();
    }
    assert.ok(index.stats().segments > 5);
  },
);

onPostgres("a build that another process ends is not begun again", async () => {
  await using db = await testDb("postgres");
  await using process = await startProcess(db);
  await process.append(fc.sample(itemFacts, { numRuns: 30, seed: 7 }));
  await buildSegmentsAnew(db.main);
  await using index = await process.open(limits);
  await using keeper = process.keep(index, { ...folding, segmentItems: 10 });
  await until(async () => !index.stats().building, "the first build");
  const { segments } = index.stats();
  await sql`update segment_state set building = true, built_at = i.published_at, built_id = i.id, generation = generation + 1
    from (select published_at, id from items order by published_at, id limit 1) i`.execute(db.main);
  let step: Promise<boolean> | undefined;
  await db.slow.transaction().execute(async (tx) => {
    await sql`select from segment_state for update`.execute(tx);
    step = keeper.step();
    // Until it waits for the lease, having seen that something is left to build.
    await until(async () => {
      const waiting =
        await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return (await waiting.execute(db.main)).rows.length > 0;
    }, "the lease");
    await sql`update segment_state set building = false, built_at = null, built_id = null, generation = generation + 1`.execute(
      tx,
    );
  });
  assert.equal(await step, false);
  await index.refresh();
  const { building, segments: now } = index.stats();
  assert.deepEqual({ building, now }, { building: false, now: segments });
});

test("cursors that clients hold stay good: the same key, position and filters give the same text", () => {
  const cursors = new ListCursors(Buffer.alloc(32, 1));
  const position = {
    publishedAt: new Date("2026-03-02T14:30:00.125Z"),
    id: "0190b3a4-7c1e-5d2f-9a3b-0123456789ab",
  };
  assert.equal(
    cursors.encode(position, { symbols: ["AAPL"], tags: {} }),
    "AQAAAZyu9Lq9AZCzpHweXS-aOwEjRWeJq7mtRyAmKhH6TE0IRC5Kf-dPZkq2qPgKxA",
  );
});

test("a cursor that was tampered with, cut, or made with other filters is refused", () => {
  const cursors = new ListCursors(Buffer.alloc(32, 1));
  const filter: Filter = { symbols: ["AAPL"], tags: {} };
  const position = { publishedAt: new Date("2026-03-02T14:30:00.125Z"), id: itemIdOf("guid:x") };
  const cursor = cursors.encode(position, filter);
  assert.deepEqual(cursors.decode(cursor, filter), position);
  const refused = { name: "ApiError", code: "invalid_cursor" };
  for (let at = 0; at < cursor.length; at++) {
    const other = cursor[at] === "A" ? "B" : "A";
    assert.throws(() => cursors.decode(cursor.slice(0, at) + other + cursor.slice(at + 1), filter), refused);
  }
  assert.throws(() => cursors.decode(cursor.slice(0, -1), filter), refused);
  assert.throws(() => cursors.decode(`${cursor}=`, filter), refused);
  assert.throws(() => cursors.decode("", filter), refused);
  assert.throws(() => cursors.decode(cursor, { symbols: ["MSFT"], tags: {} }), refused);
  assert.throws(() => new ListCursors(Buffer.alloc(32, 2)).decode(cursor, filter), refused);
});
