import type { ErrorCode, FieldError, Problem } from "../types.ts";

/** A code of this version of the interface, or one that a later server knows. */
export type TapewireErrorCode = ErrorCode | (string & {});

/**
 * The service refused the request or failed to answer it. Decide by `code`. (`declare` here and elsewhere: the constructor sets
 * each member, so the class itself need not.)
 */
export class TapewireError extends Error {
  override readonly name = "TapewireError";
  /** HTTP status. */
  declare readonly status: number;
  /** `http_<status>` when the response is no problem document, as from a proxy. */
  declare readonly code: TapewireErrorCode;
  /** The fields of the request that are wrong. */
  declare readonly fields: readonly FieldError[];
  /** Id of the request in the server's log. */
  declare readonly requestId: string | null;
  /** How long the service asks to wait; null: it does not say. */
  declare readonly retryAfterMs: number | null;
  /** The problem document; null: the response had none. */
  declare readonly problem: Problem | null;

  constructor({ status, headers }: Pick<Response, "status" | "headers">, body: string) {
    const problem = problemIn(body);
    super(`HTTP ${status}: ${problem?.detail ?? "the response is no problem document"}`);
    this.status = status;
    this.code = problem?.code ?? `http_${status}`;
    this.fields = problem?.errors ?? [];
    this.requestId = problem?.request_id ?? headers.get("x-request-id");
    this.retryAfterMs = retryAfterMs(headers.get("retry-after") ?? "");
    this.problem = problem;
  }
}

/** No complete response arrived. `cause` says why. */
export class ConnectionError extends Error {
  override readonly name: string = "ConnectionError";
}

/** The response did not arrive in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = "TimeoutError";
}

function problemIn(body: string): Problem | null {
  try {
    const value = JSON.parse(body);
    return typeof value?.code === "string" && typeof value.detail === "string" ? value : null;
  } catch {
    return null;
  }
}

/** Retry-After has seconds or a date. */
function retryAfterMs(text: string): number | null {
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
