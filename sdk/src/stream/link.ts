import type { Connection } from "../http/settings.ts";
import type {
  ClientFrame,
  FeedFrame,
  QuotaExceededFrame,
  ServerFrame,
  SubscribedFrame,
  SubscribeFrame,
} from "../types.ts";
import type { StreamState } from "./types.ts";

/** One connection to the stream. */
export interface Link {
  /** Whether a subscribe can change the filters. */
  readonly takesFilters: boolean;
  send(frame: ClientFrame): void;
  /** At once; nothing is told any more. */
  close(): void;
}

/** How a connection ended. */
export interface Ended {
  /** Close code or HTTP status; 0: there was none. */
  readonly code: number;
  readonly reason: string;
  /** The key that was used. */
  readonly key?: string;
  /** How long the server asks to wait. */
  readonly retryAfterMs?: number | null;
  /** The service answers, but no WebSocket comes about. */
  readonly isBlocked?: boolean;
  /** An error of the caller's own, which ends the stream. */
  readonly error?: unknown;
}

export interface Sink {
  /** @param length characters of its text */
  frame(frame: ServerFrame, length: number): void;
  /** Called once, unless the link was closed before. */
  ended(ended: Ended): void;
}

export interface Dial {
  readonly connection: Connection;
  readonly subscribe: SubscribeFrame;
  /** A key that was refused. */
  readonly refused: string | undefined;
}

/** Who takes what comes. */
export interface Owner {
  /** Where the stream resumes. */
  readonly after: string | null;
  readonly isFull: boolean;
  readonly hasRoom: boolean;
  /** @param after where it was to resume */
  begun(frame: SubscribedFrame, after: string | undefined): void;
  item(frame: FeedFrame, length: number): void;
  /** Every item up to the cursor has come. */
  sign(frame: { readonly cursor: string; readonly time: string }): void;
  quota(frame: QuotaExceededFrame): void;
  /** For good. */
  failed(error: unknown): void;
  changed(state: StreamState, last: { readonly attempt: number; readonly reason: string }): void;
}
