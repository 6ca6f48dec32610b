import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { Duplex } from "node:stream";
import { test } from "node:test";
import { WebSocket, WebSocketServer } from "ws";
import { StreamSocket, WebSocketTransport } from "../../../src/stream/wire/websocket.ts";

const events = { onMessage() {}, onAlive() {}, onDrain() {}, onClose() {} };

/** A client, and the transport that reaches it over the socket that `over` makes of its own. */
async function connected(over: (socket: Duplex) => Duplex = (socket) => socket) {
  const stack = new AsyncDisposableStack();
  const server = stack.adopt(createServer(), (listening) => void listening.close());
  const upgrades = new WebSocketServer({ noServer: true, WebSocket: StreamSocket });
  const upgraded = Promise.withResolvers<{ transport: WebSocketTransport; socket: Duplex }>();
  server.on("upgrade", (request, socket, head) =>
    upgrades.handleUpgrade(request, socket, head, (ws) =>
      upgraded.resolve({
        transport: new WebSocketTransport(ws, over(socket), { locked: false, events }),
        socket,
      }),
    ),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const client = stack.adopt(new WebSocket(`ws://127.0.0.1:${address.port}`), (ws) => ws.terminate());
  await once(client, "open");
  return Object.assign(stack, { client, ...(await upgraded.promise) });
}

/** An unmasked text frame of 60,004 bytes. */
function frameOf(n: number): Buffer {
  const frame = Buffer.alloc(60_004, " ");
  frame.writeUInt8(0x81, 0);
  frame.writeUInt8(126, 1);
  frame.writeUInt16BE(60_000, 2);
  frame.write(String(n), 4);
  return frame;
}

function received(client: WebSocket, count: number): Promise<string[]> {
  const texts: string[] = [];
  const all = Promise.withResolvers<string[]>();
  client.on("message", (data) => {
    texts.push(data.toString().trimEnd());
    if (texts.length === count) all.resolve(texts);
  });
  return all.promise;
}

const cases = {
  "on a socket of Node": undefined,
  "on another stream": (socket: Duplex) => Duplex.from({ writable: socket, readable: socket }),
};
for (const [name, over] of Object.entries(cases))
  test(`blocks come whole and in order, however much of them fits, and at most one is kept: ${name}`, async () => {
    await using connection = await connected(over);
    const { client, transport } = connection;
    client.pause();
    let block = Buffer.alloc(60_004);
    let kept = 0;
    const count = 300;
    const texts = received(client, count);
    for (let n = 0; n < count; n++) {
      frameOf(n).copy(block);
      if (transport.writeBlock(block)) block.fill("x");
      else {
        block = Buffer.alloc(60_004);
        kept += 1;
      }
    }
    assert.ok(transport.unsentBytes > 0, "the client took all of it though it did not read");
    assert.ok(kept <= 1, `${kept} blocks were kept, not copied`);
    client.resume();
    assert.deepEqual(
      await texts,
      Array.from({ length: count }, (_, n) => String(n)),
    );
  });

test("blocks and frames of ws keep their order", async () => {
  await using connection = await connected();
  const { client, transport } = connection;
  client.pause();
  const texts = received(client, 400);
  let pings = 0;
  client.on("ping", () => {
    pings += 1;
  });
  for (let n = 0; n < 200; n++) {
    transport.writeBlock(frameOf(2 * n));
    transport.ping();
    transport.sendText(String(2 * n + 1));
  }
  client.resume();
  assert.deepEqual(
    await texts,
    Array.from({ length: 400 }, (_, n) => String(n)),
  );
  assert.equal(pings, 200);
});

test("what is written to a destroyed socket is dropped", async () => {
  await using connection = await connected();
  const { transport, socket } = connection;
  socket.destroy();
  assert.equal(transport.open, false);
  assert.equal(transport.writeBlock(frameOf(1)), true);
  assert.equal(transport.unsentBytes, 0);
});
