import { z } from "zod";
import { type ErrorCode, errorTable, problem } from "./errors.ts";
import { type Route, routeTable } from "./routes.ts";
import type { TagDictionary } from "./tags.ts";

type Json = Record<string, unknown>;

/** Of the interface, not of the program that serves it. Source: interface, Versioning 2. */
const interfaceVersion = "1.0.0";

/** The OpenAPI 3.1 document of the routes that exist. Schemas with an id become components. */
export function openApiDocument(dictionary: TagDictionary, serverUrl: string): Json {
  const components: Json = {};
  const paths: Record<string, Json> = {};
  for (const [operationId, route] of Object.entries<Route>(routeTable(dictionary))) {
    const described = operation(operationId, route, components);
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: described };
  }
  schemaOf(problem, components);
  return {
    openapi: "3.1.0",
    info: {
      title: "Tapewire",
      version: interfaceVersion,
      summary: "Scored news and regulatory filings.",
      description:
        "Items are scored when they are ingested and listed newest first. Errors are RFC 9457 problem documents. The realtime stream is a WebSocket at /v1/stream.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: serverUrl }],
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "An API key (tw_live_...)." },
        admin: { type: "http", scheme: "bearer", description: "The operator's admin token." },
      },
    },
  };
}

function operation(operationId: string, route: Route, components: Json): Json {
  const { description, body } = route;
  return {
    operationId,
    summary: route.summary,
    ...(description === undefined ? {} : { description }),
    tags: [route.path.startsWith("/admin") ? "admin" : "feeds"],
    security: route.auth === "none" ? [] : [{ [route.auth]: [] }],
    parameters: [
      ...parameters(route.params, "path", components),
      ...parameters(route.query, "query", components),
    ],
    ...(body === undefined ? {} : { requestBody: requestBody(route, body, components) }),
    responses: {
      [route.status]: {
        description: "Success.",
        headers: Object.fromEntries(
          ["X-Request-Id", ...(route.headers ?? [])].map((name) => [name, { schema: { type: "string" } }]),
        ),
        content: { "application/json": { schema: schemaOf(route.response, components) } },
      },
      ...errorResponses(route),
    },
  };
}

function parameters(schema: z.ZodObject | undefined, where: "path" | "query", components: Json): Json[] {
  if (schema === undefined) return [];
  return Object.entries(schema.shape).map(([name, field]) => {
    const read = schemaOf(field, components, "output");
    // Integers travel as text and are meant as integers; lists and times are described as they travel.
    const { description, ...shape } = read.type === "integer" ? read : schemaOf(field, components);
    return {
      name,
      in: where,
      required: where === "path",
      ...(description === undefined ? {} : { description }),
      schema: shape,
    };
  });
}

function requestBody(route: Route, body: z.ZodType, components: Json): Json {
  const types = route.bodyTypes ?? ["application/json"];
  const schema = schemaOf(body, components);
  return { required: true, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

/** Errors any route of this kind can give, and its own. */
function errorResponses(route: Route): Json {
  const takesInput = route.query !== undefined || route.params !== undefined;
  const codes: ErrorCode[] = [
    ...(takesInput ? (["invalid_parameter"] as const) : []),
    ...(route.body === undefined
      ? []
      : (["invalid_body", "unsupported_media_type", "body_too_large"] as const)),
    ...(route.auth === "none" ? [] : (["unauthorized"] as const)),
    ...(route.needs === undefined ? [] : (["plan_required"] as const)),
    ...route.errors,
    "internal",
    "not_ready",
  ];
  const byStatus = Map.groupBy(new Set(codes), (code) => errorTable[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: group.map((code) => `\`${code}\`: ${errorTable[code].message}.`).join(" "),
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    ]),
  );
}

/** JSON Schema of what travels; nested schemas with an id move to `components` and are referred to. */
function schemaOf(schema: z.ZodType, components: Json, io: "input" | "output" = "input"): Json {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => {
      // The pattern repeats what `format` says, at a hundred characters a field.
      if (zodSchema._zod.def.type === "string" && jsonSchema.format !== undefined) delete jsonSchema.pattern;
    },
  });
  const { $defs, $schema: _, ...rest } = made;
  for (const [id, definition] of Object.entries($defs ?? {})) components[id] ??= withRefs(definition);
  const { id, ...inline } = rest;
  if (typeof id !== "string") return withRefs(inline);
  components[id] ??= withRefs(inline);
  return { $ref: `#/components/schemas/${id}` };
}

function withRefs(schema: unknown): Json {
  const text = JSON.stringify(schema, (key, value) =>
    key === "id" && typeof value === "string" ? undefined : value,
  );
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'));
}
