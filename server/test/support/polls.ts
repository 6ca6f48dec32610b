import { join } from "node:path";
import { tagDictionary } from "@tapewire/contract/tags.ts";
import type { z } from "zod";
import { inProcessBus } from "../../src/bus/bus.ts";
import { readConfigFile } from "../../src/config/files.ts";
import { sourcesFile } from "../../src/config/sources.ts";
import { Fetcher } from "../../src/ingest/fetch/fetcher.ts";
import { Hubs } from "../../src/ingest/hubs.ts";
import { Speakers } from "../../src/ingest/identity/speakers.ts";
import { pollSource } from "../../src/ingest/polling/poller.ts";
import { ReachLog } from "../../src/ingest/polling/reach-log.ts";
import { pushItems } from "../../src/ingest/push/push.ts";
import { PageReader } from "../../src/ingest/reading/page-reader.ts";
import { adapters } from "../../src/ingest/sources/adapters.ts";
import { Sequencer } from "../../src/itemlog/append.ts";
import type { Clock } from "../../src/runtime/clock.ts";
import { silentLog } from "../../src/runtime/log.ts";
import { Signal } from "../../src/runtime/sharing/signal.ts";
import { Engine } from "../../src/score/engine.ts";
import type { FeedPro } from "../../src/score/feed/feed-pro.ts";
import { ItemWriter } from "../../src/store/append/item-writer.ts";
import type { Db } from "../../src/store/engine/db.ts";
import { claimSources, registerSources } from "../../src/store/intake/sources.ts";
import { itemsAfter } from "../../src/store/log/item-reads.ts";
import { Partitions } from "../../src/store/log/partitions.ts";
import { LocalHostGates } from "./host-gates.ts";
import { listenLocally } from "./http.ts";

const tags = readConfigFile(join(import.meta.dirname, "../../../config/tags.json"), tagDictionary);
const engine = new Engine();

/** An answer that a test sets, on a port of its own. */
export async function startAnswer(type = "application/rss+xml") {
  const state = { body: "" };
  const server = await listenLocally((_, response) => {
    response.writeHead(200, { "content-type": type }).end(state.body);
  });
  const { origin } = server;
  return { state, origin, url: `${origin}/list`, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** Polls of sources, each when the test says so and at the time that it sets: what one process of the service does. */
export function pollingOf(
  db: Db,
  entries: readonly z.input<typeof sourcesFile>["sources"][number][],
  start: string,
  pro: FeedPro | null = null,
) {
  const { sources } = sourcesFile.parse({ sources: entries });
  const rules = new Speakers(sources, adapters);
  const writer = new ItemWriter(db, new Partitions(), rules);
  const sequencer = new Sequencer(writer, inProcessBus(), silentLog);
  const time = { now: new Date(start) };
  const clock: Clock = { now: () => time.now, sleep: () => Promise.resolve() };
  const fetcher = new Fetcher({ clock, userAgent: "test", gates: new LocalHostGates() });
  const reader = new PageReader(adapters);
  const hubs = new Hubs({ db, clock, log: silentLog, publicUrl: null, fetcher });
  const recall: ItemWriter["recall"] = (facts, id) => writer.recall(facts, id);
  const reading = { documentsWake: new Signal(), archiveRetries: new Map(), rawDays: 0 };
  const deps = {
    engine,
    pro,
    sequencer,
    tags,
    recall,
    clock,
    log: silentLog,
    ...reading,
    db,
    fetcher,
    reader,
    adapters,
    hubs,
    rules,
    reachLog: new ReachLog({ clock, log: silentLog }, AbortSignal.abort()),
  };
  return {
    deps: { ...deps, sources },
    time,
    /** Those sources at once. */
    poll: async (...ids: readonly string[]): Promise<void> => {
      await registerSources(db.main, ids);
      await db.main.updateTable("sources").set({ next_poll_at: null }).where("id", "in", ids).execute();
      const states = await claimSources(db.main, { sources: ids, limit: ids.length, leaseMs: 60_000 });
      const signal = AbortSignal.timeout(60_000);
      await Promise.all(
        states.map((state) => {
          const source = sources.find(({ id }) => id === state.id);
          if (source === undefined || state.lease_owner === null)
            throw new Error(`${state.id} is not claimed`);
          return pollSource(deps, { source, state, lease: state.lease_owner, signal });
        }),
      );
    },
    push: (...items: Parameters<typeof pushItems>[1]) => pushItems(deps, items),
    log: async () => (await itemsAfter(db.main, 0, 10_000)).map(({ item }) => item),
    [Symbol.asyncDispose]: async () => {
      await sequencer[Symbol.asyncDispose]();
      await reader[Symbol.asyncDispose]();
      await fetcher[Symbol.asyncDispose]();
    },
  };
}
