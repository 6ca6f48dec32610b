import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { ApiError, fieldErrors } from "@tapewire/contract/errors.ts";
import { lowestPlan, type Plan, type PlanTable } from "@tapewire/contract/plans.ts";
import { queryValues } from "@tapewire/contract/query-values.ts";
import type { Route } from "@tapewire/contract/routes.ts";
import { LRUCache } from "lru-cache";
import type { z } from "zod";
import { type Authenticator, bearerToken, type Caller } from "../account/auth.ts";
import type { Standing } from "../account/rate-limit.ts";
import { rateHeaders, takeRequest } from "../account/request-rate.ts";
import type { ScoreQuota } from "../account/score-quota.ts";
import { AskedBefore } from "../feed/asked-before.ts";
import { type Answer, sendAnswer } from "./answer.ts";
import { ClientGone, readJsonBody } from "./body.ts";
import type { Exchange, Params } from "./exchange.ts";
import type { Router } from "./router.ts";

export type { Answer } from "./answer.ts";

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

export interface RouteEnv {
  readonly auth: Authenticator;
  readonly quota: ScoreQuota;
  readonly adminToken: string;
  readonly plans: PlanTable;
  readonly ready: () => boolean;
}

/**
 * Puts a route of the contract on the server: authentication, rate limit, plan gate, validation, then the handler.
 * Whatever one of them throws becomes a problem document. What a known caller asked is counted, refused or not.
 */
export function mount<R extends Route>(router: Router, env: RouteEnv, route: R, handler: Handler<R>): void {
  const readQuery = queryReader(route);
  const admit = admission(env, route);
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
    checkReady(env);
    exchange.headers["Cache-Control"] = cacheControl(route);
    const caller = await admit(exchange.request);
    const answer =
      caller === null
        ? await answerTo(exchange, params, null)
        : await metered(env, route, exchange, caller, () => answerTo(exchange, params, caller));
    await sendAnswer(exchange, route.status, answer);
  });
}

/** Puts a page outside of the contract on the server, for everybody and whether it is ready or not. */
export function mountPage(
  router: Router,
  path: string,
  answer: (params: Params) => Answer | Promise<Answer>,
): void {
  router.add("GET", path, async (exchange, params) => {
    exchange.headers["Cache-Control"] = "no-cache";
    await sendAnswer(exchange, 200, await answer(params));
  });
}

/** @throws {ApiError} not_ready */
export function checkReady({ ready }: Pick<RouteEnv, "ready">): void {
  if (!ready()) throw new ApiError("not_ready", { headers: { "Retry-After": "2" } });
}

/** Whoever has the answer may keep it and ask whether it still holds; secrets are not kept at all. */
function cacheControl({ section }: Route): string {
  return section === "webhooks" || section === "admin" ? "no-store" : "private, no-cache";
}

/** @returns lets a request in by the token that the route wants; null stands for the operator, and for nobody */
function admission(env: RouteEnv, route: Route) {
  const admitOperator = operatorOnly(env);
  return async (request: IncomingMessage): Promise<Caller | null> => {
    if (route.auth === "none") return null;
    if (route.auth === "key") return env.auth.admit(tokenOf(request), request);
    admitOperator(request);
    return null;
  };
}

/** @returns lets a request with the admin token in; throws {ApiError} unauthorized, or rate_limited, at any other */
export function operatorOnly({ auth, adminToken }: Pick<RouteEnv, "auth" | "adminToken">) {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(adminToken);
  return (request: IncomingMessage): void => {
    // The right token passes whatever else comes from there: behind a proxy, one client must not lock the operator out.
    if (timingSafeEqual(digest(tokenOf(request)), expected)) return;
    throw auth.refusal(request, "The admin token is missing or wrong");
  };
}

/** The bearer token; empty when there is none. */
function tokenOf({ headers, rawHeaders }: IncomingMessage): string {
  // Of two, Node shows the first; a proxy in front may have looked at the other.
  let given = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 13 && rawHeaders[at]?.toLowerCase() === "authorization") given += 1;
  return given === 1 ? (bearerToken(headers.authorization) ?? "") : "";
}

/** Does the work for a caller who has a request left, and counts it. */
async function metered(
  env: RouteEnv,
  route: Route,
  exchange: Exchange,
  caller: Caller,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const { accountId } = caller;
  const isReference = route.section === "reference" || route.section === "account";
  const bucket = isReference ? "reference" : "minute";
  try {
    const standing = await takeRequest(env.auth.rates, { caller, bucket }, exchange.headers);
    checkPlan(route, env.plans, caller);
    const working = work();
    const answer =
      route.needs === "score_per_day"
        ? await working.finally(() => tellDay(env, exchange, caller, standing))
        : await working;
    env.auth.usage.countRequest(accountId, false);
    return answer;
  } catch (error) {
    if (!(error instanceof ClientGone)) env.auth.usage.countRequest(accountId, true);
    throw error;
  }
}

/** Adds the day's limit to the headers of a score call, as it stands after the call. */
async function tellDay(
  { quota }: RouteEnv,
  { headers }: Exchange,
  caller: Caller,
  standing: Standing,
): Promise<void> {
  // The verdict is worth more than its headers.
  const day = await quota.standing(caller).catch(() => null);
  if (day !== null) Object.assign(headers, rateHeaders(standing, day));
}

/** @throws {ApiError} plan_required */
function checkPlan({ needs }: Route, plans: PlanTable, { plan, tier }: Caller): void {
  if (needs === undefined || includes(plan, needs)) return;
  const lowest = lowestPlan(plans, (one) => includes(one, needs));
  const remedy = lowest === null ? "" : `: it needs the ${lowest} plan or higher`;
  throw new ApiError("plan_required", { detail: `The ${tier} plan does not include this endpoint${remedy}` });
}

/** A plan without a list has null, one without score calls 0: there null is "no limit". */
function includes({ feed_list, score_per_day }: Plan, ability: NonNullable<Route["needs"]>): boolean {
  return ability === "feed_list" ? feed_list !== null : score_per_day !== 0;
}

/** @throws {ApiError} invalid_parameter, when it is no key that can be kept */
function idempotencyKeyOf({ headers }: IncomingMessage, route: Route): string | null {
  const key = route.idempotent === true ? headers["idempotency-key"] : undefined;
  if (key === undefined) return null;
  if (typeof key !== "string" || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new ApiError("invalid_parameter", {
      fields: [{ in: "header", name: "Idempotency-Key", detail: "1 to 255 printable ASCII characters" }],
    });
  return key;
}

/** @throws {ApiError} invalid_parameter, naming each offending field */
function parse(schema: z.ZodType | undefined, value: unknown, where: "path" | "query"): unknown {
  if (schema === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ApiError("invalid_parameter", { fields: fieldErrors(parsed.error, where) });
}

const mostQueries = 1_000;
const mostAsked = 8_192;
const longestQuery = 1_024;

/** Reads the queries of a route. Those asked for again are kept as they were read. */
function queryReader(route: Route): (search: string) => unknown {
  const ours = new Set(Object.keys(route.query?.shape ?? {}));
  const kept = new LRUCache<string, { readonly query: unknown }>({ max: mostQueries });
  const asked = new AskedBefore(mostAsked);
  return (search) => {
    const known = kept.get(search);
    if (known !== undefined) return known.query;
    const query = Object.freeze(parse(route.query, queryValues(search, ours), "query"));
    if (search.length > longestQuery || !asked.ask(search)) return query;
    kept.set(search, { query });
    return query;
  };
}
