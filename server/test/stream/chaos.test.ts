import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createdKey, pushAnswer } from "@tapewire/contract/admin.ts";
import { filterOfSubscription, type SubscriptionFilters } from "@tapewire/contract/filter.ts";
import { serverFrame } from "@tapewire/contract/stream.ts";
import WebSocket from "ws";
import { matches } from "../../src/feed/filter.ts";
import type { LogItem } from "../../src/feed/item.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { openPostgres } from "../../src/store/engine/db.ts";
import { itemsAfter } from "../../src/store/log/item-reads.ts";
import { createDatabase, onPostgres } from "../support/db.ts";
import { isFull } from "../support/full-length.ts";
import { temporaryFolder } from "../support/process.ts";
import { spawnWatched, whileAlive } from "../support/turns.ts";

/** One kill in every run; 200 clients, 10,000 items and five kills with TAPEWIRE_CHAOS=full. */
const size = isFull ? { clients: 200, items: 10_000, kills: 5 } : { clients: 24, items: 1_200, kills: 1 };
const batchItems = 50;
/** For so many batches before a kill every other client is away: what it resumes lies over borders of the log's pages. */
const awayBatches = 8;
/** Of processor time. Measured: 40 to 90 ms. */
const longestTurnMs = 200;
const adminToken = "tw_admin_for_tests_only";
const noSources = new URL("../support/no-sources.json", import.meta.url).pathname;

let state = 20_260_302;
/** Mulberry32: the same chaos in every run, as far as time allows. */
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
}
const below = (n: number) => Math.floor(random() * n);

function anyFilters(): SubscriptionFilters {
  const kind = below(5);
  if (kind === 0) return {};
  if (kind === 1) return { symbols: [`DEMO:CH${below(8)}`, `DEMO:CH${below(8)}`] };
  if (kind === 2) return { aggregators: [`chaos-${below(3)}`] };
  if (kind === 3) return { tags: { market: ["stock"] }, exchanges: ["DEMO"] };
  return { symbols: [`DEMO:CH${below(8)}`], aggregators: [`chaos-${below(3)}`] };
}

function pushItem(n: number) {
  return {
    title: `Chaos ${n}: Brandmoor ${n % 2 === 0 ? "raises" : "cuts"} its outlook by ${n}%`,
    external_id: `chaos-${n}`,
    source: `chaos-${n % 3}`,
    symbols: n % 7 === 0 ? [] : [`DEMO:CH${n % 8}`],
    tags: n % 5 === 0 ? ["market:stock"] : [],
  };
}

/** A client that comes back whenever its connection ends, with the cursor of what it had last. */
class Client {
  readonly filters = anyFilters();
  readonly seqs: number[] = [];
  /** Position of the first subscription: what it is owed lies behind. */
  begin: number | null = null;
  cursor: string | null = null;
  #socket: WebSocket | null = null;
  #stopped = false;
  /** Resolves when the client may come back. */
  #back = Promise.withResolvers<void>();
  readonly running: Promise<void>;

  constructor(url: () => string, key: string) {
    this.#back.resolve();
    this.running = this.#run(url, key);
  }

  cut(): void {
    this.#socket?.terminate();
  }

  leave(): void {
    this.#back = Promise.withResolvers();
    this.cut();
  }

  comeBack(): void {
    this.#back.resolve();
  }

  async reaches(seq: number, signal: AbortSignal): Promise<void> {
    while (seqOf(this.cursor ?? "x.0") < seq) {
      signal.throwIfAborted();
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send('{"type":"ping"}');
      await sleep(200);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.comeBack();
    this.cut();
    await this.running;
  }

  async #run(url: () => string, key: string): Promise<void> {
    for (;;) {
      await this.#back.promise;
      if (this.#stopped) return;
      const socket = new WebSocket(url(), { headers: { authorization: `Bearer ${key}` } });
      this.#socket = socket;
      socket.on("message", (data) => this.#receive(socket, data.toString()));
      socket.on("error", () => {});
      await new Promise((resolve) => socket.once("close", resolve));
      await sleep(20 + random() * 200);
    }
  }

  #receive(socket: WebSocket, text: string): void {
    const frame = serverFrame.parse(JSON.parse(text));
    if (frame.type === "welcome") {
      const after = this.cursor === null ? {} : { after: this.cursor };
      socket.send(JSON.stringify({ type: "subscribe", filters: this.filters, ...after }));
    }
    if (frame.type === "subscribed") {
      assert.equal(frame.resumed, this.cursor !== null);
      this.begin ??= seqOf(frame.cursor);
    }
    if (frame.type === "feed") this.seqs.push(frame.seq);
    if ("cursor" in frame) this.cursor = frame.cursor;
  }
}

const seqOf = (cursor: string) => Number(cursor.split(".")[1]);

/** Pushes until it is taken: a repeat of what was stored is a duplicate. */
async function push(url: () => string, items: readonly object[], signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const answer = await fetch(`${url()}/admin/v1/items`, {
      method: "POST",
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      body: JSON.stringify(items),
      signal,
    }).catch(() => null);
    if (answer?.status === 200) {
      const { data } = pushAnswer.parse(await answer.json());
      const refused = data.filter(({ status }) => status === "rejected");
      assert.deepEqual(refused, []);
      return;
    }
    await sleep(50);
  }
}

