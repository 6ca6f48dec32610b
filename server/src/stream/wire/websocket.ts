import type { Duplex } from "node:stream";
import type { ServerFrame } from "@tapewire/contract/stream.ts";
import { WebSocket } from "ws";
import { type Form, formOf } from "./encoded-item.ts";
import type { Transport, TransportEvents } from "./transport.ts";

/** Tells when a close begins, ours or the answer to the client's: nothing may follow its frame. */
export class StreamSocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    this.emit("closing");
    super.close(code, reason);
  }
}

/**
 * A WebSocket. ws does the handshake, control frames and what the client sends; blocks of feed frames go to the socket
 * it was upgraded on. That is safe because ws, as set up in gateway.ts, writes every frame of its own whole in one turn.
 */
export class WebSocketTransport implements Transport {
  readonly form: Form;
  readonly #ws: StreamSocket;
  readonly #socket: Duplex;
  /** Kept here: to ask ws would be to fetch it from memory for every client and item. */
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
    // The close that follows says what there is to say.
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

  /** While something is queued a copy is: of a short block in a long buffer the socket would keep the buffer. */
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
