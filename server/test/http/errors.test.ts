import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { errorTable, problem } from "@tapewire/contract/errors/errors.ts";
import { feedList } from "@tapewire/contract/feeds.ts";
import fc from "fast-check";
import { anyEngine } from "../support/db.ts";
import { type Service, startService } from "../support/service.ts";
import { anyQuery, parameters } from "./errors/any-query.ts";
import { brokenRequestTests } from "./errors/broken-requests.ts";

describe("errors", () => {
  let service: Service;
  let key = "";
  before(async () => {
    service = await startService(anyEngine);
    key = (await service.key("enterprise")).key;
    await service.push({ title: "Orbitex Robotics raises full-year guidance", symbols: ["DEMO:OBTX"] });
  });
  after(() => service[Symbol.asyncDispose]());

  const admin = (path: string, init: RequestInit & { duplex?: "half" }) =>
    fetch(service.url + path, {
      method: "POST",
      ...init,
      headers: { authorization: `Bearer ${service.adminToken}`, ...init.headers },
    });

  test("a problem document has every member, and repeats code and message for the older envelope", async () => {
    const body = await problemOf(
      await service.get("/v1/feeds?limit=0&sentiment_min=x", key),
      "invalid_parameter",
    );
    assert.equal(body.type, "urn:tapewire:error:invalid_parameter");
    assert.equal(body.title, errorTable.invalid_parameter.message);
    assert.equal(body.instance, "/v1/feeds");
    assert.deepEqual(body.errors?.map(({ in: where, name }) => [where, name]).toSorted(), [
      ["query", "limit"],
      ["query", "sentiment_min"],
    ]);
    assert.ok(body.errors?.every(({ name, detail }) => body.detail.includes(`${name}: ${detail}`)));
    assert.deepEqual(body.error, { code: "invalid_parameter", message: body.detail });
  });

  test("a field is told in plain words, the body itself as body, a lost + with the way to write it", async () => {
    const ofBody = async (body: string) =>
      await problemOf(
        await admin("/admin/v1/accounts", { body, headers: { "content-type": "application/json" } }),
        "invalid_body",
      );
    assert.equal((await ofBody("[]")).detail, "body: must be an object");
    const { errors = [] } = await ofBody('{"plan": "gold", "more": 1}');
    assert.deepEqual(
      errors.map(({ name, detail }) => [name, detail.replace(/one of .*/, "one of ...")]),
      [
        ["name", "is required"],
        ["plan", "must be one of ..."],
        ["more", "unknown member"],
      ],
    );
    const since = await service.get("/v1/feeds?since=2026-11-21T19:00:00+00:00", key);
    assert.match((await problemOf(since, "invalid_parameter")).detail, /^since: must be .*%2B/);
  });

  test("every answer has an X-Request-Id of its own", async () => {
    const answers = await Promise.all(
      ["/v1/feeds", "/v1/feeds?limit=0", "/nope", "/livez", "/readyz", "/openapi.json", "/admin/v1/keys"].map(
        (path) => service.get(path, key),
      ),
    );
    const ids = answers.map(({ headers }) => headers.get("x-request-id") ?? "");
    assert.ok(
      ids.every((id) => /^[0-9a-f-]{36}$/.test(id)),
      ids.join(" "),
    );
    assert.equal(new Set(ids).size, ids.length);
  });

  test("an unknown path is 404", async () => {
    for (const path of ["/nope", "/v1", "/v1/feeds/", "/v1/feeds/x/y", "/admin/v1", "//", "/v2/feeds"])
      await problemOf(await service.get(path, key), "not_found");
  });

  test("a wrong method is 405 with Allow, whoever asks", async () => {
    const cases: [method: string, path: string, allow: string][] = [
      ["POST", "/v1/feeds", "GET, HEAD"],
      ["DELETE", "/v1/feeds/17", "GET, HEAD"],
      ["PUT", "/admin/v1/accounts", "POST, GET, HEAD"],
      ["POST", "/admin/v1/accounts/17", "PATCH"],
      ["GET", "/admin/v1/items", "POST"],
    ];
    for (const [method, path, allow] of cases) {
      const response = await fetch(service.url + path, { method });
      assert.equal(response.headers.get("allow"), allow, `${method} ${path}`);
      await problemOf(response, "method_not_allowed");
    }
  });

  test("a body over 1 MiB is 413, told by its length or found while reading", async () => {
    const large = JSON.stringify({ name: "x".repeat(1024 * 1024), plan: "pro" });
    const headers = { "content-type": "application/json" };
    await problemOf(await admin("/admin/v1/accounts", { headers, body: large }), "body_too_large");
    const chunked = new Blob([large]).stream();
    await problemOf(
      await admin("/admin/v1/accounts", { headers, body: chunked, duplex: "half" }),
      "body_too_large",
    );
    // The server lives on.
    assert.equal((await service.get("/v1/feeds", key)).status, 200);
  });

  test("a body of 1 MiB sharp is read", async () => {
    const frame = JSON.stringify({ name: "", plan: "pro" });
    const body = JSON.stringify({ name: "x".repeat(1024 * 1024 - frame.length), plan: "pro" });
    const headers = { "content-type": "application/json" };
    const answer = await problemOf(await admin("/admin/v1/accounts", { headers, body }), "invalid_body");
    assert.deepEqual(
      answer.errors?.map(({ name }) => name),
      ["name"],
    );
  });

  test("a body of another type, or of none, is 415", async () => {
    const body = JSON.stringify({ name: "x", plan: "pro" });
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/x-ndjson", ""])
      await problemOf(
        await admin("/admin/v1/accounts", { headers: { "content-type": type }, body: Buffer.from(body) }),
        "unsupported_media_type",
      );
    const parameters = { "content-type": "Application/JSON; charset=utf-8" };
    assert.equal((await admin("/admin/v1/accounts", { headers: parameters, body })).status, 201);
  });

  test("a body that is no JSON, or no UTF-8, is 400", async () => {
    const headers = { "content-type": "application/json" };
    for (const body of ["", "{", "{'name': 1}", "NaN", Buffer.from([0x22, 0xff, 0x22])]) {
      const found = await problemOf(await admin("/admin/v1/accounts", { headers, body }), "invalid_body");
      assert.match(found.detail, /not JSON|not UTF-8/);
    }
  });

  test("a body with wrong members is 400 and names each", async () => {
    const cases: [body: unknown, names: string[]][] = [
      [{}, ["name", "plan"]],
      [{ name: 1, plan: "gold" }, ["name", "plan"]],
      [{ name: " ", plan: "pro" }, ["name"]],
      [{ name: "x".repeat(201), plan: "pro" }, ["name"]],
      [{ name: "a\u0000b", plan: "pro" }, ["name"]],
      [{ name: "\ud800", plan: "pro" }, ["name"]],
      [{ name: "x", plan: "pro", colour: "red" }, ["colour"]],
      [[], ["body"]],
      [null, ["body"]],
      ["text", ["body"]],
    ];
    for (const [body, names] of cases) {
      const found = await problemOf(await service.admin("POST", "/admin/v1/accounts", body), "invalid_body");
      assert.deepEqual(found.errors?.map(({ name }) => name).toSorted(), names, JSON.stringify(body));
      assert.ok(found.errors?.every((error) => error.in === "body"));
    }
  });

  test("of thousands of wrong values the first fifty are named", async () => {
    const values = Array.from({ length: 1_000 }, (_, n) => `x${n}`);
    const filters = { tags: { market: values, corp_activity: values, economic_category: values } };
    const answer = await fetch(`${service.url}/v1/webhooks`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ url: "https://example.com/", filters }),
    });
    assert.equal((await problemOf(answer, "invalid_body")).errors?.length, 50);
  });

  test("a body nested by the thousand is 400, with an Idempotency-Key too; brackets in text are text", async () => {
    const score = (artifact: string) =>
      fetch(`${service.url}/v1/score/batch`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "idempotency-key": randomUUID(),
        },
        body: `{"artifacts":[${artifact}]}`,
      });
    for (const [open, close] of [
      ["[", "]"],
      ['{"a":', "}"],
    ] as const) {
      const deep = `${open.repeat(50_000)}1${close.repeat(50_000)}`;
      await problemOf(await score(deep), "invalid_body");
    }
    const text = `\\"${"[{".repeat(5_000)}\\\\`;
    assert.equal((await score(`{"type":"news","title":"Orders","body":"${text}"}`)).status, 200);
  });

  test("a browser may ask with a bearer key, and read answers and errors of any origin", async () => {
    const preflight = await fetch(`${service.url}/v1/feeds`, {
      method: "OPTIONS",
      headers: {
        origin: "https://page.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization",
      },
    });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
    assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /authorization/i);
    assert.match(preflight.headers.get("access-control-allow-methods") ?? "", /GET/);
    for (const query of ["", "?limit=0"]) {
      const { headers } = await fetch(`${service.url}/v1/feeds${query}`, {
        headers: { origin: "https://page.example", authorization: `Bearer ${key}` },
      });
      assert.equal(headers.get("access-control-allow-origin"), "*");
      assert.match(headers.get("access-control-expose-headers") ?? "", /X-Request-Id/);
    }
    const closed = await fetch(`${service.url}/admin/v1/keys`, {
      headers: { origin: "https://page.example", authorization: `Bearer ${service.adminToken}` },
    });
    assert.equal(closed.headers.get("access-control-allow-origin"), null);
  });

  test("HEAD answers like GET, without the body", async () => {
    const head = (path: string, token?: string) =>
      fetch(service.url + path, {
        method: "HEAD",
        ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
      });
    const found = await head("/v1/feeds", key);
    assert.deepEqual([found.status, await found.text()], [200, ""]);
    assert.equal(found.headers.get("x-page-limit"), "1000");
    assert.equal((await head("/v1/feeds")).status, 401);
    assert.equal((await head("/v1/feeds?limit=0", key)).status, 400);
  });

  const badTexts: [sentence: string, text: string][] = [
    ["a NUL byte", "%00"],
    ["a NUL byte within", "A%00B"],
    ["a lone surrogate", "%ED%A0%80"],
    ["half a character", "%C3"],
    ["a bare percent sign", "%"],
    ["10,000 characters", "a".repeat(10_000)],
    ["an escape character", "%1B%5B31m"],
  ];
  for (const [sentence, text] of badTexts)
    test(`${sentence} in any parameter or in the path is 400 or 404`, async () => {
      for (const name of parameters) {
        const body = problem.parse(await (await service.get(`/v1/feeds?${name}=${text}`, key)).json());
        assert.equal(body.status, 400, `${name}: ${body.detail}`);
      }
      for (const path of [`/v1/feeds/${text}`, `/v1/${text}`]) {
        const { status } = await service.get(path, key);
        assert.ok(status === 400 || status === 404, `${path}: ${status}`);
      }
    });

  brokenRequestTests(() => ({ service, key }));

  test("random queries over the known parameters give a list or a 400, never more", async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery, async (query) => {
        const response = await service.get(`/v1/feeds?${query}`, key);
        const body: unknown = await response.json();
        if (response.status === 200) feedList.strict().parse(body);
        else assert.equal(problem.strict().parse(body).status, 400, query);
        assert.ok(response.status === 200 || response.status === 400, query);
      }),
      { numRuns: 300 },
    );
  });
});

async function problemOf(response: Response, code: keyof typeof errorTable) {
  const text = await response.text();
  assert.equal(response.status, errorTable[code].status, text);
  assert.equal(response.headers.get("content-type"), "application/problem+json");
  const body = problem.strict().parse(JSON.parse(text));
  assert.equal(body.code, code);
  assert.equal(body.status, response.status);
  assert.equal(body.request_id, response.headers.get("x-request-id"));
  return body;
}
