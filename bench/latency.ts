/**
 * How long an item takes from its push to the subscribers, stage by stage, through the service as an operator runs it:
 * POST /admin/v1/items, scored, appended to PostgreSQL, delivered to 1,000 streams. Then how the service handles many
 * connects. The service runs on the first core, this process on the second, the database on either.
 *
 *   npm run bench:latency            PostgreSQL at TEST_DATABASE_URL or 127.0.0.1:5432
 *     --quick    shorter phases
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createdKey } from "@tapewire/contract/admin.ts";
import { serverFrame } from "@tapewire/contract/stream.ts";
import { createDatabase } from "../server/test/support/db.ts";
import { type Protocol, Subscriber, subscribeAll } from "./loadgen.ts";
import { ItemPerMessage, ItemTexts } from "./loadgen-frames.ts";
import { admin, adminToken, numberOf, percentiles, pushEvenly, wallMs } from "./pushes.ts";
import { writeRoomyPlans } from "./roomy-plans.ts";
import {
  cpuMsOf,
  isPinned,
  machineLine,
  type Running,
  runPinned,
  serviceArgs,
  start,
} from "./server-process.ts";
import { type Bar, barLines } from "./stream-report.ts";

const { values: given } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const subscriberCount = 1_000;
const itemsPerSecond = 50;
const warmUpMs = 3_000;
const measuredMs = given.quick ? 5_000 : 30_000;
/** One subscriber in so many keeps its frames, which are parsed afterwards: parsing would delay the next reader. */
const sampleEvery = 50;
const connectsPerMinute = 20_000;
const connectingMs = given.quick ? 5_000 : 30_000;
const staysMs = 3_000;
const keyCount = 100;
/** All of them match every item. */
const filters = [{}, { aggregators: ["push"] }, { providers: ["push"] }, { tags: {}, story_copies: true }];

const stages = ["pushed to received", "scored", "appended", "delivered"] as const;
interface Sample {
  readonly totalMs: number;
  readonly stagesMs: readonly number[];
}

if (isPinned()) await measure();
else process.exitCode = runPinned();

async function measure(): Promise<void> {
  console.log(machineLine());
  await using service = await startService();
  const samples = await pushThrough(service);
  const total = percentiles(samples.map(({ totalMs }) => totalMs));
  console.log(`\n${itemsPerSecond} items/s to ${subscriberCount} subscribers, ms      p50      p99`);
  for (const [index, stage] of stages.entries())
    console.log(line(stage, percentiles(samples.map(({ stagesMs }) => stagesMs[index] ?? Number.NaN))));
  console.log(line("push to receipt", total));
  console.log(await connectMany(service));
  const bars: Bar[] = [
    { name: "push to receipt, p50 ms", value: total.p50, atMost: 10 },
    { name: "push to receipt, p99 ms", value: total.p99, atMost: 50 },
  ];
  console.log(["", ...barLines(bars), "", machineLine()].join("\n"));
}

interface Service extends Running {
  readonly base: string;
  readonly keys: readonly string[];
}

