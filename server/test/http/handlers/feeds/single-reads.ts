import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { feedItemDetail, feedList } from "@tapewire/contract/feeds.ts";
import { newItem } from "../../../support/items.ts";
import type { Service } from "../../../support/service.ts";
import { items } from "./list.ts";

export async function singleReadTests(
  context: TestContext,
  service: Service,
  { key, names }: { key: string; names: ReadonlyMap<string, string> },
): Promise<void> {
  const id = [...names].find(([, name]) => name === "a")?.[0] ?? "";
  await context.test("a single read adds analysis, sub_scores and summary to the listed item", async () => {
    const response = await service.get(`/v1/feeds/${id}`, key);
    assert.equal(response.status, 200);
    const { analysis, sub_scores, summary, ...item } = feedItemDetail.strict().parse(await response.json());
    const listed = await service.get("/v1/feeds?symbol=DEMO:OBTX", key);
    assert.deepEqual(item, feedList.parse(await listed.json()).data[0]);
    const [first] = analysis;
    assert.equal(first?.symbol, "DEMO:OBTX");
    assert.equal(first?.primary, true);
    assert.ok((first?.sentiment_short ?? 0) > 0);
    assert.ok(first?.evidence.every(({ text, start, end }) => items[0]?.title.slice(start, end) === text));
    assert.ok((sub_scores?.actionability.materiality ?? 0) > 0);
    assert.ok(summary === null || summary.length > 0);
  });
  await context.test("an unknown id is 404, one that is no uuid 400", async () => {
    const unknown = await service.get(`/v1/feeds/${newItem({ uniqueId: "nobody" }).item.id}`, key);
    assert.equal(unknown.status, 404);
    assert.equal(problem.parse(await unknown.json()).code, "not_found");
    const wrong = await service.get("/v1/feeds/17", key);
    assert.equal(wrong.status, 400);
    const body = problem.parse(await wrong.json());
    assert.deepEqual(
      body.errors?.map(({ name, in: where }) => [where, name]),
      [["path", "id"]],
    );
  });
  await context.test(
    "on Free a single read is locked: every score and comment null, with a message",
    async () => {
      const free = await service.key("free");
      const response = await service.get(`/v1/feeds/${id}`, free.key);
      assert.equal(response.status, 200);
      const { scoring, analysis, sub_scores, title } = feedItemDetail.parse(await response.json());
      const { locked, message, ...scores } = scoring;
      assert.equal(title, items[0]?.title);
      assert.equal(locked, true);
      assert.match(message ?? "", /Free/);
      assert.deepEqual([...new Set(Object.values(scores))], [null]);
      assert.equal(sub_scores, null);
      for (const entry of analysis) {
        const { sentiment_short, sentiment_long, sentiment_conviction, sentiment_score, sentiment_comment } =
          entry;
        assert.deepEqual(
          [sentiment_short, sentiment_long, sentiment_conviction, sentiment_score, sentiment_comment],
          [null, null, null, null, null],
        );
        // The words that made a score would tell it.
        assert.deepEqual(entry.evidence, []);
      }
      assert.ok(analysis.length > 0);
    },
  );
}
