/**
 * The index of the recent window alone, without a database: the time to build it, its memory, and the time of a page of ids
 * for each filter shape, alternating first and following pages; then the same with items arriving between the queries.
 *
 *   node bench/window.ts [items, default 1000000]
 */
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { filterOfQuery, listQuery } from "@tapewire/contract/filter.ts";
import { tagDictionary } from "@tapewire/contract/tags.ts";
import { eventCatalogue } from "@tapewire/scoring/flash/events/catalogue.ts";
import { idOf } from "../server/src/feed/list-key.ts";
import { WindowIndex } from "../server/src/feed/window/window-index.ts";
import { WindowTerms } from "../server/src/feed/window/window-terms.ts";
import { itemAt } from "./rest-items.ts";
import { shapes } from "./rest-shapes.ts";

const total = Number(process.argv[2] ?? 1_000_000);
const runs = 300;
const tags = tagDictionary.parse(
  JSON.parse(readFileSync(new URL("../config/tags.json", import.meta.url), "utf8")),
);
const query = listQuery({ tags, events: eventCatalogue });
const terms = new WindowTerms();
const index = new WindowIndex(total, terms);

console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`);
let buildMs = 0;
for (let from = 0; from < total; from += 10_000) {
  const size = Math.min(10_000, total - from);
  const entries = Array.from({ length: size }, (_, n) => terms.entryOf(itemAt(from + n, total)));
  const start = performance.now();
  for (const entry of entries) index.put(entry);
  buildMs += performance.now() - start;
}
console.log(
  `built: ${index.items} items, ${perSecond(index.items, buildMs)} items/s, ${(index.bytes / index.items).toFixed(1)} bytes an item, ${terms.size} values`,
);
globalThis.gc?.();
console.log(
  `array buffers ${megabytes(process.memoryUsage().arrayBuffers)}, rss ${megabytes(process.memoryUsage().rss)}`,
);

console.log(
  "microseconds, first / p50 / p99 / most, and what was found; from its third search a filter is remembered",
);
for (const { name, query: text } of shapes) console.log(`${name.padEnd(30)} ${measure(text, () => {})}`);
console.log("with an item, a version and a late item coming before each query");
let arrived = total;
const arrive = () => {
  const fresh = terms.entryOf(itemAt(arrived, total));
  index.put(fresh);
  index.put({ ...fresh, seq: fresh.seq + 0.5 });
  const late = terms.entryOf(itemAt((arrived * 7919) % total, total));
  index.put({ ...late, seq: arrived + 1, key: { ...late.key, d: arrived } });
  arrived++;
};
for (const { name, query: text } of shapes) console.log(`${name.padEnd(30)} ${measure(text, arrive)}`);

function measure(text: string, before: () => void): string {
  const parsed = query.parse(Object.fromEntries(new URLSearchParams(text)));
  const filter = filterOfQuery(parsed);
  const limit = parsed.limit ?? 50;
  const times: number[] = [];
  let found = "";
  let after: Parameters<WindowIndex["walk"]>[1] = null;
  for (let run = 0; run < runs; run++) {
    before();
    const start = performance.now();
    const { hits, beyond } = index.walk(filter, after, limit + 1);
    times.push(1000 * (performance.now() - start));
    found ||= `${Math.min(limit, hits.length)} items${beyond === null ? "" : ", more in the table"}`;
    const last = hits.length > limit ? hits.at(-2)?.key : undefined;
    after = last === undefined || run % 5 === 4 ? null : { publishedAt: new Date(last.ms), id: idOf(last) };
  }
  const first = (times[0] ?? 0).toFixed(0).padStart(6);
  times.sort((x, y) => x - y);
  const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(0).padStart(6);
  return `${first} ${at(0.5)} ${at(0.99)} ${at(1)}   ${found}`;
}

function perSecond(count: number, ms: number): string {
  return Math.round((count / ms) * 1000).toLocaleString("en-US");
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