/** The service as an operator starts it, with limits high enough for all streams. */
async function startService(): Promise<Service> {
  await using stack = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), "tapewire-bench-"));
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const database = stack.use(await createDatabase());
  const root = join(import.meta.dirname, "..");
  const running = stack.use(
    await start({
      command: [process.execPath, ...serviceArgs],
      env: {
        DATABASE_URL: database.url,
        TAPEWIRE_PORT: "0",
        TAPEWIRE_DATA_DIR: join(folder, "data"),
        TAPEWIRE_SOURCES: join(root, "server", "test", "support", "no-sources.json"),
        TAPEWIRE_PLANS: writeRoomyPlans(folder),
        TAPEWIRE_ADMIN_TOKEN: adminToken,
        TAPEWIRE_LOG_LEVEL: "warn",
      },
      listening: /base_url {2}(\S+)[\s\S]*Try:/,
    }),
  );
  const keys: string[] = [];
  while (keys.length < keyCount)
    keys.push(createdKey.parse(await admin(running.said, "/admin/v1/keys", { plan: "enterprise" })).key);
  const owned = stack.move();
  return { ...running, base: running.said, keys, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function pushThrough(service: Service): Promise<Sample[]> {
  const pushedAt: number[] = [];
  const received: { text: string; at: number }[] = [];
  let measuring = false;
  const read = (text: string) => {
    if (measuring) received.push({ text, at: wallMs() });
  };
  const protocol: Protocol = {
    ...streamOf(service),
    hello: (n) => JSON.stringify({ type: "subscribe", filters: filters[n % filters.length] }),
    counter: (n) => (n % sampleEvery === 0 ? new ItemTexts(read) : new ItemPerMessage()),
    ready: '"type":"subscribed"',
  };
  const subscribers = await subscribeAll(protocol, subscriberCount, () => () => {});
  const pushing = pushEvenly(
    service.base,
    { perSecond: itemsPerSecond, forMs: warmUpMs + measuredMs },
    pushedAt,
  );
  await pause(warmUpMs);
  measuring = true;
  await pause(measuredMs);
  measuring = false;
  const pushed = await pushing;
  await pause(1_000);
  const short = subscribers.filter(({ items }) => items !== pushed).length;
  if (short > 0) throw new Error(`${short} subscribers did not get all of the ${pushed} items`);
  for (const subscriber of subscribers) subscriber.end();
  return received.map((frame) => sampleOf(frame, pushedAt));
}

/** The frame has the times at which the stages end, in whole milliseconds. */
function sampleOf({ text, at }: { text: string; at: number }, pushedAt: readonly number[]): Sample {
  const frame = serverFrame.parse(JSON.parse(text));
  if (frame.type !== "feed") throw new Error(`not an item: ${text}`);
  const { received_time, scored_time, publish_time } = frame.latency;
  const pushed = pushedAt[numberOf(frame.data.title)] ?? Number.NaN;
  const told = [received_time, scored_time, publish_time].map((time) => Date.parse(time ?? received_time));
  const times = [pushed, ...told, at];
  const stagesMs = stages.map((_, index) => (times[index + 1] ?? Number.NaN) - (times[index] ?? Number.NaN));
  return { totalMs: at - pushed, stagesMs };
}

/** Connects at an even rate, each with a key and a welcome, and disconnects after a while. */
async function connectMany(service: Service): Promise<string> {
  const protocol: Protocol = { ...streamOf(service), hello: () => null, ready: '"type":"welcome"' };
  const times: number[] = [];
  const open: Promise<void>[] = [];
  const began = performance.now();
  const before = cpuMsOf(service.pid);
  while (performance.now() - began < connectingMs) {
    const due = Math.floor(((performance.now() - began) / 60_000) * connectsPerMinute);
    while (open.length < due) open.push(connectOne(protocol, open.length, times));
    await pause(2);
  }
  const cores = (cpuMsOf(service.pid) - before) / (performance.now() - began);
  await Promise.all(open);
  const { p50, p99 } = percentiles(times);
  const rate = (times.length / connectingMs) * 60_000;
  return `\n${rate.toFixed(0)} connects a minute: p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms to the welcome, ${cores.toFixed(2)} cores of the service`;
}

async function connectOne(protocol: Protocol, n: number, times: number[]): Promise<void> {
  const began = performance.now();
  const subscriber = new Subscriber(protocol, n, () => {});
  await subscriber.ready;
  times.push(performance.now() - began);
  await pause(staysMs);
  await subscriber.end();
}

function streamOf({ base, keys }: Service) {
  return {
    port: Number(new URL(base).port),
    upgrade: (n: number) => ({ path: `/v1/stream?api_key=${keys[n % keys.length]}` }),
    counter: () => new ItemPerMessage(),
  };
}

function line(name: string, { p50, p99 }: { p50: number; p99: number }): string {
  return `${name.padEnd(41)} ${p50.toFixed(1).padStart(8)} ${p99.toFixed(1).padStart(8)}`;
}
