import type {
  ClientFrame,
  FeedFrame,
  QuotaExceededFrame,
  ServerFrame,
  SubscribedFrame,
  SubscribeFrame,
  SubscriptionFilters,
} from "../types.ts";
import type { StreamState } from "./types.ts";

/** How a connection ended. */
export interface Ended {
  /** Close code or HTTP status; 0: there was none. */
  readonly code: number;
  readonly reason: string;
  /** How long the server asks to wait. */
  readonly retryAfterMs?: number | null;
  /** The service answers, but no WebSocket comes about. */
  readonly isBlocked?: boolean;
}

/** What is sent to subscribe. */
export interface Subscribe extends SubscribeFrame {
  readonly filters: SubscriptionFilters;
  readonly id: number;
}

/** One connection to the stream. */
export interface Line {
  /** Whose filters are to come, and from where. */
  readonly subscribe: Subscribe;
  /** Its abort ends the connection; what comes after that is of no use. */
  readonly signal: AbortSignal;
  /** Sends a frame: set by the transport before the first frame comes. */
  send(frame: ClientFrame): void;
  /** @param length characters of its text */
  readonly came: (frame: ServerFrame, length: number) => void;
}

/** A connection as users of the stream see it. */
export interface Seen {
  readonly state: Exclude<StreamState, "replaying">;
  /** Failed attempts in a row. */
  readonly attempt: number;
  /** Why the last connection ended. */
  readonly reason: string;
}

/** Who takes what comes. */
export interface Owner {
  /** Where the stream resumes. */
  readonly received: string | null;
  /** How much of what fits waits; 1: it is full. */
  readonly load: number;
  /** @param after where it was to resume */
  begun(frame: SubscribedFrame, after: string | null | undefined): void;
  item(frame: FeedFrame, length: number): void;
  /** Every item up to the cursor has come. */
  sign(frame: { readonly cursor: string; readonly time: string }): void;
  quota(frame: QuotaExceededFrame): void;
  /** For good. */
  failed(error: unknown): void;
  changed(seen: Seen): void;
}
