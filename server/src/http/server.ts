import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { ApiError } from "@tapewire/contract/errors.ts";
import { openApiDocument } from "@tapewire/contract/openapi.ts";
import { type Route, type Routes, routeTable } from "@tapewire/contract/routes.ts";
import type { TagDictionary } from "@tapewire/contract/tags.ts";
import { Hono } from "hono";
import { cors } from "hono/cors";
import { type Authenticator, bearerToken } from "../account/auth.ts";
import type { Role } from "../config/config.ts";
import type { Log } from "../runtime/log.ts";
import { type AdminDeps, adminHandlers } from "./admin.ts";
import { type FeedsDeps, listFeeds, readFeed } from "./feeds.ts";
import { type HubCalls, mountHubs } from "./hubs.ts";
import { listSourceNames, type ReferenceDeps, readSource } from "./reference.ts";
import { type Gate, mount, newRequestId, problemResponse } from "./route.ts";
import { type ScoreDeps, scoreBatch, scoreOne } from "./score.ts";

export interface ApiDeps extends FeedsDeps, AdminDeps, ReferenceDeps, ScoreDeps {
  readonly hubs: HubCalls;
  readonly auth: Authenticator;
  readonly adminToken: string;
  readonly tags: TagDictionary;
  readonly log: Log;
  /** Without "api" only health and the description are served. */
  readonly roles: readonly Role[];
  /** Migrated, following the log, and not stopping. */
  readonly ready: () => boolean;
  readonly baseUrl: () => string;
}

/** The HTTP server, not yet listening. */
export function createHttpServer(deps: ApiDeps): Server {
  const app = createApp(deps);
  return createServer(
    // A header or body that trickles in holds a connection for at most this long.
    { headersTimeout: 15_000, requestTimeout: 60_000, keepAliveTimeout: 65_000 },
    getRequestListener(app.fetch),
  );
}

function createApp(deps: ApiDeps): Hono {
  const { log } = deps;
  const app = new Hono();
  const routes = routeTable(deps.tags);

  app.onError((error, context) => problemResponse(error, context.req.raw, requestIdOf(context.res), log));
  app.use(async (context, next) => {
    const started = performance.now();
    context.header("X-Request-Id", newRequestId());
    await next();
    const { method, path } = context.req;
    const ms = Math.round(performance.now() - started);
    log.debug(
      { method, path, status: context.res.status, ms, requestId: requestIdOf(context.res) },
      "request",
    );
  });
  app.use(
    "/v1/*",
    cors({
      origin: "*",
      allowMethods: ["GET", "HEAD"],
      allowHeaders: ["Authorization"],
      // Else a page cannot read them.
      exposeHeaders: ["X-Request-Id", "X-Page-Limit", "Retry-After"],
    }),
  );

  app.get("/livez", (context) => context.json({ status: "ok" }));
  app.get("/readyz", (context) =>
    deps.ready() ? context.json({ status: "ready" }) : context.json({ status: "not_ready" }, 503),
  );
  app.get("/openapi.json", (context) => context.json(openApiDocument(deps.tags, deps.baseUrl())));
  app.use(async (_, next) => {
    if (!deps.ready()) throw new ApiError("not_ready", { headers: { "Retry-After": "2" } });
    await next();
  });

  if (deps.roles.includes("api")) {
    mountRoutes(app, deps, routes);
    mountHubs(app, deps.hubs);
  }

  app.notFound((context) => {
    const served = deps.roles.includes("api") ? Object.values(routes) : [];
    const allowed = methodsOf(served, context.req.path);
    const error = allowed.length === 0 ? notFound() : methodNotAllowed(allowed);
    return problemResponse(error, context.req.raw, requestIdOf(context.res), log);
  });
  return app;
}

function mountRoutes(app: Hono, deps: ApiDeps, routes: Routes): void {
  const env = { gate: gateOf(deps), log: deps.log };
  mount(app, env, routes.listFeeds, listFeeds(deps));
  mount(app, env, routes.readFeed, readFeed(deps));
  mount(app, env, routes.score, scoreOne(deps));
  mount(app, env, routes.scoreBatch, scoreBatch(deps));
  mount(app, env, routes.listSourceNames, listSourceNames(deps));
  mount(app, env, routes.readSource, readSource(deps));
  const admin = adminHandlers(deps);
  mount(app, env, routes.createAccount, admin.createAccount);
  mount(app, env, routes.listAccounts, admin.listAccounts);
  mount(app, env, routes.updateAccount, admin.updateAccount);
  mount(app, env, routes.createKey, admin.createKey);
  mount(app, env, routes.listKeys, admin.listKeys);
  mount(app, env, routes.revokeKey, admin.revokeKey);
  mount(app, env, routes.pushItems, admin.pushItems);
  mount(app, env, routes.retractItem, admin.retractItem);
  mount(app, env, routes.replay, admin.replay);
  mount(app, env, routes.rescore, admin.rescore);
  mount(app, env, routes.listSources, admin.listSources);
  mount(app, env, routes.probeSource, admin.probeSource);
}

const requestIdOf = (response: Response) => response.headers.get("X-Request-Id") ?? newRequestId();
const notFound = () => new ApiError("not_found");
const methodNotAllowed = (allowed: readonly string[]) =>
  new ApiError("method_not_allowed", { headers: { Allow: allowed.join(", ") } });

/** Methods that the contract has for a path. */
function methodsOf(routes: readonly Route[], path: string): string[] {
  const parts = path.split("/");
  const methods = routes.filter((route) => {
    const pattern = route.path.split("/");
    return (
      pattern.length === parts.length &&
      pattern.every((part, i) => (part.startsWith("{") ? parts[i] !== "" : part === parts[i]))
    );
  });
  return methods.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

/** Opens to API keys and to the admin token, compared in constant time. */
function gateOf({ auth, adminToken }: ApiDeps): Gate {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(adminToken);
  return async (kind, authorization) => {
    if (kind === "none") return null;
    const token = bearerToken(authorization);
    if (kind === "admin") {
      if (token === null || !timingSafeEqual(digest(token), expected))
        throw new ApiError("unauthorized", { detail: "The admin token is missing or wrong" });
      return null;
    }
    const caller = token === null ? null : await auth.authenticate(token);
    if (caller === null) throw new ApiError("unauthorized");
    return caller;
  };
}
