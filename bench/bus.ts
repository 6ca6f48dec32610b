/**
 * How long an item takes from its push on one process to the streams of another on the same PostgreSQL: by polling, by
 * LISTEN and NOTIFY, and by NATS, beside one process that does both. The processes run on the first core, this program on
 * the second, the database and NATS on either.
 *
 *   npm run bench:bus                PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432; NATS when nats-server is installed
 *     --seconds 5    of measuring, per way
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createDatabase } from "../server/test/support/db.ts";
import { deafProxy } from "../server/test/support/deaf-proxy.ts";
import { noNats, startNats } from "../server/test/support/nats.ts";
import { isConnected, type Sample, sample, service, tell } from "./processes.ts";
import { percentiles } from "./pushes.ts";
import { isPinned, machineLine, type Running, runPinned } from "./server-process.ts";
import { type Bar, barLines } from "./stream-report.ts";

const { values: given } = parseArgs({ options: { seconds: { type: "string", default: "5" } } });
const perSecond = 50;
const subscriberCount = 10;
const warmUpMs = 2_000;
const measuredMs = Number(given.seconds) * 1_000;

/** one: the process that takes the pushes has the streams too. */
const ways = ["one", "polling", "postgres", "nats"] as const;
type Way = (typeof ways)[number];
const named: Readonly<Record<Way, string>> = {
  one: "one process",
  polling: "two, polling",
  postgres: "two, LISTEN and NOTIFY",
  nats: "two, NATS",
};

if (isPinned()) await measure();
else process.exitCode = runPinned();

async function measure(): Promise<void> {
  console.log(machineLine());
  const samples = new Map<Way, Sample[]>();
  // One process is measured first and last, since the others are compared with it and the machine may change meanwhile.
  for (const way of [...ways, "one"] as const)
    if (way === "nats" && noNats !== false) console.log(`left out: ${named[way]}: ${noNats}`);
    else samples.set(way, [...(samples.get(way) ?? []), await sampleOf(way)]);
  const found = new Map([...samples].map(([way, of]) => [way, summaryOf(of)]));
  print(found);
}

interface Summary {
  readonly p50: number;
  readonly p99: number;
  readonly cpuMs: Sample["cpuMs"];
}

function summaryOf(samples: readonly Sample[]): Summary {
  const mean = (of: "writer" | "reader") =>
    samples.reduce((sum, { cpuMs }) => sum + cpuMs[of], 0) / samples.length;
  const times = percentiles(samples.flatMap(({ timesMs }) => timesMs));
  return { ...times, cpuMs: { writer: mean("writer"), reader: mean("reader") } };
}

function print(found: ReadonlyMap<Way, Summary>): void {
  console.log(
    `\n${perSecond} items/s to ${subscriberCount} streams    p50      p99 ms   to one process   processor ms an item: takes it, streams it`,
  );
  const { p50: one50 = Number.NaN, p99: one99 = Number.NaN } = found.get("one") ?? {};
  for (const [way, { p50, p99, cpuMs }] of found) {
    const times = [p50, p99].map((ms) => ms.toFixed(1).padStart(8)).join(" ");
    const ratios = [p50 / one50, p99 / one99].map((ratio) => `${ratio.toFixed(2)}x`.padStart(8)).join("");
    const reader = way === "one" ? "" : cpuMs.reader.toFixed(1).padStart(8);
    console.log(
      `${named[way].padEnd(26)} ${times} ${ratios} ${cpuMs.writer.toFixed(1).padStart(16)}${reader}`,
    );
  }
  const bar = (way: Way, most: { p50: number; p99: number }): Bar[] => [
    { name: `${named[way]}, p50 ms`, value: found.get(way)?.p50 ?? null, atMost: most.p50 },
    { name: `${named[way]}, p99 ms`, value: found.get(way)?.p99 ?? null, atMost: most.p99 },
  ];
  const bars = [...bar("postgres", { p50: 15, p99: 60 }), ...bar("nats", { p50: 10, p99: 50 })];
  console.log(["", ...barLines(bars), "", machineLine()].join("\n"));
}

async function sampleOf(way: Way): Promise<Sample> {
  tell(named[way]);
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "tapewire-bench-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const { writer, reader } = await startProcesses(way, folder, stack);
  const load = { perSecond, forMs: warmUpMs + measuredMs, warmUpMs, subscribers: subscriberCount };
  // Awaited here: the processes run until it is done.
  return await sample({ writer, readers: [reader] }, load, []);
}

/** @returns the process that takes the items, and the one with the streams */
async function startProcesses(
  way: Way,
  folder: string,
  stack: AsyncDisposableStack,
): Promise<{ writer: Running; reader: Running }> {
  const database = stack.use(await createDatabase());
  const more: Record<string, string> = way === "nats" ? { NATS_URL: stack.use(await startNats()).url } : {};
  const writer = stack.use(await service({ folder, databaseUrl: database.url, more }));
  if (way === "one") return { writer, reader: writer };
  // Polling alone is what is left behind a connection that passes on no notice.
  const databaseUrl = way === "polling" ? stack.use(await deafProxy(database.url)).url : database.url;
  const reader = stack.use(await service({ folder, databaseUrl, more }));
  if (way !== "polling") await Promise.all([writer, reader].map(isConnected));
  return { writer, reader };
}
