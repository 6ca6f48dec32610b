import { z } from "zod";
import "./errors/issue-wording.ts";

/**
 * Every error a caller can meet, once: HTTP status, message and what to do. OpenAPI and the docs are made from it.
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
    message: "The request body is not what this endpoint takes",
    help: "Correct the members named in `errors`.",
  },
  invalid_url: {
    status: 400,
    message: "The URL is not one that deliveries may go to",
    help: "Give an absolute http(s) URL without credentials, on a public address.",
  },
  invalid_cursor: {
    status: 400,
    message: "The cursor is not one that this API returned for these filters",
    help: "Start again without a cursor, or send the filters the cursor was made with.",
  },
  unauthorized: {
    status: 401,
    message: "The API key is missing or invalid",
    help: "Send `Authorization: Bearer <API_KEY>` with a key that is neither revoked nor expired.",
  },
  plan_required: {
    status: 403,
    message: "The plan of this key does not include this endpoint",
    help: "Use a key of an account on a higher plan.",
  },
  plan_limit: {
    status: 403,
    message: "The account has as many of these as its plan allows",
    help: "Delete one first, or use a plan with more.",
  },
  not_found: { status: 404, message: "There is nothing under this address", help: "Check the id or path." },
  method_not_allowed: {
    status: 405,
    message: "This path does not take this method",
    help: "Use a method named in the Allow header.",
  },
  idempotency_conflict: {
    status: 409,
    message: "The Idempotency-Key stands for another call",
    help: "Use a new key for a new request; repeat the same request after a moment.",
  },
  conflict: {
    status: 409,
    message: "What this would act on is not in a state for it",
    help: "`detail` tells what is in the way.",
  },
  body_too_large: {
    status: 413,
    message: "The request body is over the limit",
    help: "Send less in one request; `detail` names the limit.",
  },
  unsupported_media_type: {
    status: 415,
    message: "The request body is not of a supported media type",
    help: "Send `Content-Type: application/json`.",
  },
  upgrade_required: {
    status: 426,
    message: "This is the address of a WebSocket",
    help: "Connect to it with a WebSocket client, or use `GET /v1/stream/sse`.",
  },
  too_many_connections: {
    status: 429,
    message: "The account has as many open streams as its plan allows",
    help: "Close a stream first, or use a plan with more.",
  },
  rate_limited: {
    status: 429,
    message: "Too many requests in a short time",
    help: "Wait Retry-After seconds; the RateLimit header tells what is left.",
  },
  quota_exceeded: {
    status: 429,
    message: "The daily quota is used up",
    help: "Wait for the reset at 00:00 UTC (Retry-After), or use a plan with more.",
  },
  internal: {
    status: 500,
    message: "The server failed to answer",
    help: "Report the request_id to the operator; the request may be repeated.",
  },
  not_ready: {
    status: 503,
    message: "The server is starting or stopping",
    help: "Try again after Retry-After seconds.",
  },
  overloaded: {
    status: 503,
    message: "The query took too long and was given up",
    help: "Narrow the filters (a `since` helps most), or try again after Retry-After seconds.",
  },
} as const satisfies Record<string, { status: number; message: string; help: string }>;

export type ErrorCode = keyof typeof errorTable;

const errorCode = z.enum(Object.keys(errorTable)).meta({
  id: "ErrorCode",
  description: "What went wrong, for programs.",
  // Enumerations have no descriptions of their own in JSON Schema; documentation tools read this extension.
  "x-enumDescriptions": Object.fromEntries(
    Object.entries(errorTable).map(([code, { status, message, help }]) => [
      code,
      `${status}. ${message}. ${help}`,
    ]),
  ),
});

/** One offending field of a request. `name` is a path such as `filters.tags.market` or `[3].title`. */
export const fieldError = z
  .object({
    in: z.enum(["query", "path", "body", "header"]).describe("Where it stands."),
    name: z.string().describe("Which one; a path such as `filters.tags.market` in a body."),
    detail: z.string().describe("What is wrong with it."),
  })
  .meta({ id: "FieldError" });
export type FieldError = z.infer<typeof fieldError>;

/** RFC 9457 problem document; `error` repeats code and message for clients of the older envelope. */
export const problem = z
  .object({
    type: z.string().describe("urn:tapewire:error:<code>"),
    title: z.string().describe("The kind of error in words, the same for every occurrence."),
    status: z.int().describe("HTTP status."),
    detail: z.string().describe("What went wrong this time."),
    instance: z.string().describe("Path of the request."),
    code: errorCode,
    request_id: z.string().describe("Names the request in the server's log."),
    errors: z.array(fieldError).optional().describe("The offending fields, when there are any."),
    "violated-policies": z
      .array(z.string())
      .optional()
      .describe("Names of the limits that were exceeded, as RateLimit-Policy gives them; with 429."),
    error: z
      .object({
        code: z.string().describe("As code above."),
        message: z.string().describe("As detail above."),
      })
      .describe("The same for clients of the older envelope."),
  })
  .meta({ id: "Problem", description: "RFC 9457 problem details." });
export type Problem = z.infer<typeof problem>;

/** The only error thrown on purpose towards a caller. Any other is a bug: logged whole, answered as a bare 500. */
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

/** The problem document of an error; `detail` names the offending fields when there are any. */
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

/** A zod issue path as a reader writes it: `filters.symbols[0]`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`,
    )
    .join("");
}

/** A parameter is named as it was sent, without the place in its comma list. */
function issuePath(issue: z.core.$ZodIssue, where: FieldError["in"]): readonly PropertyKey[] {
  if (issue.code === "unrecognized_keys") return [...issue.path, issue.keys[0] ?? ""];
  return where === "body" ? issue.path : issue.path.slice(0, 1);
}

/** A request may be wrong in thousands of places; each is told with what is allowed there. */
const mostFieldErrors = 50;

/**
 * The fields of a failed parse, in the form that problem documents carry; of very many the first. Where no member is to
 * blame the name is empty: what the whole is called depends on who tells it.
 */
export function fieldErrors(error: z.ZodError, where: FieldError["in"]): FieldError[] {
  return error.issues.slice(0, mostFieldErrors).map((issue) => ({
    in: where,
    name: fieldName(issuePath(issue, where)),
    detail: issue.code === "unrecognized_keys" ? "unknown member" : issue.message,
  }));
}
