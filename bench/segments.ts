/**
 * The index of lists alone, without a database: items in segments as they are stored, each shape with blocks that are not
 * decoded yet and with decoded ones, and counts. Beyond a million items the segments of a million are repeated further back.
 *
 *   node bench/segments.ts [items, default 1000000]
 */
import { cpus } from "node:os";
import { isCopy, type Term, termsOf } from "../server/src/feed/filter.ts";
import { compareListKeys, listKey } from "../server/src/feed/list-key.ts";
import { Draft } from "../server/src/feed/segments/draft.ts";
import { wordNumber } from "../server/src/feed/segments/numbers.ts";
import { Segment } from "../server/src/feed/segments/segment.ts";
import type { SegmentEntry } from "../server/src/feed/segments/types.ts";
import { titleNumbers } from "../server/src/feed/title-words.ts";
import { WindowIndex } from "../server/src/feed/window/window-index.ts";
import { judgementNumbers, WindowTerms } from "../server/src/feed/window/window-terms.ts";
import { type Block, decoded, sliceOf } from "../server/src/itemlog/segments/blocks.ts";
import { countItems } from "../server/src/itemlog/segments/counting.ts";
import { findItems } from "../server/src/itemlog/segments/finding.ts";
import { RememberedMatches } from "../server/src/itemlog/segments/remembered.ts";
import { aggregators, countries, itemAt, symbolOf } from "./rest-items.ts";

const total = Number(process.argv[2] ?? 1_000_000);
const made = Math.min(total, 1_000_000);
const segmentItems = 65_536;
const dayMs = 86_400_000;
const spanMs = 366 * dayMs;
const ids = new Map<string, number>();
const texts = new Map<number, Term>();
const bodies: Uint8Array[] = [];
const turn = async () => {};

function idOf(term: Term): number {
  const name = `${term.kind}:${term.value}`;
  const id = ids.get(name) ?? ids.size + 1;
  ids.set(name, id);
  texts.set(id, term);
  return id;
}

function entryOf(i: number): SegmentEntry {
  const item = itemAt(i, made);
  const { actionability, sentiment_score, sentiment_conviction, actionability_score } = item.scoring;
  const judged = judgementNumbers({
    actionability,
    sentiment: sentiment_score,
    conviction: sentiment_conviction,
    score: actionability_score,
    copy: isCopy(item),
  });
  const words = termsOf(item).map((term) => wordNumber(term.kind, idOf(term)));
  return {
    seq: item.seq,
    key: listKey(Date.parse(item.published_at), item.id),
    terms: [...judged, ...words],
    title: titleNumbers(item.title),
  };
}

/** The head of a segment whose items are older by so many years. */
function moved(head: Uint8Array, years: number): Uint8Array {
  const bytes = Uint8Array.from(head);
  const [baseMs = 0] = new Float64Array(bytes.buffer, 0, 1);
  new Float64Array(bytes.buffer, 0, 1)[0] = baseMs - years * spanMs;
  return bytes;
}

const heads: Uint8Array[] = [];
let encodeMs = 0;
for (let from = 0; from < made; from += segmentItems) {
  const entries: SegmentEntry[] = [];
  for (let i = from; i < Math.min(made, from + segmentItems); i++) entries.push(entryOf(i));
  entries.sort((x, y) => compareListKeys(x.key, y.key));
  const begun = performance.now();
  const one = await (await new Draft(0, new Map()).merged(entries, turn)).encode(0, entries.length, turn);
  encodeMs += performance.now() - begun;
  heads.push(one.head);
  bodies.push(one.body);
}
const segments: Segment[] = [];
for (let years = 0; years * made < total; years++)
  for (const [at, head] of heads.entries())
    segments.push(new Segment({ id: years * heads.length + at + 1, month: "", head: moved(head, years) }));
segments.sort((x, y) => compareListKeys(x.oldest, y.oldest));

