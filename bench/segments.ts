/**
 * The index of lists alone, without documents: each shape of `bench:rest` with blocks that are to be read, and with blocks
 * in memory, and counts. Beyond a million items the segments of a million are repeated further back.
 *
 *   node bench/segments.ts [items, default 1000000]
 *     --database   blocks are read from a PostgreSQL (TEST_DATABASE_URL or 127.0.0.1:5432), where they are stored for it
 */
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { type Filter, filterOfQuery, listQuery } from "@tapewire/contract/filter.ts";
import { tagDictionary } from "@tapewire/contract/tags.ts";
import { eventCatalogue } from "@tapewire/scoring/flash/events/catalogue.ts";
import { type Block, decoded, SegmentBlocks } from "../server/src/itemlog/segments/blocks.ts";
import { countItems } from "../server/src/itemlog/segments/counting.ts";
import { findItems } from "../server/src/itemlog/segments/finding.ts";
import { silentLog } from "../server/src/runtime/log.ts";
import { openDb } from "../server/src/store/engine/db.ts";
import { sliceOf } from "../server/src/store/segments/block-runs.ts";
import { postgresUrl } from "../server/test/support/test-postgres.ts";
import { neverTheSame, shapes } from "./rest-shapes.ts";
import {
  dayMs,
  depsOf,
  processorMs,
  type SegmentIndex,
  segmentIndex,
  storedSegments,
} from "./segment-index.ts";

const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: { database: { type: "boolean", default: false } },
});
const total = Number(positionals[0] ?? 1_000_000);
const repeats = 9;
/** How long a search is repeated with all in memory. */
const warmMs = 400;
const cacheBytes = 128 * 2 ** 20;

const tags = tagDictionary.parse(
  JSON.parse(readFileSync(new URL("../config/tags.json", import.meta.url), "utf8")),
);
const query = listQuery({ tags, events: eventCatalogue });
const filterOf = (text: string) => filterOfQuery(query.parse(Object.fromEntries(new URLSearchParams(text))));
const asked: readonly { name: string; filter: (n: number) => Filter; limit: number }[] = [
  ...shapes.map(({ name, query: text }) => ({
    name,
    filter: () => filterOf(text),
    limit: Number(new URLSearchParams(text).get("limit") ?? 50) + 1,
  })),
  // In steps, so that a few of them have all bounds of the sentiment.
  { name: "never the same filter", filter: (n) => filterOf(neverTheSame(37 * n)), limit: 51 },
  {
    name: "two words of titles",
    filter: () => filterOf("q=earnings -merger&market_country=ZW,HK"),
    limit: 51,
  },
];

