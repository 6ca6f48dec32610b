import { firstKey, firstLink } from "../account/first-start.ts";
import { RealtimeQuota } from "../account/realtime-quota.ts";
import { Refusals } from "../account/refusals.ts";
import type { Config } from "../config/config.ts";
import type { SourceConfig } from "../config/sources.ts";
import { type Clock, systemClock } from "../runtime/clock.ts";
import { createLog, type Log } from "../runtime/log.ts";
import { Metrics } from "../runtime/metrics.ts";
import { giveBackStartMemory } from "../runtime/node/start-memory.ts";
import { Parts } from "../runtime/parts.ts";
import { processMetrics } from "../runtime/process-metrics.ts";
import { version } from "../runtime/version.ts";
import { Engine } from "../score/engine.ts";
import { engineMetrics } from "../score/metrics.ts";
import type { ProPool } from "../score/pro-pool.ts";
import { sharedSecret } from "../store/engine/settings.ts";
import { openWebhooks, startDeliveries, startStreams } from "./delivering.ts";
import { readFiles } from "./files.ts";
import { listen, shownAddress } from "./listening.ts";
import { startReading } from "./reading.ts";
import { Reporter } from "./reporting.ts";
import { openPro, startScoring, wantsThread } from "./scoring.ts";
import { openEntrance, startServing } from "./serving.ts";
import { openItemLog, openStore } from "./storing.ts";
import { startTracing } from "./tracing.ts";
import type { Base } from "./types.ts";

/** A running service. Disposing drains it: nothing that was accepted is lost. */
export interface App extends AsyncDisposable {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly engine: "postgres" | "pglite";
  readonly demo: boolean;
  readonly sources: readonly SourceConfig[];
  /** Resolves when the service cannot continue. The process should then end and be restarted. */
  readonly failed: Promise<Error>;
  /** The key created at the first start; null at later starts. */
  readonly firstKey: string | null;
  /** Opens the dashboard, once; null when somebody has signed in before. */
  readonly signInLink: string | null;
}

interface StartOptions {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly stuckAfterMs?: number | undefined;
  /** Threads of pro that the caller has, and ends. Default: threads of the service's own. */
  readonly proPool?: ProPool | undefined;
}

/** Time limits at a stop. They run one after the other, with 2 s for streams in between, within the 10 s of main.ts. */
const drainMs = { deliveries: 3_000, requests: 3_000 } as const;

/**
 * Wires the service together and starts the roles in `config.roles`.
 * @throws ConfigError, DataDirError, or the error of a part that cannot start; parts that were started are ended first
 */
export async function startApp(
  config: Config,
  { clock = systemClock, log = logOf(config), ...given }: StartOptions = {},
): Promise<App> {
  const files = readFiles(config);
  await using stack = new Parts();
  const metrics = new Metrics(log);
  stack.use(serviceMetrics(metrics), "metrics");
  const tracing = await startTracing(config, log);
  if (tracing !== null) stack.use(tracing, "traces");
  const state: Base["state"] = {
    ...{ ready: false, baseUrl: "", port: null, events: null, innerEvents: null },
    ...{ streams: null, deliveries: null, scoring: null },
  };
  const base: Base = { config, files, clock, log, metrics, stack, state };
  const started = await startParts(base, given);
  const owned = stack.move();
  return { ...started, [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose]() };
}

/** Parts end in the reverse order: those that accept work from outside first, the database last. */
async function startParts(
  base: Base,
  { stuckAfterMs, proPool }: Pick<StartOptions, "stuckAfterMs" | "proPool">,
): Promise<Omit<App, typeof Symbol.asyncDispose>> {
  const { config, files, clock, log, metrics, stack, state } = base;
  const refusals = new Refusals(metrics);
  const store = await openStore(base);
  const { db, bus, backups, disk } = store;
  const cursorKey = await sharedSecret(db.main, "cursor_key");
  const engine = new Engine();
  if (config.roles.includes("ingest") || config.roles.includes("api")) engine.warm();
  const webhooks = await openWebhooks(base, store);
  const itemLog = await openItemLog(base, store);
  const { tail, index } = itemLog;
  engineMetrics(metrics, engine);
  const entrance = openEntrance(base, store);
  const { auth, accounts, people } = entrance;
  const { pool, feedPro } = openPro(base, proPool);
  const reading = await startReading(base, store, itemLog, { engine, pro: feedPro });
  const scoring = await startScoring(base, reading.pipeline, { pool, bus });

  const quota = stack.use(new RealtimeQuota({ db: db.main, clock, log, usage: auth.usage }));
  const { dataDir, roles } = config;
  const { published } = itemLog;
  const reporter = stack.use(
    new Reporter({ db: db.main, clock, log, roles, dataDir, published, tail, state }),
  );
  const ready = () => state.ready && tail.freshness.isCurrent;
  const server = startServing(
    base,
    {
      ...{ ...entrance, db, bus, backups, disk, cursorKey, itemLog, reading, scoring, webhooks },
      ...{ quota, refusals, ready, reporter, stuckAfterMs },
    },
    drainMs.requests,
  );
  if (config.roles.includes("stream"))
    await startStreams(base, server, { db, bus, tail, index, auth, quota, refusals, ready });
  if (config.roles.includes("webhooks") && webhooks !== null)
    await startDeliveries(base, webhooks, { tail, quota, drainMs: drainMs.deliveries });
  giveBackStartMemory();
  const { port } = await listen(server, config);
  state.port = port;
  // Only now: a start that fails earlier would leave a key that nobody has seen.
  const made = config.roles.includes("api") ? await firstKey(config, accounts) : null;
  const address = shownAddress(config, port);
  state.baseUrl = `http://${address}`;
  const link = config.roles.includes("api") ? await firstLink(config, db.main, people) : null;
  state.ready = true;
  // Not before: until its thread is there flash scores, and a start waits for nothing.
  if (wantsThread(config)) void pool.warm();
  stack.defer("readiness", () => {
    state.ready = false;
  });
  return {
    baseUrl: state.baseUrl,
    wsUrl: `ws://${address}/v1/stream`,
    engine: db.engine,
    demo: reading.demo,
    sources: files.sources,
    failed: db.failed,
    firstKey: made,
    signInLink: link,
  };
}

function logOf({ logLevel, logFormat: format }: Config): Log {
  return createLog(logLevel, { format });
}

/** Metrics of the process, and the version of the program. */
function serviceMetrics(metrics: Metrics): Disposable {
  const about = {
    name: "tapewire_build_info",
    help: "Always 1. The labels give the versions of Tapewire and Node.",
    labels: ["version", "node"],
  };
  metrics.gauge(about, () => [[{ version, node: process.version }, 1]]);
  return processMetrics(metrics);
}
