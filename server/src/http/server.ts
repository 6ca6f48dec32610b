import type { Server } from "node:http";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { routeTable } from "@tapewire/contract/routes/routes.ts";
import type { ServiceBus } from "../bus/bus.ts";
import type { ItemTail } from "../itemlog/tail.ts";
import type { Log } from "../runtime/log.ts";
import type { DiskWatch } from "../store/disk/disk-watch.ts";
import type { Gate } from "./admission.ts";
import { type InnerAnswer, type InnerRequest, mountInner, mountRoutes } from "./contract-routes.ts";
import { mountDashboard, mountHome } from "./dashboard/dashboard.ts";
import { type DocsDeps, mountDocs } from "./docs/docs.ts";
import { apiHandlers, type HandlerDeps } from "./handlers/handlers.ts";
import { type HubCalls, mountHubs } from "./hubs.ts";
import { logo } from "./logos.ts";
import { type InnerEvents, mountMcp } from "./mcp/mcp.ts";
import { type MetricsDeps, mountMetrics, requestWatch } from "./metrics.ts";
import { mountOpenBb } from "./openbb.ts";
import { mountOidc, type OidcProvider } from "./sessions/oidc.ts";
import type { Exchange } from "./wire/types.ts";
import { mountPage, Router, sendAnswer, serverOf } from "./wire/wire.ts";

export interface ServerDeps extends Gate, DocsDeps, MetricsDeps {
  readonly log: Log;
  /** How this process hears the others: reported, and no reason to be unready. */
  readonly bus: Pick<ServiceBus, "name" | "isConnected">;
  /** The disk of the embedded database; null: the database is a PostgreSQL. */
  readonly disk: Pick<DiskWatch, "state" | "space"> | null;
  readonly roles: readonly string[];
  /** How far pro is; null: the process has just begun to start. */
  readonly scoring: () => ScoringHealth | null;
  /** false: the process is stuck and should be restarted. */
  readonly alive: () => Promise<boolean>;
  /** null: only health, metrics, the description and the stream are served. */
  readonly api: ApiDeps | null;
  /** Serves GET /v1/stream/sse, whose response never ends; null: this process has no streams. */
  readonly events: () => ServeEvents | null;
  /** The same for requests that this process makes to itself. */
  readonly innerEvents: () => InnerEvents | null;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
  /** null: people do not sign in with an identity provider. */
  readonly oidc: OidcProvider | null;
}

export interface ApiDeps extends HandlerDeps {
  readonly hubs: HubCalls;
  readonly tail: ItemTail;
  /** Whether the dashboard is served. */
  readonly dashboard: boolean;
}

/** Texts that pro judges or has waiting, its verdicts in the last minute, and scorers that may be asked; null: none is. */
interface ScoringHealth {
  readonly waiting: number;
  readonly perMinute: number;
  readonly scorers: number | null;
}

/** Responds with the given headers, or rejects before it has sent anything. */
export type ServeEvents = (call: Pick<Exchange, "request" | "response" | "headers">) => Promise<void>;

/** The HTTP server, not yet listening. */
export function createHttpServer(deps: ServerDeps): Server {
  return serverOf(createRouter(deps), deps.log, requestWatch(deps));
}

function createRouter(deps: ServerDeps): Router {
  const { api } = deps;
  const router = new Router(api === null ? withoutApi(deps) : null);
  router.add("GET", "/livez", async (exchange) =>
    (await deps.alive()) ? sendHealth(exchange, 200, "ok") : sendHealth(exchange, 503, "stuck"),
  );
  router.add("GET", "/readyz", (exchange) => {
    const { name, isConnected } = deps.bus;
    const about = {
      roles: deps.roles,
      bus: { name, connected: isConnected },
      score: scoreHealth(deps.scoring()),
      ...diskDetails(deps.disk),
    };
    return deps.ready()
      ? sendHealth(exchange, 200, "ready", about)
      : sendHealth(exchange, 503, "not_ready", about);
  });
  mountMetrics(router, deps);
  mountDocs(router, deps);
  mountStream(router, deps);
  if (api !== null) {
    const [routes, handlers] = [routeTable(deps.dictionary), apiHandlers(api)];
    mountRoutes(router, deps, routes, handlers);
    const inner = new Router<InnerRequest, InnerAnswer>();
    mountInner(inner, deps, routes, handlers);
    mountMcp(router, { ...deps, router: inner, events: deps.innerEvents, clock: api.clock, tail: api.tail });
    if (deps.oidc !== null)
      mountOidc(router, { ...deps, provider: deps.oidc, db: api.db.main, clock: api.clock });
    mountOpenBb(router, deps, routes, handlers.newsfeed);
    // Without a public address no hub is asked, so that none calls.
    if (deps.entrance.publicUrl !== null) mountHubs(router, deps, api.hubs);
    mountPage(router, "/logos/{file}", logo);
  }
  // After the routes of /app/v1.
  if (api?.dashboard === true) mountDashboard(router);
  else mountHome(router);
  return router;
}

/** /readyz tells the roles, too. */
function withoutApi({ roles }: Pick<ServerDeps, "roles">): string {
  return `This process does not serve the API: it has the role${roles.length === 1 ? "" : "s"} ${roles.join(", ")}, and lacks api`;
}

/** A full disk is no reason to be unready: everything can be read. */
function diskDetails(disk: ServerDeps["disk"]): object {
  if (disk === null || disk.space === null) return {};
  const { freeBytes, sizeBytes } = disk.space;
  const used_pct = Math.round(100 * (1 - freeBytes / Math.max(1, sizeBytes)));
  return { disk: { state: disk.state, used_pct, free_bytes: freeBytes } };
}

function scoreHealth(scoring: ScoringHealth | null): object | null {
  if (scoring === null) return null;
  const { waiting, perMinute, scorers } = scoring;
  return { queue: waiting, verdicts_per_minute: perMinute, scorers };
}

/** Upgrade requests are not routed here; stream/gateway.ts handles them. */
function mountStream(router: Router, { events }: ServerDeps): void {
  const serving = () => {
    const serve = events();
    if (serve === null)
      throw new ApiError("not_found", { detail: "This process has no streams: it lacks the role stream" });
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

async function sendHealth(
  exchange: Exchange,
  status: number,
  text: string,
  details: object = {},
): Promise<void> {
  await sendAnswer(exchange, status, {
    body: { status: text, ...details },
    headers: { "Cache-Control": "no-store" },
  });
}
