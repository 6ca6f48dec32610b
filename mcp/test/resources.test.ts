import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { z } from "zod";
import { anyEngine } from "../../server/test/support/db.ts";
import { type Service, startService } from "../../server/test/support/service.ts";
import { connect, type Peer, transports, versions } from "./support/clients.ts";

const contents = z.object({
  contents: z.tuple([z.object({ uri: z.string(), mimeType: z.string(), text: z.string() })]),
});
const prompt = z.object({
  messages: z.tuple([
    z.object({ role: z.literal("user"), content: z.object({ type: z.literal("text"), text: z.string() }) }),
  ]),
});

/** Of the metrics. */
const openStreams = /^tapewire_stream_connections\{transport="sse"\} (\d+)$/m;

let service: Service;
let id = "";
before(async () => {
  service = await startService(anyEngine);
  const [made] = await service.push({
    title: "Obtainex raises full-year guidance",
    body: "Obtainex raised its guidance.",
    symbols: ["DEMO:OBTX"],
    external_id: "resource-1",
  });
  assert.ok(made !== undefined && "id" in made);
  id = z.string().parse(made.id);
});
after(() => service[Symbol.asyncDispose]());

describe("resources and prompts", { concurrency: true }, () => {
  for (const version of versions)
    for (const transport of transports)
      describe(`${version} client over ${transport}`, () => {
        let peer: Peer;
        before(async () => {
          peer = await connect(version, transport, { url: service.url, key: (await service.key("pro")).key });
        });
        after(() => peer[Symbol.asyncDispose]());
        const read = async (uri: string) => {
          const [found] = contents.parse(await peer.client.readResource({ uri })).contents;
          assert.equal(found.uri, uri);
          return found;
        };

        test("the guide, the tags, a symbol and an item can be read", async () => {
          const { resources } = await peer.client.listResources();
          assert.deepEqual(
            resources.map(({ uri }) => uri),
            ["tapewire://guide", "tapewire://tags"],
          );
          const { resourceTemplates } = await peer.client.listResourceTemplates();
          assert.deepEqual(
            resourceTemplates.map(({ uriTemplate }) => uriTemplate),
            ["tapewire://symbol/{ticker}", "tapewire://item/{id}"],
          );
          assert.match((await read("tapewire://guide")).text, /^# Tapewire for agents/);
          assert.match((await read("tapewire://tags")).text, /^ {2}earnings: /m);
          const symbol = z
            .looseObject({ name: z.string(), items_counted: z.number() })
            .parse(JSON.parse((await read("tapewire://symbol/DEMO:OBTX")).text));
          assert.deepEqual([symbol.name, symbol.items_counted], ["Orbitex Robotics", 1]);
          const { item } = z
            .looseObject({ item: z.looseObject({ title: z.string() }) })
            .parse(JSON.parse((await read(`tapewire://item/${id}`)).text));
          assert.equal(item.title, "Obtainex raises full-year guidance");
        });

        test("what does not exist is refused", async () => {
          await assert.rejects(read("tapewire://symbol/NO:SUCHTHING"), /not found/i);
          await assert.rejects(read("tapewire://item/1"), /id: must be a uuid/);
          await assert.rejects(read("tapewire://nothing"), /not found/i);
        });

        test("prompts name the tools, and refuse what they cannot use", async () => {
          const { prompts } = await peer.client.listPrompts();
          assert.deepEqual(
            prompts.map(({ name, arguments: taken }) => [name, taken?.map((one) => one.name)]),
            [
              ["morning_brief", ["symbols"]],
              ["explain_move", ["symbol", "at"]],
            ],
          );
          const get = async (name: string, args: Record<string, string>) =>
            prompt.parse(await peer.client.getPrompt({ name, arguments: args })).messages[0].content.text;
          assert.match(
            await get("morning_brief", { symbols: "OBTX\nHLVN" }),
            /these symbols: OBTX HLVN\.\n1\. Call/,
          );
          const move = await get("explain_move", { symbol: "OBTX", at: "2026-03-02T09:30:00-05:00" });
          assert.match(move, /since 2026-03-02T08:30:00.000Z and until 2026-03-02T15:30:00.000Z/);
          await assert.rejects(get("explain_move", { symbol: "OBTX", at: "yesterday" }), /at: /);
          await assert.rejects(get("morning_brief", {}), /symbols/);
        });
      });
});

describe("updates of resources", () => {
  const listenTo = async (key: string) => {
    const client = new Client({ name: "listener", version: "1" }, { versionNegotiation: { mode: "auto" } });
    const updated = new Set<string>();
    client.setNotificationHandler(
      "notifications/resources/updated",
      ({ params }) => void updated.add(params.uri),
    );
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
    return { client, updated, [Symbol.asyncDispose]: () => client.close() };
  };
  const until = async (holds: () => boolean) => {
    for (let tries = 0; !holds() && tries < 200; tries++) await sleep(50);
    assert.ok(holds());
  };

  test("a subscriber hears of its symbols and items, and of no others", async () => {
    await using listener = await listenTo((await service.key("pro")).key);
    const uris = [
      "tapewire://symbol/DEMO:OBTX",
      // As the template is expanded.
      "tapewire://symbol/DEMO%3AOBTX",
      "tapewire://symbol/HLVN",
      `tapewire://item/${id}`,
    ];
    const subscription = await listener.client.listen({ resourceSubscriptions: uris });
    assert.deepEqual(subscription.honoredFilter, { resourceSubscriptions: uris });
    await service.push(
      { title: "Halvorn opens a plant", symbols: ["DEMO:HLVN"], external_id: "resource-2" },
      { title: "Corvanta opens a plant", symbols: ["DEMO:CRVT"], external_id: "resource-3" },
    );
    await until(() => listener.updated.has("tapewire://symbol/HLVN"));
    assert.deepEqual([...listener.updated], ["tapewire://symbol/HLVN"]);
    await service.push({
      title: "Obtainex raises guidance again",
      symbols: ["DEMO:OBTX"],
      external_id: "resource-1",
    });
    await until(() => listener.updated.size === uris.length);
    await subscription.close();
  });

  test("an account has as many subscriptions as its plan has streams, and none without a key", async () => {
    const { key, id: keyId } = await service.key("free");
    await using first = await listenTo(key);
    await using second = await listenTo(key);
    const filter = { resourceSubscriptions: ["tapewire://symbol/AAPL"] };
    const subscription = await first.client.listen(filter);
    await assert.rejects(second.client.listen(filter), /allows 1 subscriptions/);
    let isClosed = false;
    void subscription.closed.then(() => {
      isClosed = true;
    });
    await service.admin("DELETE", `/admin/v1/keys/${keyId}`);
    await until(() => isClosed);
  });

  test("a subscription names at most 100 resources; a longer one does not enter", async () => {
    await using listener = await listenTo((await service.key("free")).key);
    const uris = Array.from({ length: 101 }, (_, n) => `tapewire://symbol/AA${n}`);
    const tooLong = listener.client.listen({ resourceSubscriptions: uris });
    await assert.rejects(tooLong, /params\.notifications\.resourceSubscriptions.*at most 100 entries/);
    const subscription = await listener.client.listen({ resourceSubscriptions: uris.slice(1) });
    assert.equal(subscription.honoredFilter.resourceSubscriptions?.length, 100);
    await subscription.close();
  });

  test("when the service stops, subscriptions end and waiting is answered", async () => {
    const { key } = await service.key("pro");
    await using listener = await listenTo(key);
    const subscription = await listener.client.listen({ resourceSubscriptions: ["tapewire://symbol/AAPL"] });
    await using peer = await connect("legacy", "http", { url: service.url, key });
    const waiting = peer.call("wait_for_items", { timeout_s: 50 });
    const statsOf = async () =>
      (await (await service.get("/metrics", service.adminToken)).text()).match(openStreams)?.[1];
    for (let tries = 0; (await statsOf()) !== "1" && tries < 200; tries++) await sleep(20);
    await service[Symbol.asyncDispose]();
    assert.equal(await subscription.closed, "graceful");
    assert.match((await waiting).text, /^Waiting needs one of the plan's streams/);
  });
});