const terms = new WindowTerms();
const unfolded = new WindowIndex(terms);
const kept = new Map<number, Block>();
let read = 0;
const deps = (
  remembered: RememberedMatches,
): Parameters<typeof findItems>[0] & Parameters<typeof countItems>[0] => ({
  db: null,
  blocks: {
    get: (key) => kept.get(key),
    makeWords: async () => {
      throw new Error("all segments have words");
    },
    read: async (wanted) => {
      const found = new Map<number, Block>();
      for (const [key, one] of wanted) {
        const { at, bytes } = sliceOf(one);
        const body = bodies[(one.segment.id - 1) % bodies.length] ?? new Uint8Array();
        const block = decoded(one, body.subarray(at, at + bytes));
        found.set(key, block);
        kept.set(key, block);
        read += 1;
      }
      return found;
    },
  },
  ids: {
    idOf: ({ kind, value }) => ids.get(`${kind}:${value}`) ?? null,
    read: async () => {},
    forgetAbsent: () => {},
  },
  texts: { get: (id) => texts.get(id), of: async () => texts },
  remembered,
  view: () => ({
    state: { generation: 0, foldedSeq: 0, asOf: 0, builtTo: "all" },
    segments,
    unfolded,
    terms,
  }),
  renew: async () => {},
});

const items = segments.reduce((sum, one) => sum + one.items, 0);
const stored = segments.reduce((sum, { id }) => sum + (bodies[(id - 1) % bodies.length]?.length ?? 0), 0);
const headBytes = segments.reduce((sum, { bytes }) => sum + bytes, 0);
console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`);
console.log(
  `${items} items, ${segments.length} segments; bytes an item: postings ${(stored / items - 24).toFixed(1)}, keys 24, heads ${(headBytes / items).toFixed(2)}; to make a segment ${(encodeMs / heads.length).toFixed(0)} ms`,
);

const ticker = (rank: number) => symbolOf(rank).short_symbol ?? "";
const first = (values: readonly (string | undefined)[]) => values.flatMap((value) => value ?? []);
const shapes = {
  newest: { tags: {} },
  "hot symbol": { symbols: [ticker(0)], tags: {} },
  "rare symbol": { symbols: [ticker(4900)], tags: {} },
  "common values that never meet": {
    aggregators: first([aggregators[0]]),
    tags: { market_country: ["JP"] },
  },
  "two ORs of 50": {
    symbols: Array.from({ length: 50 }, (_, n) => ticker(400 + n)),
    tags: { market_country: countries.slice(-50) },
  },
};
console.log("shape: processor ms of the first request, blocks read; then with the blocks in memory");
for (const [name, filter] of Object.entries(shapes)) {
  kept.clear();
  read = 0;
  // Nothing is remembered of a filter, so that the second one shows the search itself.
  const find = () =>
    findItems(deps(new RememberedMatches()), { filter, after: null, limit: 51, owner: null });
  const cold = await processorMs(find);
  const blocks = read;
  const warm = [await processorMs(find), await processorMs(find), await processorMs(find)].sort(
    (x, y) => x - y,
  );
  console.log(`${name.padEnd(32)} ${cold.toFixed(1)} ms, ${blocks} blocks; ${warm[1]?.toFixed(2)} ms`);
}
const untilMs = (segments.at(-1)?.newest.ms ?? 0) + 1;
for (const by of [null, "aggregator", "ticker"] as const) {
  const days = Math.min(1_400, 366 * Math.ceil(total / made));
  const request = { fromMs: untilMs - days * dayMs, untilMs, bucketMs: dayMs, by, top: 8, turn: () => {} };
  kept.clear();
  const count = () => countItems(deps(new RememberedMatches()), { tags: {} }, request);
  const cold = await processorMs(count);
  console.log(
    `${`${days} days by ${by ?? "nothing"}`.padEnd(32)} ${cold.toFixed(0)} ms; ${(await processorMs(count)).toFixed(0)} ms`,
  );
}

async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const begun = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1_000;
}
