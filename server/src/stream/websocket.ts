import type { Duplex } from "node:stream";
import type { ServerFrame } from "@tapewire/contract/stream.ts";
import type { WebSocket } from "ws";
import { type Form, formOf } from "./encoded-item.ts";
import type { Transport, TransportEvents } from "./transport.ts";

/**
 * A WebSocket. ws does the handshake, control frames and what the client sends; blocks of feed frames go to the socket
 * it was upgraded on. That is safe because ws, as set up in hub.ts, writes every frame of its own whole in one turn.
 */
export class WebSocketTransport implements Transport {
  readonly form: Form;
  readonly #ws: WebSocket;
  readonly #socket: Duplex;

  constructor(ws: WebSocket, socket: Duplex, options: { locked: boolean; events: TransportEvents }) {
    const { locked, events } = options;
    this.#ws = ws;
    this.#socket = socket;
    this.form = formOf(ws.extensions.includes("permessage-deflate") ? "deflate" : "text", locked);
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
    return this.#ws.readyState === this.#ws.OPEN;
  }

  writeBlock(bytes: Buffer): boolean {
    this.#socket.write(bytes);
    // write() is false for any large chunk, even one that the kernel took whole.
    return this.#socket.writableLength === 0;
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
