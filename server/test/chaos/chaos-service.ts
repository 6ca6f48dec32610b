import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createdKey } from "@tapewire/contract/admin.ts";
import { feedList } from "@tapewire/contract/feeds.ts";
import type { SubscriptionFilters, WebhookFilters } from "@tapewire/contract/filter.ts";
import { z } from "zod";
import type { LogItem } from "../../src/feed/item.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { openPostgres } from "../../src/store/engine/db.ts";
import { itemsAfter, logHead } from "../../src/store/log/item-reads.ts";
import { type DatabaseCopies, databaseCopies } from "../support/database-copies.ts";
import { spawnService, temporaryFolder } from "../support/process.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { type SilentProxy, silentProxy } from "../support/silent-proxy.ts";
import type { KnownLog } from "./tape-client.ts";

const adminToken = "tw_admin_for_tests_only";
const noSources = new URL("../support/no-sources.json", import.meta.url).pathname;
const plansFile = new URL("../../../config/plans.json", import.meta.url);
/** Symbols that items are about. */
export const symbols = 8;

const below = (n: number) => Math.floor(Math.random() * n);

export function anyFilters(): SubscriptionFilters & WebhookFilters {
  const kind = below(4);
  if (kind === 0) return {};
  if (kind === 1) return { symbols: [`DEMO:CH${below(symbols)}`, `DEMO:CH${below(symbols)}`] };
  if (kind === 2) return { tags: { market: ["stock"] }, exchanges: ["DEMO"] };
  return { symbols: [`DEMO:CH${below(symbols)}`], sentiment_min: 6 };
}

/** What a process holds at the end of its life; null where the machine does not say. */
interface Held {
  readonly descriptors: number;
  readonly rssBytes: number;
  readonly aliveMs: number;
}

/** The service as a user starts it, over a PostgreSQL that can fall silent and lose commits, with webhook receivers. */
export class ChaosService implements AsyncDisposable {
  readonly copies: DatabaseCopies;
  readonly key: string;
  readonly #env: Record<string, string>;
  readonly #proxy: SilentProxy;
  readonly #receivers: Awaited<ReturnType<typeof startReceivers>>;
  readonly #owned: AsyncDisposable;
  readonly #lives: Held[] = [];
  readonly #delivered = new Map<string, { ids: Map<string, string>; read: number }>();
  #service: Awaited<ReturnType<typeof spawnService>>;
  #bornMs = performance.now();

  private constructor(parts: {
    copies: DatabaseCopies;
    key: string;
    env: Record<string, string>;
    proxy: SilentProxy;
    receivers: Awaited<ReturnType<typeof startReceivers>>;
    owned: AsyncDisposable;
    service: Awaited<ReturnType<typeof spawnService>>;
  }) {
    this.copies = parts.copies;
    this.key = parts.key;
    this.#env = parts.env;
    this.#proxy = parts.proxy;
    this.#receivers = parts.receivers;
    this.#owned = parts.owned;
    this.#service = parts.service;
  }

  static async start(): Promise<ChaosService> {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(temporaryFolder());
    const copies = stack.use(await databaseCopies());
    const proxy = stack.use(await silentProxy(copies.url));
    const receivers = stack.use(await startReceivers({ "/0": () => 204, "/1": failsOnce() }));
    const plans = JSON.parse(readFileSync(plansFile, "utf8"));
    // The walk of the list at the end, and the clients that come back, are more than a plan allows.
    plans.enterprise.requests_per_minute = 1_000_000;
    const env = {
      DATABASE_URL: proxy.url,
      TAPEWIRE_DATA_DIR: folder.path,
      TAPEWIRE_SOURCES: noSources,
      TAPEWIRE_PLANS: join(folder.path, "plans.json"),
      TAPEWIRE_DEMO: "off",
      TAPEWIRE_ADMIN_TOKEN: adminToken,
      TAPEWIRE_WEBHOOK_ALLOW: "127.0.0.0/8",
    };
    writeFileSync(env.TAPEWIRE_PLANS, JSON.stringify(plans));
    const service = await spawnService(env);
    const { key } = createdKey.parse(
      await (await admin(service.url, "POST", "/admin/v1/keys", { plan: "enterprise" })).json(),
    );
    return new ChaosService({ copies, key, env, proxy, receivers, owned: stack.move(), service });
  }

  get url(): string {
    return this.#service.url;
  }

  get streamUrl(): string {
    return `${this.url.replace("http", "ws")}/v1/stream`;
  }

