import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { usage } from "@tapewire/contract/account.ts";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { z } from "zod";
import { settings } from "../../server/src/config/config.ts";
import { anyEngine } from "../../server/test/support/db.ts";
import { type Service, startService } from "../../server/test/support/service.ts";
import { connect, type Version, versions } from "./support/clients.ts";

const rpcError = z.object({
  jsonrpc: z.literal("2.0"),
  error: z.object({ code: z.number(), message: z.string() }),
});
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};
const callOf = (name: string, args: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args },
});

describe("POST /mcp", () => {
  let service: Service;
  let key = "";
  before(async () => {
    service = await startService(anyEngine, { plansFile: settings.plansFile.fallback });
    key = (await service.key("enterprise")).key;
  });
  after(() => service[Symbol.asyncDispose]());

  const post = (body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
      },
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  const refusalOf = async (response: Response) => problem.parse(await response.json()).code;

  test("a key is needed, and nothing speaks of OAuth", async () => {
    for (const authorization of ["", "Bearer ", "Bearer tw_live_wrong", `Basic ${key}`]) {
      const response = await post(initialize, { authorization });
      assert.equal(response.status, 401, authorization);
      assert.equal(response.headers.get("www-authenticate"), "Bearer");
      assert.equal(await refusalOf(response), "unauthorized");
    }
    for (const path of [
      "/.well-known/oauth-authorization-server",
      "/.well-known/oauth-protected-resource",
      "/.well-known/oauth-protected-resource/mcp",
      "/.well-known/openid-configuration",
      "/mcp/.well-known/oauth-authorization-server",
      "/register",
    ]) {
      const response = await service.get(path);
      assert.equal(response.status, 404, path);
      assert.match(response.headers.get("content-type") ?? "", /json/);
      assert.equal(await refusalOf(response), "not_found");
    }
  });

  test("pages of other origins and names are refused", async () => {
    for (const origin of ["https://elsewhere.example", "null", "http://127.0.0.1:1"])
      assert.equal(await refusalOf(await post(initialize, { origin })), "forbidden_origin", origin);
    assert.equal((await post(initialize, { origin: service.url })).status, 200);
    const { hostname, port } = new URL(service.url);
    const asked = request({
      hostname,
      port,
      path: "/mcp",
      method: "POST",
      headers: { host: "rebound.example" },
    });
    asked.end();
    const [response] = await once(asked, "response");
    assert.equal(response.statusCode, 403);
    response.resume();
  });

  test("what is no message is refused", async () => {
    const get = await service.get("/mcp", key);
    assert.deepEqual([get.status, get.headers.get("allow")], [405, "POST"]);
    assert.equal((await fetch(`${service.url}/mcp`, { method: "DELETE" })).status, 405);
    assert.equal((await post("x=1", { "content-type": "text/plain" })).status, 415);
    assert.equal(await refusalOf(await post("{")), "invalid_body");
    assert.equal(await refusalOf(await post([initialize, initialize])), "invalid_body");
    assert.equal(await refusalOf(await post(`"${"x".repeat(1024 * 1024)}"`)), "body_too_large");
    const unknown = await post({ jsonrpc: "2.0", id: 1, method: "no/such" });
    const text = (await unknown.text()).replace(/^event: message\ndata: /, "");
    assert.equal(rpcError.parse(JSON.parse(text)).error.code, -32601);
    const newer = await post(
      {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/list",
        params: { _meta: { "io.modelcontextprotocol/protocolVersion": "2099-01-01" } },
      },
      { "mcp-protocol-version": "2099-01-01", "mcp-method": "tools/list" },
    );
    assert.equal(newer.status, 400);
    rpcError.parse(await newer.json());
  });

  test("a tool call is one request of the account, whatever it reads", async () => {
    const used = async () => usage.parse(await (await service.get("/v1/usage", key)).json()).today.requests;
    const before = await used();
    const asking = (await used()) - before;
    const response = await post(callOf("symbol_overview", { symbol: "AAPL" }));
    assert.match(await response.text(), /NASDAQ:AAPL/);
    assert.equal((await used()) - before, 2 * asking + 1);
    assert.match(response.headers.get("ratelimit-policy") ?? "", /^"minute";q=6000;/);
    const list = await post({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    assert.match(list.headers.get("ratelimit-policy") ?? "", /^"reference";/);
    await list.text();
  });

  test("a resource of items counts in the plan's limit, however its address is written", async () => {
    const policyOf = async (uri: string) => {
      const response = await post({ jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri } });
      await response.text();
      return /^"(\w+)"/.exec(response.headers.get("ratelimit-policy") ?? "")?.[1];
    };
    for (const uri of [
      "tapewire://symbol/AAPL",
      " tapewire://symbol/AAPL",
      "TAPEWIRE://symbol/AAPL",
      "no address",
    ])
      assert.equal(await policyOf(uri), "minute", uri);
    for (const uri of ["tapewire://guide", "tapewire://tags", "TAPEWIRE://tags"])
      assert.equal(await policyOf(uri), "reference", uri);
  });

  test("too many calls are refused, and the refusal says when to come back", async () => {
    const { key: free } = await service.key("free");
    const authorization = `Bearer ${free}`;
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => post(callOf("wait_for_items", { timeout_s: 0 }), { authorization })),
    );
    const refused = responses.filter(({ status }) => status === 429);
    assert.ok(refused.length > 0 && refused.length <= 2, `${refused.length} refused`);
    for (const response of refused) {
      assert.ok(Number(response.headers.get("retry-after")) > 0);
      assert.equal(await refusalOf(response), "rate_limited");
    }
    await Promise.all(responses.map((response) => response.bodyUsed || response.text()));
  });

  test("a message takes its request before its body is read, whatever the body is", async () => {
    const { key: free } = await service.key("free");
    const { hostname, port } = new URL(service.url);
    const headers = {
      authorization: `Bearer ${free}`,
      "content-type": "application/json",
      "content-length": "1000",
    };
    const refused = Promise.withResolvers<number[]>();
    const statuses: number[] = [];
    const outgoing = Array.from({ length: 200 }, () => {
      const sent = request({ hostname, port, path: "/mcp", method: "POST", headers, agent: false });
      sent.on("error", () => {});
      sent.on("response", (response) => {
        response.resume();
        if (statuses.push(response.statusCode ?? 0) === 100) refused.resolve(statuses);
      });
      sent.write("[");
      return sent;
    });
    const found = await Promise.race([refused.promise, sleep(20_000, statuses)]);
    for (const sent of outgoing) sent.destroy();
    // The plan allows 75 such requests at once, and 5 more a second.
    assert.equal(found.length, 100);
    assert.deepEqual(new Set(found), new Set([429]));
  });

  for (const version of versions) {
    test(`what the plan does not have is refused by name (${version})`, async () => {
      const { key: free } = await service.key("free");
      await using peer = await connect(version, "http", { url: service.url, key: free });
      const list = await peer.call("search_feed");
      assert.ok(list.isError);
      assert.match(list.text, /^plan_required: .* needs the starter plan/);
      const score = await peer.call("score_text", { title: "A", body: "B" });
      assert.match(score.text, /^plan_required: .* needs the pro plan/);
      const overview = await peer.call("symbol_overview", { symbol: "AAPL" });
      assert.equal(overview.isError, false, overview.text);
      assert.deepEqual(
        [overview.data.items, overview.data.truncated],
        [[], false],
        "there is no list to search",
      );
    });

    test(`a client that goes ends what it waits for (${version})`, () => freesItsStream(version));
  }

  /** The plan has one stream: as long as the first call waits, there is none for another. */
  async function freesItsStream(version: Version): Promise<void> {
    const { key: free } = await service.key("free");
    await using peer = await connect(version, "http", { url: service.url, key: free });
    await using other = await connect(version, "http", { url: service.url, key: free });
    const gone = new AbortController();
    const waiting = peer.call("wait_for_items", { timeout_s: 50 }, gone.signal);
    const briefly = () => other.call("wait_for_items", { timeout_s: 1 });
    let second = await briefly();
    // The second call may have come first.
    if (!second.isError) second = await briefly();
    assert.match(second.text, /none could be opened: HTTP 429/);
    // Without sessions a cancellation is the end of the request. Older clients end theirs with the whole connection only.
    if (version === "modern") gone.abort();
    else await peer.client.close();
    await assert.rejects(waiting);
    let third = await briefly();
    for (let tries = 0; third.isError && tries < 5; tries++) {
      await sleep(200);
      third = await briefly();
    }
    assert.equal(third.isError, false, third.text);
  }
});
