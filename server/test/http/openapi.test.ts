import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { errorTable } from "@tapewire/contract/errors.ts";
import { type Route, routeTable } from "@tapewire/contract/routes.ts";
import { tagDictionary } from "@tapewire/contract/tags.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import { z } from "zod";
import { startService } from "../support/service.ts";

const schema = z.record(z.string(), z.unknown());
const content = z.record(z.string(), z.strictObject({ schema }));
const parameter = z.strictObject({
  name: z.string().min(1),
  in: z.enum(["query", "path"]),
  required: z.boolean(),
  description: z.string().optional(),
  schema,
});
const response = z.strictObject({
  description: z.string().min(1),
  headers: z.record(z.string(), z.strictObject({ schema })).optional(),
  content,
});
const operation = z.strictObject({
  operationId: z.string().regex(/^[a-z][A-Za-z]+$/),
  summary: z.string().min(1),
  description: z.string().optional(),
  tags: z.array(z.string()).min(1),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(parameter),
  requestBody: z.strictObject({ required: z.literal(true), content }).optional(),
  responses: z.record(z.string().regex(/^[1-5]\d\d$/), response),
});
/** The members of OpenAPI 3.1.0 that we use, with their required ones; any other would be a slip of the pen. */
const openApi = z.strictObject({
  openapi: z.literal("3.1.0"),
  info: z.strictObject({
    title: z.string(),
    version: z.string(),
    summary: z.string(),
    description: z.string(),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
  }),
  servers: z.array(z.strictObject({ url: z.url() })),
  paths: z.record(
    z.string().startsWith("/"),
    z.partialRecord(z.enum(["get", "post", "patch", "delete"]), operation),
  ),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[A-Za-z0-9._-]+$/), schema),
    securitySchemes: z.record(
      z.string(),
      z.strictObject({ type: z.literal("http"), scheme: z.literal("bearer"), description: z.string() }),
    ),
  }),
});
type OpenApi = z.infer<typeof openApi>;

const dictionary = tagDictionary.parse(
  JSON.parse(readFileSync(new URL("../../../config/tags.json", import.meta.url), "utf8")),
);

