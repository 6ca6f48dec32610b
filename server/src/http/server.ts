import type { Server } from "node:http";
import { ApiError } from "@tapewire/contract/errors.ts";
import { type Routes, routeTable } from "@tapewire/contract/routes.ts";
import type { TagDictionary } from "@tapewire/contract/tags.ts";
import type { Role } from "../config/config.ts";
import type { Log } from "../runtime/log.ts";
import { type AccountDeps, readMe, readUsage } from "./account.ts";
import { type AdminDeps, adminHandlers } from "./admin.ts";
import { sendAnswer } from "./answer.ts";
import { type DocsDeps, mountDocs } from "./docs.ts";
import type { Exchange } from "./exchange.ts";
import { type FeedsDeps, listFeeds, readFeed } from "./feeds.ts";
import { type HubCalls, mountHubs } from "./hubs.ts";
import { serverOf } from "./listener.ts";
import { logo } from "./logos.ts";
import { type MetricsDeps, mountMetrics, requestWatch } from "./metrics.ts";
import {
  listProviders,
  listSourceNames,
  listTags,
  type ReferenceDeps,
  readProvider,
  readSource,
  readTagDimension,
} from "./reference.ts";
import { mount, mountPage, type RouteEnv } from "./route.ts";
import { Router } from "./router.ts";
import { type ScoreDeps, scoreBatch, scoreOne } from "./score.ts";
import { listSymbols, readSymbol } from "./symbols.ts";
import { type WebhookDeliveryDeps, webhookDeliveryHandlers } from "./webhook-deliveries.ts";
import { type WebhookOrderDeps, webhookOrderHandlers } from "./webhook-orders.ts";
import { readWebhookStats } from "./webhook-stats.ts";
import { type WebhookDeps, webhookHandlers } from "./webhooks.ts";

export interface ApiDeps
  extends FeedsDeps,
    AdminDeps,
    ReferenceDeps,
    ScoreDeps,
    AccountDeps,
    RouteEnv,
    DocsDeps,
    MetricsDeps {
  readonly hubs: HubCalls;
  readonly tags: TagDictionary;
  readonly log: Log;
  /** Without "api" only health, metrics and the description are served. */
  readonly roles: readonly Role[];
  readonly baseUrl: () => string;
  /** false: the process is stuck, and had better be started again. */
  readonly alive: () => Promise<boolean>;
  /** null without "api". */
  readonly webhooks: (WebhookDeps & WebhookDeliveryDeps & WebhookOrderDeps) | null;
  /** Serves GET /v1/stream/sse, whose answer never ends; null: this process has no streams. */
  readonly events: () => ServeEvents | null;
}

/** Answers with the headers that are given, or rejects before it has answered anything. */
export type ServeEvents = (call: Pick<Exchange, "request" | "response" | "headers">) => Promise<void>;

/** The HTTP server, not yet listening. */
export function createHttpServer(deps: ApiDeps): Server {
  return serverOf(createRouter(deps), deps.log, requestWatch(deps));
}

function createRouter(deps: ApiDeps): Router {
  const router = new Router();
  router.add("GET", "/livez", async (exchange) =>
    (await deps.alive()) ? sendHealth(exchange, 200, "ok") : sendHealth(exchange, 503, "stuck"),
  );
  router.add("GET", "/readyz", (exchange) =>
    deps.ready() ? sendHealth(exchange, 200, "ready") : sendHealth(exchange, 503, "not_ready"),
  );
  mountMetrics(router, deps);
  mountDocs(router, deps);
  mountStream(router, deps);
  if (deps.roles.includes("api")) {
    mountRoutes(router, deps, routeTable(deps.tags));
    mountHubs(router, deps, deps.hubs);
    mountPage(router, "/logos/{file}", logo);
  }
  return router;
}