async function wholeLog(databaseUrl: string): Promise<LogItem[]> {
  await using db = await openPostgres(databaseUrl, silentLog);
  const log: LogItem[] = [];
  for (let more = true; more; ) {
    const page = await itemsAfter(db.main, log.length, 500);
    log.push(...page);
    more = page.length > 0;
  }
  return log;
}

onPostgres(
  "through disconnects and killed servers every client gets exactly its items, in order, none twice",
  async () => {
    using folder = temporaryFolder();
    await using database = await createDatabase();
    const plans = JSON.parse(readFileSync(new URL("../../../config/plans.json", import.meta.url), "utf8"));
    plans.enterprise.stream_connections = 10_000;
    const plansFile = join(folder.path, "plans.json");
    writeFileSync(plansFile, JSON.stringify(plans));
    const env = {
      DATABASE_URL: database.url,
      TAPEWIRE_DATA_DIR: folder.path,
      TAPEWIRE_SOURCES: noSources,
      TAPEWIRE_PLANS: plansFile,
      TAPEWIRE_DEMO: "off",
      TAPEWIRE_ADMIN_TOKEN: adminToken,
    };
    let service = await spawnWatched(env);
    const turns: number[] = [];
    await using cleanup = new AsyncDisposableStack();
    cleanup.defer(() => service[Symbol.asyncDispose]());
    const answer = await fetch(`${service.url}/admin/v1/keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      body: JSON.stringify({ plan: "enterprise" }),
    });
    const { key } = createdKey.parse(await answer.json());
    const clients = Array.from(
      { length: size.clients },
      () => new Client(() => `${service.url.replace("http", "ws")}/v1/stream`, key),
    );
    cleanup.defer(async () => void (await Promise.all(clients.map((client) => client.stop()))));
    const batches = size.items / batchItems;
    const killAt = Array.from({ length: size.kills }, (_, n) =>
      Math.floor(((n + 1) * batches) / (size.kills + 1)),
    );
    const restart = async () => {
      turns.push(service.longestTurnMs());
      await service.end("SIGKILL");
      service = await spawnWatched(env);
    };
    const chaos = async (signal: AbortSignal) => {
      for (let batch = 0; batch < batches; batch++) {
        const leaving = killAt.indexOf(batch + awayBatches);
        if (leaving >= 0) for (const client of everyOther(clients, leaving)) client.leave();
        const items = Array.from({ length: batchItems }, (_, n) => pushItem(batch * batchItems + n));
        const pushed = push(() => service.url, items, signal);
        const killing = killAt.indexOf(batch);
        if (killing >= 0) await restart();
        await pushed;
        if (killing >= 0) for (const client of everyOther(clients, killing)) client.comeBack();
        for (const client of clients) if (random() < 0.02) client.cut();
      }
      for (const client of clients) await client.reaches(size.items, signal);
    };
    await whileAlive(() => service, chaos);
    turns.push(service.longestTurnMs());
    const log = await wholeLog(database.url);
    assert.equal(log.at(-1)?.seq, size.items);
    await Promise.all(clients.map((client) => client.stop()));
    await service.end("SIGTERM");
    for (const { filters, begin, seqs } of clients) {
      const filter = filterOfSubscription(filters);
      const owed = log
        .filter(({ seq, item }) => seq > (begin ?? 0) && matches(item, filter))
        .map(({ seq }) => seq);
      assert.deepEqual(seqs, owed, JSON.stringify(filters));
    }
    assert.ok(Math.max(...turns) <= longestTurnMs, `turns of ${turns} ms`);
  },
);

function everyOther<One>(all: readonly One[], from: number): One[] {
  return all.filter((_, n) => n % 2 === from % 2);
}
