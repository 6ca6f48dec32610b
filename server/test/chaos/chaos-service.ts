import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createdKey } from "@tapewire/contract/admin.ts";
import type { SubscriptionFilters, WebhookFilters } from "@tapewire/contract/filter.ts";
import { type DatabaseCopies, databaseCopies } from "../support/database-copies.ts";
import { spawnService, temporaryFolder } from "../support/process.ts";
import { until } from "../support/receiver.ts";
import { type SilentProxy, silentProxy } from "../support/silent-proxy.ts";
import { admin } from "./admin.ts";
import { chaosEnv } from "./chaos-env.ts";
import { Deliveries, type Hook } from "./deliveries.ts";
import { stubbornSockets } from "./stubborn-sockets.ts";
import type { KnownLog } from "./tape-client.ts";
import { checkList, wholeLog } from "./whole-log.ts";

const noSources = new URL("../support/no-sources.json", import.meta.url).pathname;
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
  readonly deliveries: Deliveries;
  readonly #env: Record<string, string>;
  readonly #proxy: SilentProxy;
  readonly #owned: AsyncDisposable;
  readonly #lives: Held[] = [];
  #service: Awaited<ReturnType<typeof spawnService>>;
  #bornMs = performance.now();

  private constructor(parts: {
    copies: DatabaseCopies;
    key: string;
    env: Record<string, string>;
    proxy: SilentProxy;
    deliveries: Deliveries;
    owned: AsyncDisposable;
    service: Awaited<ReturnType<typeof spawnService>>;
  }) {
    this.copies = parts.copies;
    this.key = parts.key;
    this.#env = parts.env;
    this.#proxy = parts.proxy;
    this.deliveries = parts.deliveries;
    this.#owned = parts.owned;
    this.#service = parts.service;
  }

  static async start(): Promise<ChaosService> {
    await using stack = new AsyncDisposableStack();
    const folder = stack.use(temporaryFolder());
    const copies = stack.use(await databaseCopies());
    const proxy = stack.use(await silentProxy(copies.url));
    const deliveries = stack.use(await Deliveries.start());
    const env = {
      DATABASE_URL: proxy.url,
      ...chaosEnv(folder.path),
      TAPEWIRE_SOURCES: noSources,
    };
    const service = await spawnService(env);
    const { key } = createdKey.parse(
      await (await admin(service.url, "POST", "/admin/v1/keys", { plan: "enterprise" })).json(),
    );
    return new ChaosService({ copies, key, env, proxy, deliveries, owned: stack.move(), service });
  }

  get url(): string {
    return this.#service.url;
  }

  get streamUrl(): string {
    return `${this.url.replace("http", "ws")}/v1/stream`;
  }

  addWebhooks(wanted: readonly WebhookFilters[]): Promise<Hook[]> {
    return this.deliveries.add({ url: this.url, key: this.key }, wanted);
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
    using _idle = await stubbornSockets(this.url);
    const code = await this.stop();
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
  log(): Promise<KnownLog> {
    return wholeLog(this.copies.url);
  }

  checkList(log: KnownLog): Promise<void> {
    return checkList({ url: this.url, key: this.key }, log);
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
}
