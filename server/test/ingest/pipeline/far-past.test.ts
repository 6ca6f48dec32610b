import assert from "node:assert/strict";
import { test } from "node:test";
import { inProcessBus } from "../../../src/bus/bus.ts";
import { oldestCounted } from "../../../src/ingest/pipeline/published-at.ts";
import { Sequencer } from "../../../src/itemlog/append.ts";
import { silentLog } from "../../../src/runtime/log.ts";
import { ItemWriter } from "../../../src/store/append/item-writer.ts";
import { Partitions } from "../../../src/store/log/partitions.ts";
import { anyEngine, onAnyEngine, testDb } from "../../support/db.ts";
import { newItem } from "../../support/items.ts";
import { pollingOf, startAnswer } from "../../support/polls.ts";

const start = "2026-03-02T14:30:00Z";
const entry = (title: string, at: Date) =>
  `<item><title>${title}</title><guid>${title}</guid><pubDate>${at.toUTCString()}</pubDate></item>`;
const rss = (items: readonly string[]) =>
  `<rss version="2.0"><channel><title>t</title>${items.join("")}</channel></rss>`;
/** Two a year, back to 1990. */
const archive = Array.from({ length: 72 }, (_, half) =>
  entry(`Entry of month ${6 * half}`, new Date(Date.UTC(1990, 6 * half, 2))),
);
const months = (items: readonly { published_at: string }[]) =>
  new Set(items.map(({ published_at }) => published_at.slice(0, 7)));

onAnyEngine("a live feed with entries since 1990 makes no months of the far past", async (_, engine) => {
  await using db = await testDb(engine);
  await using answer = await startAnswer();
  const source = { id: "old", name: "old", provider: "old", format: "feed" as const, url: answer.url };
  await using polling = pollingOf(db, [source], start);
  answer.state.body = rss([entry("Today", new Date(start))]);
  await polling.poll("old");
  answer.state.body = rss(archive.toReversed());
  await polling.poll("old");
  const stored = await polling.log();
  assert.equal(stored.length, archive.length + 1);
  const since = Date.parse(start) - 401 * 86_400_000;
  assert.ok(stored.every(({ published_at }) => Date.parse(published_at) > since));
  const oldest = stored.find(({ title }) => title === "Entry of month 0");
  assert.deepEqual(
    [oldest?.published_at, oldest?.source_time],
    [oldest?.scraped_at, "1990-01-02T00:00:00.000Z"],
  );
});

test("a first walk over an archive keeps its times, of at most 24 months before the last 400 days", async () => {
  const seenAt = new Date(start);
  const at = (time: string) => ({ seenAt, publishedAt: new Date(time) });
  const first = { sourceId: "x", backfill: true };
  const oldOf = (times: readonly string[], options: Parameters<typeof oldestCounted>[1]) =>
    oldestCounted(times.map(at), options).toISOString();
  const yearly = Array.from({ length: 30 }, (_, year) => `${1995 + year}-06-15T00:00:00Z`);
  assert.equal(oldOf(yearly.slice(-20), first), "1990-01-01T00:00:00.000Z");
  assert.equal(oldOf(yearly, first), "2001-06-01T00:00:00.000Z");
  assert.equal(oldOf(yearly, { ...first, backfill: false }), "2025-01-26T14:30:00.000Z");
  assert.equal(oldOf(yearly, { sourceId: null, backfill: true }), "1990-01-01T00:00:00.000Z");
  assert.equal(oldOf(["0001-01-01T00:00:00Z"], first), "1990-01-01T00:00:00.000Z");

  await using db = await testDb(anyEngine);
  await using answer = await startAnswer();
  const source = { id: "old", name: "old", provider: "old", format: "feed" as const, url: answer.url };
  await using polling = pollingOf(db, [source], start);
  answer.state.body = rss(yearly.map((time) => entry(`Of ${time}`, new Date(time))));
  await polling.poll("old");
  assert.equal(months(await polling.log()).size, 25);
});

test("who waits for the tables of a new month holds up nobody else", async () => {
  await using db = await testDb(anyEngine);
  const partitions = new Partitions();
  await partitions.ensure(db.main, [new Date(start)]);
  const made = Promise.withResolvers<void>();
  const ensure = partitions.ensure.bind(partitions);
  partitions.ensure = async (queries, times) => {
    if (partitions.lacks(times)) await made.promise;
    await ensure(queries, times);
  };
  await using sequencer = new Sequencer(new ItemWriter(db, partitions), inProcessBus(), silentLog);
  const append = (publishedAt: string) =>
    sequencer.append({ items: [newItem({ uniqueId: publishedAt, publishedAt })], sourceId: null });
  const old = append("2003-05-01T00:00:00.000Z");
  const [now] = await append(start);
  assert.equal(now?.status, "created");
  made.resolve();
  assert.equal((await old)[0]?.status, "created");
});
