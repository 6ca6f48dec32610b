import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { problem } from "@tapewire/contract/errors/errors.ts";
import { type ServerFrame, serverFrame } from "@tapewire/contract/stream.ts";
import WebSocket from "ws";

type FrameType = ServerFrame["type"];
export type Frame<T extends FrameType> = Extract<ServerFrame, { type: T }>;

export interface Closed {
  readonly code: number;
  readonly reason: string;
}

/** A client that checks every frame against the contract and hands them out in order. */
export class StreamClient implements AsyncDisposable {
  readonly #socket: WebSocket;
  readonly #frames: ServerFrame[] = [];
  readonly closed: Promise<Closed>;
  #wake = Promise.withResolvers<void>();
  #closed: Closed | null = null;
  #broken: unknown = null;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    const closed = Promise.withResolvers<Closed>();
    this.closed = closed.promise;
    socket.on("message", (data) => {
      try {
        this.#frames.push(serverFrame.parse(JSON.parse(data.toString())));
      } catch (error) {
        this.#broken = error;
      }
      this.#changed();
    });
    socket.on("close", (code, reason) => {
      this.#closed = { code, reason: reason.toString() };
      closed.resolve(this.#closed);
      this.#changed();
    });
    socket.on("error", () => {});
  }

  /** Connected, with the welcome still to be read. */
  static async connect(
    url: string,
    options: { key?: string | undefined; query?: string; compress?: boolean } = {},
  ): Promise<StreamClient> {
    const socket = open(url, options);
    const client = new StreamClient(socket);
    socket.on("unexpected-response", (_, response) =>
      socket.emit("error", new Error(`refused with HTTP ${response.statusCode}`)),
    );
    await once(socket, "open");
    return client;
  }

  send(frame: unknown): void {
    this.#socket.send(JSON.stringify(frame));
  }

  sendRaw(data: string | Buffer): void {
    this.#socket.send(data, { binary: typeof data !== "string" });
  }

  /** The next frame, heartbeats left out, which has to be of this type. */
  next<T extends FrameType>(type: T): Promise<Frame<T>> {
    return this.nextOf(type);
  }

  /** The next frame, which has to be of one of these types. */
  async nextOf<T extends FrameType>(...types: readonly T[]): Promise<Frame<T>> {
    for (;;) {
      if (this.#broken !== null) throw this.#broken;
      const frame = this.#frames.shift();
      if (frame === undefined) {
        if (this.#closed !== null)
          assert.fail(`closed (${this.#closed.code}) ${this.#closed.reason}, wanted ${types.join(" or ")}`);
        await this.#wake.promise;
      } else if (isOf(frame, types)) return frame;
      else if (frame.type !== "heartbeat")
        assert.fail(`wanted ${types.join(" or ")}, got ${JSON.stringify(frame)}`);
    }
  }

  async feeds(count: number): Promise<Frame<"feed">[]> {
    const frames: Frame<"feed">[] = [];
    while (frames.length < count) frames.push(await this.next("feed"));
    return frames;
  }

  /** Sends a subscribe and reads its answer. */
  async subscribe(frame: object = {}): Promise<Frame<"subscribed">> {
    this.send({ type: "subscribe", ...frame });
    return this.next("subscribed");
  }

  /** Everything sent before its pong: after it, what has not come was not sent. */
  async settle(): Promise<Frame<"pong">> {
    this.send({ type: "ping" });
    return this.next("pong");
  }

  /** Reads nothing more from the network, as a client that hangs. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.terminate();
    await this.closed;
  }

  #changed(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers<void>();
  }
}

/** The problem an upgrade is refused with. */
export async function refusal(url: string, options: { key?: string; query?: string } = {}) {
  const socket = open(url, options);
  socket.on("error", () => {});
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    socket.on("unexpected-response", (_, found) => resolve(found));
    socket.on("open", () => reject(new Error("the upgrade was granted")));
  });
  let text = "";
  for await (const chunk of response) text += chunk;
  return {
    status: response.statusCode,
    headers: response.headers,
    problem: problem.parse(JSON.parse(text)),
  };
}

interface Opening {
  readonly key?: string | undefined;
  readonly query?: string | undefined;
  readonly compress?: boolean;
}

function open(url: string, { key, query, compress = true }: Opening) {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return new WebSocket(query === undefined ? url : `${url}?${query}`, {
    headers,
    perMessageDeflate: compress,
  });
}

function isOf<T extends FrameType>(frame: ServerFrame, types: readonly T[]): frame is Frame<T> {
  return types.some((type) => frame.type === type);
}
