import assert from "node:assert/strict";
import { feedList } from "@tapewire/contract/feeds.ts";
import type { Answer } from "./client.ts";
import type { Live } from "./live.ts";
import { interfaceRoutes } from "./routes.ts";
import type { Section } from "./section.ts";

const listParameters =
  "since until aggregator actionability sentiment_min sentiment_max exchange symbol corp_activity market market_country economic_category limit cursor".split(
    " ",
  );

/** A page that needs no key. */
async function page(live: Live, path: string, mediaType: string): Promise<Answer> {
  const answer = await live.client.send({ method: "GET", path, headers: {}, body: null });
  assert.deepEqual([answer.status, answer.mediaType], [200, mediaType], path);
  return answer;
}

export const versioning: Section = {
  name: "Versioning",
  rules: {
    "1 the version is in the path prefix: /v1 is the only one": async (live) => {
      for (const { path } of live.description.operations) assert.match(path, /^\/((?:admin|app)\/)?v1\//);
      for (const path of ["/feeds", "/v0/feeds", "/v2/feeds", "/v1.0/feeds"])
        await live.refuses("not_found", "GET", path);
    },
    "2 the interface description is OpenAPI 3.1 at version 1.0.0": async (live) => {
      assert.match(live.description.openapi, /^3\.1\./);
      assert.equal(live.description.version, "1.0.0");
    },
    "2 the description has every endpoint of the interface": async (live) => {
      const described = live.description.operations.map(({ method, path }) => `${method} ${path}`);
      assert.deepEqual(
        interfaceRoutes.filter((route) => !described.includes(route)),
        [],
      );
    },
    "2 the description has every query parameter of the list, all optional": async (live) => {
      const list = live.description.operationOf("GET", "/v1/feeds");
      const names = list?.parameters.filter((one) => one.in === "query").map(({ name }) => name) ?? [];
      assert.deepEqual(
        listParameters.filter((name) => !names.includes(name)),
        [],
      );
      assert.ok(list?.parameters.every(({ required }) => !required));
    },
    "2 successful responses have every header of the description": async (live, items) => {
      const reads = live.description.operations.filter(
        ({ method, auth, endless }) => method === "GET" && auth === "key" && !endless,
      );
      const values: Record<string, string> = {
        "/v1/feeds/{id}": items.all[0]?.id ?? "",
        "/v1/providers/{id}": live.name("desk-0"),
        "/v1/sources/{name}": items.sources[0],
        "/v1/symbols/{ticker}": items.tickers[1],
        "/v1/tags/{dimension}": "market",
      };
      for (const { path, headers } of reads) {
        const value = values[path];
        if (value === undefined && path.includes("{")) continue;
        const answer = await live.get(path.replace(/\{\w+\}/, value ?? ""));
        for (const name of headers[200] ?? []) assert.notEqual(answer.header(name), "", `${path} ${name}`);
      }
    },
    "3 sentiment_score is kept in addition to direction and conviction": async (live, items) => {
      const query = { aggregator: items.sources[0] };
      for (const { scoring } of (await live.get("/v1/feeds", { query })).read(feedList).data)
        for (const name of ["sentiment_score", "sentiment_short", "sentiment_long", "sentiment_conviction"])
          assert.ok(name in scoring, name);
    },
    "/asyncapi.json describes the stream, AsyncAPI 3": async (live) => {
      assert.match((await page(live, "/asyncapi.json", "application/json")).text, /^\{"asyncapi":"3\./);
    },
    "/docs is the reference page": async (live) => {
      assert.match((await page(live, "/docs", "text/html")).text, /\/v1\/feeds/);
    },
    "/llms.txt is the reference for language models": async (live) => {
      assert.match((await page(live, "/llms.txt", "text/plain")).text, /\/v1\/feeds/);
    },
  },
};
