import type { Writable } from "node:stream";
import type { ServerFrame } from "@tapewire/contract/stream.ts";
import { type Form, formOf } from "./encoded-item.ts";
import type { Transport, TransportEvents } from "./transport.ts";

/** As long as a WebSocket waits for the answer to its close. */
const closeTimeoutMs = 30_000;

/**
 * Server-sent events (HTML Standard, 9.2): every frame is an event named by its type. Items and the acknowledgement
 * carry their cursor as the event's id, which a browser sends back as Last-Event-ID.
 */
export class EventSourceTransport implements Transport {
  readonly form: Form;
  readonly #response: Writable;
  readonly #events: TransportEvents;
  readonly #closeTimeoutMs: number;

  constructor(
    response: Writable,
    options: { locked: boolean; events: TransportEvents; closeTimeoutMs?: number },
  ) {
    const { locked, events } = options;
    this.#closeTimeoutMs = options.closeTimeoutMs ?? closeTimeoutMs;
    this.#response = response;
    this.#events = events;
    this.form = formOf("sse", locked);
    response.on("drain", () => events.onDrain());
    response.on("error", () => {});
    response.on("close", () => events.onClose());
  }

  get unsentBytes(): number {
    return this.#response.writableLength;
  }

  get open(): boolean {
    return !this.#response.writableEnded && !this.#response.destroyed;
  }

  /** Copies, because the response keeps its bytes for a turn, to send them with the frame of their chunk. */
  writeBlock(bytes: Buffer): boolean {
    this.#response.write(Buffer.from(bytes));
    return true;
  }

  send(frame: ServerFrame): void {
    const cursor = frame.type === "subscribed" || frame.type === "heartbeat" ? frame.cursor : null;
    if (frame.type === "error" && frame.retry_after_ms !== undefined && this.open)
      this.#response.write(`retry: ${frame.retry_after_ms}\n`);
    this.#event(frame.type, JSON.stringify(frame), cursor);
  }

  sendText(text: string, cursor: string): void {
    this.#event("feed", text, cursor);
  }

  /** No ping exists here; a peer that has gone shows by taking no data. */
  ping(): void {
    this.#events.onAlive();
  }

  /**
   * Sends the reason as a last event, since the client would otherwise see only the end. A client that takes no data would
   * never get it and would keep its connection and slot, so it is cut after a time.
   */
  close(code: number, reason: string): void {
    if (!this.open) return;
    this.#event("close", JSON.stringify({ type: "close", code, reason }), null);
    this.#response.end();
    const cut = setTimeout(() => this.#response.destroy(), this.#closeTimeoutMs).unref();
    this.#response.once("close", () => clearTimeout(cut));
  }

  terminate(): void {
    this.#response.destroy();
  }

  #event(type: string, data: string, cursor: string | null): void {
    if (!this.open) return;
    this.#response.write(`${cursor === null ? "" : `id: ${cursor}\n`}event: ${type}\ndata: ${data}\n\n`);
  }
}
