import { ApiError, type ErrorCode, errorTable, problem, problemOf } from "../errors/errors.ts";
import { exampleEtag, exampleIds } from "../examples/values.ts";
import type { Route } from "../routes/types.ts";
import { schemaOf } from "./json-schema.ts";
import type { Answer, Components, Header, Reference } from "./openapi-types.ts";

const text = { type: "string" } as const;
const count = { type: "integer", minimum: 0 } as const;

/** Every header that a response may carry beyond those of HTTP itself. */
const headers = {
  "X-Request-Id": {
    description: "Id of this request in the server's log. Give it when you report a failure.",
    schema: text,
    example: exampleIds.request,
  },
  "X-Page-Limit": {
    description: "Largest page size of the plan. A larger `limit` is lowered to it.",
    schema: count,
    example: 200,
  },
  ETag: {
    description:
      "Version of this response. Send it as If-None-Match to learn whether the response has changed.",
    schema: text,
    example: exampleEtag,
  },
  "RateLimit-Policy": {
    description:
      "By name of the limit: requests allowed (`q`) in a window of seconds (`w`). Absent without a valid key.",
    schema: text,
    example: '"minute";q=300;w=60',
  },
  RateLimit: {
    description:
      "By name of the limit: requests that are allowed now (`r`), and seconds until the bucket is full again (`t`).",
    schema: text,
    example: '"minute";r=9;t=1',
  },
  "X-RateLimit-Limit": { description: "Requests allowed per minute.", schema: count, example: 300 },
  "X-RateLimit-Remaining": { description: "Requests that are allowed now.", schema: count, example: 9 },
  "X-RateLimit-Reset": { description: "Seconds until the bucket is full again.", schema: count, example: 1 },
  "Retry-After": { description: "Seconds to wait before the next attempt.", schema: count, example: 2 },
  "WWW-Authenticate": { description: "Authentication scheme to use.", schema: text, example: "Bearer" },
  Allow: { description: "Methods that the path supports.", schema: text, example: "GET, HEAD" },
} as const satisfies Record<string, Header>;
export type HeaderName = keyof typeof headers;

export const rateHeaders = [
  "RateLimit-Policy",
  "RateLimit",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
] as const satisfies readonly HeaderName[];

/** Headers of a successful response, which follow from the method and authentication of the route. */
export function successHeaders(route: Route): HeaderName[] {
  const { method, auth } = route;
  return [
    "X-Request-Id",
    ...(method === "GET" ? (["ETag"] as const) : []),
    ...(auth === "key" ? rateHeaders : []),
  ];
}

const errorHeaders: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ["WWW-Authenticate"],
  405: ["Allow"],
  429: ["Retry-After", ...rateHeaders],
  503: ["Retry-After"],
  507: ["Retry-After"],
};

/** Of a 409: for its other reason waiting does not help. */
const afterFirst: Header = {
  description:
    "Seconds to wait before the same request with the same Idempotency-Key. Only while the first request with it is still running.",
  required: false,
  schema: count,
  example: 1,
};

