import type { Server } from "node:http";
import { adminTokenOf } from "../account/first-start.ts";
import { IdempotentCalls } from "../account/idempotent-calls.ts";
import { Accounts } from "../account/keys/accounts.ts";
import { Authenticator } from "../account/keys/auth.ts";
import { People } from "../account/people/people.ts";
import type { RealtimeQuota } from "../account/realtime-quota.ts";
import type { Refusals } from "../account/refusals.ts";
import { ScoreQuota } from "../account/score-quota.ts";
import type { ServiceBus } from "../bus/bus.ts";
import { type Config, isLoopback } from "../config/config.ts";
import { showsText } from "../config/sources.ts";
import { ListCursors } from "../http/list-cursors.ts";
import { logoUrl } from "../http/logos.ts";
import { type ApiDeps, createHttpServer, type ServerDeps } from "../http/server.ts";
import { Closing } from "../http/wire/wire.ts";
import { hubPath } from "../ingest/hubs.ts";
import { probeSource } from "../ingest/operations/probe.ts";
import { replayAnswers } from "../ingest/operations/replay.ts";
import { retractItem } from "../ingest/operations/retract.ts";
import { listSourceNames, sourceDetail, sourceHealth } from "../ingest/operations/source-health.ts";
import { pushItems } from "../ingest/push/push.ts";
import { Liveness } from "../itemlog/liveness.ts";
import { LogReplay } from "../itemlog/replay.ts";
import { recalledFrom, rescore } from "../score/rescore.ts";
import type { Backups } from "../store/backup/backups.ts";
import type { Db } from "../store/engine/db.ts";
import { requestAgain, sendTest } from "../webhooks/owner-requests.ts";
import type { WebhookParts } from "./delivering.ts";
import type { Reading } from "./reading.ts";
import type { Reporter } from "./reporting.ts";
import type { Scoring } from "./scoring.ts";
import type { ItemLog, Store } from "./storing.ts";
import type { Base } from "./types.ts";

export interface Entrance {
  readonly auth: Authenticator;
  readonly accounts: Accounts;
  readonly people: People;
  readonly adminToken: string;
}

/** Opens authentication, accounts and the people's sessions. */
export function openEntrance(base: Base, store: Store): Entrance {
  const { config, files, clock, log, stack } = base;
  const { main: db, lentUntilMs } = store.db;
  const { bus } = store;
  const { plans } = files;
  const { trustedProxies } = config;
  const adminToken = adminTokenOf(config);
  const auth = stack.use(new Authenticator({ db, lentUntilMs, bus, plans, clock, log, trustedProxies }));
  const accounts = new Accounts({ db, clock, auth });
  const baseUrl = () => publicUrlOf(base);
  const hasIdentityProvider = config.oidcIssuer !== null;
  const people = stack.use(
    new People({ db, clock, log, auth, accounts, plans, adminToken, hasIdentityProvider, baseUrl }),
  );
  return { auth, accounts, people, adminToken };
}

/** The address that people and clients use, without a slash at its end. Known once the server listens. */
function publicUrlOf({ config, state }: Pick<Base, "config" | "state">): string {
  return (config.publicUrl ?? state.baseUrl).replace(/\/+$/, "");
}

interface Served extends Entrance {
  readonly db: Db;
  readonly bus: ServiceBus;
  readonly backups: Backups;
  readonly disk: Store["disk"];
  readonly cursorKey: Buffer;
  readonly itemLog: ItemLog;
  readonly reading: Reading;
  readonly scoring: Scoring;
  /** null when this process does not handle webhooks. */
  readonly webhooks: WebhookParts | null;
  readonly quota: RealtimeQuota;
  readonly refusals: Refusals;
  readonly reporter: Reporter;
  readonly ready: () => boolean;
  readonly stuckAfterMs: number | undefined;
}

