/** The client library's stream, as the live feed needs it: told by calls, and at rest while the page is hidden. */
import { type EventStream, StreamClosed, type StreamEvent, type StreamState, stream } from "tapewire/stream";
import { root } from "../core/base.ts";
import { tabKey } from "../core/session.ts";
import type { Filters, Latency, StreamItem } from "../core/types.ts";

export type Link = StreamState | "lost";

export interface StreamEvents {
  item(item: StreamItem, about: { latency: Latency; isSnapshot: boolean; count: number }): void;
  /** @param attempt failed attempts in a row; @param snapshot how many items of a snapshot follow at most */
  link(state: Link, attempt: number, snapshot: number): void;
  gap(): void;
  quota(limit: number): void;
  /** It will not come back by itself. */
  ended(code: number | string, reason: string): void;
}

const baseUrl = new URL(root, location.href).href;
/** The key is asked for anew only when the service refused the one before. */
const key = async (refused?: string) => (await tabKey(refused !== undefined)).key;

export class LiveStream {
  readonly #events: StreamEvents;
  readonly #filters: Filters;
  readonly #snapshot: number;
  #stream: EventStream | null = null;
  #cursor: string | null = null;
  #isOpen = true;

  constructor(filters: Filters, snapshot: number, events: StreamEvents) {
    this.#filters = filters;
    this.#snapshot = snapshot;
    this.#events = events;
    void this.#run();
  }

  close(): void {
    this.#isOpen = false;
    this.rest();
  }

  /** Leaves the stream while the page is hidden; `resume` goes on after the last item. */
  rest(): void {
    const open = this.#stream;
    this.#stream = null;
    this.#cursor = open?.cursor ?? this.#cursor;
    void open?.close();
  }

  resume(): void {
    if (this.#isOpen && this.#stream === null) void this.#run();
  }

  async #run(): Promise<void> {
    try {
      const { ws_url: streamUrl } = await tabKey();
      if (!this.#isOpen) return;
      const from = this.#cursor === null ? { snapshot: this.#snapshot } : { after: this.#cursor };
      const open = stream({ baseUrl, streamUrl, key, filters: this.#filters, states: true, ...from });
      this.#stream = open;
      for await (const event of open) this.#tell(event);
    } catch (error) {
      this.#fail(error);
    }
  }

  #tell(event: StreamEvent): void {
    if (event.type === "item" && event.latency !== null)
      this.#events.item(event.item, {
        latency: event.latency,
        isSnapshot: event.snapshot,
        count: event.count ?? 0,
      });
    else if (event.type === "state" && event.state !== "closed")
      this.#events.link(event.state, event.attempt, event.snapshot);
    else if (event.type === "gap" && event.reason !== "quota") this.#events.gap();
    else if (event.type === "quota") this.#events.quota(event.limit);
  }

  #fail(error: unknown): void {
    if (!this.#isOpen) return;
    this.#stream = null;
    this.#events.link("lost", 0, 0);
    const code = error instanceof StreamClosed ? error.code : 0;
    this.#events.ended(code, error instanceof Error ? error.message : String(error));
  }
}
