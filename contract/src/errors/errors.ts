import { z } from "zod";
import "./issue-wording.ts";

/**
 * Every error of the API, once: HTTP status, message and what to do. OpenAPI and the docs are made from it.
 * Source: interface, Errors; decisions, Errors.
 */
export const errorTable = {
  invalid_parameter: {
    status: 400,
    message: "A query or path parameter is malformed or out of range",
    help: "Correct the parameters named in `errors`.",
  },
  invalid_body: {
    status: 400,
    message: "The request body does not match what this endpoint expects",
    help: "Correct the members named in `errors`.",
  },
  invalid_url: {
    status: 400,
    message: "Deliveries to this URL are not allowed",
    help: "Give an absolute http(s) URL without credentials, on a public address.",
  },
  invalid_cursor: {
    status: 400,
    message: "The cursor is invalid, or was issued for other filters",
    help: "Start again without a cursor, or send the cursor with the filters of the request that returned it.",
  },
  cursor_unknown: {
    status: 400,
    message: "The cursor does not belong to this log",
    help: "The database was restored or replaced, or the cursor is of another service. Start from a time instead.",
  },
  unauthorized: {
    status: 401,
    message: "The credentials of the request are missing or invalid",
    help: "`/v1` takes `Authorization: Bearer <API_KEY>`, with a key that is neither revoked nor expired.",
  },
  plan_required: {
    status: 403,
    message: "The plan of this key does not include this endpoint",
    help: "Use a key of an account on a higher plan.",
  },
  plan_limit: {
    status: 403,
    message: "The account already has as many of this resource as its plan allows",
    help: "Delete one first, or move to a plan that allows more.",
  },
  forbidden: {
    status: 403,
    message: "Your role does not allow this",
    help: "Ask an owner of the account, or the operator.",
  },
  forbidden_origin: {
    status: 403,
    message: "The request does not come from a page of this service",
    help: "Open the dashboard at the service's own address. From a program, use `/v1` with an API key.",
  },
  text_withheld: {
    status: 403,
    message: "The licence of the item's source does not allow showing its text",
    help: "Use the quotes in `evidence`, `summary`, or `link`.",
  },
  not_found: { status: 404, message: "Nothing exists at this address", help: "Check the id or path." },
  method_not_allowed: {
    status: 405,
    message: "This path does not support this method",
    help: "Use a method named in the Allow header.",
  },
  idempotency_conflict: {
    status: 409,
    message:
      "This Idempotency-Key was used for another request, or the first request with it is still running",
    help: "For a new request use a new key. To repeat the same request, wait a moment first.",
  },
  conflict: {
    status: 409,
    message: "The resource's current state does not allow this",
    help: "`detail` says why.",
  },
  link_expired: {
    status: 410,
    message: "The sign-in link was used before, has expired, or was replaced by a newer one",
    help: "Make another: the operator with `npm run -s tapewire -- open`, anyone else by asking who sent it.",
  },
  cursor_expired: {
    status: 410,
    message: "The entries after the cursor are no longer stored",
    help: "`detail` gives the oldest cursor. Start there, or from a time.",
  },
  retired: {
    status: 410,
    message: "The item is no longer stored",
    help: "The operator has dropped the items of its month.",
  },
  body_too_large: {
    status: 413,
    message: "The request body is too large",
    help: "Send less in one request. `detail` gives the limit.",
  },
  unsupported_media_type: {
    status: 415,
    message: "The media type of the request body is not supported",
    help: "Send `Content-Type: application/json`.",
  },
  upgrade_required: {
    status: 426,
    message: "This address only accepts WebSocket connections",
    help: "Connect to it with a WebSocket client, or use `GET /v1/stream/sse`.",
  },
  too_many_connections: {
    status: 429,
    message: "The account already has as many open streams as its plan allows",
    help: "Close a stream first, or move to a plan that allows more.",
  },
  rate_limited: {
    status: 429,
    message: "Too many requests in a short time",
    help: "Wait Retry-After seconds. The RateLimit header shows what is left.",
  },
  quota_exceeded: {
    status: 429,
    message: "The daily quota is used up",
    help: "Wait for the reset at 00:00 UTC (see Retry-After), or move to a plan with a larger quota.",
  },
  internal: {
    status: 500,
    message: "The server failed to process the request",
    help: "Send the request again. If it keeps failing, report the request_id to the operator.",
  },
  not_ready: {
    status: 503,
    message: "The server is starting or stopping, or its database does not respond",
    help: "Try again after Retry-After seconds.",
  },
  overloaded: {
    status: 503,
    message: "The server is too busy for this request, or the request took too long",
    help: "Try again after Retry-After seconds. For a list, narrow the filters; `since` helps most.",
  },
  storage_full: {
    status: 507,
    message: "The service stores nothing at the moment: its disk is almost full",
    help: "Send the request again after Retry-After seconds. The operator makes room, or keeps fewer months. Reading works.",
  },
} as const satisfies Record<string, { status: number; message: string; help: string }>;

