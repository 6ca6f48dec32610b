import type { FeedFrame, Instant, QuotaExceededFrame, SubscribedFrame } from "../types.ts";
import type { Past } from "./fill.ts";
import type { Owner } from "./link.ts";
import { Queue } from "./queue.ts";
import type { GapEvent, StreamEvent, StreamOptions, StreamState } from "./types.ts";

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
  readonly queue = new Queue<StreamEvent | Filling>();
  readonly failed: (error: unknown) => void;
  readonly #came: () => void;
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
    on: { came: () => void; failed: (error: unknown) => void },
  ) {
    this.#tellsStates = states;
    this.#fill = fill;
    this.#receivedAt = typeof fill === "object" ? fill.since : null;
    this.#came = on.came;
    this.failed = on.failed;
  }

  get after(): string | null {
    return this.queue.received;
  }

  get isFull(): boolean {
    return this.queue.isFull;
  }

  get hasRoom(): boolean {
    return this.queue.hasRoom;
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
    this.#came();
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
      { length, after: cursor },
    );
    if (this.#isReplaying && (this.#lagMs ?? 0) < freshMs) this.#caughtUp();
    this.#came();
  }

  sign({ cursor, time }: { readonly cursor: string; readonly time: string }): void {
    this.#clockMs = Date.parse(time) - Date.now();
    // While the cap is reached, items are passed over.
    if (this.#stopped !== null) return;
    this.queue.advance(cursor);
    this.#caughtUp();
    this.#came();
  }

  quota({ limit }: QuotaExceededFrame): void {
    const resetMs = (Math.floor((Date.now() + this.#clockMs) / dayMs) + 1) * dayMs;
    if (this.#stopped?.resetMs === resetMs) return;
    this.#stopped = { from: this.queue.received ?? "", past: this.#past, resetMs };
    this.queue.push({ type: "quota", limit, resetAt: new Date(resetMs) });
    this.#came();
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
    this.#came();
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
    this.queue.push(gap, { after: filled ? null : after });
    if (filled) this.queue.push({ type: "filling", gap, past }, { after });
  }
}
