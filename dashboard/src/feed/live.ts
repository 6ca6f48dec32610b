import type { QuotaEvent, StreamState } from "tapewire/stream";
import type { Filters, Latency, StreamItem } from "../core/types.ts";
import { signal } from "../draw/signal.ts";
import { LiveStream } from "./stream.ts";
import { Tape } from "./tape.ts";

/** At most ten paintings a second: one for each frame would take half of the main thread at 50 items a second. */
const paintMs = 100;
/** After a painting that made the whole screen new: nobody reads ten such a second. */
const burstMs = 500;
const restAfterMs = 60_000;
const minuteMs = 60_000;
/** A snapshot comes as one message for each item; it is painted once, when it is whole or takes long. */
const snapshotWaitMs = 300;
/** At the smallest height of a row. */
const rowsInSight = () => Math.ceil(innerHeight / 28);
/** So many more that nothing older is read at once. */
const snapshotItems = () => Math.min(100, rowsInSight() + 30);

interface Arrival {
  readonly item: StreamItem;
  readonly latencyMs: number | null;
  readonly cameAt: number;
}

export interface Ended {
  readonly code: number | string;
  readonly reason: string;
}

/** The live feed of one filter: the stream, the tape, and what the screen says of them. */
export class Live {
  readonly tape = new Tape();
  /** Counts paintings: the screen is drawn anew when it changes. */
  readonly painted = signal(0);
  readonly link = signal<StreamState | "lost">("closed");
  readonly attempt = signal(0);
  readonly quota = signal<QuotaEvent | null>(null);
  readonly ended = signal<Ended | null>(null);
  readonly isScored = signal(true);
  readonly isPaused = signal(false);
  readonly waiting = signal(0);
  /** Whether it is known what there is. */
  readonly isRead = signal(false);
  /** Arrival times and latencies of the last live items. */
  readonly #arrivals: { readonly at: number; readonly latencyMs: number }[] = [];
  /** When the newest arrival came that is no longer among them, by performance.now(). */
  #droppedAt = Number.NEGATIVE_INFINITY;
  /** Since when the rate is measured; null: there was no stream yet. */
  #liveAt: number | null = null;
  #pending: Arrival[] = [];
  #timer: ReturnType<typeof setTimeout> | null = null;
  /** No live item is painted before, by performance.now(). */
  #restsUntil = 0;
  #restTimer: ReturnType<typeof setTimeout> | null = null;
  #stream: LiveStream | null = null;
  #gapFrom: string | null = null;
  #hasBegun = false;
  /** Items of the snapshot that may still come. */
  #awaited = 0;
  readonly #filter: Filters;
  /** Reads the newest items where the stream sends no snapshot. */
  onNoSnapshot: () => void = () => {};
  /** Called for each live item, for alerts. */
  onItem: (item: StreamItem) => void = () => {};

  constructor(filter: Filters) {
    this.#filter = filter;
    document.addEventListener("visibilitychange", this.#onVisibility);
  }

  get isStarted(): boolean {
    return this.#stream !== null;
  }

  /** Begins; goes on at once where the stream waits or has ended, but for a page that is hidden: it goes on when it is shown. */
  start(): void {
    if (this.#stream !== null) return document.hidden ? undefined : this.#stream.resume();
    this.link.value = "connecting";
    this.#stream = new LiveStream(this.#filter, snapshotItems(), {
      item: (item, latency, isSnapshot) => this.#take(item, latency, isSnapshot),
      link: (state, attempt, snapshot) => {
        this.link.value = state;
        this.attempt.value = attempt;
        this.ended.value = null;
        if (state === "live") this.#began(snapshot);
      },
      gap: () => {
        this.#gapFrom = this.tape.recentSince();
      },
      quota: (event) => {
        this.quota.value = event;
      },
      ended: (code, reason) => {
        this.link.value = "lost";
        this.ended.value = { code, reason };
      },
    });
  }

  /** An account may ask for a few snapshots a minute only: where none came, the newest items are read otherwise. */
  #began(snapshot: number): void {
    this.#liveAt ??= performance.now();
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    if (snapshot > 0) this.#paintIn(snapshotWaitMs);
    else if (this.#pending.length === 0 && this.tape.length === 0) this.onNoSnapshot();
    this.#awaited = snapshot;
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.#onVisibility);
    this.#stream?.rest();
    for (const timer of [this.#timer, this.#restTimer]) if (timer !== null) clearTimeout(timer);
  }

  #take(item: StreamItem, latency: Latency, isSnapshot: boolean): void {
    if (item.scoring.locked) this.isScored.value = false;
    const latencyMs = latency.source_to_publish_ms ?? latency.receive_to_publish_ms;
    const cameAt = isSnapshot ? 0 : performance.now();
    if (this.#gapFrom !== null) {
      this.#flush();
      this.tape.markGap(this.#gapFrom, item);
      this.#gapFrom = null;
    }
    this.#pending.push({ item, latencyMs, cameAt });
    if (!isSnapshot) {
      this.quota.value = null;
      this.#arrivals.push({ at: cameAt, latencyMs });
      if (this.#arrivals.length > 200) this.#droppedAt = this.#arrivals.splice(0, 100).at(-1)?.at ?? 0;
      this.onItem(item);
    }
    // A page in the background is not painted, but what it holds stays bounded.
    if (document.hidden) {
      if (this.#pending.length >= 500) this.#flush();
    } else if (isSnapshot && --this.#awaited === 0) this.#paint();
    else this.#paintIn(isSnapshot ? snapshotWaitMs : Math.max(paintMs, this.#restsUntil - cameAt));
  }

  #paintIn(ms: number): void {
    this.#timer ??= setTimeout(this.#paint, ms);
  }

  #flush(): void {
    const items = this.#pending;
    this.#pending = [];
    this.tape.add(items);
  }

  readonly #paint = () => {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (document.hidden) return;
    const { head } = this.tape;
    this.#flush();
    if (this.isRead.peek() && this.tape.head - head >= rowsInSight())
      this.#restsUntil = performance.now() + burstMs;
    this.isRead.value = true;
    this.waiting.value = this.tape.waiting.length;
    this.painted.value++;
  };

  readonly #onVisibility = () => {
    if (this.#restTimer !== null) clearTimeout(this.#restTimer);
    this.#restTimer = null;
    if (document.hidden) this.#restTimer = setTimeout(() => this.#stream?.rest(), restAfterMs);
    else {
      this.#stream?.resume();
      this.#paint();
    }
  };

  pause(): void {
    if (this.isPaused.peek()) return;
    this.#flush();
    this.tape.pause();
    this.isPaused.value = true;
    this.painted.value++;
  }

  follow(): void {
    this.tape.follow();
    this.isPaused.value = false;
    this.waiting.value = 0;
    this.painted.value++;
  }

  /** Draws anew after something else than the stream has changed the tape. */
  repaint(): void {
    this.isRead.value = true;
    this.painted.value++;
  }

  /** Items a minute over the last minute; null: the stream has not run for a minute. */
  ratePerMinute(): number | null {
    const now = performance.now();
    if (this.#liveAt === null || now - this.#liveAt < minuteMs) return null;
    const since = Math.max(now - minuteMs, this.#droppedAt);
    const recent = this.#arrivals.filter(({ at }) => at > since);
    return Math.round(recent.length / ((now - since) / minuteMs));
  }

  /** Median latency of the last 100 live items, in milliseconds. */
  lagMs(): number | null {
    const last = this.#arrivals.slice(-100).map(({ latencyMs }) => latencyMs);
    return last.sort((a, b) => a - b)[Math.floor(last.length / 2)] ?? null;
  }
}
