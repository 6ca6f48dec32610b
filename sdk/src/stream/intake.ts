import type { FeedFrame, QuotaExceededFrame, SubscribedFrame } from "../types.ts";
import type { Owner, Seen } from "./link.ts";
import { Queue } from "./queue.ts";
import type { GapEvent, StreamEvent, StreamOptions, StreamState } from "./types.ts";

/** The newest item is this young: the past has been read. */
const freshMs = 5_000;

/** The queue of the stream's events, made from what comes. */
export class Intake extends Queue<StreamEvent> implements Owner {
  declare readonly failed: (error: unknown) => void;
  readonly #tellsStates: boolean | undefined;
  #seen: Seen = { state: "connecting", attempt: 0, reason: "" };
  #snapshot = 0;
  #isReplaying = false;
  #told: StreamState | undefined;
  /** When the service received the newest item; undefined: none has come. */
  #receivedAt: string | undefined;
  /** The server's clock minus ours. */
  #clockMs = 0;
  /** While the day's cap is reached: where delivery stopped. */
  #stopped: string | null = null;

  constructor({ states }: StreamOptions, came: () => void, failed: (error: unknown) => void) {
    super(came);
    this.#tellsStates = states;
    this.failed = failed;
  }

  get state(): StreamState {
    const { state } = this.#seen;
    return state === "live" && this.#isReplaying ? "replaying" : state;
  }

  begun(
    { cursor, resumed, reason = "cursor_unknown", snapshot }: SubscribedFrame,
    after: string | null | undefined,
  ): void {
    this.#isReplaying = resumed;
    this.#snapshot = snapshot;
    if (!resumed && after) this.#gap(after, cursor, reason);
    else if (this.received === null) this.startAt(cursor);
  }

  item({ data: item, cursor, seq, snapshot, count, latency }: FeedFrame, length: number): void {
    if (this.#stopped && !snapshot) {
      this.#gap(this.#stopped, cursor, "quota");
      this.#stopped = null;
    }
    this.#receivedAt = latency.received_time;
    this.push({ type: "item", item, cursor, seq, snapshot, filled: false, count, latency }, cursor, length);
    if (this.#isReplaying && (this.#lagMs ?? 0) < freshMs) this.#caughtUp();
  }

  sign({ cursor, time }: { readonly cursor: string; readonly time: string }): void {
    this.#clockMs = Date.parse(time) - Date.now();
    // While the cap is reached, items are passed over.
    if (this.#stopped) return;
    this.advance(cursor);
    this.#caughtUp();
  }

  quota({ limit }: QuotaExceededFrame): void {
    this.#stopped = this.received;
    const resetAt = new Date(Date.now() + this.#clockMs);
    resetAt.setUTCHours(24, 0, 0, 0);
    this.push({ type: "quota", limit, resetAt });
  }

  changed(seen: Seen): void {
    // The service tells the cap once on each connection, however often delivery begins again there.
    if (seen.state === "connecting") this.#stopped = null;
    this.#seen = seen;
    this.#tell();
  }

  #caughtUp(): void {
    this.#isReplaying = false;
    this.#tell();
  }

  #tell(): void {
    const { state } = this;
    if (!this.#tellsStates || state === this.#told) return;
    this.#told = state;
    this.push({
      type: "state",
      ...this.#seen,
      state,
      snapshot: state === "live" ? this.#snapshot : 0,
      lagMs: this.#lagMs,
    });
  }

  /** How old the newest item is, by the server's clock. */
  get #lagMs(): number | null {
    if (!this.#receivedAt) return null;
    return Math.max(0, Date.now() + this.#clockMs - Date.parse(this.#receivedAt));
  }

  #gap(from: string, to: string, reason: GapEvent["reason"]): void {
    // After the cap the item that ended the gap moves the position.
    this.push({ type: "gap", from, to, reason, filled: false }, reason === "quota" ? null : to);
  }
}
