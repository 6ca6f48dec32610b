import assert from "node:assert/strict";
import { sql } from "kysely";
import { z } from "zod";
import { ItemWriter } from "../../src/store/append/item-writer.ts";
import type { Queries } from "../../src/store/engine/db.ts";
import {
  claimDocument,
  claimStatement,
  type DueDocument,
  dropDocument,
  pendingBySource,
  postponeDocument,
  releaseDocument,
} from "../../src/store/intake/pending-documents.ts";
import { Partitions } from "../../src/store/log/partitions.ts";
import { onBothEngines, onPostgres, testDb } from "../support/db.ts";
import { newItem } from "../support/items.ts";

const limits = { each: 2, leaseMs: 60_000 };

/** Documents of a source, the oldest first. */
async function wait(
  db: Queries,
  source: string,
  { count, level = 1, dueInH = -1 }: { count: number; level?: number; dueInH?: number },
) {
  await sql`
    insert into pending_documents (item_id, source_id, class, raw, due_at)
    select gen_random_uuid(), ${source}, ${level}::smallint, '{}', now() + ${dueInH}::int * interval '1 hour' + n * interval '1 ms'
    from generate_series(1, ${count}::int) n`.execute(db);
}

const claimedBy = (db: Queries, sources: readonly string[]) =>
  claimDocument(db, { sources, ...limits }).then((due) => due?.sourceId ?? null);

onBothEngines(
  "higher classes are read first, and at most so many of one source at once",
  async (_, engine) => {
    await using db = await testDb(engine);
    await wait(db.main, "many", { count: 500, level: 2 });
    await wait(db.main, "few", { count: 1 });
    await wait(db.main, "few", { count: 1, level: 0 });
    await wait(db.main, "other", { count: 1, level: 2 });
    const sources = ["many", "few"];
    const claimed = [];
    for (let n = 0; n < 5; n++) claimed.push(await claimedBy(db.main, sources));
    assert.deepEqual(claimed, ["many", "many", "few", "few", null]);
    assert.equal(await claimedBy(db.main, ["other"]), "other");
  },
);

onBothEngines("documents count as being read until they are given back", async (_, engine) => {
  await using db = await testDb(engine);
  await wait(db.main, "one", { count: 10 });
  const claim = () => claimDocument(db.main, { sources: ["one"], ...limits });
  const [first, second] = [await claim(), await claim()];
  assert.ok(first !== null && second !== null && first.itemId !== second.itemId);
  assert.equal(await claim(), null);
  await postponeDocument(db.main, first, { delayMs: 60_000, counts: true });
  await releaseDocument(db.main, second.itemId);
  assert.equal((await claim())?.itemId, second.itemId, "it is the oldest again");
  assert.notEqual((await claim())?.itemId, first.itemId, "which is not due yet");
  await sql`update pending_documents set lease_until = now() - interval '1 ms' where lease_until is not null`.execute(
    db.main,
  );
  assert.equal((await claim())?.itemId, second.itemId, "what a lost process has left");
});

onBothEngines(
  "an item that is listed anew while its document is read is read after that",
  async (_, engine) => {
    await using db = await testDb(engine);
    const writer = new ItemWriter(db, new Partitions());
    const pending = { class: 1 as const, raw: {} };
    const say = (title: string, more: object) =>
      writer.append([
        { items: [newItem({ uniqueId: "guid:a:1", title, contentKey: title, ...more })], sourceId: "a" },
      ]);
    const claim = () => claimDocument(db.main, { sources: ["a"], ...limits });
    await say("Old", { pending });
    const ends: readonly ((due: DueDocument) => Promise<unknown>)[] = [
      () => say("Old", { body: "The article.", completes: true }),
      (due) => postponeDocument(db.main, due, { delayMs: 60_000, counts: true }),
      (due) => dropDocument(db.main, due),
    ];
    for (const [n, end] of ends.entries()) {
      const due = await claim();
      assert.ok(due !== null);
      await say(`New ${n}`, { pending });
      assert.equal(await claim(), null);
      await end(due);
      const next = await claim();
      assert.equal(next?.tries, 0);
      await releaseDocument(db.main, next.itemId);
    }
    const last = await claim();
    assert.ok(last !== null);
    await dropDocument(db.main, last);
    assert.equal(await claim(), null);
    assert.deepEqual(await pendingBySource(db.main), new Map());
  },
);

const plan = z.array(z.object({ Plan: z.looseObject({}) }));

onPostgres("a claim reads a few pages of a hundred thousand documents", async () => {
  await using db = await testDb("postgres");
  await wait(db.main, "busy", { count: 60_000 });
  await wait(db.main, "later", { count: 40_000, dueInH: 1 });
  await wait(db.main, "well", { count: 1 });
  const sources = ["busy", "later", "well"];
  for (const _ of ["busy", "busy"]) assert.equal(await claimedBy(db.main, sources), "busy");
  for (const analyzed of [false, true]) {
    if (analyzed) await sql`analyze pending_documents`.execute(db.main);
    const found = await sql<{ "QUERY PLAN": unknown }>`
      explain (analyze, buffers, format json) ${claimStatement({ sources, ...limits })}`.execute(db.main);
    const text = JSON.stringify(plan.parse(found.rows[0]?.["QUERY PLAN"]));
    assert.doesNotMatch(text, /Seq Scan|"Sort Key":\["p\.due_at/);
    const pages = Math.max(...[...text.matchAll(/"Shared Hit Blocks":(\d+)/g)].map(([, n]) => Number(n)));
    assert.ok(pages < 100, `${pages} pages: ${text}`);
    await sql`update pending_documents set lease_until = null where source_id = 'well'`.execute(db.main);
  }
});
