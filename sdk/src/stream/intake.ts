import type { FeedFrame, Instant, QuotaExceededFrame, SubscribedFrame } from "../types.ts";
import type { Owner } from "./link.ts";
import { Queue } from "./queue.ts";
import type { GapEvent, StreamEvent, StreamOptions, StreamState } from "./types.ts";

/** What a stream knows of its past. */
export interface Past {
  /** Seq of the newest item that came; null: none has come. */
  readonly seq: number | null;
  /** When the service received it, or the time the caller gave; null: not known. */
  readonly since: Instant | null;
}

/** A gap whose items are read when the consumer comes to it. */
export interface Filling {
  readonly type: "filling";
  readonly gap: GapEvent;
  readonly past: Past;
}

/** The newest item is this young: the past has been read. */
const freshMs = 5_000;
const dayMs = 24 * 60 * 60_000;

/** Turns what comes into events that wait for the consumer. */
export class Intake implements Owner {
  readonly queue: Queue<StreamEvent | Filling>;
  readonly failed: (error: unknown) => void;
  readonly #tellsStates: boolean;
  readonly #fill: StreamOptions["fill"];
  #link: StreamState = "connecting";
  #snapshot = 0;
  #isReplaying = false;
  #told: StreamState | null = null;
  #last = { attempt: 0, reason: "" };
  /** Of the newest item. */
  #seq: number | null = null;
  #receivedAt: Instant | null;
  /** The server's clock minus ours. */
  #clockMs = 0;
  /** While the day's cap is reached: where delivery stopped. */
  #stopped: { readonly from: string; readonly past: Past; readonly resetMs: number } | null = null;

  constructor(
    { states = false, fill = false }: StreamOptions,
    came: () => void,
    failed: (error: unknown) => void,
  ) {
    this.#tellsStates = states;
    this.#fill = fill;
    this.#receivedAt = typeof fill === "object" ? fill.since : null;
    this.queue = new Queue(came);
    this.failed = failed;
  }

  get state(): StreamState {
    return this.#link === "live" && this.#isReplaying ? "replaying" : this.#link;
  }

  begun(
    { cursor, resumed, reason = "cursor_unknown", snapshot }: SubscribedFrame,
    after: string | undefined,
  ): void {
    this.#isReplaying = resumed;
    this.#snapshot = snapshot;
    if (resumed) this.#stopped = null;
    else if (after !== undefined) this.#gap({ from: after, to: cursor, reason }, this.#past);
    else if (this.queue.received === null) this.queue.startAt(cursor);
  }

  item({ data: item, cursor, seq, snapshot, count, latency }: FeedFrame, length: number): void {
    if (this.#stopped !== null && !snapshot) {
      this.#gap({ from: this.#stopped.from, to: cursor, reason: "quota" }, this.#stopped.past);
      this.#stopped = null;
    }
    this.#seq = Math.max(seq, this.#seq ?? 0);
    this.#receivedAt = latency.received_time;
    this.queue.push(
      { type: "item", item, cursor, seq, snapshot, filled: false, count, latency },
      cursor,
      length,
    );
    if (this.#isReplaying && (this.#lagMs ?? 0) < freshMs) this.#caughtUp();
  }

  sign({ cursor, time }: { readonly cursor: string; readonly time: string }): void {
    this.#clockMs = Date.parse(time) - Date.now();
    // While the cap is reached, items are passed over.
    if (this.#stopped !== null) return;
    this.queue.advance(cursor);
    this.#caughtUp();
  }

  quota({ limit }: QuotaExceededFrame): void {
    const resetMs = (Math.floor((Date.now() + this.#clockMs) / dayMs) + 1) * dayMs;
    if (this.#stopped?.resetMs === resetMs) return;
    this.#stopped = { from: this.queue.received ?? "", past: this.#past, resetMs };
    this.queue.push({ type: "quota", limit, resetAt: new Date(resetMs) });
  }

  changed(state: StreamState, last: { readonly attempt: number; readonly reason: string }): void {
    this.#link = state;
    this.#last = last;
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
    const [snapshot, lagMs] = [state === "live" ? this.#snapshot : 0, this.#lagMs];
    this.queue.push({ type: "state", state, ...this.#last, snapshot, lagMs });
  }

  /** How old the newest item is, by the server's clock. */
  get #lagMs(): number | null {
    if (this.#receivedAt === null || this.#seq === null) return null;
    return Math.max(0, Date.now() + this.#clockMs - new Date(this.#receivedAt).getTime());
  }

  get #past(): Past {
    return { seq: this.#seq, since: this.#receivedAt };
  }

  #gap(between: Pick<GapEvent, "from" | "to" | "reason">, past: Past): void {
    const filled = this.#fill !== false && past.since !== null;
    const gap: GapEvent = { type: "gap", ...between, filled };
    // After the cap the item that ended the gap moves the position.
    const after = between.reason === "quota" ? null : between.to;
    this.queue.push(gap, filled ? null : after);
    if (filled) this.queue.push({ type: "filling", gap, past }, after);
  }
}
