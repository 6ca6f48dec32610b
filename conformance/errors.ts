import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { errorTable, type Problem } from "@tapewire/contract/errors/errors.ts";
import type { CallOptions, Live } from "./live.ts";
import type { Section } from "./section.ts";

const brokenJson = ["", "{", "{'artifact': 1}", "NaN", "undefined", '{"artifact":1}}', "\ufeff"];

/** One error of each kind that a caller can cause. */
async function everyError(live: Live): Promise<Problem[]> {
  const score = (options: CallOptions) => ["POST", "/v1/score", options] as const;
  return [
    await live.refuses("invalid_parameter", "GET", "/v1/feeds", { query: { limit: 0 } }),
    await live.refuses("invalid_cursor", "GET", "/v1/feeds", { query: { cursor: "x" } }),
    await live.refuses("invalid_body", ...score({ body: {} })),
    await live.refuses("unauthorized", "GET", "/v1/feeds", { key: null }),
    await live.refuses("plan_required", "GET", "/v1/feeds", { key: await live.key("free") }),
    await live.refuses("not_found", "GET", `/v1/feeds/${randomUUID()}`),
    await live.refuses("method_not_allowed", "DELETE", "/v1/feeds"),
    await live.refuses(
      "unsupported_media_type",
      ...score({ rawBody: "x", headers: { "content-type": "text/plain" } }),
    ),
  ];
}

/** The methods that a path supports, by the description. */
function methodsAt(live: Live, path: string): string[] {
  const methods = live.description.operations.filter((one) => one.path === path).map(({ method }) => method);
  return methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).sort();
}

export const errors: Section = {
  name: "Errors",
  rules: {
    "bodies are problem documents that repeat code and message for the older envelope": async (live) => {
      for (const found of await everyError(live)) {
        const known = Object.entries(errorTable).find(([code]) => code === found.code);
        assert.equal(found.type, `urn:tapewire:error:${found.code}`);
        assert.deepEqual([found.status, found.title], [known?.[1].status, known?.[1].message]);
        assert.deepEqual(found.error, { code: found.code, message: found.detail });
        assert.ok(found.detail.length > 0 && found.request_id.length > 0);
      }
    },
    "instance is the path, without the query": async (live) => {
      const found = await live.refuses("invalid_parameter", "GET", "/v1/feeds", { query: { limit: 0 } });
      assert.equal(found.instance, "/v1/feeds");
    },
    "request_id is the X-Request-Id, and every response has one of its own": async (live) => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          live.get("/v1/feeds", { query: { limit: n % 2 }, status: null }),
        ),
      );
      const ids = answers.map((answer) => answer.header("x-request-id"));
      assert.equal(new Set(ids).size, ids.length);
      for (const [n, answer] of answers.entries())
        if (answer.status === 400) assert.match(answer.text, new RegExp(`"request_id":"${ids[n]}"`));
    },
    "the server does not use a caller's X-Request-Id": async (live) => {
      const headers = { "x-request-id": "mine" };
      const answers = [await live.get("/v1/me", { headers }), await live.get("/v1/me", { headers })];
      assert.notEqual(answers[0]?.header("x-request-id"), answers[1]?.header("x-request-id"));
    },
    "400 lists each wrong field, and where it was sent": async (live) => {
      const query = { limit: 0, sentiment_max: 11 };
      const found = await live.refuses("invalid_parameter", "GET", "/v1/feeds", { query });
      assert.deepEqual(found.errors?.map(({ in: where, name }) => `${where} ${name}`).sort(), [
        "query limit",
        "query sentiment_max",
      ]);
      const inPath = await live.refuses("invalid_parameter", "GET", "/v1/feeds/x");
      assert.deepEqual(
        inPath.errors?.map(({ in: where, name }) => [where, name]),
        [["path", "id"]],
      );
      const inBody = await live.refuses("invalid_body", "POST", "/v1/score", { body: { artifact: {} } });
      assert.ok(inBody.errors?.every(({ in: where, detail }) => where === "body" && detail.length > 0));
    },
    "400 for a body that is not JSON, or not UTF-8": async (live) => {
      for (const rawBody of [...brokenJson, Buffer.from([0x22, 0xff, 0x22])])
        await live.refuses("invalid_body", "POST", "/v1/score", { rawBody });
    },
    "400 for a body of another JSON type": async (live) => {
      for (const body of [null, [], "x", 1, true])
        await live.refuses("invalid_body", "POST", "/v1/score", { body });
    },
    "400 for a query that is not percent-encoded UTF-8": async (live) => {
      for (const query of ["symbol=%", "symbol=%C3", "symbol=%ED%A0%80", "%FF=1"])
        await live.refuses("invalid_parameter", "GET", "/v1/feeds", { query });
    },
    "404 for an unknown path": async (live) => {
      for (const path of [
        "/nope",
        "/v1",
        "/v1/",
        "/v1/feeds/",
        "/v1/nope",
        "/v1/feeds/x/y",
        "//v1/feeds",
        "/V1/feeds",
        "/admin/v1/nope",
      ])
        await live.refuses("not_found", "GET", path);
    },
    "405 with Allow for a method that a path does not support": async (live) => {
      for (const path of new Set(live.description.operations.map((one) => one.path))) {
        const allowed = methodsAt(live, path);
        const at = path.replaceAll(/\{\w+\}/g, randomUUID());
        for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter(
          (one) => !allowed.includes(one),
        )) {
          const answer = await live.call(method, at, { status: 405 });
          assert.deepEqual(answer.header("allow").split(", ").sort(), allowed, `${method} ${at}`);
        }
      }
    },
    "413 for a body over the limit, with or without Content-Length": async (live) => {
      const rawBody = JSON.stringify({ pad: "x".repeat(1024 * 1024) });
      await live.refuses("body_too_large", "POST", "/v1/score", { rawBody });
      await live.refuses("body_too_large", "POST", "/v1/score", {
        rawBody,
        headers: { "transfer-encoding": "chunked" },
      });
      await live.get("/v1/me");
    },
    "415 for another media type, or none; its parameters and case do not matter": async (live) => {
      const body = { artifact: { type: "news", title: "x", body: "y" } };
      for (const type of ["text/plain", "application/x-ndjson", "application/jsonp", ""])
        await live.refuses("unsupported_media_type", "POST", "/v1/score", {
          body,
          headers: { "content-type": type },
        });
      const headers = { "content-type": "Application/JSON; charset=utf-8" };
      await live.call("POST", "/v1/score", { body, headers });
    },
    "401 comes before 400 and 404, so that it does not reveal what exists": async (live, items) => {
      for (const path of [
        "/v1/feeds?limit=0",
        `/v1/feeds/${items.all[0]?.id}`,
        "/v1/feeds/x",
        "/v1/sources/x",
      ])
        await live.refuses("unauthorized", "GET", path, { key: null });
    },
  },
};
