import assert from "node:assert/strict";
import { feedItem } from "@tapewire/contract/feeds.ts";
import { sql } from "kysely";
import { itemIdOf } from "../../src/feed/item.ts";
import type { AppendOutcome } from "../../src/store/append/append-request.ts";
import { ItemWriter } from "../../src/store/append/item-writer.ts";
import type { Db, Queries } from "../../src/store/engine/db.ts";
import { itemsAfter } from "../../src/store/log/item-reads.ts";
import { Partitions } from "../../src/store/log/partitions.ts";
import { itemAt } from "../../src/store/log/scores.ts";
import { onBothEngines, testDb } from "../support/db.ts";
import { firstPage } from "../support/index-process.ts";
import { type Facts, newItem } from "../support/items.ts";

function feed(db: Db) {
  const partitions = new Partitions();
  const writer = new ItemWriter(db, partitions);
  return {
    say: async (sourceId: string | null, ...facts: Facts[]): Promise<AppendOutcome["status"][]> => {
      const { outcomes } = await writer.append([{ items: facts.map(newItem), sourceId }]);
      return outcomes.flat().map(({ status }) => status);
    },
    /** As several callers whose items share a batch. */
    many: (...calls: [sourceId: string, facts: Facts][]) =>
      writer.append(calls.map(([sourceId, facts]) => ({ items: [newItem(facts)], sourceId }))),
    withdraw: (sourceId: string | null, ...retracted: string[]) =>
      writer.append([
        { items: [], sourceId, retracted: { identities: retracted, at: "2026-03-02T15:00:00.000Z" } },
      ]),
    list: async (filter = {}) => {
      const docs = await firstPage(db, { tags: {}, ...filter });
      return docs.map((doc) => feedItem.parse(JSON.parse(doc)));
    },
  };
}

async function stored(db: Queries, uniqueId: string) {
  const found = await itemAt(db, itemIdOf(uniqueId), null);
  assert.ok(found !== null);
  return feedItem.parse(JSON.parse(found.doc));
}

const termCount = async (db: Queries, value: string) =>
  (await db.selectFrom("terms").select("count").where("value", "=", value).executeTakeFirst())?.count ?? 0;

onBothEngines(
  "what a source says otherwise of an item revises it in its place; the log shows both versions for ever",
  async (_, engine) => {
    await using db = await testDb(engine);
    const { say, list } = feed(db);
    const first: Facts = {
      uniqueId: "guid:a:1",
      title: "Halvorn sees revenue of $10 million",
      contentKey: "one",
      symbols: ["NYSE:HLV"],
      sentiment: 5,
    };
    assert.deepEqual(await say("a", first, { uniqueId: "guid:a:2", contentKey: "x" }), [
      "created",
      "created",
    ]);
    const second = {
      ...first,
      title: "Halvorn sees revenue of $12 million",
      contentKey: "two",
      sentiment: 8,
    };
    assert.deepEqual(await say("a", { ...second, symbols: ["NYSE:HLV", "NASDAQ:QBIT"] }), ["revised"]);
    assert.deepEqual(await say("a", { ...second, symbols: ["NYSE:HLV"] }), ["duplicate"]);

    const item = await stored(db.main, "guid:a:1");
    assert.deepEqual(
      [item.seq, item.status, item.revision, item.title, item.scoring.sentiment_score],
      [3, "revised", 1, "Halvorn sees revenue of $12 million", 8],
    );
    const log = await itemsAfter(db.main, 0, 100);
    assert.deepEqual(
      log.map(({ seq, item }) => [seq, item.seq, item.unique_id, item.revision]),
      [
        [1, 1, "guid:a:1", 0],
        [2, 2, "guid:a:2", 0],
        [3, 3, "guid:a:1", 1],
      ],
    );
    assert.equal(log[0]?.item.title, "Halvorn sees revenue of $10 million");
    assert.deepEqual(
      (await itemsAfter(db.main, 1, 1)).map(({ seq }) => seq),
      [2],
    );
    assert.equal((await list({ symbols: ["NASDAQ:QBIT"] })).length, 1, "found by what it gained");
    assert.equal((await list({ sentimentMin: 8 })).length, 1);
    assert.equal((await list()).length, 2);
    assert.deepEqual([await termCount(db.main, "NYSE:HLV"), await termCount(db.main, "NASDAQ:QBIT")], [1, 1]);
    const scores = await db.main.selectFrom("scores").select("item_id").execute();
    assert.equal(scores.filter(({ item_id }) => item_id === item.id).length, 2, "no score is written over");
  },
);

