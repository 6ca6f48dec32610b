import { type Config, settings } from "../config/config.ts";
import { strangersPace } from "../ingest/fetch/asker.ts";
import { Fetcher } from "../ingest/fetch/fetcher.ts";
import { SharedHostGates } from "../ingest/fetch/host-gates.ts";
import { Hubs } from "../ingest/hubs.ts";
import { Ingest } from "../ingest/ingest.ts";
import { fetchMetrics, sourceMetrics } from "../ingest/metrics.ts";
import { PageReader } from "../ingest/reading/page-reader.ts";
import { adapters } from "../ingest/sources/adapters.ts";
import { version } from "../runtime/version.ts";
import type { Engine } from "../score/engine.ts";
import type { FeedPro } from "../score/feed/feed-pro.ts";
import type { ItemWriter } from "../store/append/item-writer.ts";
import type { ItemLog, Store } from "./storing.ts";
import type { Base } from "./types.ts";

export type Reading = Awaited<ReturnType<typeof startReading>>;

/** Starts the way from the sources to the log: fetching, reading and, with the role ingest, polling. */
export async function startReading(
  { config, files, clock, log, metrics, stack }: Base,
  { db, peers, disk }: Store,
  { sequencer, writer, rules }: ItemLog,
  { engine, pro }: { engine: Engine; pro: FeedPro | null },
) {
  const { contact, sources, tickersUrl, dictionary } = files;
  const recall: ItemWriter["recall"] = (facts, id) => writer.recall(facts, id);
  const pipeline = { engine, pro, sequencer, tags: dictionary.tags, recall, clock, log };
  const gates = new SharedHostGates(db);
  const fetcher = stack.use(
    new Fetcher({
      clock,
      userAgent: userAgent(config.contact ?? contact),
      gates,
      strangersPace: strangersPace(sources),
      blockNotices: Object.values(adapters).flatMap(({ blockNotice }) => blockNotice ?? []),
    }),
  );
  const reader = stack.use(new PageReader(adapters));
  const isStorageFull = () => disk?.state === "full";
  const intake = { ...pipeline, isStorageFull, db, fetcher, adapters, reader, sources, rules };
  fetchMetrics(metrics, fetcher);
  const hubs = new Hubs({ db, clock, log, publicUrl: config.publicUrl, fetcher });
  await peers.known();
  const demo = demoRuns(config);
  if (config.roles.includes("ingest")) {
    sourceMetrics(metrics, intake);
    const { rawDays, rawMegabytes } = config;
    const limits = { sources, demo, rawDays, tickersUrl, rawBytes: rawMegabytes * 2 ** 20 };
    stack.use(new Ingest({ ...intake, hubs }, limits));
  }
  return { pipeline, intake, hubs, demo };
}

/** Whether the demo wire runs. `auto` runs it only with the embedded database and the default sources file. */
function demoRuns(config: Config): boolean {
  const trial = config.databaseUrl === null && config.sourcesFile === settings.sourcesFile.fallback;
  return config.roles.includes("ingest") && (config.demo === "on" || (config.demo === "auto" && trial));
}

function userAgent(contact: string | null | undefined): string {
  return `Tapewire/${version}${contact ? ` (${contact})` : ""}`;
}
