import assert from "node:assert/strict";
import { test } from "node:test";
import { proVersion } from "@tapewire/scoring/pro/pro.ts";
import { inProcessBus } from "../../src/bus/bus.ts";
import { storyFacts } from "../../src/feed/story/story.ts";
import { apiErrorOf } from "../../src/http/wire/error-mapping.ts";
import { Sequencer } from "../../src/itemlog/append.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { Engine } from "../../src/score/engine.ts";
import { OwnModel, readModelFolder } from "../../src/score/model/own-model.ts";
import { ProPool } from "../../src/score/pro-pool.ts";
import { type RescoreDeps, rescore } from "../../src/score/rescore.ts";
import { ItemWriter } from "../../src/store/append/item-writer.ts";
import { Partitions } from "../../src/store/log/partitions.ts";
import { addScores, itemAt, itemsToRescore } from "../../src/store/log/scores.ts";
import { anyEngine, testDb } from "../support/db.ts";
import { newItem } from "../support/items.ts";
import { tinyModel } from "../support/own-model.ts";

test("an item that pro gives up keeps its score and holds up none behind it", async () => {
  await using db = await testDb(anyEngine);
  await using sequencer = new Sequencer(new ItemWriter(db, new Partitions()), inProcessBus(), silentLog);
  const long = "Revenue rose 5% to $12 million from $11 million a year ago. ".repeat(3_000);
  const items = [
    newItem({ uniqueId: "guid:long", body: long }),
    newItem({ uniqueId: "guid:short", body: "Short." }),
  ];
  await sequencer.append({ items, sourceId: null });
  const engine = new Engine();
  const request = { since: "2026-01-01T00:00:00Z", model: "pro", after: 0 } as const;
  const deps = { db, engine, recalledOf: () => null, clock: systemClock };
  await using hasty = new ProPool({ threads: 1, deadlineMs: 1 });
  const { next } = await rescore({ ...deps, pool: hasty }, request);
  assert.equal(next, null);
  await using pool = new ProPool({ threads: 1, deadlineMs: 60_000 });
  const rest = await rescore({ ...deps, pool }, request);
  assert.ok(rest.scored >= 1, "the long one is still to be scored");
  assert.equal((await rescore({ ...deps, pool }, request)).scored, 0);
});

test("while pro or the operator's model is too busy nothing is skipped: what is scored is stored, and the call is refused", async () => {
  await using db = await testDb(anyEngine);
  const writer = new ItemWriter(db, new Partitions());
  const items = [1, 2, 3, 4].map((n) =>
    newItem({ uniqueId: `guid:${n}`, title: `Halvorn wins approval ${n}` }),
  );
  await writer.append([{ items, sourceId: null }]);
  const request = { since: "2026-01-01T00:00:00Z", model: "pro", after: 0 } as const;
  const deps = { db, engine: new Engine(), recalledOf: () => null, clock: systemClock };
  const isRefused = (error: unknown) => {
    const { code, headers } = apiErrorOf(error);
    return code === "overloaded" && headers["Retry-After"] !== undefined;
  };
  await using busy = new ProPool({ threads: 1, waiting: 0 });
  await assert.rejects(rescore({ ...deps, pool: busy }, request), isRefused);
  await using pool = new ProPool({ threads: 1 });
  const whole = { next: null, model_version: proVersion };
  assert.deepEqual(await rescore({ ...deps, pool }, request), { ...whole, scored: 3, skipped: 0 });

  await using own = await OwnModel.open(await readModelFolder(tinyModel));
  let asked = 0;
  const busyOwn: NonNullable<RescoreDeps["own"]> = {
    folder: own.folder,
    judge: async (...given) => {
      asked += 1;
      return asked === 1 ? own.judge(...given) : { verdict: null, reason: "no turn", failure: "late" };
    },
  };
  await assert.rejects(rescore({ ...deps, pool, own: busyOwn }, request), isRefused);
  const { scored: rest, skipped: none } = await rescore({ ...deps, pool, own }, request);
  assert.deepEqual([rest, none], [3, 0]);
  const failing = newItem({ uniqueId: "guid:boom", title: "Halvorn boom" });
  await writer.append([{ items: [failing], sourceId: null }]);
  const { scored, skipped } = await rescore({ ...deps, pool, own }, request);
  assert.deepEqual([scored, skipped], [0, 1]);
});

