import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import {
  type SocketLike,
  StreamClosed,
  type StreamOptions,
  Tapewire,
  TapewireError,
  UnsupportedByTransport,
} from "tapewire";
import { newItem } from "../../server/test/support/items.ts";
import { isItem, take, titlesOf } from "./support/collect.ts";

type Listener = Parameters<SocketLike["addEventListener"]>[1];

const receivedAt = "2026-03-02T14:30:00.000Z";
const itemOf = (title: string, seq: number, revision = 0) => ({
  ...newItem({ uniqueId: title, title }).item,
  seq,
  revision,
});
const feed = (title: string, seq: number) => ({
  type: "feed",
  snapshot: false,
  count: 1,
  cursor: `a.${seq}`,
  seq,
  latency: { received_time: receivedAt },
  data: itemOf(title, seq),
});

/**
 * Gives one item on the first connection, which is lost, and cannot resume on the second one.
 * @param hold is given a function that ends the second connection for good
 */
function forgetfulService(hold: (refuse: () => void) => void = () => {}) {
  let connections = 0;
  class Socket implements SocketLike {
    readonly #listeners = new Map<string, Listener>();
    readonly #isFirst = connections++ === 0;

    constructor() {
      setImmediate(() => this.#say({ type: "welcome" }));
    }

    addEventListener(type: "message" | "close" | "error", listener: Listener): void {
      this.#listeners.set(type, listener);
    }

    send(text: string): void {
      const { id } = JSON.parse(text);
      const begun = { type: "subscribed", filters: {}, snapshot: 0, id };
      if (this.#isFirst) {
        this.#say({ ...begun, cursor: "a.4", resumed: true });
        this.#say(feed("five", 5));
        this.#end(1012, "restart");
      } else {
        hold(() => this.#end(4501, "the key was revoked"));
        this.#say({ ...begun, cursor: "a.9", resumed: false, reason: "cursor_expired" });
        this.#say(feed("ten", 10));
      }
    }

    close(): void {}

    #end(code: number, reason: string): void {
      this.#listeners.get("close")?.({ type: "close", code, reason });
    }

    #say(frame: object): void {
      this.#listeners.get("message")?.({ type: "message", data: JSON.stringify(frame) });
    }
  }
  return Socket;
}

test("a gap is filled with what came after the last item, and with newer versions of items", async () => {
  const asked: URL[] = [];
  const list: typeof fetch = async (input) => {
    asked.push(new URL(String(input)));
    const data = [itemOf("five", 8, 1), itemOf("seven", 7), itemOf("six", 6), itemOf("four", 4)];
    return new Response(JSON.stringify({ data, next_cursor: null }));
  };
  const tw = new Tapewire({
    baseUrl: "http://127.0.0.1:1",
    key: "k",
    WebSocket: forgetfulService(),
    fetch: list,
  });
  await using stream = tw.stream({ fill: true });
  const [first, gap, ...rest] = await take(stream, 6);
  assert.ok(first?.type === "item" && gap?.type === "gap");
  assert.deepEqual([gap.from, gap.to, gap.reason, gap.filled], ["a.5", "a.9", "cursor_expired", true]);
  assert.deepEqual(titlesOf(rest), ["six", "seven", "five", "ten"]);
  assert.deepEqual(
    rest.filter(isItem).map(({ filled }) => filled),
    [true, true, true, false],
  );
  assert.equal(asked.length, 1);
  const marginMs = 15 * 60_000;
  assert.equal(
    asked[0]?.searchParams.get("since"),
    new Date(Date.parse(receivedAt) - marginMs).toISOString(),
  );
});

/** A stream that meets the gap, with what its checkpoint has saved. */
function streamWith(list: typeof fetch, Socket = forgetfulService()) {
  const tw = new Tapewire({ baseUrl: "http://127.0.0.1:1", key: "k", WebSocket: Socket, fetch: list });
  const saved: string[] = [];
  const checkpoint = { load: () => null, save: (cursor: string) => void saved.push(cursor) };
  return { stream: tw.stream({ fill: true, checkpoint }), saved };
}

test("a gap that cannot be filled ends the stream before it: nothing behind it is given, and the cursor stays", async () => {
  const { stream, saved } = streamWith(async () => new Response("{}", { status: 403 }));
  const [, gap] = await take(stream, 2);
  assert.equal(gap?.type, "gap");
  await assert.rejects(stream.next(), TapewireError);
  assert.deepEqual(await stream.next(), { done: true, value: undefined });
  assert.equal(stream.cursor, "a.5");
  await stream.close();
  assert.deepEqual(saved, ["a.5"]);
});

test("a stream that ends for good while it fills a gap ends before it", async () => {
  let refuse = () => {};
  const service = () =>
    forgetfulService((ends) => {
      refuse = ends;
    });
  const waits: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      refuse();
    });
  const waiting = streamWith(waits, service());
  await take(waiting.stream, 2);
  await assert.rejects(waiting.stream.next(), StreamClosed);
  await waiting.stream.close();
  assert.deepEqual([waiting.stream.cursor, waiting.saved], ["a.5", ["a.5"]]);

  const page = JSON.stringify({ data: [itemOf("seven", 7), itemOf("six", 6)], next_cursor: null });
  const half = streamWith(async () => new Response(page), service());
  assert.deepEqual(titlesOf(await take(half.stream, 3)), ["five", "six"]);
  refuse();
  await turn();
  await assert.rejects(half.stream.next(), StreamClosed);
  await half.stream.close();
  assert.deepEqual([half.stream.cursor, half.saved], ["a.5", ["a.5"]]);
});

test("a stream that is closed while it fills a gap ends without an error", async () => {
  const { stream } = streamWith(
    (_, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
        setImmediate(() => stream.close());
      }),
  );
  await take(stream, 2);
  assert.deepEqual(await stream.next(), { done: true, value: undefined });
  assert.equal(stream.cursor, "a.5");
});

test("gaps are filled by a query: filters that it cannot say are refused at once", async () => {
  const tw = new Tapewire({ baseUrl: "http://127.0.0.1:1", key: "k", WebSocket: forgetfulService() });
  const symbols = Array.from({ length: 51 }, (_, at) => `S${at}`);
  const begin = (options: StreamOptions) => tw.stream({ fill: true, ...options });
  assert.throws(() => begin({ filters: { symbols } }), {
    name: "UnsupportedByTransport",
    message: /at most 50 values of symbols/,
  });
  begin({ fill: false, filters: { symbols } });
  await using stream = begin({ filters: { symbols: symbols.slice(1), providers: ["demo"] } });
  assert.throws(() => stream.update({ symbols }), UnsupportedByTransport);
});
