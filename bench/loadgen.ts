/**
 * Subscribers over bare sockets, the same for every server: they only count the items they get, so that one core of them is
 * faster than a core of any server. All get all items in one order, so the n-th item of a subscriber is the n-th that was
 * published, and its latency is known without reading it.
 */
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { FrameReader, type PayloadCounter } from "./loadgen-frames.ts";

/** How to subscribe to a server. */
export interface Protocol {
  readonly port: number;
  /** Path and further header lines of the n-th subscriber's upgrade. */
  upgrade(n: number): { readonly path: string; readonly headers?: readonly string[] };
  /** The first message of the n-th subscriber; null: none. */
  hello(n: number): string | null;
  /** Occurs in the text that announces items; null: items come right after the upgrade. */
  readonly ready: string | null;
  /** The counter for the items of the n-th. */
  counter(n: number): PayloadCounter;
}

const readBytes = 256 * 1024;
/** Shared by all sockets: bytes are counted before the next read. */
const readBuffer = Buffer.allocUnsafeSlow(readBytes);
const connectsAtOnce = 32;

/** A masked frame of a client (RFC 6455, 5.3); with a mask of zero the payload is unchanged. */
export function clientFrame(opcode: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(payload.length < 126 ? 6 : 8);
  header[0] = 0x80 | opcode;
  header[1] = 0x80 | (payload.length < 126 ? payload.length : 126);
  if (payload.length >= 126) header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, payload]);
}

const pong = clientFrame(10, Buffer.alloc(0));

/** One subscriber. Until it is ready its bytes are read as text; afterwards they are only counted. */
export class Subscriber {
  items = 0;
  readonly ready: Promise<void>;
  readonly #protocol: Protocol;
  readonly #n: number;
  readonly #onItems: (from: number, to: number) => void;
  readonly #socket: Socket;
  readonly #reader: FrameReader;
  readonly #became = Promise.withResolvers<void>();
  #stage: "upgrade" | "hello" | "live" = "upgrade";
  #text = "";
  #ended = false;
  #isGathering = false;

  /** @param onItems called with the items that came, counted from 0: [from, to) */
  constructor(protocol: Protocol, n: number, onItems: (from: number, to: number) => void) {
    this.#protocol = protocol;
    this.#n = n;
    this.#onItems = onItems;
    this.ready = this.#became.promise;
    this.#reader = new FrameReader(protocol.counter(n), {
      onPing: () => void this.#socket.write(pong),
      onClose: () => this.#fail(new Error("the server closed a subscriber")),
    });
    this.#socket = connect({
      host: "127.0.0.1",
      port: protocol.port,
      noDelay: true,
      onread: { buffer: readBuffer, callback: (length, bytes) => this.#take(length, bytes) },
    });
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", () => this.#fail(new Error("the connection of a subscriber ended")));
    const { path, headers = [] } = protocol.upgrade(n);
    const lines = [
      `GET ${path} HTTP/1.1`,
      "Host: 127.0.0.1",
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
      ...headers,
    ];
    this.#socket.write(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  }

  pause(): void {
    this.#socket.pause();
  }

  /** From now on what comes waits in the socket until `readOn`. */
  gather(): void {
    this.#isGathering = true;
    this.#socket.pause();
  }

  /** Reads once, at most 256 kB. */
  readOn(): void {
    this.#socket.resume();
  }

  end(): void {
    this.#ended = true;
    this.#socket.destroy();
  }

  #fail(error: Error): void {
    if (this.#ended) return;
    if (this.#stage === "live") console.error(`subscriber ${this.#n}: ${error.message}`);
    this.#became.reject(new Error(`${error.message}; it said: ${this.#text.slice(0, 500)}`));
    this.end();
  }

  #take(length: number, bytes: Uint8Array): boolean {
    if (this.#stage === "live") this.#count(this.#reader.take(readBuffer, length));
    else this.#begin(Buffer.from(bytes.subarray(0, length)));
    return !this.#isGathering;
  }

  #count(items: number): void {
    if (items === 0) return;
    const from = this.items;
    this.items += items;
    this.#onItems(from, this.items);
  }

  #begin(chunk: Buffer): void {
    this.#text += chunk.toString("latin1");
    if (this.#stage === "hello") {
      this.#reader.take(chunk, chunk.length);
      return this.#checkReady();
    }
    const end = this.#text.indexOf("\r\n\r\n");
    if (end === -1) return;
    if (!this.#text.startsWith("HTTP/1.1 101 ")) return this.#fail(new Error("refused"));
    this.#stage = "hello";
    const rest = Buffer.from(this.#text.slice(end + 4), "latin1");
    this.#text = rest.toString("latin1");
    this.#reader.take(rest, rest.length);
    const hello = this.#protocol.hello(this.#n);
    if (hello !== null) this.#socket.write(clientFrame(1, Buffer.from(hello)));
    this.#checkReady();
  }

  #checkReady(): void {
    const { ready } = this.#protocol;
    if (!this.#reader.atBoundary || (ready !== null && !this.#text.includes(ready))) return;
    this.#stage = "live";
    this.#became.resolve();
  }
}

/** Connects subscribers, a few at a time; resolves when all are subscribed. */
export async function subscribeAll(
  protocol: Protocol,
  count: number,
  onItems: (n: number) => (from: number, to: number) => void,
): Promise<Subscriber[]> {
  const subscribers: Subscriber[] = [];
  const lane = async () => {
    while (subscribers.length < count) {
      const n = subscribers.length;
      const subscriber = new Subscriber(protocol, n, onItems(n));
      subscribers.push(subscriber);
      await subscriber.ready;
    }
  };
  await Promise.all(Array.from({ length: connectsAtOnce }, lane));
  return subscribers;
}
