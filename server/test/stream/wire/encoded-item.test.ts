import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { Duplex } from "node:stream";
import { after, before, describe, test } from "node:test";
import { serverFrame } from "@tapewire/contract/stream.ts";
import fc from "fast-check";
import WebSocket, { WebSocketServer } from "ws";
import { EncodedItem, formOf, writeCount } from "../../../src/stream/wire/encoded-item.ts";
import { newItem } from "../../support/items.ts";

const now = new Date("2026-03-02T14:30:01.000Z");

function encode(title: string, seq = 7): EncodedItem {
  const item = { ...newItem({ uniqueId: "encoded", title }).item, seq };
  return new EncodedItem({ seq, item, doc: "" }, { epoch: "e", now });
}

/** The bytes that go to a socket. */
function frameBytes(item: EncodedItem, wire: "text" | "deflate", locked: boolean, count: number): Buffer {
  const { bytes, countAt } = item.template(formOf(wire, locked));
  const frame = Buffer.from(bytes);
  writeCount(frame, countAt, count);
  return frame;
}

describe("an encoded item, as a real client reads it", () => {
  const sockets: Duplex[] = [];
  const clients: WebSocket[] = [];
  const upgrader = new WebSocketServer({
    noServer: true,
    perMessageDeflate: { serverNoContextTakeover: true },
  });
  const server = createServer();
  before(async () => {
    server.on("upgrade", (request, socket, head) =>
      upgrader.handleUpgrade(request, socket, head, () => sockets.push(socket)),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    for (const perMessageDeflate of [false, true]) {
      const client = new WebSocket(`ws://127.0.0.1:${address.port}`, { perMessageDeflate });
      clients.push(client);
      await once(client, "open");
    }
  });
  after(() => {
    for (const client of clients) client.terminate();
    server.close();
  });

  async function read(wire: "text" | "deflate", bytes: Buffer) {
    const index = wire === "text" ? 0 : 1;
    const client = clients[index];
    assert.ok(client !== undefined);
    const message = once(client, "message");
    sockets[index]?.write(bytes);
    const [data] = await message;
    return serverFrame.parse(JSON.parse(String(data)));
  }
  const readBoth = (item: EncodedItem, locked: boolean, count: number) =>
    Promise.all(
      (["text", "deflate"] as const).map((wire) => read(wire, frameBytes(item, wire, locked, count))),
    );

  test("has the same frame on both wires, whatever its title and count", async () => {
    const anyTitle = fc.string({ unit: "grapheme", maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(
        anyTitle,
        fc.boolean(),
        fc.integer({ min: 1, max: 9_999_999_999 }),
        async (title, locked, count) => {
          const [plain, packed] = await readBoth(encode(title), locked, count);
          assert.deepEqual(packed, plain);
          assert.ok(plain?.type === "feed");
          assert.deepEqual(
            [plain.count, plain.data.title, plain.data.scoring.locked, plain.snapshot],
            [count, title, locked, false],
          );
        },
      ),
      { numRuns: 50 },
    );
  });

  test("is framed with each form of its length, at its edges too", async () => {
    const shortest = encode("").template(formOf("text", false)).bytes.length;
    // A header of 4 bytes is part of the shortest; from 65,536 bytes of message on it has 10.
    const upTo = 65_535 - (shortest - 4);
    for (const length of [upTo - 1, upTo, upTo + 1, 300_000]) {
      const title = "x".repeat(length);
      for (const frame of await readBoth(encode(title), false, 1)) {
        assert.ok(frame.type === "feed");
        assert.equal(frame.data.title, title);
      }
    }
  });

  test("many in one write are as many frames", async () => {
    const items = Array.from({ length: 40 }, (_, n) => encode(`Item ${n}`, n + 1));
    for (const wire of ["text", "deflate"] as const) {
      const index = wire === "text" ? 0 : 1;
      const seqs: unknown[] = [];
      const all = new Promise<void>((resolve) => {
        const client = clients[index];
        client?.on("message", (data) => {
          seqs.push(JSON.parse(String(data)).seq);
          if (seqs.length < items.length) return;
          client.removeAllListeners("message");
          resolve();
        });
      });
      sockets[index]?.write(Buffer.concat(items.map((item) => frameBytes(item, wire, false, item.seq))));
      await all;
      assert.deepEqual(
        seqs,
        items.map(({ seq }) => seq),
      );
    }
  });
});
