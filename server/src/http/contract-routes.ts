import type { IncomingHttpHeaders } from "node:http";
import type { Routes } from "@tapewire/contract/routes/routes.ts";
import type { Route, Section } from "@tapewire/contract/routes/types.ts";
import type { z } from "zod";
import type { Caller } from "../account/keys/auth.ts";
import type { Client, Visitor } from "../account/people/types.ts";
import {
  type Admitted,
  admission,
  checkPlan,
  checkScope,
  type Gate,
  metered,
  type Operator,
} from "./admission.ts";
import { checkReady } from "./readiness.ts";
import { idempotencyKeyOf, parse, queryReader } from "./request-input.ts";
import type { Answer, Params } from "./wire/types.ts";
import { parseBody, type Router, readJsonBody, sendAnswer } from "./wire/wire.ts";

type Parsed<S> = S extends z.ZodType ? z.infer<S> : undefined;

/** The input of a handler, parsed; the caller is authenticated and allowed. Requests with the same query share its object. */
export interface Input<R extends Route> {
  readonly params: Parsed<R["params"]>;
  readonly query: Readonly<Parsed<R["query"]>>;
  /** The query as it was sent. */
  readonly search: string;
  readonly body: Parsed<R["body"]>;
  readonly caller: R["auth"] extends "key" ? Caller : null;
  /** Who is signed in, on routes with a session. */
  readonly visitor: R["auth"] extends "session" ? Visitor : null;
  /** The operator, for the audit. */
  readonly operator: R["auth"] extends "admin" ? Operator : null;
  readonly client: R["section"] extends "dashboard" ? Client : null;
  /** The Idempotency-Key header, on routes that take it; null: absent. */
  readonly idempotencyKey: string | null;
}

export type Handler<R extends Route> = (input: Input<R>) => Promise<Answer>;

/** A handler for every route of the contract. */
export type Handlers = { readonly [Name in keyof Routes]: Handler<Routes[Name]> };

/** A handler for every route of a section. */
export type HandlersOf<S extends Section> = {
  readonly [Name in keyof Routes as Routes[Name]["section"] extends S ? Name : never]: Handlers[Name];
};

const isRouteName = (routes: Routes, name: string): name is keyof Routes => name in routes;

/** Puts the routes of the contract on the server. */
export function mountRoutes(router: Router, gate: Gate, routes: Routes, handlers: Handlers): void {
  const mountOne = <Name extends keyof Routes>(name: Name) =>
    mountRoute<Routes[Name]>({ router, gate, route: routes[name] }, handlers[name]);
  for (const name of Object.keys(routes)) if (isRouteName(routes, name)) mountOne(name);
}

/** A request that this process makes to itself. Its caller is admitted, and it is counted, where it comes from. */
export interface InnerRequest {
  readonly caller: Caller;
  readonly search: string;
  /** Empty: none. */
  readonly body: string;
  readonly headers: IncomingHttpHeaders;
}

export interface InnerAnswer {
  readonly status: number;
  readonly answer: Answer;
}

/** Puts the routes that keys open on a router of requests in memory. What keys, plans and quotas allow holds there as well. */
export function mountInner(
  router: Router<InnerRequest, InnerAnswer>,
  gate: Gate,
  routes: Routes,
  handlers: Handlers,
): void {
  const mountOne = <Name extends keyof Routes>(name: Name) => {
    const route: Route = routes[name];
    if (route.auth !== "key") return;
    const handle = handling<Routes[Name]>(routes[name], handlers[name]);
    router.add(route.method, route.path, async ({ caller, search, body, headers }, params) => {
      checkScope(route, caller);
      checkPlan(route, gate.plans, caller);
      const readBody = async () => parseBody(route, body);
      const admitted = { caller, visitor: null, operator: null, client: null };
      return { status: route.status, answer: await handle({ params, search, headers, readBody }, admitted) };
    });
  };
  for (const name of Object.keys(routes)) if (isRouteName(routes, name)) mountOne(name);
}

/** What came with a request, not yet parsed. */
interface Sent {
  readonly params: Params;
  readonly search: string;
  readonly headers: IncomingHttpHeaders;
  readonly readBody: () => Promise<unknown>;
}

/** @returns a function that parses what was sent and calls the handler */
function handling<R extends Route>(route: R, handler: Handler<R>) {
  const readQuery = queryReader(route);
  return async ({ params, search, headers, readBody }: Sent, admitted: Admitted): Promise<Answer> => {
    // The cast is safe: the values are parsed here by the schemas that the types come from.
    const input = {
      params: parse(route.params, params, "path"),
      query: readQuery(search),
      search,
      body: route.body === undefined ? undefined : await readBody(),
      ...admitted,
      idempotencyKey: idempotencyKeyOf(headers, route),
    } as Input<R>;
    return handler(input);
  };
}

interface Place<R extends Route> {
  readonly router: Router;
  readonly gate: Gate;
  readonly route: R;
  /** The query as the route means it; absent: as it was sent. */
  readonly searchOf?: (search: string) => string;
}

/**
 * Puts a route on the server: authentication, rate limit, plan gate, validation, then the handler.
 * Any error becomes a problem document. Requests of an authenticated caller are counted, also when they are refused.
 */
export function mountRoute<R extends Route>(
  { router, gate, route, searchOf }: Place<R>,
  handler: Handler<R>,
): void {
  const handle = handling(route, handler);
  const admit = admission(gate, route);
  router.add(route.method, route.path, async (exchange, params) => {
    checkReady(gate);
    exchange.headers["Cache-Control"] = cacheControl(route);
    const admitted = await admit(exchange.request);
    const { caller } = admitted;
    const { request } = exchange;
    const search = searchOf === undefined ? exchange.search : searchOf(exchange.search);
    const sent = { params, search, headers: request.headers, readBody: () => readJsonBody(exchange, route) };
    const work = () => handle(sent, admitted);
    const answer = caller === null ? await work() : await metered(gate, route, exchange, caller, work);
    await sendAnswer(exchange, route.status, answer);
  });
}

const secretSections: ReadonlySet<Section> = new Set<Section>(["webhooks", "dashboard", "admin"]);

/** Caches may keep a response if they revalidate it. Responses with secrets must not be stored. */
function cacheControl({ section }: Route): string {
  return secretSections.has(section) ? "no-store" : "private, no-cache";
}
