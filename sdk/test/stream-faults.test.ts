import assert from "node:assert/strict";
import { createServer, request as httpRequest } from "node:http";
import { after, before, describe, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { type EventStream, type SocketLike, Tapewire } from "tapewire";
import { systemClock } from "../../server/src/runtime/clock.ts";
import { anyEngine } from "../../server/test/support/db.ts";
import { listening } from "../../server/test/support/http.ts";
import { until } from "../../server/test/support/receiver.ts";
import { type Service, startService } from "../../server/test/support/service.ts";
import { notice, notices } from "../../server/test/support/stream-connect.ts";
import { badLine } from "./support/bad-line.ts";
import { take, titlesOf } from "./support/collect.ts";

/** A proxy that knows no WebSockets. Notes how often it was asked for one. */
async function oldProxy(target: string) {
  let upgrades = 0;
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const onward = httpRequest(target + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    response.on("close", () => onward.destroy());
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  server.on("upgrade", (_, socket) => {
    upgrades += 1;
    socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n");
  });
  const { origin, ...disposable } = await listening(server);
  return { ...disposable, origin, upgrades: () => upgrades };
}

type Listener = Parameters<SocketLike["addEventListener"]>[1];

/** Forty items are more than the client takes at once. Delivery is asked to stop only when the day's cap was told. */
class Crowded implements SocketLike {
  static last: Crowded | undefined;
  readonly came: string[] = [];
  readonly #socket: WebSocket;
  #stop: string | undefined;

  constructor(url: string, options?: { headers: Record<string, string> }) {
    this.#socket = Reflect.construct(WebSocket, [url, options]);
    Crowded.last = this;
  }

  addEventListener(type: "message" | "close" | "error", listener: Listener): void {
    if (type !== "message") this.#socket.addEventListener(type, listener);
    else this.#socket.addEventListener(type, ({ data }) => this.#receive(String(data), listener));
  }

  #receive(text: string, listener: Listener): void {
    const { type } = JSON.parse(text);
    listener({ type: "message", data: text + " ".repeat(110_000) });
    this.came.push(type);
    if (type === "quota_exceeded" && this.#stop !== undefined) this.#socket.send(this.#stop);
  }

  send(text: string): void {
    if (JSON.parse(text).type === "unsubscribe") this.#stop = text;
    else this.#socket.send(text);
  }

  close(): void {
    this.#socket.close();
  }
}

describe("a stream in trouble", () => {
  let service: Service;
  let aheadMs = 0;
  const client = async (plan: "free" | "enterprise" = "enterprise", baseUrl = service.url) => {
    const made = await service.key(plan);
    return { tw: new Tapewire({ baseUrl, key: made.key }), id: made.id };
  };
  before(async () => {
    const clock = { ...systemClock, now: () => new Date(Date.now() + aheadMs) };
    service = await startService(anyEngine, { clock });
  });
  after(() => service[Symbol.asyncDispose]());
  /** After the day's cap: the two events that come on the next day. */
  const nextDay = async (stream: EventStream) => {
    const next = take(stream, 2);
    aheadMs += 24 * 60 * 60_000;
    let isThere = false;
    void next.then(() => {
      isThere = true;
    });
    // What is pushed before the service has noticed the new day is passed over.
    await until(async () => {
      await service.push(notice());
      await turn();
      return isThere;
    }, "the new day");
    const [gap, live] = await next;
    assert.ok(gap?.type === "gap" && live?.type === "item");
    return [gap, live] as const;
  };

  test("where a proxy lets no WebSocket through it uses server-sent events", async () => {
    await using proxy = await oldProxy(service.url);
    const { tw } = await client("enterprise", proxy.origin);
    await using stream = tw.stream({});
    const item = notice();
    const next = take(stream, 1);
    await until(() => stream.state === "live", "live");
    await service.push(item);
    assert.deepEqual(titlesOf(await next), [item.title]);
    assert.equal(proxy.upgrades(), 2);
  });

  test("a service that is away is no proxy: the stream comes back by WebSocket, and after the last item", async () => {
    let target = "http://127.0.0.1:1";
    await using line = await badLine(() => target);
    const { tw } = await client("enterprise", line.url);
    await using stream = tw.stream({ states: true, after: undefined });
    const reasons: string[] = [];
    while (reasons.length < 3) {
      const [event] = await take(stream, 1);
      if (event?.type === "state" && event.state === "waiting") reasons.push(event.reason);
    }
    assert.ok(
      reasons.every((reason) => reason.includes("does not answer")),
      reasons.join(),
    );
    target = service.url;
    const live = take(stream, 3);
    await until(() => stream.state === "live", "live");
    await service.push(notice());
    await live;
    const text = await (await service.admin("GET", "/metrics")).text();
    assert.match(text, /^tapewire_stream_connections\{transport="websocket"\} 1$/m);
  });

  for (const transport of ["websocket", "sse"] as const)
    test(`a revoked key ends the stream by ${transport} with its code`, async () => {
      const { tw, id } = await client();
      const stream = tw.stream({ transport });
      const next = stream.next();
      await until(() => stream.state === "live", "live");
      await service.admin("DELETE", `/admin/v1/keys/${id}`);
      await assert.rejects(next, { name: "StreamClosed", code: 4501 });
    });

  for (const transport of ["websocket", "sse"] as const)
    test(`a key that can be renewed is, when it ends on an open stream by ${transport}`, async () => {
      const [first, second] = [await service.key("enterprise"), await service.key("enterprise")];
      let current = first.key;
      const key = (refused?: string) => {
        if (refused === first.key) current = second.key;
        return current;
      };
      await using stream = new Tapewire({ baseUrl: service.url, key }).stream({ transport });
      const item = notice();
      const next = take(stream, 1);
      await until(() => stream.state === "live", "live");
      await service.admin("DELETE", `/admin/v1/keys/${first.id}`);
      await until(() => current === second.key, "the key is renewed");
      await service.push(item);
      assert.deepEqual(titlesOf(await next), [item.title]);
    });

  test("filters that are refused while delivery stands still leave the old ones", async () => {
    const { tw } = await client();
    await using stream = tw.stream({ filters: { symbols: ["DEMO:STILL"] } });
    const first = take(stream, 1);
    await until(() => stream.state === "live", "live");
    const many = notices(2_500, { symbols: ["DEMO:STILL"] });
    await service.push(...many.slice(0, 1));
    await first;
    for (let at = 1; at < many.length; at += 500) await service.push(...many.slice(at, at + 500));
    const refused = assert.rejects(stream.update({ tags: { market: ["nope"] } }), { code: "invalid_frame" });
    const rest = await take(stream, many.length - 1);
    assert.deepEqual(
      titlesOf(rest),
      many.slice(1).map(({ title }) => title),
    );
    await refused;
  });

  test("the day's cap is told once; after it a gap comes before the next item", async () => {
    const { tw } = await client("free");
    await using stream = tw.stream({});
    const capped = take(stream, 51);
    await until(() => stream.state === "live", "live");
    await service.push(...notices(55));
    const events = await capped;
    const quota = events.at(-1);
    assert.ok(quota?.type === "quota");
    assert.deepEqual([quota.limit, quota.resetAt.getUTCHours(), titlesOf(events).length], [50, 0, 50]);
    const before = stream.cursor;
    const [gap, live] = await nextDay(stream);
    assert.deepEqual([gap.reason, gap.from, gap.to, gap.filled], ["quota", before, live.cursor, false]);
  });

  test("after the day's cap nothing is passed over without a gap, also where delivery began again meanwhile", async () => {
    const { key } = await service.key("free");
    const tw = new Tapewire({ baseUrl: service.url, key, WebSocket: Crowded });
    await using stream = tw.stream({});
    const first = take(stream, 1);
    await until(() => stream.state === "live", "live");
    await service.push(...notices(55));
    await first;
    const socket = Crowded.last;
    assert.ok(socket !== undefined);
    await until(() => socket.came.includes("unsubscribed"), "delivery was stopped");
    const events = await take(stream, 50);
    assert.equal(events.at(-1)?.type, "quota");
    const begun = ["welcome", "subscribed", "quota_exceeded", "unsubscribed", "subscribed"];
    await until(() => socket.came.filter((type) => type !== "feed").join() === begun.join(), "begun again");
    socket.send('{"type":"ping"}');
    await until(() => socket.came.includes("pong"), "the head of the log was told");
    const last = events.findLast((event) => event.type === "item");
    const [gap] = await nextDay(stream);
    assert.deepEqual([gap.reason, gap.from], ["quota", last?.cursor]);
  });
});
