import assert from "node:assert/strict";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { clientFrame, type ServerFrame, serverFrame, streamLimits } from "@tapewire/contract/stream.ts";
import { Conversation } from "../../../src/stream/conversation.ts";
import { EventSourceTransport } from "../../../src/stream/wire/event-source.ts";
import { anyEngine } from "../../support/db.ts";
import { dictionary } from "../../support/dictionary.ts";
import { listenLocally } from "../../support/http.ts";
import { type Service, startService } from "../../support/service.ts";

interface Event {
  readonly id: string | null;
  readonly type: string;
  readonly data: string;
}

/** Reads a response of server-sent events, event by event (HTML Standard, 9.2.6). */
class EventReader implements AsyncDisposable {
  readonly response: Response;
  readonly #abort: AbortController;
  readonly #lines: AsyncGenerator<string>;

  private constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    this.#lines = linesOf(response);
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
    const abort = new AbortController();
    return new EventReader(await fetch(url, { headers, signal: abort.signal }), abort);
  }

  async next(): Promise<Event> {
    const fields = new Map<string, string>();
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done === true) assert.fail("the stream has ended");
      if (value === "" && fields.has("data"))
        return {
          id: fields.get("id") ?? null,
          type: fields.get("event") ?? "",
          data: fields.get("data") ?? "",
        };
      const [, name = "", text = ""] = /^([a-z]+): (.*)$/.exec(value) ?? [];
      fields.set(name, text);
    }
  }

  async frame<T extends ServerFrame["type"]>(
    type: T,
  ): Promise<{ event: Event; frame: ServerFrame & { type: T } }> {
    const event = await this.next();
    assert.equal(event.type, type, event.data);
    const frame = serverFrame.parse(JSON.parse(event.data));
    if (!isOf(frame, type)) assert.fail(event.data);
    return { event, frame };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#lines.return(undefined).catch(() => {});
  }
}

function isOf<T extends ServerFrame["type"]>(
  frame: ServerFrame,
  type: T,
): frame is ServerFrame & { type: T } {
  return frame.type === type;
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body ?? []) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

