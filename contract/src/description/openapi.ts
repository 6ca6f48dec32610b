import type { z } from "zod";
import { routeExamples } from "../examples/examples.ts";
import type { RouteExample } from "../examples/types.ts";
import { exampleEtag } from "../examples/values.ts";
import { routeTable, sections } from "../routes/routes.ts";
import type { Route } from "../routes/types.ts";
import type { Dictionary } from "../tags.ts";
import { guide, guideMarkdown } from "./guide.ts";
import { schemaOf } from "./json-schema.ts";
import { errorAnswers, headerRefs, notModified, successHeaders } from "./openapi-answers.ts";
import { eventsOperation } from "./openapi-events.ts";
import { fieldParameters } from "./openapi-parameters.ts";
import type {
  Answer,
  Components,
  Content,
  OpenApiDocument,
  Operation,
  Parameter,
  Reference,
} from "./openapi-types.ts";

/** Version of the interface, not of the program that serves it. Source: interface, Versioning 2. */
const interfaceVersion = "1.0.0";

/** The OpenAPI 3.1 document of all routes. Schemas with an id, and whatever repeats, become components. */
export function openApiDocument(dictionary: Dictionary, baseUrl: string): OpenApiDocument {
  const serverUrl = baseUrl.replace(/\/+$/, "");
  const components: Components = { schemas: {}, responses: {}, parameters: {}, headers: {}, examples: {} };
  const examples: Readonly<Record<string, RouteExample>> = routeExamples;
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [name, route] of Object.entries<Route>(routeTable(dictionary))) {
    const example = examples[name] ?? { response: null };
    const described = operation({ name, route, example, serverUrl }, components);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: described };
  }
  paths["/v1/stream/sse"] = { get: eventsOperation({ dictionary, serverUrl }, components) };
  return {
    openapi: "3.1.0",
    info: {
      title: "Tapewire",
      version: interfaceVersion,
      summary: "Scored news and regulatory filings.",
      description: guideMarkdown(guide(serverUrl)),
      contact: { name: "The operator of this server", url: serverUrl },
      license: { name: "Apache License 2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: serverUrl, description: "This server." }],
    externalDocs: { description: "The reference page", url: `${serverUrl}/docs` },
    tags: Object.entries(sections).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      ...components,
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "An API key, `tw_live_...`." },
        keyInQuery: {
          type: "apiKey",
          in: "query",
          name: "api_key",
          description:
            "An API key in the query, for browsers and feed readers. Accepted on the stream, /v1/feeds.rss and /v1/feeds.json only.",
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "tw",
          description: "The cookie of a session: `tw`, or `__Host-tw` over https. Only for the dashboard.",
        },
        admin: { type: "http", scheme: "bearer", description: "The operator's admin token." },
      },
    },
  };
}

interface Described {
  readonly name: string;
  readonly route: Route;
  readonly example: RouteExample;
  readonly serverUrl: string;
}

function operation({ name, route, example, serverUrl }: Described, components: Components): Operation {
  const parameters = [
    ...fieldParameters(route.params, "path", components),
    ...fieldParameters(route.query, "query", components),
  ];
  return {
    operationId: name,
    summary: route.summary,
    description: route.description,
    tags: [route.section],
    security: securityOf(route),
    parameters: [...parameters, ...headerParameters(route, components)],
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: true, content: requestContent(route, route.body, example, components) } }),
    responses: {
      [route.status]: success(route, example, components),
      ...(route.method === "GET" ? { 304: notModified(components) } : {}),
      ...errorAnswers(route, components),
    },
    "x-codeSamples": [{ lang: "Shell", label: "curl", source: curl(route, parameters, example, serverUrl) }],
  };
}

function securityOf({ auth, keyInQuery = false }: Route): Operation["security"] {
  if (auth === "none") return [];
  return keyInQuery ? [{ [auth]: [] }, { keyInQuery: [] }] : [{ [auth]: [] }];
}

function success(route: Route, example: RouteExample, components: Components): Answer {
  return {
    description: route.status === 201 ? "Created." : "Success.",
    headers: headerRefs([...successHeaders(route), ...(route.headers ?? [])], components),
    content: {
      [route.responseType ?? "application/json"]: {
        schema: schemaOf(route.response, components.schemas),
        example: example.response,
      },
    },
  };
}

function requestContent(
  route: Route,
  body: z.ZodType,
  { request }: RouteExample,
  components: Components,
): Content {
  const schema = schemaOf(body, components.schemas);
  const types = route.bodyTypes ?? ["application/json"];
  return Object.fromEntries(
    types.map((type) => [
      type,
      type === "application/json" ? { schema, example: request } : { schema: lines },
    ]),
  );
}

/** A JSON schema cannot describe NDJSON. */
const lines = {
  type: "string",
  description: "One JSON object per line, each like an element of the JSON array.",
} as const;

const headerParameter = {
  "If-None-Match": {
    description: "ETag of an earlier response. When nothing has changed since, the response is 304.",
    schema: { type: "string" },
    example: exampleEtag,
  },
  "Idempotency-Key": {
    description:
      "A key of your choice for this call, 1 to 255 printable ASCII characters. A repeat within 24 hours gets the stored response and costs nothing.",
    schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
    example: "desk-4711-score",
  },
} as const;

function headerParameters(route: Route, components: Components): Reference[] {
  const names: (keyof typeof headerParameter)[] = [
    ...(route.method === "GET" ? (["If-None-Match"] as const) : []),
    ...(route.idempotent === true ? (["Idempotency-Key"] as const) : []),
  ];
  return names.map((name) => {
    components.parameters[name] ??= { name, in: "header", required: false, ...headerParameter[name] };
    return { $ref: `#/components/parameters/${name}` };
  });
}

/** The example as a line for a shell, with the token in a variable. */
function curl(
  route: Route,
  parameters: readonly Parameter[],
  { query = {}, request }: RouteExample,
  serverUrl: string,
): string {
  const path = parameters
    .filter((one) => one.in === "path")
    .reduce(
      (made, { name, example }) => made.replace(`{${name}}`, encodeURIComponent(String(example))),
      route.path,
    );
  const search = new URLSearchParams(query).toString();
  const token = route.auth === "admin" ? "TAPEWIRE_ADMIN_TOKEN" : "TAPEWIRE_KEY";
  return [
    `curl ${route.method === "GET" ? "" : `-X ${route.method} `}'${serverUrl}${path}${search === "" ? "" : `?${search}`}'`,
    ...(route.section === "dashboard"
      ? [`-H 'Origin: ${new URL(serverUrl).origin}'`]
      : route.auth === "none"
        ? []
        : [`-H "Authorization: Bearer $${token}"`]),
    ...(route.auth === "session" ? [`-b "tw=$TAPEWIRE_SESSION"`] : []),
    ...(request === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${shellQuoted(request)}`]),
  ].join(" \\\n  ");
}

const shellQuoted = (value: unknown) => `'${JSON.stringify(value, null, 2).replaceAll("'", "'\\''")}'`;