onBothEngines(
  "a changed text is scored again, whatever of it changed, and nothing else is",
  async (_, engine) => {
    await using db = await testDb(engine);
    const { say } = feed(db);
    const at = { uniqueId: "guid:a:1", title: "Halvorn files results" };
    await say("a", { ...at, body: "Revenue rose to $10 million.", contentKey: "1", sentiment: 5 });
    await say("a", { ...at, body: "Revenue went up to $10 million.", contentKey: "2", sentiment: 9 });
    assert.equal((await stored(db.main, "guid:a:1")).scoring.sentiment_score, 9, "other words, same figures");
    await say("a", { ...at, body: "Revenue went up to $10 million.", contentKey: "3", sentiment: 2 });
    const item = await stored(db.main, "guid:a:1");
    assert.deepEqual([item.revision, item.scoring.sentiment_score], [1, 9]);
  },
);

onBothEngines("only the source that brought an item revises it", async (_, engine) => {
  await using db = await testDb(engine);
  const { say } = feed(db);
  await say("a", { uniqueId: "wire:bw:1", title: "Short form", contentKey: "1" });
  assert.deepEqual(await say("b", { uniqueId: "wire:bw:1", title: "Another cut of it", contentKey: "2" }), [
    "duplicate",
  ]);
  assert.equal((await stored(db.main, "wire:bw:1")).title, "Short form");
});

onBothEngines("documents complete an item once, and are scored", async (_, engine) => {
  await using db = await testDb(engine);
  const { say } = feed(db);
  const listed = { uniqueId: "sec:1", title: "8-K", contentKey: "filing", sentiment: 5 };
  const read = { ...listed, body: "Results of the quarter.", completes: true, sentiment: 7 };
  await say("edgar", listed);
  assert.deepEqual(await say("edgar", read), ["revised"]);
  assert.deepEqual(await say("edgar", read), ["duplicate"], "read again after a crash");
  assert.deepEqual(await say("edgar", listed), ["duplicate"], "listed again");
  const item = await stored(db.main, "sec:1");
  assert.deepEqual([item.revision, item.scoring.sentiment_score], [1, 7]);
});

onBothEngines("a withdrawn item stays in its place, marked, and does not come back", async (_, engine) => {
  await using db = await testDb(engine);
  const { say, withdraw, list } = feed(db);
  await say("a", { uniqueId: "guid:a:1", contentKey: "1" }, { uniqueId: "guid:a:2", contentKey: "1" });
  await withdraw("b", "guid:a:1");
  assert.equal((await stored(db.main, "guid:a:1")).status, "published", "not its source");
  await withdraw("a", "guid:a:1", "guid:a:unknown");
  await withdraw("a", "guid:a:1");
  await withdraw(null, "guid:a:2");
  assert.deepEqual(
    (await list()).map(({ status, revision }) => [status, revision]),
    [
      ["retracted", 1],
      ["retracted", 1],
    ],
  );
  assert.deepEqual(await say("a", { uniqueId: "guid:a:1", title: "Again", contentKey: "2" }), ["duplicate"]);
  assert.equal((await stored(db.main, "guid:a:1")).status, "retracted");
});

