import type { Instant, Latency, StreamItem, SubscriptionFilters } from "../types.ts";

/** One item. `cursor` is where a stream resumes after it. */
export interface ItemEvent {
  readonly type: "item";
  readonly item: StreamItem;
  readonly cursor: string;
  readonly seq: number;
  /** Asked for by `snapshot`. */
  readonly snapshot: boolean;
  /** Read from the list, to fill a gap. */
  readonly filled: boolean;
  /** Live items of the account today, this one included; null: it does not count. */
  readonly count: number | null;
  /** null: it was read from the list. */
  readonly latency: Latency | null;
}

/** Items between two cursors may be missing. */
export interface GapEvent {
  readonly type: "gap";
  readonly from: string;
  readonly to: string;
  /** cursor_unknown: another log. cursor_expired: no longer stored. quota: the day's cap was reached. */
  readonly reason: "cursor_unknown" | "cursor_expired" | "quota";
  /** Whether the items of the gap follow, as far as the list has them. */
  readonly filled: boolean;
}

/** The day's cap of live items is reached. */
export interface QuotaEvent {
  readonly type: "quota";
  readonly limit: number;
  readonly resetAt: Date;
}

export type StreamState = "connecting" | "replaying" | "live" | "waiting" | "closed";

/** Sent only when asked for by `states`. */
export interface StateEvent {
  readonly type: "state";
  readonly state: StreamState;
  /** Failed attempts in a row. */
  readonly attempt: number;
  /** Why the last connection ended; empty: none has. */
  readonly reason: string;
  /** The most items of a snapshot that follow; 0: none was asked for, or the service granted none. */
  readonly snapshot: number;
  /** How long ago the newest item was received by the service; null: none has come. */
  readonly lagMs: number | null;
}

export type StreamEvent = ItemEvent | GapEvent | QuotaEvent | StateEvent;

/** Keeps the cursor of what was handled. */
export interface Checkpoint {
  load(): string | null | undefined | Promise<string | null | undefined>;
  save(cursor: string): void | Promise<void>;
}

export interface StreamOptions {
  readonly filters?: SubscriptionFilters | undefined;
  /** Begins after this cursor. */
  readonly after?: string | null | undefined;
  /** Begins with the newest items, up to 500. Without a cursor only. */
  readonly snapshot?: number | undefined;
  /**
   * Reads what a gap left out from the list: items newer than the last one seen, or than `since`. When the list cannot be
   * read the stream ends before the gap with that error, and the cursor stays there.
   */
  readonly fill?: boolean | { readonly since: Instant } | undefined;
  /** Loaded before the stream begins, saved at most once a second and at the end. */
  readonly checkpoint?: Checkpoint | undefined;
  /** Sends events about the connection. */
  readonly states?: boolean | undefined;
  /** Default: WebSocket; server-sent events where there is none, or where a proxy lets none through. */
  readonly transport?: "auto" | "websocket" | "sse" | undefined;
  /** A connection that says nothing for this long is dead. Default: 40,000; the service sends a heartbeat every 15 s. */
  readonly silenceMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}
