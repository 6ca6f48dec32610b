/**
 * Items per second from the recorded day of filings through parse, link, tag, score and append, on PGlite and
 * PostgreSQL, with the share of each stage; beside it, in the same run, the raw limit: the same documents written in
 * batches of 500 into one bare table.
 *
 *   npm run bench:ingest            PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432, when one answers
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { tagDictionary } from "@tapewire/contract/tags.ts";
import { flash } from "@tapewire/scoring/flash/flash.ts";
import { linkSymbols } from "@tapewire/scoring/linking/symbols.ts";
import { tagItem } from "@tapewire/scoring/tags/tags.ts";
import { sql } from "kysely";
import { inProcessBus } from "../server/src/bus/bus.ts";
import { readConfigFile } from "../server/src/config/files.ts";
import { sourceConfig } from "../server/src/config/sources.ts";
import { ingest } from "../server/src/ingest/pipeline/pipeline.ts";
import type { RawItem } from "../server/src/ingest/raw-item.ts";
import { edgarAdapter } from "../server/src/ingest/sources/edgar/edgar.ts";
import { Sequencer } from "../server/src/itemlog/append.ts";
import { systemClock } from "../server/src/runtime/clock.ts";
import { silentLog } from "../server/src/runtime/log.ts";
import { Engine } from "../server/src/score/engine.ts";
import { ItemWriter } from "../server/src/store/append/item-writer.ts";
import { type Db, openDb } from "../server/src/store/engine/db.ts";
import { itemsAfter } from "../server/src/store/log/item-reads.ts";
import { Partitions } from "../server/src/store/log/partitions.ts";
import { migrate } from "../server/src/store/schema/migrate.ts";
import { createDatabase, type EngineName, postgresUrl } from "../server/test/support/db.ts";
import { withRecorded } from "../server/test/support/recorded.ts";
import { type Filing, readTape, renderPage } from "../server/test/support/tape.ts";

const copies = 5;
const pageRows = 100;
/** Sources that are read concurrently. */
const readers = Number(process.argv[2] ?? 4);
const source = sourceConfig.parse({
  id: "tape",
  name: "sec-edgar",
  provider: "sec",
  format: "edgar",
  type: "filing",
  url: "https://tape.example/cgi-bin/browse-edgar?count=100",
  documents: false,
});