onBothEngines("revisions and new items of one batch are in the log in their order", async (_, engine) => {
  await using db = await testDb(engine);
  const { say } = feed(db);
  await say("a", { uniqueId: "guid:a:1", contentKey: "1", title: "One" });
  const outcomes = await say(
    "a",
    { uniqueId: "guid:a:2", contentKey: "1" },
    { uniqueId: "guid:a:1", contentKey: "2", title: "One, corrected" },
    { uniqueId: "guid:a:3", contentKey: "1" },
    { uniqueId: "guid:a:1", contentKey: "3", title: "One, corrected twice" },
  );
  assert.deepEqual(outcomes, ["created", "revised", "created", "revised"]);
  assert.deepEqual(
    (await itemsAfter(db.main, 0, 10)).map(({ seq, item }) => [seq, item.unique_id, item.revision]),
    [
      [1, "guid:a:1", 0],
      [2, "guid:a:2", 0],
      [3, "guid:a:1", 1],
      [4, "guid:a:3", 0],
      [5, "guid:a:1", 2],
    ],
  );
});

onBothEngines(
  "two versions of an item in one large batch: the last one stands, the log has both",
  async (_, engine) => {
    await using db = await testDb(engine);
    const { say, many } = feed(db);
    // Large tables: the database joins them otherwise than small ones.
    const count = 7_000;
    for (let start = 0; start < count; start += 500)
      await say(
        "a",
        ...Array.from({ length: 500 }, (_item, n) => ({ uniqueId: `guid:a:${start + n}`, contentKey: "1" })),
      );
    await db.main.executeQuery(sql`analyze`.compile(db.main));
    const otherwise = (n: number, key: string): Facts => ({
      uniqueId: `guid:a:${n}`,
      contentKey: key,
      title: `Item ${n}, version ${key}`,
    });
    await many(["a", otherwise(5, "2")], ["a", otherwise(5, "3")], ["a", otherwise(6, "2")]);
    const item = await stored(db.main, "guid:a:5");
    assert.deepEqual([item.seq, item.revision, item.title], [count + 2, 2, "Item 5, version 3"]);
    assert.deepEqual(
      (await itemsAfter(db.main, count, 10)).map(({ seq, item: { unique_id, revision } }) => [
        seq,
        unique_id,
        revision,
      ]),
      [
        [count + 1, "guid:a:5", 1],
        [count + 2, "guid:a:5", 2],
        [count + 3, "guid:a:6", 1],
      ],
    );
    assert.deepEqual(await say("a", otherwise(5, "4")), ["revised"], "and it can be revised again");
  },
);

onBothEngines(
  "documents read for an old listing neither undo a correction nor take its turn",
  async (_, engine) => {
    await using db = await testDb(engine);
    const { say } = feed(db);
    const pending = { class: 1 as const, raw: {} };
    const waiting = async () => (await db.main.selectFrom("pending_documents").selectAll().execute()).length;
    await say("a", { uniqueId: "guid:a:1", title: "Old", contentKey: "old", pending });
    await say("a", { uniqueId: "guid:a:1", title: "New", contentKey: "new", pending });
    const read = { uniqueId: "guid:a:1", body: "The article.", completes: true };
    assert.deepEqual(await say("a", { ...read, title: "Old", contentKey: "old" }), ["duplicate"]);
    assert.deepEqual([(await stored(db.main, "guid:a:1")).title, await waiting()], ["New", 1]);
    assert.deepEqual(await say("a", { ...read, title: "New", contentKey: "new" }), ["revised"]);
    assert.equal(await waiting(), 0);
    assert.deepEqual(await say("a", { uniqueId: "guid:a:1", title: "New", contentKey: "new" }), [
      "duplicate",
    ]);
    assert.equal((await stored(db.main, "guid:a:1")).revision, 2, "the listing is what was completed");
  },
);

onBothEngines("a headline alone takes no text back", async (_, engine) => {
  await using db = await testDb(engine);
  const { say } = feed(db);
  await say("a", { uniqueId: "guid:a:1", title: "One", body: "The whole text.", contentKey: "1" });
  assert.deepEqual(await say("a", { uniqueId: "guid:a:1", title: "One", contentKey: "2" }), ["duplicate"]);
  assert.deepEqual(await say("a", { uniqueId: "guid:a:1", title: "One, corrected", contentKey: "3" }), [
    "revised",
  ]);
  const body = await db.main.selectFrom("item_bodies").select("body").executeTakeFirstOrThrow();
  assert.equal(body.body, "The whole text.");
});