/** The HTTP server of REST, not yet listening. At a stop it ends with its connections, within `drainMs`. */
export function startServing(base: Base, served: Served, drainMs: number): Server {
  const { config, files, clock, log, metrics, state, stack } = base;
  const { auth, people, adminToken, db, bus, itemLog, webhooks, refusals, ready, stuckAfterMs } = served;
  const { dictionary, plans } = files;
  const quota = new ScoreQuota({ db: db.main, clock });
  const stop = new AbortController();
  const liveness = new Liveness({ tail: itemLog.tail, db }, { stuckAfterMs });
  const server = createHttpServer({
    ...{ auth, people, quota, dictionary, plans, log, metrics, refusals, ready, adminToken },
    entrance: {
      trustedProxies: config.trustedProxies,
      publicUrl: config.publicUrl,
      isLoopback: isLoopback(config.host),
    },
    metricsToken: config.metricsToken,
    alive: () => liveness.alive(),
    disk: served.disk,
    roles: config.roles,
    scoring: () => state.scoring?.() ?? null,
    bus,
    baseUrl: () => publicUrlOf(base),
    events: () => state.events,
    innerEvents: () => state.innerEvents,
    stopping: stop.signal,
    oidc: oidcOf(config),
    // A process with the role api always has webhooks.
    api:
      config.roles.includes("api") && webhooks !== null
        ? apiDeps(base, { ...served, webhooks }, quota)
        : null,
  });
  stack.use(new Closing(server, drainMs));
  // Before the connections are waited for: subscriptions of agents would stay open.
  stack.defer("mcp", () => stop.abort());
  return server;
}

function oidcOf({ oidcIssuer, oidcClientId, oidcClientSecret, oidcAllow }: Config): ServerDeps["oidc"] {
  if (oidcIssuer === null || oidcClientId === null) return null;
  return {
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    allowed: oidcAllow,
  };
}

/** The dependencies of the API's handlers. */
function apiDeps(base: Base, served: Served & { webhooks: WebhookParts }, quota: ScoreQuota): ApiDeps {
  const { config, files, clock } = base;
  const { auth, accounts, people, db, cursorKey, itemLog, reading, scoring, webhooks } = served;
  const { engine } = reading.pipeline;
  const calls = new IdempotentCalls(db.main);
  const providerNames = new Map(files.providers.map(({ id, name }) => [id, name]));
  const recalledOf: ItemLog["writer"]["recalledOf"] = (id) => itemLog.writer.recalledOf(id);
  return {
    ...{ db, clock, auth, accounts, people, calls, quota },
    signInOptions: () => people.signIns.options(),
    ...{ index: itemLog.index, cursors: new ListCursors(cursorKey) },
    reporter: served.reporter,
    backups: served.backups,
    ...{ keepMonths: config.keepMonths, keeper: itemLog.keeper },
    history: itemLog.history,
    tail: itemLog.tail,
    logReplay: new LogReplay({ db, tail: itemLog.tail }),
    ...{ dictionary: files.dictionary, providers: files.providers, symbols: () => engine.symbols },
    ...sourceCalls(reading, db),
    dashboard: config.dashboard === "on",
    rescore: (request) => rescore({ db, engine, ...scoring, recalledOf, clock }, request),
    score: (artifact, options, account) => scoring.scorer.score(artifact, options, account),
    scoreItem: ({ item, body, firstPublishedAt }, options, account) => {
      const recalled = recalledOf(item.id) ?? recalledFrom(item, firstPublishedAt);
      return scoring.scorer.scoreItem({ item, body, recalled }, options, account);
    },
    showsText: ({ item, sourceId }) => showsText(files.sources, { sourceId, name: item.source }),
    publicUrl: () => publicUrlOf(base),
    providerName: (id) => providerNames.get(id) ?? id,
    logoUrl: (id) => logoUrl(publicUrlOf(base), id),
    webhooks: {
      ...webhooks,
      calls,
      quota: served.quota,
      floor: () => itemLog.tail.floor,
      sendTest: (endpoint) => sendTest(webhooks, endpoint),
      requestAgain: (endpoint, sent) => requestAgain(webhooks, endpoint, sent),
    },
  };
}

type SourceCall =
  | "push"
  | "sources"
  | "sourceNames"
  | "sourceDetail"
  | "retract"
  | "replay"
  | "probe"
  | "hubs";

/** Calls of clients and hubs that concern sources and their items. */
function sourceCalls({ pipeline, intake, hubs }: Reading, db: Db): Pick<ApiDeps, SourceCall> {
  return {
    push: (items) => pushItems(pipeline, items),
    sources: () => sourceHealth(intake),
    sourceNames: () => listSourceNames(intake),
    sourceDetail: (name) => sourceDetail(intake, name),
    retract: (id) => retractItem(pipeline, db, id),
    replay: (request) => replayAnswers(intake, request),
    probe: (id) => probeSource(intake, id),
    hubs: {
      path: hubPath,
      confirm: (token, query, lookUp) => hubs.confirm(token, query, lookUp),
      ping: (token, signature, body, lookUp) => hubs.ping(token, signature, body, lookUp),
    },
  };
}
