/** The installation that bench/scale.ts measures: processes of each role are added, and items are pushed and counted. */
import { setTimeout as pause } from "node:timers/promises";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { request } from "undici";
import { z } from "zod";
import type { NatsServer } from "../server/test/support/nats.ts";
import { startReceivers } from "../server/test/support/receiver.ts";
import { during } from "./database-load.ts";
import { isConnected, type Load, newKey, type Sample, type Settings, sample, service } from "./processes.ts";
import { numberOf, pushEvenly, wallMs } from "./pushes.ts";
import { cpuMsOf, type Running, rssBytesOf } from "./server-process.ts";

/** Each of them wants every item. */
export const endpoints = 10;

export type Role = "ingest" | "api" | "stream" | "webhooks" | "score";

export interface Idle {
  readonly role: Role;
  readonly count: number;
  /** Transactions a second of each of these processes, without load. */
  readonly each: number;
  /** Of all processes so far. */
  readonly all: number;
  readonly megabytes: number;
}

export interface Gateways {
  readonly count: number;
  readonly idlePerS: number;
  readonly perItem: number;
  readonly busBytesPerItem: number;
  readonly sample: Sample;
}

export interface Deliveries {
  readonly perItem: number;
  readonly timesMs: readonly number[];
  readonly missing: number;
  readonly cpuMsPerItem: number;
}

export interface Listeners {
  readonly count: number;
  /** Messages that each got, and how many got another number of them. */
  readonly messages: number;
  readonly unequal: number;
  readonly perItem: number;
  readonly writerCpuMs: number;
  readonly natsCpuMs: number;
}

export class ScaleInstallation implements AsyncDisposable {
  readonly #settings: Settings;
  readonly #nats: NatsServer;
  readonly #stack = new AsyncDisposableStack();
  readonly #processes: Record<Role, Running[]> = { ingest: [], api: [], stream: [], webhooks: [], score: [] };
  readonly #pushedAt: number[] = [];
  readonly #idleMs: number;
  #idlePerS = 0;
  #busBytes = 0;

  private constructor(settings: Settings, nats: NatsServer, idleMs: number) {
    this.#settings = settings;
    this.#nats = nats;
    this.#idleMs = idleMs;
  }

  static async start(settings: Settings, nats: NatsServer, idleMs: number): Promise<ScaleInstallation> {
    const made = new ScaleInstallation(settings, nats, idleMs);
    await made.#listen((length) => {
      made.#busBytes += length;
    });
    return made;
  }

  count(role: Role): number {
    return this.#processes[role].length;
  }

  /** Starts processes, and counts what all do without load. */
  async add(role: Role, count: number): Promise<Idle> {
    const made: Running[] = [];
    for (let n = 0; n < count; n++) {
      const more = { ...this.#settings.more, TAPEWIRE_ROLES: role };
      made.push(this.#stack.use(await service({ ...this.#settings, more })));
    }
    this.#processes[role].push(...made);
    await Promise.all(made.map(isConnected));
    const before = this.#idlePerS;
    const idle = await during(this.#settings.databaseUrl, () => pause(this.#idleMs));
    this.#idlePerS = idle.transactions / idle.tookS;
    const megabytes = made.reduce((sum, { pid }) => sum + rssBytesOf(pid), 0) / count / 1e6;
    return { role, count, each: (this.#idlePerS - before) / count, all: this.#idlePerS, megabytes };
  }

  /** Items to the streams of all processes that have streams. */
  async stream(load: Load): Promise<Gateways> {
    const bytesBefore = this.#busBytes;
    const found = await during(this.#settings.databaseUrl, () =>
      sample({ writer: this.#writer, readers: this.#processes.stream }, load, this.#pushedAt),
    );
    return {
      count: this.count("stream"),
      idlePerS: this.#idlePerS,
      perItem: this.#aboveIdle(found) / found.result.items,
      busBytesPerItem: (this.#busBytes - bytesBefore) / found.result.items,
      sample: found.result,
    };
  }

  /** Items to endpoints. */
  async deliver(load: Load): Promise<Deliveries> {
    const paths = Array.from({ length: endpoints }, (_, n) => `/${n}`);
    const timesMs: number[] = [];
    const note = ({ body }: { body: string }) => {
      const n = numberOf(delivered.parse(JSON.parse(body)).data.title);
      timesMs.push(wallMs() - (this.#pushedAt[n] ?? Number.NaN));
      return 204;
    };
    await using receivers = await startReceivers(Object.fromEntries(paths.map((path) => [path, note])));
    const key = await newKey(this.#writer);
    for (const path of paths) await addEndpoint(this.#writer, key, receivers.url(path));
    await pause(2_000);
    const workers = this.#processes.webhooks;
    const cpuBefore = workers.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0);
    const found = await during(this.#settings.databaseUrl, async () => {
      const items = await pushEvenly(this.#writer.said, load, this.#pushedAt);
      for (let waited = 0; waited < 100 && timesMs.length < items * endpoints; waited++) await pause(100);
      return items;
    });
    const cpuMs = workers.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0) - cpuBefore;
    return {
      perItem: this.#aboveIdle(found) / found.result,
      timesMs,
      missing: found.result * endpoints - timesMs.length,
      cpuMsPerItem: cpuMs / found.result,
    };
  }

  /** As many more subscribers of the bus as a large installation has processes; they only count. */
  async listeners(count: number, load: Load): Promise<Listeners> {
    const counted = new Array<number>(count).fill(0);
    const connections: NatsConnection[] = [];
    for (let n = 0; n < count; n++)
      connections.push(
        await this.#listen(() => {
          counted[n] = (counted[n] ?? 0) + 1;
        }),
      );
    const cpuBefore = { writer: cpuMsOf(this.#writer.pid), nats: cpuMsOf(this.#nats.pid) };
    const found = await during(this.#settings.databaseUrl, () =>
      pushEvenly(this.#writer.said, load, this.#pushedAt),
    );
    const perItem = (ms: number) => ms / found.result;
    // The last messages are still on their way to some.
    for (let waited = 0; waited < 50 && new Set(counted).size > 1; waited++) await pause(100);
    const cpuNow = { writer: cpuMsOf(this.#writer.pid), nats: cpuMsOf(this.#nats.pid) };
    const messages = Math.max(...counted);
    for (const connection of connections) await connection.close();
    return {
      count,
      messages,
      unequal: counted.filter((of) => of !== messages).length,
      perItem: this.#aboveIdle(found) / found.result,
      writerCpuMs: perItem(cpuNow.writer - cpuBefore.writer),
      natsCpuMs: perItem(cpuNow.nats - cpuBefore.nats),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync();
  }

  get #writer(): Running {
    const [writer] = this.#processes.api;
    if (writer === undefined) throw new Error("no process with the role api");
    return writer;
  }

  #aboveIdle({ transactions, tookS }: { transactions: number; tookS: number }): number {
    return transactions - this.#idlePerS * tookS;
  }

  async #listen(got: (length: number) => void): Promise<NatsConnection> {
    const connection = await connect({ servers: this.#nats.url.replace("nats://", "") });
    this.#stack.defer(() => connection.close());
    connection.subscribe("tapewire.>", { callback: (_, { data }) => got(data.length) });
    await connection.flush();
    return connection;
  }
}

const delivered = z.looseObject({ data: z.looseObject({ title: z.string() }) });

async function addEndpoint({ said }: Running, key: string, url: string): Promise<void> {
  const { statusCode, body } = await request(`${said}/v1/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ url, filters: {} }),
  });
  if (statusCode !== 201) throw new Error(`no endpoint: ${statusCode} ${await body.text()}`);
  await body.dump();
}