/** What upgrades is not routed here: it is the stream's, see stream/gateway.ts. */
function mountStream(router: Router, { events }: ApiDeps): void {
  const serving = () => {
    const serve = events();
    if (serve === null) throw new ApiError("not_found");
    return serve;
  };
  router.add("GET", "/v1/stream/sse", async (exchange) => serving()(exchange));
  const wantsUpgrade = async () => {
    serving();
    throw new ApiError("upgrade_required", {
      detail:
        "Connect with a WebSocket client to ws(s)://HOST/v1/stream?api_key=<API_KEY>, or GET /v1/stream/sse",
      headers: { Upgrade: "websocket", Connection: "Upgrade" },
    });
  };
  router.add("GET", "/v1/stream", wantsUpgrade);
  router.add("GET", "/v1/stream/", wantsUpgrade);
}

function mountRoutes(router: Router, deps: ApiDeps, routes: Routes): void {
  mount(router, deps, routes.listFeeds, listFeeds(deps));
  mount(router, deps, routes.readFeed, readFeed(deps));
  mount(router, deps, routes.me, readMe(deps));
  mount(router, deps, routes.usage, readUsage(deps));
  mount(router, deps, routes.score, scoreOne(deps));
  mount(router, deps, routes.scoreBatch, scoreBatch(deps));
  mountReference(router, deps, routes);
  if (deps.webhooks !== null) mountWebhooks(router, deps, routes, deps.webhooks);
  const admin = adminHandlers(deps);
  mount(router, deps, routes.createAccount, admin.createAccount);
  mount(router, deps, routes.listAccounts, admin.listAccounts);
  mount(router, deps, routes.updateAccount, admin.updateAccount);
  mount(router, deps, routes.createKey, admin.createKey);
  mount(router, deps, routes.listKeys, admin.listKeys);
  mount(router, deps, routes.revokeKey, admin.revokeKey);
  mount(router, deps, routes.pushItems, admin.pushItems);
  mount(router, deps, routes.retractItem, admin.retractItem);
  mount(router, deps, routes.replay, admin.replay);
  mount(router, deps, routes.rescore, admin.rescore);
  mount(router, deps, routes.listSources, admin.listSources);
  mount(router, deps, routes.probeSource, admin.probeSource);
}

function mountReference(router: Router, deps: ApiDeps, routes: Routes): void {
  mount(router, deps, routes.listProviders, listProviders(deps));
  mount(router, deps, routes.readProvider, readProvider(deps));
  mount(router, deps, routes.listSourceNames, listSourceNames(deps));
  mount(router, deps, routes.readSource, readSource(deps));
  mount(router, deps, routes.listSymbols, listSymbols(deps));
  mount(router, deps, routes.readSymbol, readSymbol(deps));
  mount(router, deps, routes.listTags, listTags(deps));
  mount(router, deps, routes.readTagDimension, readTagDimension(deps));
}

function mountWebhooks(
  router: Router,
  env: RouteEnv,
  routes: Routes,
  deps: WebhookDeps & WebhookDeliveryDeps & WebhookOrderDeps,
): void {
  const webhooks = webhookHandlers(deps);
  mount(router, env, routes.listWebhooks, webhooks.listWebhooks);
  mount(router, env, routes.createWebhook, webhooks.createWebhook);
  mount(router, env, routes.readWebhook, webhooks.readWebhook);
  mount(router, env, routes.updateWebhook, webhooks.updateWebhook);
  mount(router, env, routes.deleteWebhook, webhooks.deleteWebhook);
  mount(router, env, routes.rotateWebhook, webhooks.rotateWebhook);
  const deliveries = webhookDeliveryHandlers(deps);
  mount(router, env, routes.testWebhook, deliveries.testWebhook);
  mount(router, env, routes.listDeliveries, deliveries.listDeliveries);
  const orders = webhookOrderHandlers(deps);
  mount(router, env, routes.resendDelivery, orders.resendDelivery);
  mount(router, env, routes.recoverWebhook, orders.recoverWebhook);
  mount(router, env, routes.replayWebhook, orders.replayWebhook);
  mount(router, env, routes.readWebhookStats, readWebhookStats(deps));
}

async function sendHealth(exchange: Exchange, status: number, text: string): Promise<void> {
  await sendAnswer(exchange, status, {
    body: { status: text },
    headers: { "Cache-Control": "no-store" },
  });
}
