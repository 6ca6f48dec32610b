import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { feedList } from "@tapewire/contract/feeds.ts";
import type { Service } from "../../../support/service.ts";
import type { List } from "./list.ts";
import { refused } from "./refusals.ts";

export async function pagingTests(
  context: TestContext,
  service: Service,
  { key, list }: { key: string; list: List },
): Promise<void> {
  const subtest = (name: string, body: () => Promise<void>) => context.test(name, body);
  await subtest("a walk by next_cursor shows every item once and ends with null", async () => {
    let found = "";
    let cursor = "";
    for (let page = 1; page <= 4; page++) {
      const answer = await list(`limit=1${cursor}`);
      found += answer.found;
      assert.equal(answer.page.next_cursor === null, page === 4);
      cursor = `&cursor=${answer.page.next_cursor}`;
    }
    assert.equal(found, "dcba");
  });
  await subtest("a walk with a filter pages that filter, however it is spelled", async () => {
    const first = await list("limit=1&symbol=OBTX,NWHB");
    assert.equal(first.found, "c");
    const second = await list(`limit=5&symbol=nwhb,obtx,OBTX&cursor=${first.page.next_cursor}`);
    assert.equal(second.found, "ba");
    assert.equal(second.page.next_cursor, null);
  });
  await subtest("an item that arrives during a walk does not shift it", async () => {
    const first = await list("limit=2&until=2026-03-01T13:30:00Z");
    await service.push({
      title: "Late but newest",
      published_at: "2026-03-01T13:10:00Z",
      source: "wire-late",
    });
    const second = await list(`limit=2&until=2026-03-01T13:30:00Z&cursor=${first.page.next_cursor}`);
    assert.equal(first.found + second.found, "dcba");
  });
  await subtest("a cursor with other filters, or tampered with, is 400 invalid_cursor", async () => {
    const { next_cursor: cursor } = (await list("limit=1&symbol=OBTX")).page;
    assert.ok(cursor !== null);
    const flipped = cursor.slice(0, 20) + (cursor[20] === "A" ? "B" : "A") + cursor.slice(21);
    for (const query of [
      `cursor=${cursor}`,
      `symbol=NWHB&cursor=${cursor}`,
      `symbol=OBTX&aggregator=wire-b&cursor=${cursor}`,
      `symbol=OBTX&cursor=${flipped}`,
      `symbol=OBTX&cursor=${cursor.slice(0, -1)}`,
      `symbol=OBTX&cursor=${cursor}AAAA`,
      "cursor=nonsense",
      "cursor=%00",
    ])
      await refused(service, key, query, { code: "invalid_cursor" });
  });
  await subtest(
    "the limit is 50 by default, and clamped to the plan's cap that X-Page-Limit tells",
    async () => {
      const many = Array.from({ length: 205 }, (_, index) => ({
        title: `Routine notice ${index}`,
        external_id: `n${index}`,
        source: "bulk",
        published_at: "2026-02-01T00:00:00Z",
      }));
      await service.push(...many);
      const starter = (await service.key("starter")).key;
      const sizeOf = async (query: string, by: string) => {
        const response = await service.get(`/v1/feeds?aggregator=bulk${query}`, by);
        const { data } = feedList.parse(await response.json());
        return [data.length, response.headers.get("x-page-limit")];
      };
      assert.deepEqual(await sizeOf("", key), [50, "200"]);
      assert.deepEqual(await sizeOf("&limit=200", key), [200, "200"]);
      assert.deepEqual(await sizeOf("&limit=999999", key), [200, "200"]);
      assert.deepEqual(await sizeOf("&limit=999999999999", key), [200, "200"]);
      assert.deepEqual(await sizeOf("&limit=101", starter), [100, "100"]);
    },
  );
  await subtest("items of one instant are walked in one order, none lost at a page's edge", async () => {
    const seen: string[] = [];
    let cursor = "";
    do {
      const { page } = await list(`aggregator=bulk&limit=37${cursor}`);
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor === null ? "" : `&cursor=${page.next_cursor}`;
    } while (cursor !== "");
    assert.equal(seen.length, 205);
    assert.deepEqual(seen, [...new Set(seen)].sort().reverse());
  });
}