/** References to header components; adds the components. */
export function headerRefs(
  names: readonly HeaderName[],
  components: Components,
): Readonly<Record<string, Reference>> {
  for (const name of names) components.headers[name] ??= headers[name];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function afterFirstRef(components: Components): Readonly<Record<string, Reference>> {
  components.headers.RetryAfterFirst ??= afterFirst;
  return { "Retry-After": { $ref: "#/components/headers/RetryAfterFirst" } };
}

/** The errors that a route can return: those that its method, body and authentication imply, and its own, in table order. */
export function errorCodes(route: Route): ErrorCode[] {
  const possible = new Set<ErrorCode>([
    // Every route refuses a query that is not percent-encoded UTF-8.
    "invalid_parameter",
    ...(route.body === undefined ? [] : bodyErrors),
    ...(route.auth === "none" ? [] : (["unauthorized", "rate_limited"] as const)),
    // Their Host and Origin are checked.
    ...(route.section === "dashboard" ? (["forbidden_origin"] as const) : []),
    ...(route.needs === undefined ? [] : (["plan_required"] as const)),
    ...route.errors,
    "method_not_allowed",
    "internal",
    "not_ready",
  ]);
  return tableOrder.filter((code) => possible.has(code));
}

const bodyErrors = ["invalid_body", "unsupported_media_type", "body_too_large"] as const;
const isErrorCode = (name: string): name is ErrorCode => name in errorTable;
const tableOrder = Object.keys(errorTable).filter(isErrorCode);

/** The error responses of a route, by status. */
export function errorAnswers(route: Route, components: Components): Record<string, Reference> {
  return answersOf(errorCodes(route), components, { ofAccount: route.auth === "key" });
}

/**
 * Error responses by status. Equal responses share a component.
 * @param ofAccount true when requests count for an account, false when only for a client address
 */
export function answersOf(
  possible: readonly ErrorCode[],
  components: Components,
  { ofAccount }: { ofAccount: boolean } = { ofAccount: true },
): Record<string, Reference> {
  const byStatus = Map.groupBy(possible, (code) => errorTable[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => {
      const isOfAddress = status === 429 && !ofAccount;
      const name = isOfAddress ? "RateLimitedByAddress" : codes.map(words).join("Or");
      components.responses[name] ??= isOfAddress
        ? limitedByAddress(components)
        : errorAnswer(status, codes, components);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** Turns `rate_limited` into `RateLimited`. */
export function words(code: ErrorCode): string {
  return code.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function errorAnswer(status: number, codes: readonly ErrorCode[], components: Components): Answer {
  for (const code of codes)
    components.examples[words(code)] ??= { summary: errorTable[code].message, value: problemExample(code) };
  return {
    description: codes.map((code) => `\`${code}\`: ${errorTable[code].message}.`).join(" "),
    headers: {
      ...headerRefs(["X-Request-Id", ...(errorHeaders[status] ?? [])], components),
      ...(codes.includes("idempotency_conflict") ? afterFirstRef(components) : {}),
    },
    content: {
      "application/problem+json": {
        schema: schemaOf(problem, components.schemas),
        examples: Object.fromEntries(
          codes.map((code) => [code, { $ref: `#/components/examples/${words(code)}` }]),
        ),
      },
    },
  };
}

/** The 429 of routes without an account: it has no limits to show. */
function limitedByAddress(components: Components): Answer {
  const code = "rate_limited";
  const value = problemExample(code, { at: "/admin/v1/keys", violatedPolicies: ["address"] });
  components.examples.RateLimitedByAddress ??= { summary: "Too many wrong tokens", value };
  return {
    description: `\`${code}\`: Too many requests came from this client address or session, or too many with a wrong token or password.`,
    headers: headerRefs(["X-Request-Id", "Retry-After"], components),
    content: {
      "application/problem+json": {
        schema: schemaOf(problem, components.schemas),
        examples: { [code]: { $ref: "#/components/examples/RateLimitedByAddress" } },
      },
    },
  };
}

type ErrorOptionsOf = NonNullable<ConstructorParameters<typeof ApiError>[1]>;

/** What an example of the code adds to the error table, and the path it occurred on. */
type Occurrence = ErrorOptionsOf & { readonly at?: string };
const occurrences: { readonly [code in ErrorCode]?: Occurrence } = {
  invalid_parameter: { fields: [{ in: "query", name: "limit", detail: "must be an integer" }] },
  invalid_body: {
    at: "/v1/score",
    fields: [{ in: "body", name: "artifact.title", detail: "must not be blank" }],
  },
  invalid_url: {
    at: "/v1/webhooks",
    fields: [{ in: "body", name: "url", detail: "must be an http(s) URL" }],
  },
  cursor_unknown: {
    at: "/v1/replay",
    fields: [{ in: "query", name: "after", detail: "The cursor does not belong to this log" }],
  },
  cursor_expired: {
    at: "/v1/replay",
    detail: "The entries after the cursor are no longer stored. The oldest cursor is 39518285.40000",
  },
  retired: {
    at: `/v1/webhooks/${exampleIds.webhook}/deliveries/${exampleIds.delivery}`,
    detail: "The item of this delivery is no longer stored",
  },
  unauthorized: {
    detail: "No API key came with the request: send the header `Authorization: Bearer <API_KEY>`",
  },
  plan_required: {
    detail: "The free plan does not include this endpoint: it needs the starter plan or higher",
  },
  plan_limit: { at: "/v1/webhooks" },
  text_withheld: { at: `/v1/feeds/${exampleIds.item}/text` },
  not_found: { at: `/v1/feeds/${exampleIds.item}` },
  idempotency_conflict: { at: "/v1/score" },
  conflict: {
    at: `/v1/webhooks/${exampleIds.webhook}/replay`,
    detail: "A replay of this endpoint is under way",
  },
  body_too_large: { at: "/v1/score" },
  unsupported_media_type: { at: "/v1/score", detail: "Content-Type must be application/json" },
  too_many_connections: { at: "/v1/stream", violatedPolicies: ["streams"] },
  rate_limited: { violatedPolicies: ["minute"] },
  quota_exceeded: { at: "/v1/score", violatedPolicies: ["day"] },
};

function problemExample(code: ErrorCode, occurrence: Occurrence = occurrences[code] ?? {}): unknown {
  const { at = "/v1/feeds", ...options } = occurrence;
  return problemOf(new ApiError(code, options), { instance: at, requestId: exampleIds.request });
}

/** The response to a GET whose If-None-Match is still current. */
export function notModified(components: Components): Reference {
  components.responses.NotModified ??= {
    description: "Not modified: If-None-Match is still current. No body.",
    headers: headerRefs(["X-Request-Id", "ETag"], components),
  };
  return { $ref: "#/components/responses/NotModified" };
}
