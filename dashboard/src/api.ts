/** The one door to the service: calls of /v1 and /admin/v1 with the tab's key, calls of /app/v1 with the cookie. */
import { root } from "./core/base.ts";
import { Failure, type Told } from "./core/failure.ts";

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;
type Change = "POST" | "PATCH" | "DELETE";

interface Asked {
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** @returns a key that is valid for some minutes; set by the session */
type KeyOf = (isFresh: boolean) => Promise<string>;
/** An empty key is refused like a wrong one. */
let keyOf: KeyOf = async () => "";
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

/** A call with the tab's key; of /app/v1 with the cookie, which the browser sends. A key that was refused is asked for anew, once. */
async function call<T>(method: "GET" | Change, path: string, asked: Asked): Promise<T> {
  const isOwn = path.startsWith("/app/");
  const send = async (isFresh: boolean) =>
    request<T>(method, path, asked, isOwn ? {} : { Authorization: `Bearer ${await keyOf(isFresh)}` });
  try {
    return await send(false);
  } catch (error) {
    if (!(error instanceof Failure) || isOwn) throw error;
    if (error.status === 401) return send(true);
    const isBrief = onceMore.has(error.status) && (error.retryAfterS ?? 1) <= 2;
    if (method !== "GET" || !isBrief) throw error;
    await new Promise((waited) => setTimeout(waited, 1_000 * (error.retryAfterS ?? 1)));
    return send(false);
  }
}

export const get = <T>(path: string, query?: Query, signal?: AbortSignal) =>
  call<T>("GET", path, { query, signal });

/** Changes something of the service. */
export const send = <T>(method: Change, path: string, body?: unknown) => call<T>(method, path, { body });

async function request<T>(
  method: string,
  path: string,
  { query = {}, body, signal }: Asked,
  headers: Readonly<Record<string, string>>,
): Promise<T> {
  const answer = await fetch(root + path.slice(1) + queryText(query), {
    method,
    headers: { ...headers, ...(body !== undefined && { "Content-Type": "application/json" }) },
    body: JSON.stringify(body),
    signal,
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
