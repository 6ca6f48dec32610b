/**
 * The search of GET /v1/symbols?q= alone: the time to make its index, its memory, and the time of a query.
 *
 *   node bench/symbols.ts
 */
import { cpus } from "node:os";
import { SymbolSearch } from "@tapewire/scoring/linking/table/symbol-search.ts";
import { Engine } from "../server/src/score/engine.ts";

const runs = 2_000;
const { symbols: table } = new Engine();
globalThis.gc?.();
const before = process.memoryUsage().heapUsed;
const begun = process.threadCpuUsage();
const search = new SymbolSearch(table);
const { user, system } = process.threadCpuUsage(begun);
const madeMs = (user + system) / 1_000;
globalThis.gc?.();
const grown = (process.memoryUsage().heapUsed - before) / 2 ** 20;
console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}`);
console.log(
  `${table.entries.length} symbols, made in ${madeMs.toFixed(0)} ms of processor time, heap ${grown.toFixed(1)} MiB`,
);
console.log("microseconds, first / p50 / p99");
for (const query of [
  "a",
  "i",
  "aa",
  "appl",
  "AAPL",
  "apple inc",
  "inc",
  "corp etf",
  "i e f",
  "bank of america",
  "zzzzz",
]) {
  const times: number[] = [];
  let found = 0;
  for (let run = 0; run < runs; run++) {
    const startMs = performance.now();
    found = search.find(query, 20).length;
    times.push(1_000 * (performance.now() - startMs));
  }
  const first = times[0] ?? 0;
  times.sort((x, y) => x - y);
  const at = (share: number) => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(1).padStart(7);
  console.log(`${query.padEnd(16)} ${first.toFixed(1).padStart(7)} ${at(0.5)} ${at(0.99)}   ${found} found`);
}