test("a copy that is scored again is still a repeat, and a score of a text that was revised meanwhile is dropped", async () => {
  await using db = await testDb(anyEngine);
  const writer = new ItemWriter(db, new Partitions());
  const title = "Halvorn Biotech sells a plant for $40 million";
  const told = (uniqueId: string, publishedAt: string) =>
    newItem({ uniqueId, source: uniqueId, title, publishedAt, story: storyOf(title, uniqueId, publishedAt) });
  const first = told("guid:first", "2026-03-02T14:30:00.000Z");
  const copy = told("guid:copy", "2026-03-02T15:30:00.000Z");
  await writer.append([{ items: [first, copy], sourceId: null }]);
  const request = { since: "2026-01-01T00:00:00Z", model: "flash", after: 0 } as const;
  const wanted = { ...request, since: new Date(request.since), modelVersion: "another", limit: 10 };
  const { items } = await itemsToRescore(db.main, wanted);
  assert.deepEqual(
    items.map(({ firstPublishedAt }) => firstPublishedAt?.toISOString() ?? null),
    [null, first.item.published_at],
  );
  await using pool = new ProPool({ threads: 1 });
  const deps = { db, engine: new Engine(), recalledOf: () => null, clock: systemClock, pool };
  assert.equal((await rescore(deps, request)).scored, 2);
  const noveltyOf = async (id: string) =>
    (await itemAt(db.main, id, null))?.score?.sub_scores?.actionability.novelty;
  assert.deepEqual([await noveltyOf(first.item.id), await noveltyOf(copy.item.id)], [100, 11]);

  const revised = { ...copy, contentKey: "new", item: { ...copy.item, title: `${title} in cash` } };
  await writer.append([{ items: [revised], sourceId: null }]);
  const late = items.map(({ item }) => ({
    item,
    score: {
      scoring: { ...item.scoring, scored_at: "2027-01-01T00:00:00.000Z" },
      sub_scores: null,
      analysis: [],
    },
  }));
  await addScores(db.main, late);
  const scoredAt = async (id: string) => (await itemAt(db.main, id, null))?.score?.scoring.scored_at;
  assert.equal(await scoredAt(first.item.id), "2027-01-01T00:00:00.000Z");
  assert.notEqual(await scoredAt(copy.item.id), "2027-01-01T00:00:00.000Z");
});

test("a revision is not shown with a score of the text before, however late that one was made", async () => {
  await using db = await testDb(anyEngine);
  const writer = new ItemWriter(db, new Partitions());
  const first = newItem({ uniqueId: "guid:revised", contentKey: "1" });
  await writer.append([{ items: [first], sourceId: null }]);
  const wanted = { since: new Date("2026-01-01T00:00:00Z"), after: 0, limit: 10 };
  const toRescore = async (modelVersion: string) =>
    (await itemsToRescore(db.main, { ...wanted, model: "flash", modelVersion })).items;
  const shown = async () => (await itemAt(db.main, first.item.id, null))?.score?.scoring.scored_at ?? null;
  const score = async (modelVersion: string, scoredAt: string) => {
    const rows = (await toRescore(modelVersion)).map(({ item }) => ({
      item,
      score: {
        scoring: { ...item.scoring, model: "flash", model_version: modelVersion, scored_at: scoredAt },
        sub_scores: null,
        analysis: [],
      },
    }));
    await addScores(db.main, rows);
  };
  await score("9.0.0", "2027-03-01T00:00:00.000Z");
  assert.equal(await shown(), "2027-03-01T00:00:00.000Z");
  // It was judged before the text before was judged again, and is stored after it.
  const { item } = first;
  const scoring = { ...item.scoring, scored_at: "2027-02-01T00:00:00.000Z" };
  const revised = { ...first, contentKey: "2", item: { ...item, title: "Another title", scoring } };
  await writer.append([{ items: [revised], sourceId: null }]);
  assert.equal(await shown(), null);
  assert.equal((await toRescore("9.0.0")).length, 1);
  await score("9.0.0", "2027-04-01T00:00:00.000Z");
  assert.equal(await shown(), "2027-04-01T00:00:00.000Z");
  assert.deepEqual(await toRescore("9.0.0"), []);
});

function storyOf(title: string, source: string, publishedAt: string) {
  const symbols = ["NYSE:HLV"];
  const item = { title, body: "", symbols, about: symbols, source, publishedAt: new Date(publishedAt) };
  return storyFacts(item, { events: [], direction: 0 });
}
