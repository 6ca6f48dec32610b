import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { planTable } from "@tapewire/contract/plans.ts";
import { tagDictionary } from "@tapewire/contract/tags.ts";
import { Accounts } from "./account/accounts.ts";
import { Authenticator } from "./account/auth.ts";
import { adminTokenOf, firstKey } from "./account/first-start.ts";
import { IdempotentCalls } from "./account/idempotent-calls.ts";
import { RealtimeQuota } from "./account/realtime-quota.ts";
import { Refusals } from "./account/refusals.ts";
import { ScoreQuota } from "./account/score-quota.ts";
import { openSealedSecrets } from "./account/sealed-secrets.ts";
import { SnapshotAllowance } from "./account/snapshot-allowance.ts";
import { StreamSlots } from "./account/stream-slots.ts";
import { inProcessBus } from "./bus/bus.ts";
import { type Config, settings, webhookRanges } from "./config/config.ts";
import { readConfigFile } from "./config/files.ts";
import { providersFile } from "./config/providers.ts";
import { type SourceConfig, sourcesFile } from "./config/sources.ts";
import { ListCursors } from "./http/list-cursors.ts";
import { logoUrl } from "./http/logos.ts";
import { Outgoing } from "./http/outgoing.ts";
import { createHttpServer, type ServeEvents } from "./http/server.ts";
import { apiErrorOf, Closing } from "./http/wire/wire.ts";
import { strangersPace } from "./ingest/fetch/asker.ts";
import { Fetcher } from "./ingest/fetch/fetcher.ts";
import { SharedHostGates } from "./ingest/fetch/host-gates.ts";
import { Hubs, hubPath } from "./ingest/hubs.ts";
import { Speakers } from "./ingest/identity/speakers.ts";
import { Ingest } from "./ingest/ingest.ts";
import { fetchMetrics, sourceMetrics } from "./ingest/metrics.ts";
import { probeSource } from "./ingest/operations/probe.ts";
import { replayAnswers } from "./ingest/operations/replay.ts";
import { retractItem } from "./ingest/operations/retract.ts";
import { listSourceNames, sourceDetail, sourceHealth } from "./ingest/operations/source-health.ts";
import { pushItems } from "./ingest/push/push.ts";
import { PageReader } from "./ingest/reading/page-reader.ts";
import { adapters } from "./ingest/sources/adapters.ts";
import { Sequencer } from "./itemlog/append.ts";
import { ItemTail } from "./itemlog/follow.ts";
import { Liveness } from "./itemlog/liveness.ts";
import { itemLogMetrics } from "./itemlog/metrics.ts";
import { Peers } from "./itemlog/peers.ts";
import { RecentWindow } from "./itemlog/window.ts";
import { type Clock, systemClock } from "./runtime/clock.ts";
import { createLog, type Log } from "./runtime/log.ts";
import { Metrics } from "./runtime/metrics.ts";
import { Parts } from "./runtime/parts.ts";
import { processMetrics } from "./runtime/process-metrics.ts";
import { StartError } from "./runtime/start-error.ts";
import { version } from "./runtime/version.ts";
import { Engine } from "./score/engine.ts";
import { LlmScorer } from "./score/llm.ts";
import { engineMetrics, scoreWatch } from "./score/metrics.ts";
import { ProPool } from "./score/pro-pool.ts";
import { rescore } from "./score/rescore.ts";
import { Scorer } from "./score/scorer.ts";
import { DataDirError } from "./store/data-dir.ts";
import { type Db, openDb } from "./store/db.ts";
import { ItemWriter } from "./store/items.ts";
import { databaseMetrics } from "./store/metrics.ts";
import { migrate } from "./store/migrate.ts";
import { Partitions } from "./store/partitions.ts";
import { sharedSecret } from "./store/settings.ts";
import { StreamHub } from "./stream/hub.ts";
import { streamMetrics } from "./stream/metrics.ts";
import { Dispatcher } from "./webhooks/dispatcher.ts";
import { attemptWatch, deliveryMetrics, senderMetrics } from "./webhooks/metrics.ts";
import type { DeliveryPolicy } from "./webhooks/outcomes.ts";
import { nextAttemptMs } from "./webhooks/schedule.ts";
import { Sender } from "./webhooks/sender.ts";
import { Targets } from "./webhooks/targets.ts";
import { sendTest } from "./webhooks/test-delivery.ts";

