import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { tagDictionary } from "@tapewire/contract/tags.ts";
import { inProcessBus } from "../../../src/bus/bus.ts";
import { readConfigFile } from "../../../src/config/files.ts";
import { runDemo } from "../../../src/ingest/demo/demo.ts";
import { Sequencer } from "../../../src/itemlog/append.ts";
import type { Clock } from "../../../src/runtime/clock.ts";
import { silentLog } from "../../../src/runtime/log.ts";
import { Engine } from "../../../src/score/engine.ts";
import { ItemWriter } from "../../../src/store/append/item-writer.ts";
import type { Db } from "../../../src/store/engine/db.ts";
import { itemsAfter } from "../../../src/store/log/item-reads.ts";
import { Partitions } from "../../../src/store/log/partitions.ts";
import { anyEngine, testDb } from "../../support/db.ts";

const engine = new Engine();
const tags = readConfigFile(
  join(import.meta.dirname, "..", "..", "..", "..", "config", "tags.json"),
  tagDictionary,
);
const firstStart = Date.UTC(2026, 2, 2, 14, 30);

/** The wire from its start until it has slept so often; each sleep takes no time but the clock's own. */
async function runUntil(db: Db, startMs: number, sleeps: number): Promise<void> {
  const stop = new AbortController();
  const state = { nowMs: startMs, sleeps: 0 };
  const clock: Clock = {
    now: () => new Date(state.nowMs),
    sleep: async (ms) => {
      state.nowMs += ms;
      state.sleeps += 1;
      if (state.sleeps === sleeps) stop.abort();
    },
  };
  const writer = new ItemWriter(db, new Partitions());
  await using sequencer = new Sequencer(writer, inProcessBus(), silentLog);
  const recall: ItemWriter["recall"] = (...asked) => writer.recall(...asked);
  await runDemo({ engine, sequencer, tags, recall, clock, log: silentLog, db }, stop.signal);
}

test("the demo wire shows its earlier items once a database, not at every start", async () => {
  await using db = await testDb(anyEngine);
  const stored = async () => (await itemsAfter(db.main, 0, 1_000)).map(({ item }) => item);
  // Stopped before it told anything live.
  await runUntil(db, firstStart, 1);
  assert.equal((await stored()).length, 20);
  assert.ok((await stored()).every(({ published_at }) => Date.parse(published_at) < firstStart));

  const secondStart = firstStart + 3_600_000;
  await runUntil(db, secondStart, 4);
  const since = (await stored()).slice(20);
  assert.equal(since.length, 3);
  assert.ok(since.every(({ published_at }) => Date.parse(published_at) > secondStart));
});

test("a demo item after a restart was scored after it was seen, whatever it repeats", async () => {
  await using db = await testDb(anyEngine);
  for (const hour of [0, 1, 2]) await runUntil(db, firstStart + hour * 3_600_000, 12);
  for (const { item } of await itemsAfter(db.main, 0, 1_000)) {
    const { scored_at } = item.scoring;
    assert.ok(scored_at !== null && scored_at >= item.scraped_at, `${scored_at} < ${item.scraped_at}`);
  }
});
