import assert from "node:assert/strict";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Duplex } from "node:stream";
import { test } from "node:test";
import { TLSSocket } from "node:tls";
import { WebSocket, WebSocketServer } from "ws";
import { descriptorOf, writeDirectly } from "../../src/stream/wire/direct-write.ts";
import { StreamSocket, WebSocketTransport } from "../../src/stream/wire/websocket.ts";

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
  "to the kernel": undefined,
  "where there is no descriptor": (socket: Duplex) => Duplex.from({ writable: socket, readable: socket }),
};
for (const [name, over] of Object.entries(cases))
  test(`blocks come whole and in order, however much of them fits, and their buffer is free at once: ${name}`, async () => {
    await using connection = await connected(over);
    const { client, transport } = connection;
    client.pause();
    const block = Buffer.alloc(60_004);
    const count = 300;
    const texts = received(client, count);
    for (let n = 0; n < count; n++) {
      frameOf(n).copy(block);
      transport.writeBlock(block);
      block.fill("x");
    }
    assert.ok(transport.unsentBytes > 0, "the client took all of it though it did not read");
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

test("what is written to a destroyed socket does not reach the file that has its descriptor now", async () => {
  await using connection = await connected();
  const { transport, socket } = connection;
  const descriptor = descriptorOf(socket);
  socket.destroy();
  const folder = mkdtempSync(join(tmpdir(), "tapewire-"));
  const file = join(folder, "file");
  const opened: number[] = [];
  // The lowest free one is given out first.
  while ((opened.at(-1) ?? 0) < descriptor) opened.push(openSync(file, "w"));
  assert.equal(opened.at(-1), descriptor);
  transport.writeBlock(frameOf(1));
  assert.equal(statSync(file).size, 0);
  for (const each of opened) closeSync(each);
  rmSync(folder, { recursive: true });
});

test("only a plain socket has a descriptor, and bytes for none are left to the stream", () => {
  assert.equal(descriptorOf(new TLSSocket(new Socket())), -1);
  assert.equal(descriptorOf(new Duplex()), -1);
  assert.equal(descriptorOf(new Socket()), -1);
  assert.equal(writeDirectly(-1, Buffer.from("x")), 0);
});
