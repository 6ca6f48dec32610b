import assert from "node:assert/strict";
import { test } from "node:test";
import { openApiDocument } from "@tapewire/contract/description/openapi.ts";
import type { OpenApiDocument, Operation } from "@tapewire/contract/description/openapi-types.ts";
import { errorTable, problem } from "@tapewire/contract/errors/errors.ts";
import { routeTable } from "@tapewire/contract/routes/routes.ts";
import type { Route } from "@tapewire/contract/routes/types.ts";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { openApiProblems } from "../../../../tools/lint-openapi.ts";
import { settings } from "../../../src/config/config.ts";
import { callsOfEveryRoute } from "../../support/calls.ts";
import { dictionary } from "../../support/dictionary.ts";
import { startService } from "../../support/service.ts";

const routes = Object.entries<Route>(routeTable(dictionary));

interface Described {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

function operationsOf({ paths }: OpenApiDocument): Described[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
}

test("/openapi.json", async (context) => {
  // Backups are made of the embedded database only.
  await using service = await startService("pglite", { plansFile: settings.plansFile.fallback });
  const document = openApiDocument(dictionary, service.url);
  const operations = operationsOf(document);
  const schemas = schemasOf(document);

  await context.test("is the document of the contract, with this server's address", async () => {
    const served = await service.get("/openapi.json");
    assert.equal(served.status, 200);
    assert.equal(served.headers.get("content-type"), "application/json; charset=utf-8");
    assert.deepEqual(await served.json(), JSON.parse(JSON.stringify(document)));
    assert.deepEqual(
      document.servers.map(({ url }) => url),
      [service.url],
    );
  });
  await context.test("describes every route, with the errors of its kind and its own", () => {
    const described = operations.map(
      ({ path, method, operation }) => `${operation.operationId} ${method} ${path}`,
    );
    assert.deepEqual(
      described.sort(),
      [
        ...routes.map(([id, { method, path }]) => `${id} ${method.toLowerCase()} ${path}`),
        "streamEvents get /v1/stream/sse",
      ].sort(),
    );
    for (const [id, route] of routes) {
      const responses = document.paths[route.path]?.[route.method.toLowerCase()]?.responses ?? {};
      const wanted = [
        ...["400", "405", "429", "500", "503"],
        ...(route.auth === "none" ? [] : ["401"]),
        ...(route.method === "GET" ? ["304"] : []),
        ...route.errors.map((code) => String(errorTable[code].status)),
        ...(route.body === undefined ? [] : ["413", "415"]),
        ...(route.needs === undefined ? [] : ["403"]),
        ...(route.idempotent === true ? ["409"] : []),
      ];
      for (const status of wanted) assert.ok(status in responses, `${id} ${status}`);
      assert.equal(Object.keys(responses).filter((status) => status.startsWith("2")).length, 1, id);
    }
  });
  await context.test("names Retry-After at each status whose errors say to wait, and at no other", () => {
    const waits = new Set(
      "idempotency_conflict rate_limited too_many_connections quota_exceeded not_ready overloaded storage_full".split(
        " ",
      ),
    );
    for (const [name, { headers = {}, content = {} }] of Object.entries(document.components.responses)) {
      const codes = Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
      if (codes.length === 0) continue;
      assert.equal(
        "Retry-After" in headers,
        codes.some((code) => waits.has(code)),
        name,
      );
    }
  });
  await context.test("keeps the project's rules", () => assert.deepEqual(openApiProblems(document), []));
  await context.test("the parameters of the list are those of the interface", () => {
    const list = document.paths["/v1/feeds"]?.get?.parameters.flatMap((one) =>
      "name" in one ? [one.name] : [],
    );
    assert.deepEqual(
      list?.toSorted(),
      "actionability aggregator corp_activity cursor economic_category event exchange limit market market_country min_actionability_score min_conviction q sentiment_max sentiment_min since story_copies symbol until".split(
        " ",
      ),
    );
  });
  await context.test("every example is what its schema says", () => {
    for (const { at, schema, example } of examplesOf(document)) schemas.check(schema, example, at);
  });
  await context.test("every error has an example with its code and status", () => {
    const shown = Object.values(document.components.examples).map(({ value }) => problem.parse(value));
    // A WebSocket is described by /asyncapi.json.
    const described = Object.entries(errorTable).filter(([code]) => code !== "upgrade_required");
    assert.deepEqual(
      [...new Set(shown.map(({ code, status }) => `${code} ${status}`))].sort(),
      described.map(([code, { status }]) => `${code} ${status}`).sort(),
    );
  });
  await context.test("live answers, good and bad, are what is published, with its headers", async () => {
    const called = new Set<string>();
    const statuses = new Set<number>();
    for await (const { route, answer } of callsOfEveryRoute(service)) {
      called.add(route);
      statuses.add(answer.status);
      const found = operations.find(({ operation }) => operation.operationId === route);
      assert.ok(found !== undefined, route);
      await checkAnswer(document, found, answer, schemas);
    }
    assert.deepEqual(
      routes.map(([id]) => id).filter((id) => !called.has(id)),
      [],
    );
    const possible = [200, 201, 304, 400, 401, 403, 404, 405, 409, 410, 413, 415, 429];
    assert.deepEqual(
      possible.filter((status) => !statuses.has(status)),
      [],
    );
  });
});

test("the checks of the document find what is wrong", () => {
  const text = JSON.stringify(openApiDocument(dictionary, "http://127.0.0.1:8080"));
  const damaged: OpenApiDocument = JSON.parse(
    text
      .replaceAll("#/components/schemas/Evidence", "#/components/schemas/Proof")
      .replace('"summary":"List scored items"', '"summary":"list them."')
      .replace(/"description":"Page size[^"]*"/, '"description":""'),
  );
  const problems = openApiProblems(damaged).join("\n");
  assert.match(problems, /schemas\/Proof: is not there/);
  assert.match(problems, /schemas\/Evidence: is used nowhere/);
  assert.match(problems, /GET \/v1\/feeds: summary/);
  assert.match(problems, /parameter limit: no description/);
  const { check } = schemasOf(openApiDocument(dictionary, "http://127.0.0.1:8080"));
  assert.throws(() => check({ $ref: "#/components/schemas/FeedList" }, { data: [] }, "list"), /next_cursor/);
});

interface Schemas {
  readonly check: (schema: object, value: unknown, at: string) => void;
}

/** Checks values against schemas of the document; what `$ref` names is found in it. */
function schemasOf(document: OpenApiDocument): Schemas {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...document, $id: "tapewire:openapi" });
  // Many answers have the same schema, and to compile one takes longer than to check a thousand answers.
  const compiled = new Map<string, ValidateFunction>();
  const compile = (text: string) => {
    const valid = compiled.get(text) ?? ajv.compile(JSON.parse(text));
    compiled.set(text, valid);
    return valid;
  };
  return {
    check: (schema, value, at) => {
      const valid = compile(JSON.stringify(schema).replaceAll('"#/', '"tapewire:openapi#/'));
      assert.ok(valid(value), `${at}: ${ajv.errorsText(valid.errors)} in ${JSON.stringify(value)}`);
    },
  };
}

