/** The service as an operator starts it, with endpoints that this process serves, and a backlog if wanted. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createdKey, pushAnswer } from "@tapewire/contract/admin.ts";
import { z } from "zod";
import { inProcessBus } from "../server/src/bus/bus.ts";
import { Sequencer } from "../server/src/itemlog/append.ts";
import { silentLog } from "../server/src/runtime/log.ts";
import { ItemWriter } from "../server/src/store/append/item-writer.ts";
import { openDb } from "../server/src/store/engine/db.ts";
import { Partitions } from "../server/src/store/log/partitions.ts";
import { createDatabase, type EngineName } from "../server/test/support/db.ts";
import { writeRoomyPlans } from "./roomy-plans.ts";
import { type Running, serviceArgs, start } from "./server-process.ts";
import { filterOf, itemsForLog, itemsOnceAround, itemToPush } from "./webhook-items.ts";
import type { Sink } from "./webhook-sink.ts";

const adminToken = "tw_admin_for_benches_only";
const root = join(import.meta.dirname, "..");
const appendedAtOnce = 500;
const madeAtOnce = 16;
const made = z.object({ secret: z.string() });

export interface Target {
  readonly url: string;
  readonly secret: string;
}

/** Arguments of Node for the n-th start. */
type NodeArgs = (start: number) => readonly string[];

/** One database; the service over it runs on demand. */
export class Service implements AsyncDisposable {
  readonly #stack: AsyncDisposableStack;
  readonly #folder: string;
  readonly #databaseUrl: string | null;
  readonly #nodeArgs: NodeArgs;
  #running: Running | null = null;
  #items = 0;
  #starts = 0;

  private constructor(
    stack: AsyncDisposableStack,
    about: { folder: string; url: string | null; nodeArgs: NodeArgs },
  ) {
    this.#stack = stack;
    this.#folder = about.folder;
    this.#databaseUrl = about.url;
    this.#nodeArgs = about.nodeArgs;
  }

  static async create(engine: EngineName, nodeArgs: NodeArgs): Promise<Service> {
    await using stack = new AsyncDisposableStack();
    const folder = mkdtempSync(join(tmpdir(), "tapewire-bench-"));
    stack.defer(() => rmSync(folder, { recursive: true, force: true }));
    mkdirSync(join(folder, "data"));
    const url = engine === "postgres" ? stack.use(await createDatabase()).url : null;
    return new Service(stack.move(), { folder, url, nodeArgs });
  }

  get pid(): number {
    return this.#up().pid;
  }

  async start(): Promise<void> {
    this.#running = await start({
      command: [process.execPath, ...this.#nodeArgs(this.#starts++), ...serviceArgs],
      env: {
        ...(this.#databaseUrl === null ? {} : { DATABASE_URL: this.#databaseUrl }),
        TAPEWIRE_PORT: "0",
        TAPEWIRE_DATA_DIR: join(this.#folder, "data"),
        TAPEWIRE_SOURCES: join(root, "server", "test", "support", "no-sources.json"),
        TAPEWIRE_DEMO: "off",
        TAPEWIRE_PLANS: writeRoomyPlans(this.#folder),
        TAPEWIRE_ADMIN_TOKEN: adminToken,
        TAPEWIRE_WEBHOOK_ALLOW: "127.0.0.0/8",
        TAPEWIRE_WEBHOOK_RATE: "100000",
        TAPEWIRE_LOG_LEVEL: "warn",
      },
      listening: /base_url {2}(\S+)[\s\S]*Try:/,
    });
  }

  async stop(): Promise<void> {
    await this.#running?.[Symbol.asyncDispose]();
    this.#running = null;
  }

  /** Makes endpoints through the API, and waits until each has got an item. */
  async makeEndpoints(count: number, sink: Sink): Promise<Target[]> {
    const { key } = createdKey.parse(await this.#post("/admin/v1/keys", adminToken, { plan: "enterprise" }));
    const targets: Target[] = [];
    const make = async (n: number) => {
      const url = sink.urlOf(n);
      const { secret } = made.parse(
        await this.#post("/v1/webhooks", key, { url, filters: filterOf(n, count) }),
      );
      sink.know(n, secret);
      targets[n] = { url, secret };
    };
    for (let n = 0; n < count; n += madeAtOnce)
      await Promise.all(Array.from({ length: Math.min(madeAtOnce, count - n) }, (_, k) => make(n + k)));
    sink.reset();
    await this.push(itemsOnceAround(count));
    await sink.reached(count);
    // Until the database has stored the deliveries.
    await pause(1_000);
    return targets;
  }

  /** @param beginning called with the number of the first item: see `itemToPush` */
  async push(count: number, beginning: (first: number) => void = () => {}): Promise<void> {
    const first = this.#items;
    this.#items += count;
    beginning(first);
    const items = Array.from({ length: count }, (_, k) => itemToPush(first + k));
    const { data } = pushAnswer.parse(await this.#post("/admin/v1/items", adminToken, items));
    const refused = data.find(({ status }) => status !== "created");
    if (refused !== undefined) throw new Error(`an item was not taken: ${JSON.stringify(refused)}`);
  }

  /** Appends through the sequencer to the database, while the service is stopped. @returns items/s */
  async append(count: number): Promise<number> {
    await using db = await openDb({
      databaseUrl: this.#databaseUrl,
      dataDir: join(this.#folder, "data"),
      log: silentLog,
    });
    await using sequencer = new Sequencer(new ItemWriter(db, new Partitions()), inProcessBus(), silentLog);
    const first = this.#items;
    this.#items += count;
    const began = performance.now();
    for (let done = 0; done < count; done += appendedAtOnce) {
      const items = itemsForLog(first + done, Math.min(appendedAtOnce, count - done), new Date());
      await sequencer.append({ items, sourceId: null });
    }
    return (count / (performance.now() - began)) * 1000;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.#stack.disposeAsync();
  }

  #up(): Running {
    if (this.#running === null) throw new Error("the service does not run");
    return this.#running;
  }

  async #post(path: string, token: string, body: unknown): Promise<unknown> {
    const response = await fetch(this.#up().said + path, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  }
}
