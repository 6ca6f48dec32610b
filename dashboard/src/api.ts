/** The one door to the service: calls of /v1 and /admin/v1 with the tab's key, calls of /app/v1 with the cookie. */
import { root } from "./core/base.ts";
import { Failure, type Told } from "./core/failure.ts";

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;
export type Method = "GET" | "POST" | "PATCH" | "DELETE";

interface CallOptions {
  readonly query?: Query;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @returns a key that is valid for some minutes; set by the session */
type KeyOf = (isFresh: boolean) => Promise<string>;
let keyOf: KeyOf = async () => {
  throw new Failure(401, { title: "You are not signed in", code: "unauthorized" });
};
export function useKeyOf(given: KeyOf): void {
  keyOf = given;
}

export function queryText(query: Query): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || value === "" ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

const onceMore = new Set([502, 503, 504]);

/** A call with the tab's key. A key that was refused is asked for anew, once. */
export async function call<T>(method: Method, path: string, options: CallOptions = {}): Promise<T> {
  const send = async (isFresh: boolean) =>
    request<T>(method, path, { ...options, headers: { Authorization: `Bearer ${await keyOf(isFresh)}` } });
  try {
    return await send(false);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.status === 401) return send(true);
    const isBrief = onceMore.has(error.status) && (error.retryAfterS ?? 1) <= 2;
    if (method !== "GET" || !isBrief) throw error;
    await new Promise((waited) => setTimeout(waited, 1_000 * (error.retryAfterS ?? 1)));
    return send(false);
  }
}

export const get = <T>(path: string, query?: Query, signal?: AbortSignal) =>
  call<T>("GET", path, { ...(query && { query }), ...(signal && { signal }) });

/** A call of /app/v1; the browser sends the cookie. */
export const appCall = <T>(method: Method, path: string, options: CallOptions = {}) =>
  request<T>(method, `/app/v1${path}`, options);

async function request<T>(method: Method, path: string, options: CallOptions): Promise<T> {
  const { query = {}, body, signal, headers = {} } = options;
  const answer = await fetch(root + path.slice(1) + queryText(query), {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new Failure(0, {
      title: "The service cannot be reached",
      detail: "It may be restarting, or the network is down.",
      code: "unreachable",
    });
  });
  if (!answer.ok) throw await failureFrom(answer);
  return answer.json();
}

async function failureFrom(answer: Response): Promise<Failure> {
  const problem: Told = await answer.json().catch(() => ({}));
  const retryAfter = Number(answer.headers.get("retry-after") ?? Number.NaN);
  return new Failure(answer.status, problem, Number.isFinite(retryAfter) ? retryAfter : null);
}
