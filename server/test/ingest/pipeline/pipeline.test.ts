import assert from "node:assert/strict";
import { join } from "node:path";
import { tagDictionary } from "@tapewire/contract/tags.ts";
import { inProcessBus } from "../../../src/bus/bus.ts";
import { readConfigFile } from "../../../src/config/files.ts";
import { ingest } from "../../../src/ingest/pipeline/pipeline.ts";
import { Sequencer } from "../../../src/itemlog/append.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { silentLog } from "../../../src/runtime/log.ts";
import { Engine } from "../../../src/score/engine.ts";
import { ItemWriter } from "../../../src/store/append/item-writer.ts";
import { itemsAfter } from "../../../src/store/log/item-reads.ts";
import { Partitions } from "../../../src/store/log/partitions.ts";
import { onBothEngines, testDb } from "../../support/db.ts";
import { rawItem } from "../../support/raw-items.ts";

const engine = new Engine();
const tags = readConfigFile(
  join(import.meta.dirname, "..", "..", "..", "..", "config", "tags.json"),
  tagDictionary,
);
const seenAt = new Date("2026-03-02T14:30:00Z");

const raw = (guid: string, body = "") =>
  rawItem({
    source: "wire-x",
    type: "news",
    identity: [`guid:wire-x:${guid}`],
    seenAt,
    title: `Halvorn Biotech update ${guid}`,
    body,
  });

onBothEngines(
  "an item that the database refuses is rejected alone; the rest of its page is stored in order",
  async (_, name) => {
    await using db = await testDb(name);
    await using sequencer = new Sequencer(new ItemWriter(db, new Partitions()), inProcessBus(), silentLog);
    const deps = {
      engine,
      sequencer,
      tags,
      recall: () => ({ repeatsMs: null, onSymbols: 0 }),
      clock: systemClock,
      log: silentLog,
    };
    // Adapters clean their text; one that forgets must not hold up its source for ever.
    const items = [raw("1"), raw("2"), raw("3", "NUL \0 is no text"), raw("4"), raw("5")];
    const outcomes = await ingest(deps, items, { sourceId: "x", backfill: true });
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["created", "created", "rejected", "created", "created"],
    );
    const stored = await itemsAfter(db.main, 0, 10);
    assert.deepEqual(
      stored.map(({ seq, item }) => [seq, item.unique_id.at(-1)]),
      [
        [1, "1"],
        [2, "2"],
        [3, "4"],
        [4, "5"],
      ],
    );
    assert.ok(
      stored.every(({ item }) => item.scraped_at === seenAt.toISOString()),
      "first seen when it was fetched",
    );
  },
);

onBothEngines(
  "when the log is closed nothing is called rejected: the caller is told and may try again",
  async (_, name) => {
    await using db = await testDb(name);
    const sequencer = new Sequencer(new ItemWriter(db, new Partitions()), inProcessBus(), silentLog);
    await sequencer[Symbol.asyncDispose]();
    const deps = {
      engine,
      sequencer,
      tags,
      recall: () => ({ repeatsMs: null, onSymbols: 0 }),
      clock: systemClock,
      log: silentLog,
    };
    await assert.rejects(ingest(deps, [raw("1")], { sourceId: null, backfill: true }), {
      name: "SequencerClosed",
    });
  },
);
