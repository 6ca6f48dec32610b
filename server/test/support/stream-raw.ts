import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createConnection, type Socket } from "node:net";

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** A frame as it travels (RFC 6455, 5.2). `rsv` holds the three reserved bits, the first as 4. */
export interface RawFrame {
  readonly fin: boolean;
  readonly rsv: number;
  readonly opcode: number;
  readonly payload: Buffer;
}

/** What a client sends; it may be wrong in every way. */
export interface SentFrame {
  readonly opcode: number;
  readonly payload?: Buffer | string;
  readonly fin?: boolean;
  readonly rsv?: number;
  readonly masked?: boolean;
  /** Told in the header instead of the payload's own. */
  readonly lengthTold?: bigint;
}

/** A WebSocket client that sees and sends single frames. */
export class RawStream implements AsyncDisposable {
  readonly socket: Socket;
  /** Status line and headers of the answer to the upgrade. */
  readonly head: string;
  readonly #ended: Promise<void>;
  #read: Buffer;

  private constructor(socket: Socket, head: string, rest: Buffer) {
    this.socket = socket;
    this.head = head;
    this.#read = rest;
    this.#ended = new Promise((resolve) => {
      socket.once("close", () => resolve());
    });
    socket.on("error", () => {});
    socket.on("data", (chunk: Buffer) => {
      this.#read = Buffer.concat([this.#read, chunk]);
    });
  }

  /** @param extensions the offer, if any */
  static async connect(url: string, key: string, extensions?: string): Promise<RawStream> {
    const { hostname, port, pathname } = new URL(url);
    const socket = createConnection(Number(port), hostname);
    const lines = [
      `GET ${pathname} HTTP/1.1`,
      `Host: ${hostname}`,
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
      `Authorization: Bearer ${key}`,
      ...(extensions === undefined ? [] : [`Sec-WebSocket-Extensions: ${extensions}`]),
    ];
    socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    let read = Buffer.alloc(0);
    while (!read.includes("\r\n\r\n")) read = Buffer.concat([read, ...(await once(socket, "data"))]);
    const end = read.indexOf("\r\n\r\n") + 4;
    return new RawStream(socket, read.subarray(0, end).toString(), read.subarray(end));
  }

  send(...frames: readonly SentFrame[]): void {
    this.socket.write(Buffer.concat(frames.map(encoded)));
  }

  sendJson(frame: object): void {
    this.send({ opcode: opcodes.text, payload: JSON.stringify(frame) });
  }

  /** The next frame; null once the connection has ended. */
  async next(): Promise<RawFrame | null> {
    for (;;) {
      const frame = this.#take();
      if (frame !== null) return frame;
      if (this.socket.destroyed) return null;
      await Promise.race([once(this.socket, "data"), this.#ended]).catch(() => {});
    }
  }

  /** The next text frame, as JSON; compressed ones are inflated by `inflate`. */
  async json(inflate?: (payload: Buffer) => Buffer): Promise<Record<string, unknown>> {
    const frame = await this.next();
    assert.equal(frame?.opcode, opcodes.text, JSON.stringify(frame));
    const compressed = (frame?.rsv ?? 0) === 4;
    const payload = frame?.payload ?? Buffer.alloc(0);
    return JSON.parse((compressed && inflate !== undefined ? inflate(payload) : payload).toString());
  }

  /** The code of the server's close frame, which ends the connection; null: it carries none. */
  async closeCode(): Promise<number | null> {
    for (;;) {
      const frame = await this.next();
      assert.ok(frame !== null, "the connection ended without a close frame");
      if (frame.opcode === opcodes.close)
        return frame.payload.length === 0 ? null : frame.payload.readUInt16BE(0);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.socket.destroy();
    await this.#ended;
  }

  #take(): RawFrame | null {
    const read = this.#read;
    if (read.length < 2) return null;
    const [first = 0, second = 0] = read;
    assert.equal(second & 0x80, 0, "a server does not mask");
    const short = second & 0x7f;
    const at = short === 127 ? 10 : short === 126 ? 4 : 2;
    if (read.length < at) return null;
    const length =
      short === 127 ? Number(read.readBigUInt64BE(2)) : short === 126 ? read.readUInt16BE(2) : short;
    if (read.length < at + length) return null;
    this.#read = read.subarray(at + length);
    return {
      fin: (first & 0x80) !== 0,
      rsv: (first >> 4) & 7,
      opcode: first & 15,
      payload: read.subarray(at, at + length),
    };
  }
}

/** The payload of a close frame. */
export function closing(code: number, reason: Buffer | string = ""): Buffer {
  const payload = Buffer.alloc(2);
  payload.writeUInt16BE(code);
  return Buffer.concat([payload, Buffer.from(reason)]);
}

function encoded({
  opcode,
  payload = "",
  fin = true,
  rsv = 0,
  masked = true,
  lengthTold,
}: SentFrame): Buffer {
  const bytes = Buffer.from(payload);
  const told = lengthTold ?? BigInt(bytes.length);
  const short = told < 126n ? Number(told) : told < 65_536n ? 126 : 127;
  const long = Buffer.alloc(short === 127 ? 8 : short === 126 ? 2 : 0);
  if (short === 126) long.writeUInt16BE(Number(told));
  if (short === 127) long.writeBigUInt64BE(told);
  const first = (fin ? 0x80 : 0) | (rsv << 4) | opcode;
  const header = Buffer.concat([Buffer.from([first, (masked ? 0x80 : 0) | short]), long]);
  if (!masked) return Buffer.concat([header, bytes]);
  const mask = randomBytes(4);
  return Buffer.concat([header, mask, bytes.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}
