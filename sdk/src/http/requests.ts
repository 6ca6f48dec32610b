import type { Routes } from "../types.ts";
import { send } from "./attempts.ts";
import { type Answered, Call, rateLimitIn } from "./call.ts";
import { ConnectionError } from "./errors.ts";
import { queryText } from "./query.ts";
import type { Connection } from "./settings.ts";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
}

export interface CallOptionsOnce extends CallOptions {
  /** For routes that take it. Default: a random one, so that a repeated attempt has no effect of its own. */
  readonly idempotencyKey?: string | undefined;
}

export interface RequestOptions<R extends keyof Routes> extends CallOptionsOnce {
  /** The parts of the path in braces. */
  readonly params?: Routes[R]["params"];
  readonly query?: Routes[R]["query"];
  readonly body?: Routes[R]["body"] | string;
  /** With it `body` is text that is sent as it is. */
  readonly contentType?: string | undefined;
  /** Whether to send an Idempotency-Key, which the route must take: only then a POST is repeated after a failure. */
  readonly idempotent?: Routes[R]["idempotent"];
}

/** Sends requests by the name of their route. */
export interface Api {
  request<R extends keyof Routes>(route: R, options?: RequestOptions<R>): Call<Routes[R]["response"]>;
}

/** Its function is of use by itself, without the object. */
export const requestsOf =
  (connection: Connection): Api["request"] =>
  (route, options = {}) =>
    new Call(requested(connection, route, options));

async function requested<R extends keyof Routes>(
  connection: Connection,
  route: R,
  options: RequestOptions<R>,
): Promise<Answered<Routes[R]["response"]>> {
  const [method = "", template = ""] = route.split(" ");
  const { params = {}, query, body, contentType, idempotencyKey, idempotent, ...call } = options;
  // crypto.randomUUID exists only on https pages.
  const key = idempotencyKey ?? (idempotent && crypto.getRandomValues(new Uint32Array(4)).join("-"));
  const headers = {
    ...(body !== undefined && { "content-type": contentType ?? "application/json" }),
    ...(key && { "idempotency-key": key }),
  };
  const { response, text } = await send(connection, {
    method,
    path: pathOf(template, params) + queryText(query),
    headers,
    body: contentType && typeof body === "string" ? body : JSON.stringify(body),
    ...call,
    // Another POST may have an effect of its own.
    maxRetries: method === "POST" && !key ? 0 : call.maxRetries,
  });
  return {
    data: dataIn(text),
    response,
    requestId: response.headers.get("x-request-id"),
    rateLimit: rateLimitIn(response.headers),
  };
}

function dataIn(text: string) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ConnectionError("The response is not JSON: is baseUrl the address of the service?", { cause });
  }
}

function pathOf(template: string, params: object): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = Reflect.get(params, name);
    if (!value) throw new TypeError(`${template}: ${name} is missing`);
    return encodeURIComponent(value);
  });
}