interface Shown {
  readonly at: string;
  readonly schema: object;
  readonly example: unknown;
}

/** Every example of the document beside the schema it stands for. */
function examplesOf(document: OpenApiDocument): Shown[] {
  const { components } = document;
  const named = <T extends object>(all: Readonly<Record<string, T>>) => Object.entries(all);
  const problems = named(components.examples).map(([at, { value }]) => ({
    at,
    schema: { $ref: "#/components/schemas/Problem" },
    example: value,
  }));
  const headers = named(components.headers).map(([at, one]) => ({ at, ...one }));
  const parameters = named(components.parameters).map(([at, one]) => ({ at, ...one }));
  const ofOperations = operationsOf(document).flatMap(({ operation }) => {
    const { operationId: at, requestBody, responses } = operation;
    const answers = Object.values(responses).flatMap((one) => ("$ref" in one ? [] : [one.content]));
    const media = [requestBody?.content, ...answers].flatMap((content) => Object.values(content ?? {}));
    const own = operation.parameters.flatMap((one) =>
      "$ref" in one ? [] : [{ at: `${at} ${one.name}`, ...one }],
    );
    const bodies = media.flatMap(({ schema, example }) =>
      example === undefined ? [] : [{ at, schema, example }],
    );
    return [...own, ...bodies];
  });
  return [...problems, ...headers, ...parameters, ...ofOperations];
}

async function checkAnswer(
  { components }: OpenApiDocument,
  { operation }: Described,
  answer: Response,
  { check }: Schemas,
): Promise<void> {
  const at = `${operation.operationId} ${answer.status}`;
  const written = operation.responses[answer.status];
  const body = await answer.text();
  assert.ok(written !== undefined, `${at} is not described: ${body}`);
  const described = "$ref" in written ? components.responses[written.$ref.split("/").at(-1) ?? ""] : written;
  for (const [name, { $ref }] of Object.entries(described?.headers ?? {})) {
    const isOptional = components.headers[$ref.split("/").at(-1) ?? ""]?.required === false;
    assert.ok(isOptional || answer.headers.has(name), `${at}: has no ${name}`);
  }
  if (described?.content === undefined) return assert.equal(body, "", at);
  const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
  const media = described.content[type];
  assert.ok(media !== undefined, `${at}: ${type} is not described`);
  const value: unknown = /[/+]json$/.test(type) ? JSON.parse(body) : body;
  check(media.schema, value, at);
  const codes = Object.keys(media.examples ?? {});
  if (codes.length > 0) assert.ok(codes.includes(problem.parse(value).code), `${at}: ${body}`);
}
