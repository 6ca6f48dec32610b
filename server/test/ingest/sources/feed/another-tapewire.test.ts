import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { anyEngine, testDb } from "../../../support/db.ts";
import { pollingOf } from "../../../support/polls.ts";
import { startService } from "../../../support/service.ts";
import { notice, notices } from "../../../support/stream-connect.ts";

const pageSize = 10;
const text = "Orbitex Robotics raised its guidance for the full year.";
const entry = { id: "other", name: "other", provider: "other", format: "feed", follow_pages: true } as const;

describe("another Tapewire's feed as a source", () => {
  for (const format of ["rss", "json"])
    test(`${format}: nothing is doubled or lost, however much came between two polls`, async () => {
      await using service = await startService(anyEngine);
      const { key } = await service.key("pro");
      await using db = await testDb(anyEngine);
      const url = `${service.url}/v1/feeds.${format}?limit=${pageSize}&api_key=${key}`;
      await using there = pollingOf(db, [{ ...entry, url }], new Date().toISOString());
      const pushed: string[] = [];
      const push = async (count: number) => {
        const made = notices(count, { body: text });
        if (count > 0) await service.push(...made);
        pushed.push(...made.map(({ title }) => title));
      };
      for (const count of [3, 4 * pageSize + 3, 0, pageSize, 1]) {
        await push(count);
        await there.poll("other");
        const log = await there.log();
        assert.deepEqual(log.map(({ title }) => title).sort(), [...pushed].sort());
      }
      const bodies = await db.main.selectFrom("item_bodies").select("body").execute();
      assert.deepEqual([...new Set(bodies.map(({ body }) => body))], [text]);
    });

  test("a revised item is revised there, and a withdrawn one is withdrawn", async () => {
    await using service = await startService(anyEngine);
    const { key } = await service.key("pro");
    await using db = await testDb(anyEngine);
    const url = `${service.url}/v1/feeds.rss?api_key=${key}`;
    await using there = pollingOf(db, [{ ...entry, url }], new Date().toISOString());
    const item = { ...notice(), symbols: ["DEMO:OBTX"] };
    const [{ id = "" } = {}] = await service.push(item, ...notices(5));
    const newest = async () => {
      await there.poll("other");
      return (await there.log()).at(-1);
    };
    await newest();
    await service.push({ ...item, title: "Orbitex cuts its outlook" });
    const revised = await newest();
    assert.deepEqual(
      [revised?.title, revised?.status, revised?.revision],
      ["Orbitex cuts its outlook", "revised", 1],
    );
    assert.deepEqual(
      revised?.symbols.map(({ symbol }) => symbol),
      ["DEMO:OBTX"],
    );
    await service.admin("DELETE", `/admin/v1/items/${id}`);
    const gone = await newest();
    assert.deepEqual([gone?.id, gone?.status], [revised?.id, "retracted"]);
    assert.equal(new Set((await there.log()).map((one) => one.id)).size, 6);
  });
});
