import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { FilterIds } from "../../src/itemlog/segments/term-ids.ts";
import { TermTexts } from "../../src/itemlog/segments/term-texts.ts";
import { mostListed, termCounts } from "../../src/store/list/reference.ts";
import { TermIds } from "../../src/store/list/terms.ts";
import { anyEngine, testDb } from "../support/db.ts";

test("names that only items bring are listed up to a bound, those with the most items", async () => {
  await using db = await testDb(anyEngine);
  await sql`
    insert into terms (kind, value, count, latest_at)
    select 'provider', 'p' || n, n, now() from generate_series(0, ${mostListed}::int + 10) n`.execute(
    db.main,
  );
  const listed = await termCounts(db.main, ["provider"]);
  assert.equal(listed.length, mostListed);
  assert.equal(Math.min(...listed.map(({ count }) => count)), 11);
});

test("a value whose id was forgotten is counted on under the same id", async () => {
  await using db = await testDb(anyEngine);
  const terms = new TermIds(2);
  const count = async (...values: string[]) => {
    const all = values.map((value) => ({ kind: "provider" as const, value }));
    const change = { terms: all, publishedAt: "2026-03-02T12:00:00.000Z", by: 1 as const };
    const { idOf, counts, remember } = await terms.count(db.main, [change]);
    remember();
    // What is known is counted by who writes the batch.
    for (const { id, count: more } of counts)
      await sql`update terms set count = count + ${more} where id = ${id}`.execute(db.main);
    return all.map(idOf);
  };
  const first = await count("a", "b", "c");
  assert.deepEqual(await count("a", "b", "c"), first);
  assert.deepEqual(await count("c", "a", "b"), [first[2], first[0], first[1]]);
  const counted = await termCounts(db.main, ["provider"]);
  assert.deepEqual(
    counted.map(({ value, count: items }) => [value, items]),
    [
      ["a", 3],
      ["b", 3],
      ["c", 3],
    ],
  );
});

test("what was asked of a lost log is not known of the next", async () => {
  await using db = await testDb(anyEngine);
  const { rows } = await sql<{ id: number }>`
    insert into terms (kind, value, count, latest_at) values ('provider', 'asked', 1, now()) returning id`.execute(
    db.main,
  );
  const id = rows[0]?.id ?? 0;
  const [ids, texts] = [new FilterIds(db.main), new TermTexts(db.main)];
  const term = { kind: "provider", value: "asked" } as const;
  const asked = Promise.all([ids.read([term]), texts.of([id])]);
  ids.forget();
  texts.forget();
  await asked;
  assert.deepEqual([ids.idOf(term), texts.get(id)], [undefined, undefined]);
  await ids.read([term]);
  assert.equal(ids.idOf(term), id);
});
