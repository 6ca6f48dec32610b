import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcessBus } from "../../src/bus/bus.ts";
import { Sequencer } from "../../src/itemlog/append.ts";
import { systemClock } from "../../src/runtime/clock.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { Engine } from "../../src/score/engine.ts";
import { ProPool } from "../../src/score/pro-pool.ts";
import { rescore } from "../../src/score/rescore.ts";
import { ItemWriter } from "../../src/store/items.ts";
import { Partitions } from "../../src/store/partitions.ts";
import { testDb } from "../support/db.ts";
import { newItem } from "../support/items.ts";

test("an item that pro gives up keeps its score and holds up none behind it", async () => {
  await using db = await testDb("pglite");
  await using sequencer = new Sequencer(new ItemWriter(db, new Partitions()), inProcessBus(), silentLog);
  const long = "Revenue rose 5% to $12 million from $11 million a year ago. ".repeat(3_000);
  const items = [
    newItem({ uniqueId: "guid:long", body: long }),
    newItem({ uniqueId: "guid:short", body: "Short." }),
  ];
  await sequencer.append({ items, sourceId: null });
  const engine = await Engine.load();
  const request = { since: "2026-01-01T00:00:00Z", model: "pro", after: 0 } as const;
  const deps = { db, engine, clock: systemClock };
  await using hasty = new ProPool({ threads: 1, deadlineMs: 1 });
  const { next } = await rescore({ ...deps, pool: hasty }, request);
  assert.equal(next, null);
  await using pool = new ProPool({ threads: 1 });
  const rest = await rescore({ ...deps, pool }, request);
  assert.ok(rest.scored >= 1, "the long one is still to be scored");
  assert.equal((await rescore({ ...deps, pool }, request)).scored, 0);
});