describe("GET /v1/stream/sse", () => {
  let service: Service;
  let key = "";
  let made = 0;
  const notice = (facts: object = {}) => {
    made += 1;
    return { title: `Event ${made}`, external_id: `event-${made}`, ...facts };
  };
  const open = (query: string, headers: Record<string, string> = {}) =>
    EventReader.open(`${service.url}/v1/stream/sse?${query}`, { authorization: `Bearer ${key}`, ...headers });
  before(async () => {
    service = await startService(anyEngine);
    key = (await service.key("pro")).key;
  });
  after(() => service[Symbol.asyncDispose]());

  test("welcome, subscribed, then matching items, each with its cursor as id", async () => {
    await using events = await open("symbol=DEMO:SSEA&exchange=demo");
    assert.equal(events.response.headers.get("content-type"), "text/event-stream; charset=utf-8");
    assert.equal((await events.frame("welcome")).frame.tier, "pro");
    const { frame: subscribed, event } = await events.frame("subscribed");
    assert.deepEqual(subscribed.filters, { symbols: ["DEMO:SSEA"], exchanges: ["DEMO"] });
    assert.equal(event.id, subscribed.cursor);
    const wanted = notice({ symbols: ["DEMO:SSEA"] });
    await service.push(notice({ symbols: ["DEMO:SSEB"] }), wanted);
    const first = await events.frame("feed");
    assert.equal(first.frame.data.title, wanted.title);
    assert.equal(first.event.id, first.frame.cursor);
    assert.equal(first.frame.count, 1);
  });

  test("Last-Event-ID resumes behind that item, before `after`; snapshot replays", async () => {
    const about = { symbols: ["DEMO:SSEC"] };
    const [a, b, c] = [notice(about), notice(about), notice(about)];
    await service.push(a, b);
    await using snapshot = await open("symbol=DEMO:SSEC&snapshot=1");
    await snapshot.frame("welcome");
    await snapshot.frame("subscribed");
    const replayed = await snapshot.frame("feed");
    assert.deepEqual([replayed.frame.data.title, replayed.frame.snapshot], [b.title, true]);
    await service.push(c);
    const live = await snapshot.frame("feed");
    assert.equal(live.frame.data.title, c.title);
    await using resumed = await open(`symbol=DEMO:SSEC&after=${live.frame.cursor}`, {
      "last-event-id": replayed.frame.cursor,
    });
    await resumed.frame("welcome");
    assert.equal((await resumed.frame("subscribed")).frame.resumed, true);
    assert.equal((await resumed.frame("feed")).frame.data.title, c.title);
  });

  test("a snapshot beyond the most is clamped, as on the WebSocket", async () => {
    await using events = await open("snapshot=100000");
    await events.frame("welcome");
    assert.equal((await events.frame("subscribed")).frame.snapshot, streamLimits.snapshotItems);
  });

  test("the key may stand in the query, for browsers; without one 401 as a problem document", async () => {
    await using events = await EventReader.open(`${service.url}/v1/stream/sse?api_key=${key}`);
    await events.frame("welcome");
    const refused = await fetch(`${service.url}/v1/stream/sse`);
    assert.equal(refused.status, 401);
    assert.equal(refused.headers.get("content-type"), "application/problem+json");
    assert.equal(problem.parse(await refused.json()).code, "unauthorized");
  });

  const malformed: [query: string, headers: Record<string, string>, named: string[]][] = [
    ["sentiment_min=11", {}, ["sentiment_min"]],
    ["symbol=AAPL&symbol=MSFT", {}, ["symbol"]],
    ["after=x.1&after=x.2&snapshot=1&snapshot=2", {}, ["after", "snapshot"]],
    ["since=2026-03-02T00:00:00Z&until=2026-03-03T00:00:00Z", {}, ["since", "until"]],
    ["symbol=%E4", {}, []],
    ["", { "last-event-id": "x".repeat(101) }, ["Last-Event-ID"]],
  ];
  for (const [query, headers, named] of malformed)
    test(`${query || "a Last-Event-ID that is none"} is 400 before the stream begins`, async () => {
      const url = `${service.url}/v1/stream/sse?${query}`;
      const refused = await fetch(url, { headers: { authorization: `Bearer ${key}`, ...headers } });
      assert.equal(refused.status, 400);
      const { code, errors = [] } = problem.parse(await refused.json());
      assert.equal(code, "invalid_parameter");
      assert.deepEqual(
        errors.map(({ name }) => name),
        named,
      );
    });

  test("HEAD tells the headers and ends; it is no stream", async () => {
    const { key: free } = await service.key("free");
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (method: string, path: string): Promise<IncomingMessage> => {
      const headers = { authorization: `Bearer ${free}` };
      const sent = request(service.url + path, { agent, method, headers }).end();
      const [answer]: IncomingMessage[] = await once(sent, "response");
      assert.ok(answer !== undefined);
      await once(answer.resume(), "end");
      return answer;
    };
    // Free has one stream; and what follows on the connection is answered.
    for (let n = 0; n < 3; n++) {
      const { statusCode, headers } = await ask("HEAD", "/v1/stream/sse?symbol=OBTX");
      assert.deepEqual([statusCode, headers["content-type"]], [200, "text/event-stream; charset=utf-8"]);
    }
    assert.equal((await ask("HEAD", "/v1/stream/sse?symbol=,")).statusCode, 400);
    assert.equal((await ask("GET", "/v1/me")).statusCode, 200);
    agent.destroy();
  });

  test("a page of another origin can read the headers of a stream and of a refusal", async () => {
    await using events = await open("symbol=OBTX");
    const refused = await fetch(`${service.url}/v1/stream/sse`);
    assert.equal(refused.headers.get("cache-control"), "no-store");
    for (const { headers } of [events.response, refused]) {
      assert.equal(headers.get("access-control-allow-origin"), "*");
      const exposed = headers.get("access-control-expose-headers")?.split(", ") ?? [];
      for (const name of ["X-Request-Id", "Retry-After", "RateLimit"]) assert.ok(exposed.includes(name));
      assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
    }
    assert.match(events.response.headers.get("ratelimit") ?? "", /^"minute";/);
  });
});

test("an event source, which cannot answer a ping, is not closed for its silence", async () => {
  const done = Promise.withResolvers<string[]>();
  await using server = await listenLocally((_, response) => {
    const conversation = new Conversation(clientFrame(dictionary), { nowMs: 0, jitter: 0 });
    conversation.receive('{"type":"subscribe"}', 0);
    let nowMs = 0;
    const events = { onMessage() {}, onAlive: () => conversation.alive(nowMs), onDrain() {}, onClose() {} };
    const transport = new EventSourceTransport(response, { locked: false, events });
    const seen = new Set<string>();
    for (; nowMs <= 300_000; nowMs += 1_000)
      for (const action of conversation.tick({
        nowMs,
        day: "2026-03-02",
        unsentBytes: transport.unsentBytes,
      })) {
        seen.add(action.do);
        if (action.do === "ping") transport.ping();
      }
    response.end();
    done.resolve([...seen].sort());
  });
  await fetch(server.origin);
  assert.deepEqual(await done.promise, ["heartbeat", "ping"]);
});

test("a client that takes nothing is cut some time after its stream was closed", async () => {
  const closed = Promise.withResolvers<void>();
  await using server = await listenLocally((_, response) => {
    const events = { onMessage() {}, onAlive() {}, onDrain() {}, onClose: () => closed.resolve() };
    const options = { locked: false, events, closeTimeoutMs: 50 };
    const transport = new EventSourceTransport(response, options);
    transport.writeBlock(Buffer.alloc(64 * 2 ** 20));
    transport.close(4413, "slow");
  });
  const { port, hostname } = new URL(server.origin);
  const client = connect(Number(port), hostname).pause();
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await closed.promise;
  client.destroy();
});