  async addWebhooks(wanted: readonly WebhookFilters[]): Promise<{ path: string; filters: WebhookFilters }[]> {
    const made = wanted.map((filters, n) => ({ path: `/${n}`, filters }));
    for (const { path, filters } of made) {
      const answer = await fetch(`${this.url}/v1/webhooks`, {
        method: "POST",
        headers: { authorization: `Bearer ${this.key}`, "content-type": "application/json" },
        body: JSON.stringify({ url: this.#receivers.url(path), filters }),
      });
      assert.equal(answer.status, 201, await answer.text());
    }
    return made;
  }

  /** Entries that came to a path, as `<seq> <item id>`; one id a delivery, however often it came. */
  delivered(path: string): ReadonlySet<string> {
    const known = this.#delivered.get(path) ?? { ids: new Map<string, string>(), read: 0 };
    this.#delivered.set(path, known);
    const { ids } = known;
    const came = this.#receivers.at(path);
    for (; known.read < came.length; known.read++) {
      const received = came[known.read];
      if (received === undefined) break;
      const { id, seq, body } = received;
      const entry = `${seq} ${deliveryBody.parse(JSON.parse(body)).data.id}`;
      assert.equal(ids.get(entry) ?? id, id, `${path}: two ids for ${entry}`);
      ids.set(entry, id);
    }
    return new Set(ids.keys());
  }

  push(items: readonly object[]): Promise<Response> {
    return admin(this.url, "POST", "/admin/v1/items", items);
  }

  async kill(): Promise<void> {
    this.#note();
    await this.#service.end("SIGKILL");
    await this.#start();
  }

  /** SIGTERM, with sockets that say nothing, take nothing and do not end. @returns the exit code */
  async restartPolitely(): Promise<number | null> {
    const idle = await this.#stubbornSockets();
    const code = await this.stop();
    for (const socket of idle) socket.destroy();
    await this.#start();
    return code;
  }

  async stop(): Promise<number | null> {
    this.#note();
    return this.#service.end("SIGTERM");
  }

  async silence(forMs: number): Promise<void> {
    await this.#proxy.silence();
    await sleep(forMs);
    await this.#proxy.forward();
  }

  /** @returns what was lost, with what is left of it */
  async lose(): Promise<KnownLog> {
    const log = await this.log();
    await this.copies.lose();
    return log;
  }

  /** Waits until everything that is asked is answered. */
  async recovers(withinMs: number): Promise<void> {
    const ask = async (path: string) => {
      const answer = await fetch(this.url + path, {
        headers: { authorization: `Bearer ${this.key}` },
        signal: AbortSignal.timeout(withinMs),
      }).catch(() => null);
      return answer?.status === 200;
    };
    const paths = ["/livez", "/readyz", "/v1/feeds?limit=5", "/v1/webhooks", "/v1/me"];
    const isWhole = async () => (await Promise.all(paths.map(ask))).every(Boolean);
    await until(isWhole, "everything answers 200", withinMs);
  }

  /** Read past the proxy. */
  async log(): Promise<KnownLog> {
    await using db = await openPostgres(this.copies.url, silentLog);
    const { epoch } = await logHead(db.main);
    const entries: LogItem[] = [];
    for (let more = true; more; ) {
      const page = await itemsAfter(db.main, entries.at(-1)?.seq ?? 0, 500);
      entries.push(...page);
      more = page.length > 0;
    }
    return { epoch, entries };
  }

  /** The list, page by page, has each item of the log once. */
  async checkList({ entries }: KnownLog): Promise<void> {
    const found: string[] = [];
    for (let cursor = ""; ; ) {
      const answer = await fetch(`${this.url}/v1/feeds?limit=1000${cursor}`, {
        headers: { authorization: `Bearer ${this.key}` },
      });
      const { data, next_cursor } = feedList.parse(await answer.json());
      found.push(...data.map(({ id }) => id));
      if (next_cursor === null) break;
      cursor = `&cursor=${next_cursor}`;
    }
    const wanted = new Set(entries.map(({ item }) => item.id));
    assert.deepEqual(found.toSorted(), [...wanted].sort());
  }

  /** What each life of the process held at its end, for people. */
  get told(): string {
    const mib = (bytes: number) => Math.round(bytes / 2 ** 20);
    return this.#lives
      .map(({ descriptors, rssBytes }) => `${descriptors} fd ${mib(rssBytes)} MiB`)
      .join(", ");
  }

  /** No life of the process has ended with more descriptors or memory than the lives of its length before. */
  checkFlat(): void {
    const lives = this.#lives.filter(({ aliveMs }) => aliveMs > 15_000);
    const [first, ...others] = lives;
    if (first === undefined) return;
    for (const { descriptors, rssBytes } of others) {
      assert.ok(
        descriptors <= first.descriptors + 40,
        `${descriptors} descriptors, at first ${first.descriptors}`,
      );
      assert.ok(rssBytes <= 1.5 * first.rssBytes, `${rssBytes} bytes resident, at first ${first.rssBytes}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#service[Symbol.asyncDispose]();
    await this.#owned[Symbol.asyncDispose]();
  }

  async #start(): Promise<void> {
    this.#service = await spawnService(this.#env);
    this.#bornMs = performance.now();
  }

  #note(): void {
    const { pid } = this.#service.child;
    const aliveMs = performance.now() - this.#bornMs;
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const rssBytes = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
      this.#lives.push({ descriptors: readdirSync(`/proc/${pid}/fd`).length, rssBytes, aliveMs });
    } catch {
      // Not a Linux: then it is not looked at.
    }
  }

  /** An upgrade that was refused, a request that is never whole, and a connection that says nothing. */
  async #stubbornSockets(): Promise<Socket[]> {
    const { port, host } = new URL(this.url);
    const says = [
      `GET /v1/stream HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      `POST /v1/score HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\n{`,
      "",
    ];
    const open = says.map((text) => {
      const socket = connect({ port: Number(port), host: "127.0.0.1", allowHalfOpen: true });
      socket.on("error", () => {}).on("data", () => {});
      if (text !== "") socket.write(text);
      return socket;
    });
    await sleep(200);
    return open;
  }
}

const deliveryBody = z.looseObject({ data: z.looseObject({ id: z.string() }) });

function failsOnce() {
  const failed = new Set<string>();
  return ({ id, seq }: { readonly id: string; readonly seq: number }) => {
    if (seq % 50 !== 0 || failed.has(id)) return 204;
    failed.add(id);
    return 500;
  };
}

function admin(url: string, method: string, path: string, body: unknown): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
}
