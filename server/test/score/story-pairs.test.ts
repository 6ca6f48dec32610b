import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { feedList } from "@tapewire/contract/feeds.ts";
import { Engine, recallNothing } from "../../src/score/engine.ts";
import { anyEngine } from "../support/db.ts";
import { startService } from "../support/service.ts";

interface Told {
  readonly title: string;
  readonly body: string;
}

interface Pair {
  readonly kind: string;
  readonly what: string;
  readonly hours: number;
  readonly told: readonly [Told, Told];
}

/** Two tellings of one story (`copy`), or of two that look alike (`other`). */
const pairs: readonly Pair[] = readFileSync(new URL("../fixtures/story-pairs.tsv", import.meta.url), "utf8")
  .split("\n")
  .slice(2)
  .filter((line) => line !== "")
  .map((line) => {
    const [kind = "", what = "", hours = "", title = "", body = "", title2 = "", body2 = ""] =
      line.split("\t");
    return {
      kind,
      what,
      hours: Number(hours),
      told: [
        { title, body },
        { title: title2, body: body2 },
      ],
    };
  });

const dayMs = 86_400_000;
/** Pairs lie so far apart that none is compared with another. */
const publishedAt = (pair: number, hours: number) =>
  new Date(Date.parse("2023-01-02T09:00:00Z") + pair * 6 * dayMs + hours * 3_600_000).toISOString();

test("look-alikes are never one story, copies mostly are, and each item is scored by its own text", async () => {
  await using service = await startService(anyEngine);
  const { key } = await service.key("enterprise");
  // One after the other: what is judged in one call does not know its neighbours.
  for (const second of [0, 1] as const)
    await service.push(
      ...pairs.map(({ hours, told }, n) => ({
        ...told[second],
        source: second === 0 ? "wire-a" : "wire-b",
        external_id: `${n}`,
        published_at: publishedAt(n, second * hours),
      })),
    );
  const list = async (source: string) => {
    const answer = await service.get(`/v1/feeds?limit=1000&aggregator=${source}`, key);
    return feedList.parse(await answer.json()).data.reverse();
  };
  const [firsts, seconds] = [await list("wire-a"), await list("wire-b")];
  assert.deepEqual([firsts.length, seconds.length], [pairs.length, pairs.length]);

  const joined = seconds.map(({ story_id }, n) => story_id === firsts[n]?.id);
  for (const [n, { id, copy_of, story_id }] of seconds.entries()) {
    assert.equal(copy_of, joined[n] ? firsts[n]?.id : null, pairs[n]?.what);
    assert.equal(story_id, copy_of ?? id);
  }
  const wrong = pairs.filter(({ kind }, n) => kind === "other" && joined[n]).map(({ what }) => what);
  assert.deepEqual(wrong, []);
  const found = pairs.filter(({ kind }, n) => kind === "copy" && joined[n]);
  assert.ok(found.length >= 80, `${found.length} of 100 copies are found`);

  const engine = new Engine();
  for (const [n, { published_at, scoring }] of [...firsts, ...seconds].entries()) {
    const told = pairs[n % pairs.length]?.told[n < pairs.length ? 0 : 1];
    assert.ok(told !== undefined);
    const { title, body } = told;
    const { sentiment } = engine.judgeAny(
      { type: "news", title, body, publishedAt: new Date(published_at), filing: null, categories: [] },
      { symbols: [], isins: [], ciks: [] },
      recallNothing,
    ).verdict;
    assert.deepEqual(
      [
        scoring.sentiment_short,
        scoring.sentiment_long,
        scoring.sentiment_conviction,
        scoring.sentiment_comment,
      ],
      [sentiment.shortDirection, sentiment.longDirection, sentiment.conviction, sentiment.comment],
      title,
    );
  }
});
