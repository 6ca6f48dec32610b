/** Items that were stored before events were found: by migrations up to 0015, and by a process of that version. */
import assert from "node:assert/strict";
import { cpSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { feedItem } from "@tapewire/contract/feeds.ts";
import type { Filter } from "@tapewire/contract/filter.ts";
import { sql } from "kysely";
import { matches } from "../../src/feed/filter.ts";
import { encodeDoc } from "../../src/feed/view.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { type Db, openDb } from "../../src/store/engine/db.ts";
import { windowBodies } from "../../src/store/list/window-rows.ts";
import { itemsAfter, logItemOf } from "../../src/store/log/item-reads.ts";
import { partitioned } from "../../src/store/log/partitions.ts";
import { itemAt, itemsToRescore } from "../../src/store/log/scores.ts";
import { exportLines, importLines } from "../../src/store/schema/dump.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
import { anyEngine, createDatabase, onAnyEngine, testDb } from "../support/db.ts";
import { firstPage } from "../support/index-process.ts";
import { newItem } from "../support/items.ts";
import { temporaryFolder } from "../support/process.ts";

const migrations = join(import.meta.dirname, "..", "..", "migrations");

/** The migrations of the version before. */
function oldMigrations(folder: string): string {
  const old = join(folder, "migrations");
  cpSync(migrations, old, { recursive: true });
  for (const name of readdirSync(old)) if (name >= "0016") rmSync(join(old, name));
  return old;
}

/** Titles that a careless search for the member would take for it. */
const titles = ["Orbitex raises its outlook", 'Halvorn sends {"event":null,"events":[]}', "Brandmoor wins"];
const old = titles.map((title, at) => {
  const scores = [
    { conviction: 80, score: 64 },
    { sentiment: null, actionability: null, score: null },
    { conviction: 81, score: 65 },
  ][at];
  return newItem({ uniqueId: `guid:old:${at}`, title, symbols: ["DEMO:OBTX"], ...scores });
});

/** Stores an item as the version before did: neither the document nor the row names events or the two scores. */
async function storeAsBefore(db: Db, seq: number, { item, detail, body }: (typeof old)[number]) {
  const { event: _, events: __, ...document } = item;
  for (const table of partitioned)
    await sql`
      create table if not exists ${sql.table(`${table}_202603`)} partition of ${sql.table(table)}
      for values from ('2026-03-01T00:00:00Z') to ('2026-04-01T00:00:00Z')`.execute(db.main);
  const row = {
    seq,
    id: item.id,
    unique_id: item.unique_id,
    published_at: item.published_at,
    scraped_at: item.scraped_at,
    actionable: item.scoring.actionability,
    sentiment: item.scoring.sentiment_score,
    terms: [],
    copy: false,
    doc: encodeDoc(seq, JSON.stringify(document)),
    detail: JSON.stringify(detail),
    body,
    source_id: null,
    content_key: "",
    model: item.scoring.model,
    model_version: item.scoring.model_version,
    scored_at: item.scoring.scored_at,
    verdict: { scoring: item.scoring, sub_scores: null, analysis: [] },
  };
  await sql`select store_batch(${JSON.stringify([row])}::json, '[]', '[]', '[]')`.execute(db.main);
}

const filters: Filter[] = [
  { tags: {} },
  ...[0, 80, 81].map((minConviction) => ({ minConviction, tags: {} })),
  ...[0, 64, 65].map((minActionability) => ({ minActionability, tags: {} })),
  { events: ["guidance_raised"], tags: {} },
];

async function assertComplete(db: Db): Promise<void> {
  const whole = await itemsAfter(db.main, 0, 10);
  assert.equal(whole.length, old.length);
  for (const { item, doc } of whole) {
    assert.deepEqual(feedItem.parse(JSON.parse(doc)), item);
    assert.deepEqual([item.event, item.events], [null, []]);
    const single = await itemAt(db.main, item.id, null);
    assert.equal(single?.doc, doc);
    assert.equal(single?.score, null);
  }
  const docs = whole.map(({ doc }) => doc).sort();
  assert.deepEqual((await windowBodies(db.main, null, 10)).map(({ doc }) => doc).sort(), docs);
  const wanted = { since: new Date(0), after: 0, model: "flash", modelVersion: "another", limit: 10 };
  const { items } = await itemsToRescore(db.main, wanted);
  assert.deepEqual(
    items.map(({ item }) => item),
    whole.map(({ item }) => item),
  );
  for (const filter of filters) {
    const docs = await firstPage(db, filter);
    const matching = whole.filter(({ item }) => matches(item, filter)).map(({ seq }) => seq);
    assert.deepEqual(docs.map((doc) => logItemOf(doc).seq).sort(), matching, JSON.stringify(filter));
  }
}

/** An empty database of the version before. */
async function openBefore(databaseUrl: string | null, folder: string): Promise<Db> {
  const db = await openDb({ databaseUrl, dataDir: join(folder, "data"), log: silentLog });
  await migrate(db, { folder: oldMigrations(folder) });
  return db;
}

onAnyEngine(
  "items of the version before have no events, and are found by their scores",
  async (_, engine) => {
    using folder = temporaryFolder();
    await using database = engine === "postgres" ? await createDatabase({ migrated: false }) : null;
    await using db = await openBefore(database?.url ?? null, folder.path);
    const [first, second, third] = old;
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    await storeAsBefore(db, 1, first);
    await storeAsBefore(db, 2, second);
    await migrate(db);
    // A process of the version before goes on for a while.
    await storeAsBefore(db, 3, third);
    await assertComplete(db);
  },
);

/** The same for both engines, since it is read from neither of them. */
let dump: Promise<readonly string[]> | null = null;

async function dumpOfBefore(): Promise<readonly string[]> {
  using folder = temporaryFolder();
  await using database = anyEngine === "postgres" ? await createDatabase({ migrated: false }) : null;
  await using before = await openBefore(database?.url ?? null, folder.path);
  for (const [at, item] of old.entries()) await storeAsBefore(before, at + 1, item);
  const lines: string[] = [];
  await exportLines(before.main, async (line) => {
    lines.push(line);
  });
  return lines;
}

onAnyEngine("a dump of the version before is read with its scores", async (_, engine) => {
  dump ??= dumpOfBefore();
  const lines = await dump;
  assert.ok(lines.length >= old.length);
  await using db = await testDb(engine);
  await importLines(db, Readable.from(lines));
  await assertComplete(db);
});
