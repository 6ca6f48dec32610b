import assert from "node:assert/strict";
import { test } from "node:test";
import { type SocketLike, Tapewire } from "tapewire";
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

/** Gives one item on the first connection, which is lost, and cannot resume on the second one. */
function forgetfulService() {
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
        this.#listeners.get("close")?.({ type: "close", code: 1012, reason: "restart" });
      } else {
        this.#say({ ...begun, cursor: "a.9", resumed: false, reason: "cursor_expired" });
        this.#say(feed("ten", 10));
      }
    }

    close(): void {}

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