/** A running service. Disposing drains it: nothing accepted is lost. */
export interface App extends AsyncDisposable {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly engine: "postgres" | "pglite";
  readonly demo: boolean;
  readonly sources: readonly SourceConfig[];
  /** Resolves when the service cannot go on; the process had better end and be started again. */
  readonly failed: Promise<Error>;
  /** The key made at the very first start; null ever after. */
  readonly firstKey: string | null;
}

/** What is known only once parts have started that others look at. */
interface State {
  ready: boolean;
  baseUrl: string;
  /** Where it listens. */
  port: number | null;
  events: ServeEvents | null;
}

/** At a stop. One after the other, with 2 s for streams between, within the 10 s of main.ts: only others were slow then. */
const drainMs = { deliveries: 3_000, requests: 3_000 } as const;

/**
 * Wires the service together and starts what `config.roles` names.
 * @throws ConfigError, DataDirError, or the error of a part that cannot start; what was opened is closed again
 */
export async function startApp(
  config: Config,
  {
    clock = systemClock,
    log = logOf(config),
    stuckAfterMs,
  }: { clock?: Clock; log?: Log; stuckAfterMs?: number | undefined } = {},
): Promise<App> {
  const plans = readConfigFile(config.plansFile, planTable);
  const tags = readConfigFile(new URL("../../config/tags.json", import.meta.url), tagDictionary);
  const {
    contact,
    sources,
    sec_tickers_url: tickersUrl = null,
  } = readConfigFile(config.sourcesFile, sourcesFile);
  const { providers } = readConfigFile(
    new URL("../../config/providers.json", import.meta.url),
    providersFile,
  );
  const state: State = { ready: false, baseUrl: "", port: null, events: null };

  await using stack = new Parts();
  const metrics = new Metrics(log);
  stack.use(serviceMetrics(metrics), "metrics");
  const refusals = new Refusals(metrics);
  const db = stack.use(await openDatabase(config, log), "database");
  databaseMetrics(metrics, db);
  await migrate(db);
  const peers = stack.use(await Peers.start({ db, clock, log }));
  const [engine, cursorKey] = await Promise.all([Engine.load(), sharedSecret(db.main, "cursor_key")]);
  const withWebhooks = config.roles.includes("api") || config.roles.includes("webhooks");
  const webhookDeps = { db, clock, metrics, ownPort: () => state.port };
  const webhooks = withWebhooks ? await webhookParts(config, webhookDeps) : null;
  if (webhooks !== null) stack.use(webhooks.sender);
  const partitions = new Partitions();
  stack.use(await keepPartitionsAhead(db, partitions, { clock, log }), "partitions");
  const bus = inProcessBus();
  const tail = stack.use(await ItemTail.open({ db: db.main, bus, log, clock }));
  const window = stack.use(
    new RecentWindow(
      { db, partitions, tail, peers, clock, log },
      { items: config.windowItems, bodyBytes: config.windowBodyMegabytes * 2 ** 20 },
    ),
  );
  const rules = new Speakers(sources, adapters);
  const writer = new ItemWriter(db, partitions, rules);
  const sequencer = stack.use(new Sequencer(writer, bus, log));
  itemLogMetrics(metrics, { tail, window, sequencer });
  engineMetrics(metrics, engine);
  const recall: ItemWriter["recall"] = (facts, id) => writer.recall(facts, id);
  const recalledOf: ItemWriter["recalledOf"] = (id) => writer.recalledOf(id);
  const auth = stack.use(
    new Authenticator({ db: db.main, plans, clock, log, trustedProxies: config.trustedProxies }),
  );
  const accounts = new Accounts({ db: db.main, clock, auth });
  const pipeline = { engine, sequencer, tags, recall, clock, log };

  const demo = demoRuns(config);
  const fetcher = stack.use(
    new Fetcher({
      clock,
      userAgent: userAgent(config.contact ?? contact),
      gates: new SharedHostGates(db),
      strangersPace: strangersPace(sources),
    }),
  );
  const reader = stack.use(new PageReader(adapters));
  const intake = { ...pipeline, db, fetcher, adapters, reader, sources, rules };
  fetchMetrics(metrics, fetcher);
  const hubs = new Hubs({
    db,
    clock,
    log,
    publicUrl: config.publicUrl,
    fetcher,
  });
  await peers.known();
  if (config.roles.includes("ingest")) {
    sourceMetrics(metrics, intake);
    stack.use(
      new Ingest(
        { ...intake, hubs },
        { sources, demo, rawDays: config.rawDays, tickersUrl, rawBytes: config.rawMegabytes * 2 ** 20 },
      ),
    );
  }

  const outgoing = stack.use(new Outgoing());
  stack.use(keepStoriesCurrent(sequencer, log), "stories");
  const pool = stack.use(new ProPool());
  const scorer = new Scorer({
    engine,
    recall,
    pool,
    llm: await languageModel(config, outgoing, clock),
    clock,
    log,
    watch: scoreWatch(metrics),
  });

  const quota = stack.use(new RealtimeQuota({ db: db.main, clock, log, usage: auth.usage }));
  const ready = () => state.ready && tail.current;
  const calls = new IdempotentCalls(db.main);
  const liveness = new Liveness({ tail, db }, { stuckAfterMs });
  const common = { auth, quota: new ScoreQuota({ db: db.main, clock }), tags };
  const server = createHttpServer({
    ...common,
    api:
      !config.roles.includes("api") || webhooks === null
        ? null
        : {
            ...common,
            db,
            calls,
            window,
            cursors: new ListCursors(cursorKey),
            accounts,
            push: (items) => pushItems(pipeline, items),
            sources: () => sourceHealth(intake),
            sourceNames: () => listSourceNames(intake),
            sourceDetail: (name) => sourceDetail(intake, name),
            retract: (id) => retractItem(pipeline, db, id),
            replay: (request) => replayAnswers(intake, request),
            rescore: (request) => rescore({ db, engine, pool, recalledOf, clock }, request),
            probe: (id) => probeSource(intake, id),
            score: (artifact, options) => scorer.score(artifact, options),
            hubs: {
              path: hubPath,
              confirm: (token, query) => hubs.confirm(token, query),
              ping: (token, signature, body) => hubs.ping(token, signature, body),
            },
            clock,
            providers,
            symbols: () => engine.symbols,
            logoUrl: (id) => logoUrl(config.publicUrl ?? state.baseUrl, id),
            webhooks: { ...webhooks, calls, quota, sendTest: (endpoint) => sendTest(webhooks, endpoint) },
          },
    adminToken: adminTokenOf(config),
    plans,
    log,
    metrics,
    refusals,
    ready,
    alive: () => liveness.alive(),
    baseUrl: () => state.baseUrl,
    events: () => state.events,
  });
  stack.use(new Closing(server, drainMs.requests));
  if (config.roles.includes("stream")) {
    const hub = stack.use(
      new StreamHub(server, {
        tail,
        auth,
        slots: stack.use(await StreamSlots.start({ db: db.main, log })),
        quota,
        snapshots: new SnapshotAllowance({ db: db.main, clock, rates: auth.rates }),
        tags,
        clock,
        log,
        ready,
        latest: (filter, request) => window.latest(filter, request),
        apiErrorOf,
        refusals,
      }),
    );
    streamMetrics(metrics, hub);
    state.events = (call) => hub.serveEvents(call);
  }
  if (config.roles.includes("webhooks") && webhooks !== null) {
    const { sender, secrets } = webhooks;
    const parts = { db, tail, sender, quota, secrets, plans, clock, log };
    const limits = { perS: config.webhookPerSecond, drainMs: drainMs.deliveries };
    const dispatcher = stack.use(
      await Dispatcher.start({ ...parts, policy: deliveryPolicy(config) }, limits),
    );
    deliveryMetrics(metrics, dispatcher);
  }
  const { port } = await listen(server, config);
  state.port = port;
  // Not before: a start that fails would have made a key that nobody was shown.
  const made = config.roles.includes("api") ? await firstKey(config, accounts) : null;
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  const shownHost = config.host === "0.0.0.0" || config.host === "::" ? "127.0.0.1" : host;
  state.baseUrl = `http://${shownHost}:${port}`;
  state.ready = true;
  stack.defer("readiness", () => {
    state.ready = false;
  });
  const owned = stack.move();
  return {
    baseUrl: state.baseUrl,
    wsUrl: `ws://${shownHost}:${port}/v1/stream`,
    engine: db.engine,
    demo,
    sources,
    failed: db.failed,
    firstKey: made,
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}

function logOf({ logLevel, logFormat: format }: Config): Log {
  return createLog(logLevel, { format });
}

/** Of the process, and which program it runs. */
function serviceMetrics(metrics: Metrics): Disposable {
  const about = {
    name: "tapewire_build_info",
    help: "1; its labels tell what runs.",
    labels: ["version", "node"],
  };
  metrics.gauge(about, () => [[{ version, node: process.version }, 1]]);
  return processMetrics(metrics);
}

/** What managing endpoints and delivering to them share. */
async function webhookParts(
  config: Config,
  { db, clock, metrics, ownPort }: { db: Db; clock: Clock; metrics: Metrics; ownPort: () => number | null },
) {
  const targets = new Targets({ opened: webhookRanges(config), ownPort });
  const secrets = await openSealedSecrets(config, db.main);
  const userAgent = `Tapewire/${version}`;
  const sender = new Sender({ targets, clock, userAgent, watch: attemptWatch(metrics) });
  senderMetrics(metrics, sender);
  return { db, clock, targets, secrets, sender };
}

function deliveryPolicy({ webhookRetriesMs: delaysMs, webhookDisableHours }: Config): DeliveryPolicy {
  return {
    nextAttemptMs: (attempt, hints) => nextAttemptMs(attempt, { ...hints, delaysMs }),
    disableAfterMs: webhookDisableHours * 3_600_000,
  };
}

/** The operator's language model; null: none is configured. */
async function languageModel(config: Config, { post }: Outgoing, clock: Clock): Promise<LlmScorer | null> {
  const { llmUrl: url, llmModel: model, llmKey, llmTokensPerDay: tokensPerDay } = config;
  return url === null ? null : LlmScorer.load({ url, model, key: llmKey ?? "", tokensPerDay, post, clock });
}

async function openDatabase(config: Config, log: Log): Promise<Db> {
  try {
    return await openDb({ ...config, log });
  } catch (cause) {
    if (cause instanceof DataDirError || cause instanceof StartError) throw cause;
    const where = config.databaseUrl === null ? `the data directory ${config.dataDir}` : "DATABASE_URL";
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
    throw new StartError(`cannot open the database of ${where}: ${reason}`, { cause });
  }
}

const partitionsEveryMs = 6 * 3_600_000;

const storiesEveryMs = 10_000;

/** A process that takes in nothing learns of the stories that others write: an append of nothing reads them. */
function keepStoriesCurrent(sequencer: Sequencer, log: Log): Disposable {
  const learn = () =>
    sequencer
      .append({ items: [], sourceId: null })
      .catch((error: unknown) => log.warn({ err: error }, "reading the stories of the feed failed"));
  void learn();
  const timer = setInterval(() => void learn(), storiesEveryMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** A month's tables exist before its first item comes. */
async function keepPartitionsAhead(
  db: Db,
  partitions: Partitions,
  { clock, log }: { clock: Clock; log: Log },
) {
  const ensure = () => partitions.ensureAhead(db.main, clock.now());
  await ensure();
  const timer = setInterval(() => {
    ensure().catch((error: unknown) => log.warn({ err: error }, "making partitions ahead failed"));
  }, partitionsEveryMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Whether the demo wire runs: as told; by itself only in a trial, never beside an operator's own sources. */
function demoRuns(config: Config): boolean {
  const trial = config.databaseUrl === null && config.sourcesFile === settings.sourcesFile.fallback;
  return config.roles.includes("ingest") && (config.demo === "on" || (config.demo === "auto" && trial));
}

function userAgent(contact: string | null | undefined): string {
  return `Tapewire/${version}${contact ? ` (${contact})` : ""}`;
}

function listen(server: Server, { host, port }: Config): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const message = `cannot listen on ${host}:${port} (${cause.message}): set TAPEWIRE_PORT or TAPEWIRE_HOST`;
      reject(new StartError(message, { cause }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new TypeError("not listening on a port"));
      else resolve(address);
    });
  });
}
