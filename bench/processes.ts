/** Processes of Tapewire on one database, and the time of an item from its push on one to the streams of others. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createdKey } from "@tapewire/contract/admin.ts";
import { type Protocol, type Subscriber, subscribeAll } from "./loadgen.ts";
import { ItemTexts } from "./loadgen-frames.ts";
import { admin, adminToken, pushEvenly, wallMs } from "./pushes.ts";
import { cpuMsOf, type Running, serviceArgs, start } from "./server-process.ts";

export interface Settings {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly more: Readonly<Record<string, string>>;
  /** Absent: the first. */
  readonly cores?: string;
}

/** Resolves when the process is ready. */
export async function service({ folder, databaseUrl, more, cores }: Settings): Promise<Running> {
  const started = await start({
    command: [process.execPath, ...serviceArgs],
    ...(cores === undefined ? {} : { cores }),
    env: {
      DATABASE_URL: databaseUrl,
      TAPEWIRE_PORT: "0",
      TAPEWIRE_DATA_DIR: join(folder, "data"),
      TAPEWIRE_SOURCES: join(import.meta.dirname, "..", "server", "test", "support", "no-sources.json"),
      TAPEWIRE_ADMIN_TOKEN: adminToken,
      TAPEWIRE_LOG_LEVEL: "error",
      ...more,
    },
    listening: /base_url {2}(\S+)[\s\S]*Try:/,
  });
  while ((await fetch(`${started.said}/readyz`)).status !== 200) await pause(50);
  return started;
}

/** Resolves when the process hears the others. */
export async function isConnected({ said }: Running): Promise<void> {
  while (!(await (await fetch(`${said}/readyz`)).text()).includes('"connected":true')) await pause(50);
}

export async function newKey({ said }: Running): Promise<string> {
  return createdKey.parse(await admin(said, "/admin/v1/keys", { plan: "enterprise" })).key;
}

export interface Load {
  readonly perSecond: number;
  readonly forMs: number;
  /** Of this time, at the begin, no item is measured. */
  readonly warmUpMs?: number;
  /** Streams of each process that has streams. */
  readonly subscribers: number;
}

/** One measurement. */
export interface Sample {
  /** From the push of each item to its receipt by each stream. */
  readonly timesMs: readonly number[];
  /** Processor time for an item, of the process that took it and on average of those that had the streams. */
  readonly cpuMs: { readonly writer: number; readonly reader: number };
  readonly items: number;
}

/**
 * Pushes to `writer` and reads the streams of `readers`.
 * @param pushedAt times of all pushes into this database so far; it grows
 */
export async function sample(
  { writer, readers }: { writer: Running; readers: readonly Running[] },
  load: Load,
  pushedAt: number[],
): Promise<Sample> {
  const key = await newKey(writer);
  const first = pushedAt.length + ((load.warmUpMs ?? 0) / 1_000) * load.perSecond;
  const timesMs: number[] = [];
  const read = (text: string) => {
    const at = wallMs();
    // Not parsed: eighty streams of twenty items a second would take as long as what is measured.
    const n = Number(/"title":"[^"]*\(no\. (\d+)\)"/.exec(text)?.[1]);
    if (Number.isNaN(n)) throw new Error(`not an item: ${text}`);
    if (n >= first) timesMs.push(at - (pushedAt[n] ?? Number.NaN));
  };
  const subscribers: Subscriber[] = [];
  for (const reader of readers)
    subscribers.push(
      ...(await subscribeAll(protocolOf(reader, key, read), load.subscribers, () => () => {})),
    );
  const before = { writer: cpuMsOf(writer.pid), reader: cpuMsOfAll(readers) };
  const items = await pushEvenly(writer.said, load, pushedAt);
  await pause(1_500);
  const cpuMs = {
    writer: (cpuMsOf(writer.pid) - before.writer) / items,
    reader: (cpuMsOfAll(readers) - before.reader) / items / readers.length,
  };
  const short = subscribers.filter((subscriber) => subscriber.items !== items).length;
  if (short > 0) throw new Error(`${short} streams did not get all of the ${items} items`);
  for (const subscriber of subscribers) subscriber.end();
  return { timesMs, cpuMs, items };
}

function protocolOf({ said }: Running, key: string, read: (text: string) => void): Protocol {
  return {
    port: Number(new URL(said).port),
    upgrade: () => ({ path: `/v1/stream?api_key=${key}` }),
    hello: () => JSON.stringify({ type: "subscribe" }),
    counter: () => new ItemTexts(read),
    ready: '"type":"subscribed"',
  };
}

const cpuMsOfAll = (processes: readonly Running[]) =>
  processes.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0);

const beganMs = performance.now();

/** A line on how far the bench is. */
export function tell(what: string): void {
  console.error(`${((performance.now() - beganMs) / 1_000).toFixed(0).padStart(5)} s  ${what}`);
}
