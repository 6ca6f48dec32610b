import { randomUUID } from "node:crypto";
import { ApiError, errorTable, fieldErrors, problemOf } from "@tapewire/contract/errors.ts";
import type { Route } from "@tapewire/contract/routes.ts";
import type { Context, Hono } from "hono";
import type { z } from "zod";
import type { Caller } from "../account/auth.ts";
import type { Log } from "../runtime/log.ts";
import { isUnavailable } from "../store/errors.ts";
import { readJsonBody } from "./body.ts";

type Parsed<S> = S extends z.ZodType ? z.infer<S> : undefined;

/** What a handler gets: everything parsed, the caller known and allowed. */
export interface Input<R extends Route> {
  readonly params: Parsed<R["params"]>;
  readonly query: Parsed<R["query"]>;
  readonly body: Parsed<R["body"]>;
  readonly caller: R["auth"] extends "key" ? Caller : null;
  /** Of the header, for routes that take it; null: there is none. */
  readonly idempotencyKey: string | null;
}

/** `body`: text is JSON already encoded. */
export interface Answer {
  readonly body: string | object;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler<R extends Route> = (input: Input<R>) => Promise<Answer>;

/** Who may pass. Throws ApiError unauthorized; null for routes that need nobody. */
export type Gate = (auth: Route["auth"], authorization: string | undefined) => Promise<Caller | null>;

export interface RouteEnv {
  readonly gate: Gate;
  readonly log: Log;
}

/**
 * Puts a route of the contract on the server: authentication, plan gate, validation, then the handler; errors become
 * problem documents. This file and server.ts are all that know of Hono.
 */
export function mount<R extends Route>(app: Hono, env: RouteEnv, route: R, handler: Handler<R>): void {
  const path = route.path.replaceAll(/\{(\w+)\}/g, ":$1");
  app.on(route.method, path, async (context) => {
    const caller = await env.gate(route.auth, context.req.header("authorization"));
    checkPlan(route, caller);
    const params = parse(route.params, context.req.param(), "path");
    const query = parse(route.query, queryOf(context, route), "query");
    const body = route.body === undefined ? undefined : await readJsonBody(context.req.raw, route);
    // The casts stand for what was parsed above by the very schemas that the types come from.
    const input = {
      params,
      query,
      body,
      caller,
      idempotencyKey: idempotencyKeyOf(context, route),
    } as Input<R>;
    const { body: answer, headers = {} } = await handler(input);
    const text = typeof answer === "string" ? answer : JSON.stringify(answer);
    return context.body(text, route.status === 201 ? 201 : 200, {
      "Content-Type": "application/json; charset=utf-8",
      ...headers,
    });
  });
}

function checkPlan(route: Route, caller: Caller | null): void {
  if (route.needs !== undefined && lacks(route.needs, caller))
    throw new ApiError("plan_required", {
      detail: `The ${caller?.tier} plan does not include this endpoint`,
    });
}

/** A plan without a list has null, one without score calls 0: there null is "no limit". */
function lacks(ability: NonNullable<Route["needs"]>, caller: Caller | null): boolean {
  return ability === "feed_list" ? caller?.plan.feed_list === null : caller?.plan.score_per_day === 0;
}

/** @throws {ApiError} invalid_parameter, when it is no key that can be kept */
function idempotencyKeyOf(context: Context, route: Route): string | null {
  const key = route.idempotent === true ? context.req.header("idempotency-key") : undefined;
  if (key === undefined) return null;
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
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

/** A parameter of ours given twice is refused: which one counts would be a guess. So is what is no percent-encoded UTF-8. */
function queryOf(context: Context, route: Route): Record<string, string> {
  checkEncoding(new URL(context.req.url).search);
  const all = context.req.queries();
  const ours = new Set(Object.keys(route.query?.shape ?? {}));
  const repeated = Object.entries(all).filter(([name, values]) => ours.has(name) && values.length > 1);
  if (repeated.length > 0)
    throw new ApiError("invalid_parameter", {
      fields: repeated.map(([name]) => ({ in: "query", name, detail: "given more than once" })),
    });
  return Object.fromEntries(Object.entries(all).map(([name, values]) => [name, values[0] ?? ""]));
}

function checkEncoding(search: string): void {
  try {
    decodeURIComponent(search);
  } catch (cause) {
    throw new ApiError("invalid_parameter", { detail: "The query is not percent-encoded UTF-8", cause });
  }
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isUnavailable(error))
    return new ApiError("not_ready", { cause: error, headers: { "Retry-After": "5" } });
  return new ApiError("internal", { cause: error });
}

/** The problem document of anything thrown. What is no ApiError is a bug: logged whole, answered with its id only. */
export function problemResponse(error: unknown, request: Request, requestId: string, log: Log): Response {
  const shown = toApiError(error);
  const path = new URL(request.url).pathname;
  if (shown.code === "internal") log.error({ err: error, requestId, path }, "request failed");
  else if (shown !== error) log.warn({ requestId, path, reason: String(error) }, "the database is away");
  const body = problemOf(shown, { instance: path, requestId });
  return new Response(JSON.stringify(body), {
    status: errorTable[shown.code].status,
    headers: {
      "Content-Type": "application/problem+json",
      "X-Request-Id": requestId,
      ...(shown.code === "unauthorized" ? { "WWW-Authenticate": "Bearer" } : {}),
      ...shown.headers,
    },
  });
}

export function newRequestId(): string {
  return randomUUID();
}
