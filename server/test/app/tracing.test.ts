import assert from "node:assert/strict";
import { once } from "node:events";
import { afterEach, beforeEach, suite, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { createLog } from "../../src/runtime/log.ts";
import { anyEngine } from "../support/db.ts";
import { listenLocally } from "../support/http.ts";
import { temporaryFolder, writeSources } from "../support/process.ts";
import { startReceivers, until } from "../support/receiver.ts";
import { startService } from "../support/service.ts";
import { notice } from "../support/stream-connect.ts";

const value = z.object({ stringValue: z.string().optional(), intValue: z.coerce.number().optional() });
const span = z.object({
  name: z.string(),
  kind: z.number(),
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  attributes: z.array(z.object({ key: z.string(), value })),
  status: z.object({ code: z.number().optional() }),
});
const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(z.object({ key: z.string(), value })) }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});
type Span = z.infer<typeof span>;

/** A collector: takes OTLP by HTTP, as JSON. */
async function startCollector() {
  const texts: string[] = [];
  const server = await listenLocally(async (request, response) => {
    assert.equal(`${request.method} ${request.url}`, "POST /v1/traces");
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    await once(request, "end");
    const bytes = Buffer.concat(chunks);
    texts.push((request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString());
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const parsed = () => texts.flatMap((text) => exported.parse(JSON.parse(text)).resourceSpans);
  return {
    url: server.origin,
    text: () => texts.join("\n"),
    spans: () => parsed().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    service: () => parsed()[0]?.resource.attributes.find(({ key }) => key === "service.name")?.value,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const attribute = ({ attributes }: Span, key: string) => {
  const found = attributes.find((one) => one.key === key)?.value;
  return found?.stringValue ?? found?.intValue;
};

const rss = `<rss version="2.0"><channel><title>t</title><item><title>Brandmoor raises its outlook</title>
  <guid isPermaLink="false">n-1</guid></item></channel></rss>`;

suite("traces", () => {
  let stack = new AsyncDisposableStack();
  beforeEach(() => {
    stack = new AsyncDisposableStack();
  });
  afterEach(() => stack.disposeAsync());

  test("a collector gets spans of requests, appends, polls, deliveries and verdicts of pro, without secrets", async () => {
    const collector = stack.use(await startCollector());
    const receivers = stack.use(await startReceivers({ "/hook": () => 204 }));
    // An endpoint receives what is stored after it was created.
    const created = Promise.withResolvers<void>();
    const feed = stack.use(
      await listenLocally((_, response) => void created.promise.then(() => response.end(rss))),
    );
    const folder = stack.use(temporaryFolder());
    const source = { provider: "brandmoor", format: "feed", interval_s: 60, requests_per_s: 100 };
    const sourcesFile = writeSources(folder.path, [
      { ...source, id: "traced", name: "brandmoor-traced", url: feed.origin },
    ]);
    const settings = { otlpEndpoint: `${collector.url}/`, webhookAllow: ["127.0.0.0/8"], sourcesFile };
    const service = stack.use(await startService(anyEngine, settings));
    const { key } = await service.key("pro");
    const called = [0xab, 0xcd].map((byte) => Buffer.alloc(16, byte).toString("hex"));
    const post = (path: string, body: object, { token = key, trace = called[0] } = {}) =>
      fetch(service.url + path, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          traceparent: `00-${trace}-${"12".repeat(8)}-01`,
        },
        body: JSON.stringify(body),
      });
    assert.ok((await post("/v1/webhooks", { url: receivers.url("/hook") })).ok);
    created.resolve();
    assert.ok((await post("/admin/v1/items", notice(), { token: service.adminToken, trace: called[1] })).ok);
    const artifact = { type: "filing", title: "Acme Corp: annual report", body: "Revenue rose by a fifth." };
    assert.ok((await post("/v1/score", { artifact })).ok);
    await (await fetch(`${service.url}/v1/feeds?api_key=${key}`)).body?.cancel();
    await until(() => receivers.at("/hook").length >= 2, "the items are delivered");
    // A stop sends what waits.
    await service[Symbol.asyncDispose]();

    const spans = collector.spans();
    const named = (name: string) => spans.filter((one) => one.name === name);
    assert.equal(collector.service()?.stringValue, "tapewire");
    const [pushed] = named("POST /admin/v1/items");
    assert.equal(pushed?.traceId, called[1]);
    assert.ok(pushed !== undefined && attribute(pushed, "http.response.status_code") === 200);
    const ofPush = named("append").find((one) => one.parentSpanId === pushed.spanId);
    assert.ok(ofPush !== undefined && attribute(ofPush, "tapewire.items") === 1);
    const [poll] = named("poll").filter((one) => attribute(one, "tapewire.source") === "traced");
    assert.ok(poll !== undefined && named("append").some((one) => one.parentSpanId === poll.spanId));
    const deliveries = named("delivery attempt");
    assert.deepEqual(
      deliveries.map((one) => attribute(one, "http.response.status_code")),
      deliveries.map(() => 204),
    );
    assert.ok(deliveries.length >= 2);
    const [verdict] = named("pro verdict");
    assert.equal(verdict?.parentSpanId, named("POST /v1/score")[0]?.spanId);
    assert.ok(verdict !== undefined && attribute(verdict, "tapewire.model") === "pro");
    assert.equal(named("GET /v1/feeds").length, 1);
    for (const secret of [key, service.adminToken, "/hook", "Acme"])
      assert.ok(!collector.text().includes(secret), secret);
  });

  test("a collector that refuses spans costs a line in the log, and no request", async () => {
    const refusing = stack.use(
      await listenLocally((request, response) => {
        request.resume();
        response.writeHead(400).end();
      }),
    );
    const lines: string[] = [];
    const log = createLog("warn", { format: "json", out: { write: (line) => lines.push(line) } });
    const service = await startService(anyEngine, { otlpEndpoint: refusing.origin, log });
    assert.equal((await service.get("/readyz")).status, 200);
    await service[Symbol.asyncDispose]();
    const told = lines.filter((line) => line.includes("spans could not be exported"));
    assert.equal(told.length, 1, lines.join(""));
  });
});