test("/openapi.json", async (context) => {
  await using service = await startService("pglite");
  const served = await service.get("/openapi.json");
  assert.equal(served.status, 200);
  const raw: unknown = await served.json();
  const document = openApi.parse(raw);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, found]) => ({ path, method, found })),
  );

  await context.test("describes every route of the contract, and this server", () => {
    const wanted = Object.entries<Route>(routeTable(dictionary)).map(
      ([id, { method, path }]) => `${id} ${method.toLowerCase()} ${path}`,
    );
    const described = operations.map(({ path, method, found }) => `${found.operationId} ${method} ${path}`);
    assert.deepEqual(described.sort(), wanted.sort());
    assert.deepEqual(document.servers, [{ url: service.url }]);
  });
  await context.test("every $ref resolves, and every schema is referred to", () => {
    const targets = new Set(refsOf(raw));
    for (const target of targets) {
      const name = /^#\/components\/schemas\/(.+)$/.exec(target)?.[1];
      assert.ok(name !== undefined && name in document.components.schemas, target);
    }
    for (const name of Object.keys(document.components.schemas))
      assert.ok(targets.has(`#/components/schemas/${name}`), `${name} is used nowhere`);
  });
  await context.test("every operation has its path parameters, a scheme that exists, and its errors", () => {
    const routes = Object.values<Route>(routeTable(dictionary));
    for (const { path, method, found } of operations) {
      const inPath = found.parameters.filter((one) => one.in === "path");
      assert.deepEqual(
        inPath.map(({ name }) => `{${name}}`),
        path.match(/\{\w+\}/g) ?? [],
      );
      assert.ok(inPath.every(({ required }) => required));
      assert.ok(
        found.security.flatMap(Object.keys).every((name) => name in document.components.securitySchemes),
      );
      const route = routes.find((one) => one.path === path && one.method.toLowerCase() === method);
      const own = route?.errors.map((code) => String(errorTable[code].status)) ?? [];
      const body = route?.body === undefined ? [] : ["400", "413", "415"];
      const needs = route?.needs === undefined ? [] : ["403"];
      for (const status of ["401", "500", "503", ...own, ...body, ...needs])
        assert.deepEqual(
          found.responses[status]?.content,
          { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
          `${found.operationId} ${status}`,
        );
      assert.equal(Object.keys(found.responses).filter((status) => status.startsWith("2")).length, 1);
    }
  });
  await context.test("the parameters of the list are those of the interface", () => {
    const list = document.paths["/v1/feeds"]?.get?.parameters.map(({ name }) => name);
    assert.deepEqual(
      list?.toSorted(),
      "actionability aggregator corp_activity cursor economic_category exchange limit market market_country sentiment_max sentiment_min since story_copies symbol until".split(
        " ",
      ),
    );
  });
  await context.test("live answers are what the published schemas say", async () => {
    const validate = validatorOf(document);
    const { key } = await service.key("pro");
    const free = await service.key("free");
    const pushed = await service.push(
      { title: "Orbitex Robotics raises full-year guidance", symbols: ["DEMO:OBTX"], tags: ["earnings"] },
      { title: "" },
    );
    const id = pushed[0]?.id;
    const answers: [path: string, method: "get" | "post", response: Response][] = [
      ["/v1/feeds", "get", await service.get("/v1/feeds", key)],
      ["/v1/feeds", "get", await service.get("/v1/feeds?limit=x", key)],
      ["/v1/feeds", "get", await service.get("/v1/feeds?cursor=x", key)],
      ["/v1/feeds", "get", await service.get("/v1/feeds")],
      ["/v1/feeds", "get", await service.get("/v1/feeds", free.key)],
      ["/v1/feeds/{id}", "get", await service.get(`/v1/feeds/${id}`, key)],
      ["/v1/feeds/{id}", "get", await service.get(`/v1/feeds/${id}`, free.key)],
      ["/v1/feeds/{id}", "get", await service.get(`/v1/feeds/${free.id}`, key)],
      ["/admin/v1/accounts", "get", await service.admin("GET", "/admin/v1/accounts")],
      ["/admin/v1/keys", "get", await service.admin("GET", "/admin/v1/keys")],
      ["/admin/v1/keys", "post", await service.admin("POST", "/admin/v1/keys", { plan: "pro" })],
      ["/admin/v1/keys", "post", await service.admin("POST", "/admin/v1/keys", { plan: 1 })],
      ["/admin/v1/items", "post", await service.admin("POST", "/admin/v1/items", [{ title: "x" }, {}])],
      ["/admin/v1/sources", "get", await service.admin("GET", "/admin/v1/sources")],
    ];
    for (const [path, method, answer] of answers) await validate({ path, method, answer });
  });
  await context.test("a body that misses a required member is told from the schema's", async () => {
    const validate = validatorOf(document);
    const answer = Response.json({ data: [] });
    await assert.rejects(validate({ path: "/v1/feeds", method: "get", answer }), /next_cursor/);
  });
});

function refsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === "$ref" && typeof inner === "string" ? [inner] : refsOf(inner),
  );
}

/** Checks an answer against the schema that the document gives for its path, status and media type. */
function validatorOf(document: OpenApi) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...document, $id: "tapewire:openapi" });
  return async ({ path, method, answer }: { path: string; method: "get" | "post"; answer: Response }) => {
    const type = (answer.headers.get("content-type") ?? "").split(";")[0] ?? "";
    const at = ["paths", path, method, "responses", String(answer.status), "content", type, "schema"];
    const pointer = at.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")));
    const check = ajv.getSchema(`tapewire:openapi#/${pointer.join("/")}`);
    assert.ok(check !== undefined, `${path} ${answer.status} ${type} is not described`);
    assert.ok(check(await answer.json()), `${path} ${answer.status}: ${ajv.errorsText(check.errors)}`);
  };
}
