/**
 * Receives deliveries over bare sockets, as fast as this runtime can: finds the end of a request, answers 204, and checks
 * the signature of one in 64. Every endpoint has an address of its own in 127.0.0.0/8, as every customer has a host.
 */
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { endpointIndex } from "./webhook-items.ts";

const verifyEvery = 64;
/** Answers of a dead endpoint before it dies: only then does it get as many concurrent attempts as a healthy one. */
const answersBeforeDeath = 8;
const blankLine = Buffer.from("\r\n\r\n");
const noContent = Buffer.from("HTTP/1.1 204 No Content\r\n\r\n");

/** Called with each complete request. */
export type Watcher = (endpoint: number, body: Buffer) => void;

export class Sink implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #secrets = new Map<number, Buffer>();
  #dead: (endpoint: number) => boolean = () => false;
  readonly #answersLeft = new Map<number, number>();
  #watcher: Watcher | null = null;
  #seen = new Set<number>();
  #goal = { count: Number.POSITIVE_INFINITY, reached: () => {} };
  /** Answered since the last reset, without those of dead endpoints. */
  receipts = 0;
  /** How many of these had come before. */
  repeats = 0;
  verified = 0;
  forged = 0;

  private constructor() {
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  static async start(): Promise<Sink> {
    const sink = new Sink();
    sink.#server.listen(0, "0.0.0.0", 4_096);
    await once(sink.#server, "listening");
    return sink;
  }

  urlOf(endpoint: number): string {
    const address = this.#server.address();
    const port = typeof address === "object" ? address?.port : null;
    return `http://127.${1 + (endpoint >> 8)}.${endpoint & 255}.1:${port}/e/${endpoint}`;
  }

  /** @param secret whsec_ and base64, with which its deliveries are checked */
  know(endpoint: number, secret: string): void {
    this.#secrets.set(endpoint, Buffer.from(secret.slice("whsec_".length), "base64"));
  }

  /** From now on these accept requests, and after a few more answers never answer again. */
  kill(dead: (endpoint: number) => boolean): void {
    this.#dead = dead;
    this.#answersLeft.clear();
  }

  watch(watcher: Watcher | null): void {
    this.#watcher = watcher;
  }

  reset(): void {
    this.receipts = 0;
    this.repeats = 0;
    this.#seen = new Set();
  }

  /** Resolves when that many were answered since the reset. */
  reached(count: number): Promise<void> {
    if (this.receipts >= count) return Promise.resolve();
    return new Promise((reached) => {
      this.#goal = { count, reached };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    let rest: Buffer | null = null;
    socket.on("data", (chunk: Buffer) => {
      rest = this.#take(socket, rest === null ? chunk : Buffer.concat([rest, chunk]));
    });
    socket.on("error", () => {});
    socket.on("close", () => this.#sockets.delete(socket));
  }

  /** @returns the bytes of an incomplete request */
  #take(socket: Socket, bytes: Buffer): Buffer | null {
    let at = 0;
    while (at < bytes.length) {
      const headEnd = bytes.indexOf(blankLine, at);
      if (headEnd === -1) break;
      const head = bytes.toString("latin1", at, headEnd);
      const bodyAt = headEnd + 4;
      const end = bodyAt + Number(/content-length: *(\d+)/i.exec(head)?.[1]);
      if (end > bytes.length) break;
      this.#receive(socket, head, bytes.subarray(bodyAt, end));
      at = end;
    }
    return at === bytes.length ? null : bytes.subarray(at);
  }

  #receive(socket: Socket, head: string, body: Buffer): void {
    const endpoint = endpointIndex(head);
    if (this.#dead(endpoint)) {
      const left = this.#answersLeft.get(endpoint) ?? answersBeforeDeath;
      this.#answersLeft.set(endpoint, left - 1);
      if (left > 0) socket.write(noContent);
      return;
    }
    socket.write(noContent);
    this.#count(endpoint, Number(/webhook-id: msg_[\da-f]{32}_(\d+)/.exec(head)?.[1]));
    if (this.receipts % verifyEvery === 0) this.#verify(endpoint, head, body);
    this.#watcher?.(endpoint, body);
  }

  #count(endpoint: number, seq: number): void {
    this.receipts += 1;
    const key = seq * 4_096 + endpoint;
    if (this.#seen.has(key)) this.repeats += 1;
    else this.#seen.add(key);
    if (this.receipts >= this.#goal.count) this.#goal.reached();
  }

  #verify(endpoint: number, head: string, body: Buffer): void {
    const header = (name: string) => new RegExp(`^${name}: *(.+)$`, "im").exec(head)?.[1]?.trim() ?? "";
    const signed = `${header("webhook-id")}.${header("webhook-timestamp")}.`;
    const secret = this.#secrets.get(endpoint) ?? "unknown";
    const made = createHmac("sha256", secret).update(signed).update(body).digest("base64");
    this.verified += 1;
    if (header("webhook-signature") !== `v1,${made}`) this.forged += 1;
  }
}
