import assert from "node:assert/strict";
import { sql } from "kysely";
import type { Queries } from "../../src/store/engine/db.ts";
import { byIndex, fencedBranch, plainBranch, type Search, walk } from "../../src/store/list/list-search.ts";
import { Partitions } from "../../src/store/log/partitions.ts";
import { onBothEngines, testDb } from "../support/db.ts";

/** Two axes, each of values that together nearly every item has. */
const groups = [[1, 2], Array.from({ length: 50 }, (_, n) => 4 + n)];
const search: Search = { filter: { tags: {} }, after: null, groups, limit: 51 };

/** The plan as text. */
async function plan(db: Queries, query: ReturnType<typeof fencedBranch>): Promise<string> {
  const { rows } = await sql<{ "QUERY PLAN": string }>`explain ${query}`.execute(db);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

onBothEngines(
  "a search of common values reads their index, a walk the order of the list, analysed or not",
  async (_, engine) => {
    await using db = await testDb(engine);
    await new Partitions().ensure(db.main, [
      new Date("2026-03-01T00:00:00Z"),
      new Date("2026-04-01T00:00:00Z"),
    ]);
    await sql`
    insert into items (seq, id, published_at, scraped_at, terms)
    select n, gen_random_uuid(), timestamptz '2026-03-01' + n * interval '1 minute', now(),
      array[1 + n % 2, 4 + n % 50]
    from generate_series(1, 4000) n`.execute(db.main);
    const fenced = () => byIndex(db.list, (tx) => plan(tx, fencedBranch("202603", search)));
    const check = async () => {
      const byValues = await fenced();
      assert.match(byValues, /Bitmap Index Scan on items_202603_terms_idx/);
      assert.doesNotMatch(byValues, /Seq Scan/);
      const walked = await plan(db.list, walk(["202604", "202603"], 200, search));
      assert.match(walked, /Index Scan Backward using items_202603_pkey/);
      assert.doesNotMatch(walked, /Sort Key: (?!items_202604)/, "but for the month that is empty");
    };
    await check();
    await sql`analyze items`.execute(db.main);
    await check();
    assert.match(await plan(db.list, fencedBranch("202603", search)), /Seq Scan/, "left to itself");
  },
);

onBothEngines(
  "a search enters the index at the nearer of its two bounds, wherever the other lies",
  async (_, engine) => {
    await using db = await testDb(engine);
    await new Partitions().ensure(db.main, [new Date("2026-03-01T00:00:00Z")]);
    await sql`
    insert into items (seq, id, published_at, scraped_at, terms)
    select n, gen_random_uuid(), timestamptz '2026-03-01' + n * interval '1 minute', now(), array[1]
    from generate_series(1, 20000) n`.execute(db.main);
    await sql`vacuum (analyze) items_202603`.execute(db.main);
    const early = new Date("2026-03-01T02:00:00Z");
    const late = {
      publishedAt: new Date("2026-03-14T00:00:00Z"),
      id: "ffffffff-0000-5000-8000-000000000000",
    };
    const searches: Search[] = [
      { ...search, filter: { tags: {}, until: early }, after: late },
      { ...search, filter: { tags: {}, until: late.publishedAt }, after: { ...late, publishedAt: early } },
    ];
    for (const one of searches) {
      const { rows } = await sql<{ "QUERY PLAN": string }>`
      explain (analyze, buffers, timing off) ${plainBranch("202603", one)}`.execute(db.list);
      const [read = ""] = rows.map((row) => row["QUERY PLAN"]).filter((line) => line.includes("Buffers:"));
      const pages = [...read.matchAll(/(?:hit|read)=(\d+)/g)].reduce(
        (sum, [, count]) => sum + Number(count),
        0,
      );
      assert.ok(pages > 0 && pages < 20, read);
    }
  },
);
