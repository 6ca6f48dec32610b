import { send } from "../http/attempts.ts";
import { TapewireError } from "../http/errors.ts";
import type { ClientFrame, ServerFrame } from "../types.ts";
import type { Dial, Ended, Link, Sink } from "./link.ts";

/** A message has data; a close has a code and a reason. */
export interface SocketEvent {
  readonly type: string;
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
}

/** What is used of a WebSocket, so that other classes than the global one can be given. */
export interface SocketLike {
  addEventListener(type: "message" | "close" | "error", listener: (event: SocketEvent) => void): void;
  send(text: string): void;
  close(): void;
}
export type SocketClass = new (url: string, options?: { headers: Record<string, string> }) => SocketLike;

/** null: the runtime has none. */
export function globalSocket(): SocketClass | null {
  const found: unknown = Reflect.get(globalThis, "WebSocket");
  return isSocketClass(found) ? found : null;
}
const isSocketClass = (value: unknown): value is SocketClass => typeof value === "function";

/** Node and Bun take headers; a browser cannot send any, so there the key is in the query. */
const takesHeaders = (): boolean =>
  typeof Reflect.get(globalThis, "process")?.versions?.node === "string" && !("Deno" in globalThis);

/** Closed before it was open: by the service, by a proxy, or because nothing is there. */
const neverOpen = 0;

export class WebSocketLink implements Link {
  readonly takesFilters = true;
  readonly #dial: Dial;
  readonly #sink: Sink;
  #socket: SocketLike | null = null;
  #isClosed = false;

  constructor(dial: Dial, sink: Sink, { url, socket }: { url: string; socket: SocketClass }) {
    this.#dial = dial;
    this.#sink = sink;
    this.#open(url, socket).catch((error: unknown) => this.#end({ code: neverOpen, reason: "", error }));
  }

  send(frame: ClientFrame): void {
    this.#socket?.send(JSON.stringify(frame));
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.close();
  }

  async #open(url: string, Socket: SocketClass): Promise<void> {
    const key = await this.#dial.connection.key(this.#dial.refused);
    if (this.#isClosed) return;
    const socket = takesHeaders()
      ? new Socket(url, { headers: { authorization: `Bearer ${key}` } })
      : new Socket(`${url}?api_key=${encodeURIComponent(key)}`);
    let isGreeted = false;
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => {
      isGreeted = true;
      if (!this.#isClosed) this.#take(String(data));
    });
    socket.addEventListener("close", ({ code = neverOpen, reason = "" }) => {
      if (isGreeted) this.#end({ code, reason, key });
      else if (!this.#isClosed) void this.#explain(key);
    });
    // A close follows and tells more. Without a listener some classes throw.
    socket.addEventListener("error", () => {});
  }

  #take(text: string): void {
    let frame: ServerFrame;
    try {
      frame = JSON.parse(text);
    } catch {
      this.#end({ code: neverOpen, reason: "a message is not JSON" });
      return this.close();
    }
    this.#sink.frame(frame, text.length);
  }

  /** A WebSocket does not tell why it was refused, so the service is asked by HTTP. */
  async #explain(key: string): Promise<void> {
    const request = { method: "GET", path: "/v1/me", isSafe: true, maxRetries: 0 };
    const ended = await send(this.#dial.connection, request).then(
      () => ({ code: neverOpen, reason: "no WebSocket comes about", isBlocked: true }),
      refusalOf,
    );
    this.#end({ ...ended, key });
  }

  #end(ended: Ended): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#sink.ended(ended);
  }
}

/** How an HTTP request failed. */
export function refusalOf(error: unknown): Ended {
  if (!(error instanceof TapewireError))
    return { code: neverOpen, reason: error instanceof Error ? error.message : String(error) };
  return { code: error.status, reason: error.message, retryAfterMs: error.retryAfterMs };
}
