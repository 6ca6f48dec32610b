import assert from "node:assert/strict";
import { feedList } from "@tapewire/contract/feeds.ts";
import type { PlanName } from "@tapewire/contract/plans.ts";
import type { Live } from "./live.ts";
import type { Section } from "./section.ts";

type Query = Readonly<Record<string, string | number>>;

/** Ids page by page, until next_cursor is null. `between` runs after each page. */
async function walk(live: Live, query: Query, between: () => Promise<unknown> = async () => {}) {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const answer = await live.get("/v1/feeds", { query: cursor === null ? query : { ...query, cursor } });
    const page = answer.read(feedList);
    pages.push(page.data.map(({ id }) => id));
    cursor = page.next_cursor;
    await between();
  } while (cursor !== null);
  return pages;
}

async function firstCursor(live: Live, query: Query): Promise<string> {
  const { next_cursor: cursor } = (await live.get("/v1/feeds", { query })).read(feedList);
  assert.ok(cursor !== null, "one page holds it all");
  return cursor;
}

/** The text with one character replaced by another of the alphabet. */
function tampered(cursor: string, index: number): string {
  const swapped = cursor[index] === "A" ? "B" : "A";
  return cursor.slice(0, index) + swapped + cursor.slice(index + 1);
}

async function pageOf(live: Live, plan: PlanName, query: Query) {
  const answer = await live.get("/v1/feeds", { query, key: await live.key(plan) });
  return { rows: answer.read(feedList).data.length, cap: Number(answer.header("x-page-limit")) };
}

export const feedsPaging: Section = {
  name: "GET /v1/feeds, paging",
  rules: {
    "paging with next_cursor as cursor reaches every item and ends with null": async (live, items) => {
      const ids = items.all.map(({ id }) => id);
      for (const limit of [1, 5, ids.length - 1, ids.length, ids.length + 1]) {
        const pages = await walk(live, { aggregator: items.sources.join(","), limit });
        assert.deepEqual(pages.flat(), ids);
        assert.ok(pages.slice(0, -1).every((page) => page.length === limit));
        assert.equal(pages.length, Math.ceil(ids.length / limit), `limit ${limit}`);
      }
    },
    "the limit may change from page to page": async (live, items) => {
      const query = { aggregator: items.sources.join(","), limit: 3 };
      const cursor = await firstCursor(live, query);
      const rest = (await live.get("/v1/feeds", { query: { ...query, cursor, limit: 1000 } })).read(feedList);
      assert.deepEqual(
        rest.data.map(({ id }) => id),
        items.all.slice(3).map(({ id }) => id),
      );
      assert.equal(rest.next_cursor, null);
    },
    "paging shows each item that existed at the start exactly once while items arrive": async (live) => {
      const source = live.name("arriving");
      const item = (n: number, publishedAt: string) => ({
        title: `Arrival ${n} of ${live.run}`,
        source,
        external_id: `arrival-${n}`,
        published_at: publishedAt,
      });
      const early = "2026-03-02T14:30:00Z";
      const first = await live.push(Array.from({ length: 6 }, (_, n) => item(n, early)));
      let next = 6;
      const pages = await walk(live, { aggregator: source, limit: 2 }, () =>
        live.push([item(next++, early), item(next++, "2026-03-03T00:00:00Z")]),
      );
      const seen = pages.flat();
      assert.equal(new Set(seen).size, seen.length, "an item came twice");
      for (const { id } of first) assert.equal(seen.filter((one) => one === id).length, 1);
    },
    "400 for a changed cursor": async (live, items) => {
      const query = { aggregator: items.sources[0], limit: 2 };
      const cursor = await firstCursor(live, query);
      for (const index of [0, Math.floor(cursor.length / 2), cursor.length - 2])
        await live.refuses("invalid_cursor", "GET", "/v1/feeds", {
          query: { ...query, cursor: tampered(cursor, index) },
        });
      for (const other of [cursor.slice(0, -1), `${cursor}A`, "x", "null", cursor.toLowerCase(), "%00", "🦉"])
        await live.refuses("invalid_cursor", "GET", "/v1/feeds", { query: { ...query, cursor: other } });
    },
    "400 for a cursor with other filters": async (live, items) => {
      const query = { aggregator: items.sources[0], limit: 2 };
      const cursor = await firstCursor(live, query);
      const others: Query[] = [
        { limit: 2 },
        { aggregator: items.sources[1] },
        { ...query, actionability: "true" },
        { ...query, since: "2026-01-01T00:00:00Z" },
      ];
      for (const other of others)
        await live.refuses("invalid_cursor", "GET", "/v1/feeds", { query: { ...other, cursor } });
    },
    "a cursor is valid for the same filters in another notation, and for another key": async (
      live,
      items,
    ) => {
      const [a, b] = items.sources;
      const cursor = await firstCursor(live, { aggregator: `${a},${b}`, limit: 2 });
      const query = { aggregator: `${b.toUpperCase()}, ${a}`, limit: 2, cursor };
      const page = (await live.get("/v1/feeds", { query, key: await live.key("quant") })).read(feedList);
      assert.deepEqual(
        page.data.map(({ id }) => id),
        items.all.slice(2, 4).map(({ id }) => id),
      );
    },
    "400 for an empty cursor": (live) =>
      live
        .refuses("invalid_parameter", "GET", "/v1/feeds", { query: "cursor=", fields: ["cursor"] })
        .then(() => undefined),
    "400 for a limit below 1 or not an integer": async (live) => {
      for (const limit of ["0", "-1", "1.5", "x", "", "1e2", "0x10", " 1", "1,2", "NaN", "9".repeat(30)])
        await live.refuses("invalid_parameter", "GET", "/v1/feeds", { query: { limit }, fields: ["limit"] });
    },
    "limit 1 returns one item": async (live, items) => {
      const { data } = (
        await live.get("/v1/feeds", { query: { limit: 1, aggregator: items.bulk.source } })
      ).read(feedList);
      assert.equal(data.length, 1);
    },
    "a limit above the plan's cap is lowered to it, X-Page-Limit shows the cap": async (live, { bulk }) => {
      const caps: number[] = [];
      for (const plan of ["starter", "pro", "quant", "enterprise"] as const) {
        const over = await pageOf(live, plan, { aggregator: bulk.source, limit: 999_999_999 });
        assert.equal(over.rows, Math.min(over.cap, bulk.count), plan);
        const limit = Math.min(over.cap, bulk.count);
        assert.equal((await pageOf(live, plan, { aggregator: bulk.source, limit })).rows, limit, plan);
        assert.equal(
          (await pageOf(live, plan, { aggregator: bulk.source, limit: over.cap + 1 })).rows,
          limit,
        );
        caps.push(over.cap);
      }
      assert.ok(caps.every((cap) => Number.isInteger(cap) && cap >= 1));
      assert.deepEqual(
        caps,
        caps.toSorted((a, b) => a - b),
        "a higher plan has no smaller page",
      );
      assert.ok((caps[0] ?? 0) < bulk.count, "the smallest plan's cap is above what the run pushed");
    },
    "without limit the page has the plan's default size, at most its cap": async (live, { bulk }) => {
      for (const plan of ["starter", "pro", "enterprise"] as const) {
        const { rows } = await pageOf(live, plan, { aggregator: bulk.source });
        const cap = (await pageOf(live, plan, { aggregator: bulk.source, limit: 1000 })).rows;
        assert.ok(rows >= 1 && rows <= cap && rows <= 50, `${plan}: ${rows}`);
      }
    },
  },
};
