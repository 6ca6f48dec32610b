import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { inProcessBus } from "../../src/bus/bus.ts";
import { Sequencer } from "../../src/itemlog/append.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { ItemWriter } from "../../src/store/append/item-writer.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { itemsAfter, logHead } from "../../src/store/log/item-reads.ts";
import { Partitions } from "../../src/store/log/partitions.ts";
import { exportLines, importLines } from "../../src/store/schema/dump.ts";
import { anyEngine, onAnyEngine, testDb } from "../support/db.ts";
import { newItem } from "../support/items.ts";

async function fill(db: Db, from: number, to: number): Promise<void> {
  const items = Array.from({ length: to - from }, (_, n) =>
    newItem({
      uniqueId: `guid:d:${from + n}`,
      publishedAt: new Date(Date.UTC(2026, (from + n) % 5, 3)).toISOString(),
      symbols: ["DEMO:OBTX"],
    }),
  );
  await using sequencer = new Sequencer(new ItemWriter(db, new Partitions()), inProcessBus(), silentLog);
  await sequencer.append({ items, sourceId: null });
}

async function dumpOf(db: Db): Promise<string[]> {
  const lines: string[] = [];
  await exportLines(db.main, async (line) => {
    lines.push(line);
  });
  return lines;
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

onAnyEngine(
  "a dump read into an empty database is the same log, and goes on where it was",
  async (_, engine) => {
    await using db = await testDb(engine);
    await fill(db, 0, 450);
    const lines = await dumpOf(db);
    // From one engine into the other and back is the way between versions of the embedded one.
    await using copy = await testDb("pglite");
    assert.equal(await importLines(copy, each(lines)), lines.length - 2);
    const back = await dumpOf(copy);
    await using twin = await testDb(engine);
    assert.equal(await importLines(twin, each(back)), back.length - 2);
    const items = await itemsAfter(db.main, 0, 1000);
    for (const read of [copy, twin]) assert.deepEqual(await itemsAfter(read.main, 0, 1000), items);
    const heads = [await logHead(db.main), await logHead(copy.main), await logHead(twin.main)];
    assert.deepEqual(
      heads.map(({ lastSeq }) => lastSeq),
      [450, 450, 450],
    );
    const epochs = new Set(heads.map(({ epoch }) => epoch));
    assert.equal(epochs.size, 3, "cursors tell them apart: each goes on by itself");
    for (const read of [copy, twin]) {
      await fill(read, 440, 460);
      assert.equal((await logHead(read.main)).lastSeq, 460, "known items stay known, seq goes on");
      await assert.rejects(importLines(read, each(lines)), {
        name: "DumpError",
        message: /already has items/,
      });
    }
  },
);

onAnyEngine("a dump that is cut short or damaged is refused, and says so", async (_, engine) => {
  await using db = await testDb(anyEngine);
  await fill(db, 0, 3);
  const lines = await dumpOf(db);
  const broken: [lines: string[], told: RegExp][] = [
    [lines.slice(0, -1), /cut short/],
    [[...lines.slice(0, 5), ...lines.slice(6)], /cut short/],
    [[...lines, lines.at(-2) ?? ""], /after its end/],
    [[lines[0] ?? "", lines.at(-1) ?? "", ...lines.slice(1, -1)], /after its end/],
    [[], /cut short/],
    [lines.slice(1), /not a Tapewire dump/],
    [[...lines.slice(0, 4), '{"tab'], /cut short/],
    [[lines[0] ?? "", '{"table":"pg_class","row":{}}'], /damaged/],
  ];
  for (const [given, told] of broken) {
    await using empty = await testDb(engine);
    await assert.rejects(importLines(empty, each(given)), { name: "DumpError", message: told });
  }
});

test("a second try on what a cut dump left is refused in words", async () => {
  await using db = await testDb(anyEngine);
  await fill(db, 0, 3);
  const lines = await dumpOf(db);
  await using half = await testDb(anyEngine);
  // Ends before the first item key, by which a database in use is known.
  const cut = lines.slice(
    0,
    lines.findIndex((line) => line.includes('"item_keys"')),
  );
  await assert.rejects(importLines(half, each(cut)), {
    name: "DumpError",
    message: /cut short/,
  });
  await assert.rejects(importLines(half, each(lines)), {
    name: "DumpError",
    message: /already has rows of terms/,
  });
});

test("a database without our tables is not exported, nor given any", async () => {
  await using db = await testDb(anyEngine);
  await sql`drop schema public cascade`.execute(db.main);
  await sql`create schema public`.execute(db.main);
  await assert.rejects(dumpOf(db), { name: "DumpError", message: /no Tapewire tables/ });
  const { rows } = await sql`select from pg_tables where schemaname = 'public'`.execute(db.main);
  assert.deepEqual(rows, []);
});
