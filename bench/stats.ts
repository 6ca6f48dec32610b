/**
 * Counts over the recent window alone, as GET /v1/feeds/stats makes them, without a database: the newest day by minute, and
 * the whole window by day or hour, for each axis; then with late items and new versions in every chunk.
 *
 *   node bench/stats.ts [items, default 1000000] [days that they span, default 1]
 */
import { cpus } from "node:os";
import { WindowIndex } from "../server/src/feed/window/window-index.ts";
import { type CountAxis, countAxes, WindowTerms } from "../server/src/feed/window/window-terms.ts";
import { itemAt } from "./rest-items.ts";

const total = Number(process.argv[2] ?? 1_000_000);
const days = Number(process.argv[3] ?? 1);
const runs = 30;
const dayMs = 86_400_000;
/** The items of a year, moved together. */
const pace = days / 365;
const terms = new WindowTerms();
const index = new WindowIndex(total, terms);
const startMs = Date.parse(itemAt(0, total).scraped_at);
const timeOf = (text: string) => new Date(startMs + (Date.parse(text) - startMs) * pace).toISOString();
const moved = (i: number) => {
  const item = itemAt(i, total);
  return { ...item, published_at: timeOf(item.published_at) };
};

for (let i = 0; i < total; i++) index.put(terms.entryOf(moved(i)));
const untilMs = Date.parse(timeOf(itemAt(total - 1, total).scraped_at)) + 1;
console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`);
console.log(`${index.items} items in ${days} days; milliseconds, p50 / p99, and p50 of processor time`);

measureAll();
console.log("with a late item and a new version for every hundred items");
for (let n = 0; n < total / 100; n++) {
  const late = terms.entryOf(moved((n * 7919) % total));
  index.put({ ...late, seq: total + 2 * n, key: { ...late.key, d: n } });
  index.put({ ...late, seq: total + 2 * n + 1 });
}
measureAll();

function measureAll(): void {
  for (const by of [null, ...countAxes]) {
    const day = measure({ by, fromMs: untilMs - dayMs, bucketMs: 60_000 });
    const whole = measure({ by, fromMs: untilMs - days * dayMs, bucketMs: days > 60 ? dayMs : 3_600_000 });
    const yes = measure({ by, fromMs: untilMs - dayMs, bucketMs: 60_000 }, true);
    console.log(`${String(by).padEnd(16)} day by minute ${day}   actionable ${yes}   whole ${whole}`);
  }
}

function measure(
  request: { by: CountAxis | null; fromMs: number; bucketMs: number },
  actionability?: boolean,
): string {
  const filter = { tags: {}, ...(actionability === undefined ? {} : { actionability }) };
  const times: number[] = [];
  const busy: number[] = [];
  for (let run = 0; run < runs; run++) {
    const beginMs = performance.now();
    const begun = process.threadCpuUsage();
    index.counts(filter, { ...request, untilMs, top: 8, turn: () => {} });
    const { user, system } = process.threadCpuUsage(begun);
    times.push(performance.now() - beginMs);
    busy.push((user + system) / 1_000);
  }
  return `${at(times, 0.5)} ${at(times, 0.99)} ${at(busy, 0.5)}`;
}

function at(values: readonly number[], share: number): string {
  const sorted = values.toSorted((x, y) => x - y);
  return (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2).padStart(6);
}
