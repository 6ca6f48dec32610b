import assert from "node:assert/strict";
import type { Live } from "./live.ts";
import type { Section } from "./section.ts";

/** Reads whose responses do not change between two calls of a run. */
function stablePaths(live: Live, sources: readonly string[], id: string): string[] {
  return [
    `/v1/feeds?aggregator=${sources.join(",")}`,
    `/v1/feeds/${id}`,
    "/v1/tags/economic_category",
    "/v1/symbols?limit=3",
    `/v1/providers/${live.name("desk-0")}`,
  ];
}

const split = (path: string) => {
  const [at = "", query = ""] = path.split("?");
  return { at, query };
};

export const http: Section = {
  name: "HTTP",
  rules: {
    "responses are JSON": async (live) => {
      const answer = await live.get("/v1/feeds", { query: { limit: 1 } });
      assert.match(answer.header("content-type"), /^application\/json(; charset=utf-8)?$/i);
    },
    "HEAD responds like GET, without the body": async (live, { sources, all }) => {
      for (const path of stablePaths(live, sources, all[0]?.id ?? "")) {
        const { at, query } = split(path);
        const [get, head] = [await live.get(at, { query }), await live.call("HEAD", at, { query })];
        assert.equal(head.body.byteLength, 0);
        for (const name of ["content-type", "etag", "x-page-limit"])
          assert.equal(head.header(name), get.header(name), `${path} ${name}`);
      }
      await live.call("HEAD", "/v1/feeds", { key: null, status: 401 });
      await live.call("HEAD", "/v1/feeds", { query: { limit: 0 }, status: 400 });
    },
    "ETag with If-None-Match: 304 without a body while nothing changes": async (live, { sources, all }) => {
      for (const path of stablePaths(live, sources, all[0]?.id ?? "")) {
        const { at, query } = split(path);
        const etag = (await live.get(at, { query })).header("etag");
        assert.match(etag, /^(W\/)?"[\x21\x23-\x7e]+"$/, path);
        for (const value of [etag, `"x", ${etag}`, "*", etag.replace(/^W\//, "")]) {
          const again = await live.get(at, { query, headers: { "if-none-match": value }, status: 304 });
          assert.equal(again.body.byteLength, 0);
          assert.equal(again.header("etag"), etag);
        }
        await live.get(at, { query, headers: { "if-none-match": '"another"' } });
      }
    },
    "ETag changes with the response": async (live) => {
      const source = live.name("etag");
      const query = { aggregator: source };
      const before = (await live.get("/v1/feeds", { query })).header("etag");
      await live.push([{ title: `News of ${live.run} for a tag`, source }]);
      const after = await live.get("/v1/feeds", { query, headers: { "if-none-match": before } });
      assert.notEqual(after.header("etag"), before);
    },
    "ETag differs between a locked and an unlocked item": async (live, { all }) => {
      const path = `/v1/feeds/${all[0]?.id}`;
      const open = (await live.get(path)).header("etag");
      const headers = { "if-none-match": open };
      const locked = await live.get(path, { key: await live.key("free"), headers });
      assert.notEqual(locked.header("etag"), open);
    },
    "401 and 403 come before 304": async (live) => {
      const etag = (await live.get("/v1/feeds", { query: { limit: 1 } })).header("etag");
      const headers = { "if-none-match": etag };
      await live.refuses("unauthorized", "GET", "/v1/feeds", { key: null, query: { limit: 1 }, headers });
      await live.refuses("plan_required", "GET", "/v1/feeds", { key: await live.key("free"), headers });
    },
    "gzip and brotli above 1 KB when the client accepts them": async (live, { bulk }) => {
      const query = { aggregator: bulk.source, limit: 100 };
      const plain = await live.get("/v1/feeds", { query });
      assert.equal(plain.header("content-encoding"), "");
      for (const [accept, encoding] of [
        ["gzip", "gzip"],
        ["br", "br"],
        ["gzip, deflate, br", "br|gzip"],
        ["gzip;q=0, br;q=0.5", "br"],
      ] as const) {
        const packed = await live.get("/v1/feeds", { query, headers: { "accept-encoding": accept } });
        assert.match(packed.header("content-encoding"), new RegExp(`^(${encoding})$`), accept);
        assert.match(packed.header("vary"), /accept-encoding/i);
        assert.ok(packed.sizeBytes < plain.sizeBytes / 2);
        assert.equal(packed.text, plain.text);
      }
      for (const accept of ["identity", "gzip;q=0", "deflate", "zstd"]) {
        const answer = await live.get("/v1/feeds", { query, headers: { "accept-encoding": accept } });
        assert.equal(answer.header("content-encoding"), "", accept);
      }
    },
    "small responses are not compressed": async (live) => {
      const query = { symbol: `NO${live.run}` };
      const answer = await live.get("/v1/feeds", { query, headers: { "accept-encoding": "gzip, br" } });
      assert.equal(answer.header("content-encoding"), "");
    },
    "CORS: a preflight for GET with a bearer key passes": async (live) => {
      const headers = {
        origin: "https://page.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "authorization",
      };
      const answer = await live.call("OPTIONS", "/v1/feeds", { key: null, headers, status: 204 });
      assert.equal(answer.header("access-control-allow-origin"), "*");
      assert.match(answer.header("access-control-allow-methods"), /\bGET\b/);
      assert.match(answer.header("access-control-allow-headers"), /\bauthorization\b/i);
    },
    "CORS: any page can read responses and errors, with their headers": async (live) => {
      for (const [query, status] of [
        ["limit=1", 200],
        ["limit=0", 400],
      ] as const) {
        const answer = await live.get("/v1/feeds", {
          query,
          status,
          headers: { origin: "https://page.example" },
        });
        assert.equal(answer.header("access-control-allow-origin"), "*");
        assert.match(answer.header("access-control-expose-headers"), /x-request-id/i);
      }
      const admin = await live.get("/admin/v1/keys", { headers: { origin: "https://page.example" } });
      assert.equal(
        admin.header("access-control-allow-origin"),
        "",
        "web pages must not be able to read the admin API",
      );
    },
  },
};
