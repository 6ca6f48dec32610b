import assert from "node:assert/strict";
import { test } from "node:test";
import { replayLimits } from "@tapewire/contract/stream.ts";
import { sql } from "kysely";
import { LogReplay, type ReplayRequest } from "../../src/itemlog/replay.ts";
import { firstSeqSince } from "../../src/store/log/log-times.ts";
import { anyEngine, onBothEngines, testDb } from "../support/db.ts";
import { openLog } from "../support/webhooks.ts";

const seqOf = (cursor: string) => Number(cursor.split(".")[1]);
const startMs = Date.parse("2026-03-02T14:00:00Z");
const at = (second: number) => new Date(startMs + 1000 * second);

test("a page of a replay examines a bounded part of the log", async () => {
  await using db = await testDb(anyEngine);
  await using log = await openLog(db);
  const { examined } = replayLimits;
  const count = examined + 100;
  for (let from = 0; from < count; from += 500) {
    const facts = Array.from({ length: Math.min(500, count - from) }, (_one, n) => ({
      uniqueId: `guid:${from + n}`,
      source: from + n === count - 1 ? "rare" : "wire",
    }));
    await log.append(...facts);
  }
  const replay = new LogReplay({ db, tail: log.tail });
  const request = { from: null, until: null, limit: 1, locked: false, owner: "a" };
  const pages: [seq: number, entries: number, isDone: boolean][] = [];
  for (let from: ReplayRequest["from"] = null; ; ) {
    const page = await replay.page({ ...request, from, filter: { aggregators: ["rare"], tags: {} } });
    assert.ok("entries" in page);
    pages.push([seqOf(page.cursor), page.entries.length, page.isDone]);
    if (page.isDone) break;
    from = page.cursor;
  }
  assert.deepEqual(pages, [
    [examined, 0, false],
    [count, 1, true],
  ]);
  const blind = { filter: { actionability: true, tags: {} }, locked: true };
  const page = await replay.page({ ...request, ...blind });
  assert.ok("entries" in page);
  assert.deepEqual([page.entries.length, page.isDone], [0, true]);
});

onBothEngines(
  "a time keeps its place while the log grows, also where its times do not rise",
  async (_, engine) => {
    await using db = await testDb(engine);
    await using log = await openLog(db);
    // One second an entry, but for neighbours that changed places.
    const seconds = [...Array(60).keys()].map((n) => (n % 7 === 3 ? n + 2 : n % 7 === 5 ? n - 2 : n));
    const places = new Map<number, number>();
    for (const [n, second] of seconds.entries()) {
      await log.append({ uniqueId: `guid:${n}`, publishedAt: at(second).toISOString() });
      if (n % 10 !== 9) continue;
      for (let wanted = 0; wanted <= n - 10; wanted++) {
        const place = await firstSeqSince(db.main, at(wanted), { head: n + 1 });
        assert.equal(place, places.get(wanted) ?? place);
        places.set(wanted, place);
        assert.ok(Math.abs(place - 1 - wanted) <= 2, `${wanted} is at ${place}`);
      }
    }
    assert.equal(await firstSeqSince(db.main, at(1000), { head: 60 }), 61);
    await sql`delete from item_bodies where id in (select id from item_keys where seq <= 30)`.execute(
      db.main,
    );
    for (const floor of [0, 30])
      assert.equal(await firstSeqSince(db.main, at(0), { head: 60, floor }), floor === 0 ? 1 : 31);
  },
);

test("a replay until a time that is past ends there, whatever is logged while it is read", async () => {
  await using db = await testDb(anyEngine);
  await using log = await openLog(db);
  for (const n of [0, 1, 2]) await log.append({ uniqueId: `guid:${n}`, publishedAt: at(n).toISOString() });
  const late = { uniqueId: "guid:late", publishedAt: at(20).toISOString() };
  let hasCome = false;
  const main = db.main.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (!hasCome) {
        hasCome = true;
        await log.append(late);
      }
      return result;
    },
  });
  const replay = new LogReplay({ db: { ...db, main }, tail: log.tail });
  const request = { filter: { tags: {} }, from: null, until: at(10), limit: 10, locked: false, owner: "a" };
  for (const _ of [1, 2]) {
    const page = await replay.page(request);
    assert.ok("entries" in page && hasCome);
    const seqs = page.entries.map((text): unknown => JSON.parse(text).seq);
    assert.deepEqual([seqs, page.isDone], [[1, 2, 3], true]);
  }
  assert.equal(log.tail.head, 4);
});

test("a page of large items ends before its limit, and the next one goes on", async () => {
  await using db = await testDb(anyEngine);
  await using log = await openLog(db);
  const title = "x".repeat(50_000);
  const count = 120;
  for (let from = 0; from < count; from += 40)
    await log.append(...Array.from({ length: 40 }, (_one, n) => ({ uniqueId: `guid:${from + n}`, title })));
  const replay = new LogReplay({ db, tail: log.tail });
  const request = { filter: { tags: {} }, until: null, limit: 1_000, locked: false, owner: "a" };
  const first = await replay.page({ ...request, from: null });
  assert.ok("entries" in first);
  assert.ok(
    !first.isDone && first.entries.length > 50 && first.entries.length < 100,
    `${first.entries.length}`,
  );
  const second = await replay.page({ ...request, from: first.cursor });
  assert.ok("entries" in second);
  const seqs = [...first.entries, ...second.entries].map((text): unknown => JSON.parse(text).seq);
  assert.deepEqual([seqs, second.isDone], [Array.from({ length: count }, (_one, n) => n + 1), true]);
});
