import type { Duplex } from "node:stream";
import type { ServerFrame } from "@tapewire/contract/stream.ts";
import { WebSocket } from "ws";
import { type Form, formOf } from "./encoded-item.ts";
import type { Transport, TransportEvents } from "./transport.ts";

/** Notes when a close begins, ours or the answer to the client's: no frame may follow. */
export class StreamSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    this.emit("closing");
    super.close(code, reason);
  }
}

/**
 * A WebSocket. ws does the handshake, control frames and the client's messages; blocks of feed frames are written to the
 * socket directly. That is safe because ws, as set up in gateway.ts, writes every frame of its own whole in one turn.
 */
export class WebSocketTransport implements Transport {
  readonly form: Form;
  readonly #ws: StreamSocket;
  readonly #socket: Duplex;
  /** A copy of the state of ws, which is costly to read for every client and item. */
  #closing = false;

  constructor(ws: StreamSocket, socket: Duplex, options: { locked: boolean; events: TransportEvents }) {
    const { locked, events } = options;
    this.#ws = ws;
    this.#socket = socket;
    this.form = formOf(ws.extensions.includes("permessage-deflate") ? "deflate" : "text", locked);
    ws.on("closing", () => {
      this.#closing = true;
    });
    ws.on("message", (data, isBinary) => events.onMessage(isBinary ? null : data.toString()));
    ws.on("pong", () => events.onAlive());
    ws.on("ping", () => events.onAlive());
    // The close that follows has the reason.
    ws.on("error", () => {});
    ws.on("close", () => events.onClose());
    socket.on("drain", () => events.onDrain());
  }

  get unsentBytes(): number {
    return this.#socket.writableLength;
  }

  get open(): boolean {
    return !this.#closing && this.#socket.writable;
  }

  /** Copies if data is queued already: the socket would otherwise keep a long buffer for a short block. */
  writeBlock(bytes: Buffer): boolean {
    const isQueued = this.#socket.writableLength > 0;
    this.#socket.write(isQueued ? Buffer.from(bytes) : bytes);
    return isQueued || this.#socket.writableLength === 0;
  }

  send(frame: ServerFrame): void {
    this.sendText(JSON.stringify(frame));
  }

  sendText(text: string): void {
    if (this.open) this.#ws.send(text);
  }

  ping(): void {
    if (this.open) this.#ws.ping();
  }

  close(code: number, reason: string): void {
    this.#ws.close(code, reason);
  }

  terminate(): void {
    this.#ws.terminate();
  }
}
