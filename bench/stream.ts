/**
 * Delivery to many subscribers: Tapewire's stream, with keys, filters and counts; and for comparison, in the same run, on the
 * same core, with items of the same size, servers that do less: ws with one buffer for all, nchan, NATS, and the minimal
 * server in this runtime. Servers run on the first core, one at a time, the subscribers on the second.
 *
 *   npm run bench:stream
 *     --quick           1,000 subscribers only, shorter phases
 *     --only a,b        of tapewire, pull, ws-shared, nchan, nats
 *     --json            results as a file in bench/results too
 *     --prof            Tapewire under --cpu-prof, into bench/results
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { isPinned, machineLine, rssBytesOf, runPinned } from "./server-process.ts";
import { Audience, type LoadResult } from "./stream-load.ts";
import {
  barLines,
  barsOf,
  type ContenderResult,
  idleLine,
  type SizeResult,
  type StallResult,
  sizeLine,
  sizeLines,
  stallLine,
} from "./stream-report.ts";
import { type ContenderName, contenderNames, startContender } from "./stream-servers.ts";

const { values: given } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    prof: { type: "boolean", default: false },
    only: { type: "string", default: contenderNames.join(",") },
  },
});
/** Items in flight in the closed loop: enough to keep a server busy, few enough for its sockets. */
const windows: Readonly<Record<number, number>> = { 200: 64, 1000: 16, 5000: 3 };
const barSize = 1_000;
const sizes = given.quick ? [barSize] : [200, barSize, 5_000];
const phase = given.quick ? { warmUpMs: 1_000, measuredMs: 2_000 } : { warmUpMs: 2_000, measuredMs: 5_000 };
/** Rounds at the size of the bars; the servers take turns, so that other load affects all. */
const rounds = given.quick ? 1 : 3;
const results = join(import.meta.dirname, "results");

if (isPinned()) await measure();
else process.exitCode = runPinned();

async function measure(): Promise<void> {
  console.log(machineLine());
  console.log(
    "items of 1.5 KB, every subscriber gets every item; Tapewire's are put into its log by the bus,",
  );
  console.log("as if just committed: the database would not append as fast as they are delivered\n");
  const names = contenderNames.filter((name) => given.only.split(",").includes(name));
  const measured: ContenderResult[] = [];
  console.log(sizeLines.join("\n"));
  for (const size of sizes)
    for (let round = 0; round < (size === barSize ? rounds : 1); round++)
      for (const name of names) {
        const result = await measureSize(name, size);
        if (result !== null) measured.push(result);
      }
  const idle = new Map<ContenderName, number>();
  for (const name of names) {
    const bytes = await idleBytes(name);
    if (bytes !== null) idle.set(name, bytes);
  }
  console.log(`\n${idleLine(idle)}`);
  const stall = names.includes("tapewire") ? await measureStall() : null;
  if (stall !== null) console.log(stallLine(stall));
  const bars = barsOf({
    results: measured.filter(({ size }) => size === barSize),
    idleBytes: idle.get("tapewire") ?? null,
    stall,
  });
  console.log(["", ...barLines(bars), "", machineLine()].join("\n"));
  if (given.json)
    save({ machine: machineLine(), phase, measured, idle: Object.fromEntries(idle), stall, bars });
}

/** @returns null when the server is not installed here */
async function measureSize(name: ContenderName, size: number): Promise<ContenderResult | null> {
  await using server = await startContender(name, given.prof ? profiled("load") : []);
  if (server === null) {
    console.log(`${name.padEnd(10)} is not installed`);
    return null;
  }
  using audience = await Audience.join(server, size);
  const saturated = await audience.closedLoop(windows[size] ?? 16, phase);
  const half = await audience.steady(saturated.itemsPerSecond / 2, phase);
  const slow = await audience.steady(20, { ...phase, measuredMs: phase.measuredMs * 2 });
  const result: SizeResult = { saturated, half, slow };
  console.log(sizeLine(name, size, result));
  return { name, size, ...result };
}

/**
 * Memory per idle connection: over thousands of them, after the first thousands, by which the heap's young generation has
 * reached its full size.
 * @returns null when the server is not installed here
 */
async function idleBytes(name: ContenderName): Promise<number | null> {
  await using server = await startContender(name);
  if (server === null) return null;
  using _first = await Audience.join(server, 3_000);
  await pause(2_000);
  const before = rssBytesOf(server.pid);
  using more = await Audience.join(server, given.quick ? 2_000 : 5_000);
  await pause(2_000);
  return (rssBytesOf(server.pid) - before) / more.size;
}

/** 50 of 200 clients stop reading, while the log continues at the rate that had kept the server busy. */
async function measureStall(): Promise<StallResult | null> {
  await using server = await startContender("tapewire", given.prof ? profiled("stall") : []);
  if (server === null) return null;
  using audience = await Audience.join(server, 200);
  await audience.publishAtOnce(8_192 * 2, 32);
  const healthy = await audience.steady(600, { warmUpMs: 500, measuredMs: 3_000 });
  const before = rssBytesOf(server.pid);
  audience.stall(50);
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, rssBytesOf(server.pid));
  }, 100);
  const loaded: LoadResult = await audience.steady(600, {
    warmUpMs: 0,
    measuredMs: given.quick ? 5_000 : 20_000,
  });
  clearInterval(watch);
  return { before: healthy, loaded, rssBefore: before, rssMost: most };
}

function profiled(name: string): string[] {
  mkdirSync(results, { recursive: true });
  return ["--cpu-prof", `--cpu-prof-dir=${results}`, `--cpu-prof-name=stream-${name}.local.cpuprofile`];
}

function save(run: object): void {
  mkdirSync(results, { recursive: true });
  const path = join(results, "stream.local.json");
  writeFileSync(path, `${JSON.stringify(run, null, 2)}\n`);
  console.log(`written to ${path}`);
}
