import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { clientFrame, type ServerFrame, serverFrame, streamLimits } from "@tapewire/contract/stream.ts";
import { tagDictionary } from "@tapewire/contract/tags.ts";
import { z } from "zod";
import { readConfigFile } from "../../src/config/files.ts";
import { EventSourceTransport } from "../../src/stream/event-source.ts";
import { Session } from "../../src/stream/session.ts";
import { listenLocally } from "../support/http.ts";
import { type Service, startService } from "../support/service.ts";

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

const problemCode = z.object({ code: z.string() });

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
    service = await startService("pglite");
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
    assert.equal(problemCode.parse(await refused.json()).code, "unauthorized");
  });

  test("a malformed filter is 400 before the stream begins", async () => {
    const refused = await fetch(`${service.url}/v1/stream/sse?sentiment_min=11&api_key=${key}`);
    assert.equal(refused.status, 400);
    assert.equal(problemCode.parse(await refused.json()).code, "invalid_parameter");
  });
});

test("an event source, which cannot answer a ping, is not closed for its silence", async () => {
  const dictionary = readConfigFile(new URL("../../../config/tags.json", import.meta.url), tagDictionary);
  const done = Promise.withResolvers<string[]>();
  await using server = await listenLocally((_, response) => {
    const session = new Session(clientFrame(dictionary), { nowMs: 0, jitter: 0 });
    session.receive('{"type":"subscribe"}', 0);
    let nowMs = 0;
    const events = { onMessage() {}, onAlive: () => session.heard(nowMs), onDrain() {}, onClose() {} };
    const transport = new EventSourceTransport(response, { locked: false, events });
    const seen = new Set<string>();
    for (; nowMs <= 300_000; nowMs += 1_000)
      for (const action of session.tick({ nowMs, day: "2026-03-02", unsentBytes: transport.unsentBytes })) {
        seen.add(action.do);
        if (action.do === "ping") transport.ping();
      }
    response.end();
    done.resolve([...seen].sort());
  });
  await fetch(server.origin);
  assert.deepEqual(await done.promise, ["heartbeat", "ping"]);
});
