/** The client library's stream, as the live feed needs it: told by calls, and at rest while the page is hidden. */
import {
  type EventStream,
  type QuotaEvent,
  StreamClosed,
  type StreamEvent,
  type StreamState,
  stream,
} from "tapewire/stream";
import { root } from "../core/base.ts";
import { failureOf, mayPass } from "../core/failure.ts";
import { tabKey } from "../core/session.ts";
import type { Filters, Latency, StreamItem } from "../core/types.ts";

export interface StreamEvents {
  item(item: StreamItem, latency: Latency, isSnapshot: boolean): void;
  /** @param attempt failed attempts in a row; @param snapshot how many items of a snapshot follow at most */
  link(state: StreamState, attempt: number, snapshot: number): void;
  gap(): void;
  quota(event: QuotaEvent): void;
  /** It will not come back by itself: `resume` tries again. */
  ended(code: number | string, reason: string): void;
}

const baseUrl = new URL(root, location.href).href;
/** The key is asked for anew only when the service refused the one before. */
const key = async (refused?: string) => (await tabKey(refused !== undefined)).key;

export class LiveStream {
  readonly #events: StreamEvents;
  readonly #filters: Filters;
  readonly #snapshot: number;
  /** The last one that was opened: its cursor is the place to go on. */
  #stream: EventStream | null = null;
  /** Failed attempts to get a key, in a row. */
  #attempt = 0;
  /** Ends the run, whatever it waits for. Aborted: none is under way. */
  #stopper = new AbortController();
  #wake = () => {};

  constructor(filters: Filters, snapshot: number, events: StreamEvents) {
    this.#filters = filters;
    this.#snapshot = snapshot;
    this.#events = events;
    void this.#run();
  }

  /** Leaves the stream, for good or while the page is hidden. */
  rest(): void {
    this.#stopper.abort();
    void this.#stream?.close();
  }

  /** Goes on after the last item, without waiting any longer. */
  readonly resume = (): void => {
    if (this.#stopper.signal.aborted) void this.#run();
    else this.#wake();
  };

  async #run(): Promise<void> {
    this.#stopper = new AbortController();
    const { signal } = this.#stopper;
    addEventListener("online", this.resume, { signal });
    while (!signal.aborted)
      try {
        return await this.#read(signal);
      } catch (error) {
        if (!signal.aborted) await this.#failed(error);
      }
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { ws_url: streamUrl } = await tabKey();
    if (signal.aborted) return;
    const after = this.#stream?.cursor;
    const from = { after, snapshot: this.#snapshot, filters: this.#filters };
    this.#stream = stream({ baseUrl, streamUrl, key, states: true, ...from });
    for await (const event of this.#stream) this.#tell(event);
  }

  /** A key that cannot be had now is waited for; what the service refuses is final. */
  async #failed(error: unknown): Promise<void> {
    if (mayPass(error)) {
      const waitS = error.retryAfterS ?? Math.random() * Math.min(30, 2 ** this.#attempt);
      this.#events.link("waiting", ++this.#attempt, 0);
      return new Promise((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, waitS * 1_000);
      });
    }
    this.rest();
    this.#events.ended(error instanceof StreamClosed ? error.code : 0, failureOf(error).message);
  }

  #tell(event: StreamEvent): void {
    if (event.type === "item" && event.latency !== null)
      this.#events.item(event.item, event.latency, event.snapshot);
    else if (event.type === "state" && event.state !== "closed") {
      if (event.state === "live") this.#attempt = 0;
      this.#events.link(event.state, event.attempt, event.snapshot);
    } else if (event.type === "gap" && event.reason !== "quota") this.#events.gap();
    else if (event.type === "quota") this.#events.quota(event);
  }
}
