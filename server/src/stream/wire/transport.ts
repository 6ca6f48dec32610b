import type { ServerFrame } from "@tapewire/contract/stream.ts";
import type { BlockTarget } from "./block-writer.ts";
import type { Form } from "./encoded-item.ts";

/** Events of a connection's client. */
export interface TransportEvents {
  /** A message; null: a binary one. */
  onMessage(text: string | null): void;
  /** Any sign of life. */
  onAlive(): void;
  /** There is room again. */
  onDrain(): void;
  onClose(): void;
}

/** The way to a client: a WebSocket, or a response of server-sent events. */
export interface Transport extends BlockTarget {
  readonly form: Form;
  readonly open: boolean;
  /** Bytes that the kernel has not taken yet. */
  readonly unsentBytes: number;
  send(frame: ServerFrame): void;
  /** An encoded JSON frame. */
  sendText(text: string, cursor: string): void;
  /** Requests a sign of life. */
  ping(): void;
  close(code: number, reason: string): void;
  /** Cuts the connection without a close frame, for peers that do not answer one. */
  terminate(): void;
}