if ("skip" in withRecorded) {
  console.error("The recorded tape is not here (../shared/data/ingest); there is nothing to measure.");
  process.exit(1);
}
const engine = new Engine();
const tags = readConfigFile(new URL("../config/tags.json", import.meta.url), tagDictionary);
const pages = tapePages();
console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`);
console.log(`${copies} x the recorded day, ${pages.length} pages of ${pageRows} rows`);
await measure("pglite");
if (postgresUrl === null) console.log("PostgreSQL: none found");
else await measure("postgres");

/** The recorded tape as pages of polls, several times over with other accession numbers. */
function tapePages(): Buffer[] {
  const tape = readTape();
  const whole = Array.from({ length: copies }, (_, copy) =>
    tape.map((filing) => renumbered(filing, copy)),
  ).flat();
  const rows = whole.reduce((sum, { parties }) => sum + parties.length, 0);
  const made: Buffer[] = [];
  // Rendered a day at a time, since rendering is quadratic and not measured.
  for (let copy = 0; copy < copies; copy++) {
    const day = tape.map((filing) => renumbered(filing, copy));
    for (let start = 0; start < rows / copies; start += pageRows)
      made.push(Buffer.from(renderPage(day, start, pageRows), "latin1"));
  }
  return made;
}

function renumbered(filing: Filing, copy: number): Filing {
  return { ...filing, accession: filing.accession.replace(/^\d{2}/, String(copy + 10)) };
}

function parsePages(): RawItem[] {
  return pages.flatMap((body) => {
    const response = { url: source.url, headers: {}, body, fetchedAt: systemClock.now() };
    return [...edgarAdapter.parse(response, source).items];
  });
}

async function measure(name: EngineName): Promise<void> {
  await using opened = await openEngine(name);
  const { db } = opened;
  const writer = new ItemWriter(db, new Partitions());
  await using sequencer = new Sequencer(writer, inProcessBus(), silentLog);
  const recall: ItemWriter["recall"] = (facts, id) => writer.recall(facts, id);
  const stages = stageTimes();

  const started = performance.now();
  const queue = pages.values();
  const counts = await Promise.all(
    Array.from({ length: readers }, () => readPages(queue, { sequencer, recall })),
  );
  const items = counts.reduce((sum, count) => sum + count, 0);
  const totalMs = performance.now() - started;
  const raw = await rawLimit(db);
  const measured = Object.values(stages).reduce((sum, ms) => sum + ms, 0);
  const shares = { ...stages, "append and the rest": totalMs - measured };
  const rate = (items / totalMs) * 1000;
  console.log(
    `\n${name}: ${Math.round(rate)} items/s end to end (${items} items in ${(totalMs / 1000).toFixed(2)} s)`,
  );
  for (const [stage, ms] of Object.entries(shares))
    console.log(
      `  ${stage.padEnd(20)} ${((100 * ms) / totalMs).toFixed(1).padStart(5)} %  ${((ms * 1000) / items).toFixed(0).padStart(5)} us an item`,
    );
  console.log(
    `  raw limit: ${Math.round(raw)} rows/s into one bare table; end to end is ${((100 * rate) / raw).toFixed(0)} % of it`,
  );
}

/** One source: reads page after page, each stored before the next. @returns items created */
async function readPages(
  queue: Iterator<Buffer> & Iterable<Buffer>,
  log: { readonly sequencer: Sequencer; readonly recall: ItemWriter["recall"] },
): Promise<number> {
  let created = 0;
  for (const body of queue) {
    const response = { url: source.url, headers: {}, body, fetchedAt: systemClock.now() };
    const { items } = edgarAdapter.parse(response, source);
    const options = { sourceId: "tape", backfill: true };
    const outcomes = await ingest(
      { engine, tags, clock: systemClock, log: silentLog, ...log },
      items,
      options,
    );
    created += outcomes.filter(({ status }) => status === "created").length;
  }
  return created;
}

/** Each stage by itself over the same items, ms. */
function stageTimes(): Record<"parse" | "link" | "tag" | "score", number> {
  const timed = <T>(work: () => T): [T, number] => {
    const started = performance.now();
    return [work(), performance.now() - started];
  };
  const [items, parse] = timed(parsePages);
  const artifacts = items.map(({ title, body, filing, categories, publishedAt }) => ({
    type: "filing" as const,
    title: title ?? "",
    body,
    filing,
    categories,
    publishedAt: publishedAt ?? systemClock.now(),
  }));
  const hints = items.map(({ symbols, isins, ciks }) => ({ symbols, isins, ciks }));
  const none = { symbols: [], isins: [], ciks: [] };
  const [linked, link] = timed(() =>
    artifacts.map((artifact, i) => linkSymbols(engine.symbols, artifact, hints[i] ?? none)),
  );
  const [, tag] = timed(() => artifacts.map((artifact, i) => tagItem(artifact, linked[i] ?? [])));
  const [, score] = timed(() => artifacts.map((artifact, i) => flash(artifact, linked[i] ?? [])));
  return { parse, link, tag, score };
}

/** Writes the stored documents again, in batches of 500, into a table without keys. @returns rows/s */
async function rawLimit(db: Db): Promise<number> {
  const docs = (await itemsAfter(db.main, 0, 20_000)).map(({ doc }) => doc);
  await sql`create table raw_limit (doc text not null)`.execute(db.main);
  const started = performance.now();
  for (let start = 0; start < docs.length; start += 500)
    await sql`insert into raw_limit select * from unnest(${docs.slice(start, start + 500)}::text[])`.execute(
      db.main,
    );
  return (docs.length / (performance.now() - started)) * 1000;
}

async function openEngine(name: EngineName): Promise<{ db: Db } & AsyncDisposable> {
  const stack = new AsyncDisposableStack();
  const dataDir = mkdtempSync(join(tmpdir(), `tapewire-bench-${randomUUID()}`));
  stack.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const database = name === "postgres" ? stack.use(await createDatabase()) : null;
  const db = stack.use(await openDb({ databaseUrl: database?.url ?? null, dataDir, log: silentLog }));
  await migrate(db);
  return { db, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