const index = await segmentIndex(total);
console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`);
describe(index);
if (given.database) await fromDatabase();
else await fromMemory();

function describe({ segments, bodies, makeMs }: SegmentIndex): void {
  const items = segments.reduce((sum, one) => sum + one.items, 0);
  const of = (bytes: (one: SegmentIndex["segments"][number], body: number) => number) => {
    const sum = segments.reduce(
      (all, one) => all + bytes(one, bodies[(one.id - 1) % bodies.length]?.length ?? 0),
      0,
    );
    return (sum / items).toFixed(2);
  };
  const postings = (one: SegmentIndex["segments"][number]) => {
    let sum = 0;
    for (let block = 0; block < one.postingBlocks; block++) sum += one.postingSlice(block).bytes;
    return sum;
  };
  const meetings = (one: SegmentIndex["segments"][number]) => one.meetingsSlice?.bytes ?? 0;
  console.log(`${items} items, ${segments.length} segments; to make one ${makeMs.toFixed(0)} ms`);
  console.log(
    `bytes an item: postings ${of(postings)}, what meets ${of(meetings)}, keys 24, words of titles ${of((one, body) => body - 24 * one.items - postings(one) - meetings(one))}; heads in memory ${of(({ bytes }) => bytes)}`,
  );
}

type Find = (n: number) => Promise<unknown>;

/** @param fresh forgets the blocks @returns what a search takes with no block in memory, and then with all */
async function measured(find: Find, fresh: () => void) {
  const cold = await times(repeats, async (n) => {
    fresh();
    await find(n);
  });
  const { ms } = await times(repeats, (n) => find(repeats + n));
  const warm = await times(Math.ceil(warmMs / Math.max(0.01, ms)), (n) => find(2 * repeats + n));
  return { cold, warm };
}

interface Times {
  readonly ms: number;
  readonly processor: number;
}

/** The middle time, and the processor time on average, since a clock of processor time is coarse. */
async function times(count: number, work: (n: number) => Promise<unknown>): Promise<Times> {
  const all: number[] = [];
  const processor = await processorMs(async () => {
    for (let n = 0; n < count; n++) {
      const begun = performance.now();
      await work(n);
      all.push(performance.now() - begun);
    }
  });
  return { ms: all.sort((x, y) => x - y)[count >> 1] ?? 0, processor: processor / count };
}

/** Blocks of bodies in memory are decoded at their first use. */
async function fromMemory(): Promise<void> {
  const kept = new Map<number, Block>();
  let read = 0;
  const deps = () =>
    depsOf(index, {
      get: (key) => kept.get(key),
      makeWords: async () => {
        throw new Error("all segments have words");
      },
      read: async (wanted) => {
        const found = new Map<number, Block>();
        for (const [key, one] of wanted) {
          const { at, bytes } = sliceOf(one);
          const body = index.bodies[(one.segment.id - 1) % index.bodies.length] ?? new Uint8Array();
          const block = decoded(one, body.subarray(at, at + bytes));
          found.set(key, block);
          kept.set(key, block);
          read += 1;
        }
        return found;
      },
    });
  console.log("\nprocessor ms of a search: no block decoded, blocks; all decoded, a segment of all (us)");
  for (const { name, filter, limit } of asked) {
    read = 0;
    const find: Find = (n) => findItems(deps(), { filter: filter(n), after: null, limit, owner: null });
    const { cold, warm } = await measured(find, () => kept.clear());
    const each = (1_000 * warm.processor) / index.segments.length;
    console.log(
      `${name.padEnd(28)} ${cold.processor.toFixed(2).padStart(8)} ${(read / repeats).toFixed(0).padStart(6)} ${warm.processor.toFixed(2).padStart(8)} ${each.toFixed(1).padStart(7)}`,
    );
  }
  const untilMs = (index.segments.at(-1)?.newest.ms ?? 0) + 1;
  for (const by of [null, "aggregator", "ticker"] as const) {
    const days = Math.min(1_400, Math.ceil(total / 1_000_000) * 366);
    const request = { fromMs: untilMs - days * dayMs, untilMs, bucketMs: dayMs, by, top: 8, turn: () => {} };
    const count: Find = () => countItems(deps(), { tags: {} }, request);
    kept.clear();
    const cold = await times(1, count);
    const warm = await times(1, count);
    console.log(
      `${`${days} days by ${by ?? "nothing"}`.padEnd(28)} ${cold.processor.toFixed(0).padStart(8)}        ${warm.processor.toFixed(0).padStart(8)}`,
    );
  }
}

/** Blocks are read from PostgreSQL as the service reads them. */
async function fromDatabase(): Promise<void> {
  if (postgresUrl === null) throw new Error("no PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432");
  await using stored = await storedSegments(postgresUrl, index);
  await using db = await openDb({ databaseUrl: stored.url, dataDir: "", log: silentLog });
  let blocks = new SegmentBlocks(db.list, cacheBytes);
  console.log("\nms of a search: nothing in memory, processor ms, blocks; all in memory");
  for (const { name, filter, limit } of asked) {
    let read = 0;
    const find: Find = async (n) => {
      const before = blocks.reads;
      await findItems(depsOf(index, blocks), { filter: filter(n), after: null, limit, owner: null });
      read += blocks.reads - before;
    };
    const { cold, warm } = await measured(find, () => {
      blocks = new SegmentBlocks(db.list, cacheBytes);
    });
    console.log(
      `${name.padEnd(28)} ${cold.ms.toFixed(1).padStart(8)} ${cold.processor.toFixed(1).padStart(8)} ${(read / repeats).toFixed(0).padStart(6)} ${warm.ms.toFixed(2).padStart(8)}`,
    );
  }
}