export type ErrorCode = keyof typeof errorTable;

const errorCode = z.enum(Object.keys(errorTable)).meta({
  id: "ErrorCode",
  description: "Stable code of the error. Let your program decide by this, not by the texts.",
  // Enumerations have no descriptions of their own in JSON Schema; documentation tools read this extension.
  "x-enumDescriptions": Object.fromEntries(
    Object.entries(errorTable).map(([code, { status, message, help }]) => [
      code,
      `${status}. ${message}. ${help}`,
    ]),
  ),
});

/** One field of a request that is wrong. `name` is a path such as `filters.tags.market` or `[3].title`. */
export const fieldError = z
  .object({
    in: z.enum(["query", "path", "body", "header"]).describe("Where the field was sent."),
    name: z.string().describe("Name of the field. In a body it is a path such as `filters.tags.market`."),
    detail: z.string().describe("What is wrong with the field."),
  })
  .meta({ id: "FieldError" });
export type FieldError = z.infer<typeof fieldError>;

/** RFC 9457 problem document; `error` repeats code and message for clients of the older envelope. */
export const problem = z
  .object({
    type: z.string().describe("urn:tapewire:error:<code>"),
    title: z.string().describe("Description of the error code, the same each time it occurs."),
    status: z.int().describe("HTTP status."),
    detail: z.string().describe("What went wrong this time."),
    instance: z.string().describe("Path of the request."),
    code: errorCode,
    request_id: z.string().describe("Id of the request in the server's log."),
    errors: z
      .array(fieldError)
      .optional()
      .describe("The fields that are wrong. Absent when the error is not about fields."),
    "violated-policies": z
      .array(z.string())
      .optional()
      .describe("Only with 429: names of the limits that were exceeded, as in RateLimit-Policy."),
    error: z
      .object({
        code: z.string().describe("Same as `code`."),
        message: z.string().describe("Same as `detail`."),
      })
      .describe("The same error, for clients of the older envelope."),
  })
  .meta({ id: "Problem", description: "RFC 9457 problem details." });
export type Problem = z.infer<typeof problem>;

/** The only error thrown on purpose towards a caller. Any other error is a bug: it is logged in full and answered with a bare 500. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly fields: readonly FieldError[];
  readonly headers: Readonly<Record<string, string>>;
  readonly violatedPolicies: readonly string[];

  constructor(
    code: ErrorCode,
    options: ErrorOptions & {
      detail?: string;
      fields?: readonly FieldError[];
      headers?: Record<string, string>;
      violatedPolicies?: readonly string[];
    } = {},
  ) {
    super(options.detail ?? errorTable[code].message, { cause: options.cause });
    this.code = code;
    this.fields = options.fields ?? [];
    this.headers = options.headers ?? {};
    this.violatedPolicies = options.violatedPolicies ?? [];
  }

  get status(): number {
    return errorTable[this.code].status;
  }
}

/** The problem document of an error. `detail` lists the fields that are wrong, when there are any. */
export function problemOf(error: ApiError, at: { instance: string; requestId: string }): Problem {
  const { status, message } = errorTable[error.code];
  const fields = error.fields.map((field) => ({ ...field, name: field.name || field.in }));
  const named = fields.map((field) => `${field.name}: ${field.detail}`).join("; ");
  const detail = named === "" ? error.message : named;
  return {
    type: `urn:tapewire:error:${error.code}`,
    title: message,
    status,
    detail,
    instance: at.instance,
    code: error.code,
    request_id: at.requestId,
    ...(fields.length > 0 ? { errors: fields } : {}),
    ...(error.violatedPolicies.length > 0 ? { "violated-policies": [...error.violatedPolicies] } : {}),
    error: { code: error.code, message: detail },
  };
}

/** A zod issue path in the usual notation: `filters.symbols[0]`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`,
    )
    .join("");
}

/** A parameter is reported by its name only, without the position in its comma-separated list. */
function issuePath(issue: z.core.$ZodIssue, where: FieldError["in"]): readonly PropertyKey[] {
  if (issue.code === "unrecognized_keys") return [...issue.path, issue.keys[0] ?? ""];
  return where === "body" ? issue.path : issue.path.slice(0, 1);
}

/** A request may be wrong in thousands of places, and each report lists what is allowed there. */
const mostFieldErrors = 50;

/**
 * The fields of a failed parse, as problem documents carry them; at most `mostFieldErrors`. The name is empty when the
 * issue concerns the whole value: the caller knows what to call it.
 */
export function fieldErrors(error: z.ZodError, where: FieldError["in"]): FieldError[] {
  return error.issues.slice(0, mostFieldErrors).map((issue) => ({
    in: where,
    name: fieldName(issuePath(issue, where)),
    detail: issue.code === "unrecognized_keys" ? "unknown member" : issue.message,
  }));
}
