/**
 * The minimal server in this runtime for items with a running count: bare sockets, a log, a cursor into it for each, and
 * due frames copied into one buffer, each with its count, and written at once. It has no filters, no keys and no database.
 */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import type { Duplex } from "node:stream";

const countWidth = 10;
const header = 4;
const unsentLimitBytes = 64 * 1024;
const frame = frameOf(Number(process.argv[2]));
const mostFrames = Math.floor(unsentLimitBytes / frame.length);
let block = Buffer.allocUnsafeSlow(mostFrames * frame.length);
let head = 0;
let scheduled = false;
const clients = new Set<{ socket: Duplex; cursor: number }>();

const server = createServer();
server.on("upgrade", (request, socket) => {
  const accept = createHash("sha1")
    .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  const client = { socket, cursor: head };
  clients.add(client);
  socket.on("drain", () => pump(client));
  socket.on("error", () => {});
  socket.on("close", () => clients.delete(client));
  socket.resume();
});
createInterface({ input: process.stdin }).on("line", (line) => {
  head += Number(line);
  if (!scheduled) setImmediate(pumpAll);
  scheduled = true;
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (address !== null && typeof address === "object") console.log(`port ${address.port}`);
});

function pumpAll(): void {
  scheduled = false;
  for (const client of clients) pump(client);
}

function pump(client: { socket: Duplex; cursor: number }): void {
  const due = Math.min(head - client.cursor, mostFrames);
  if (due === 0 || client.socket.writableLength >= unsentLimitBytes) return;
  for (let n = 0; n < due; n++) {
    frame.copy(block, n * frame.length);
    writeCount(block, n * frame.length + header, client.cursor + n + 1);
  }
  client.cursor += due;
  client.socket.write(block.subarray(0, due * frame.length));
  // The socket keeps bytes that the kernel has not taken.
  if (client.socket.writableLength > 0) block = Buffer.allocUnsafeSlow(block.length);
  if (client.cursor < head) setImmediate(pump, client);
}

function writeCount(target: Buffer, at: number, count: number): void {
  let place = at + countWidth - 1;
  for (let rest = count; rest > 0 && place >= at; rest = (rest / 10) >>> 0)
    target[place--] = 48 + (rest % 10);
  for (; place >= at && target[place] !== 32; place--) target[place] = 32;
}

function frameOf(length: number): Buffer {
  const made = Buffer.alloc(header + length, "x");
  made.writeUInt8(0x81, 0);
  made.writeUInt8(126, 1);
  made.writeUInt16BE(length, 2);
  return made;
}
