import type { Routes } from "@tapewire/contract/routes/routes.ts";
import type { Route, Section } from "@tapewire/contract/routes/types.ts";
import type { z } from "zod";
import type { Caller } from "../account/auth.ts";
import { admission, checkReady, type Gate, metered } from "./admission.ts";
import { idempotencyKeyOf, parse, queryReader } from "./request-input.ts";
import type { Answer, Exchange, Params } from "./wire/types.ts";
import { type Router, readJsonBody, sendAnswer } from "./wire/wire.ts";

type Parsed<S> = S extends z.ZodType ? z.infer<S> : undefined;

/** What a handler gets: everything parsed, the caller known and allowed. Requests that repeat a query share its object. */
export interface Input<R extends Route> {
  readonly params: Parsed<R["params"]>;
  readonly query: Readonly<Parsed<R["query"]>>;
  /** The query as it was sent. */
  readonly search: string;
  readonly body: Parsed<R["body"]>;
  readonly caller: R["auth"] extends "key" ? Caller : null;
  /** Of the header, for routes that take it; null: there is none. */
  readonly idempotencyKey: string | null;
}

export type Handler<R extends Route> = (input: Input<R>) => Promise<Answer>;

/** One for every route of the contract. */
export type Handlers = { readonly [Name in keyof Routes]: Handler<Routes[Name]> };

/** One for every route of a section. */
export type HandlersOf<S extends Section> = {
  readonly [Name in keyof Routes as Routes[Name]["section"] extends S ? Name : never]: Handlers[Name];
};

const isRouteName = (routes: Routes, name: string): name is keyof Routes => name in routes;

/** Puts the routes of the contract on the server. */
export function mountRoutes(router: Router, gate: Gate, routes: Routes, handlers: Handlers): void {
  const mountOne = <Name extends keyof Routes>(name: Name) =>
    mount<Routes[Name]>(router, gate, routes[name], handlers[name]);
  for (const name of Object.keys(routes)) if (isRouteName(routes, name)) mountOne(name);
}

/**
 * Puts a route on the server: authentication, rate limit, plan gate, validation, then the handler.
 * Whatever one of them throws becomes a problem document. What a known caller asked is counted, refused or not.
 */
function mount<R extends Route>(router: Router, gate: Gate, route: R, handler: Handler<R>): void {
  const readQuery = queryReader(route);
  const admit = admission(gate, route);
  const answerTo = async (exchange: Exchange, params: Params, caller: Caller | null) => {
    // The cast stands for what is parsed here by the very schemas that the types come from.
    const input = {
      params: parse(route.params, params, "path"),
      query: readQuery(exchange.search),
      search: exchange.search,
      body: route.body === undefined ? undefined : await readJsonBody(exchange, route),
      caller,
      idempotencyKey: idempotencyKeyOf(exchange.request, route),
    } as Input<R>;
    return handler(input);
  };
  router.add(route.method, route.path, async (exchange, params) => {
    checkReady(gate);
    exchange.headers["Cache-Control"] = cacheControl(route);
    const caller = await admit(exchange.request);
    const answer =
      caller === null
        ? await answerTo(exchange, params, null)
        : await metered(gate, route, exchange, caller, () => answerTo(exchange, params, caller));
    await sendAnswer(exchange, route.status, answer);
  });
}

/** Whoever has the answer may keep it and ask whether it still holds; secrets are not kept at all. */
function cacheControl({ section }: Route): string {
  return section === "webhooks" || section === "admin" ? "no-store" : "private, no-cache";
}
