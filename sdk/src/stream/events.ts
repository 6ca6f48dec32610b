import { toQuery } from "../filters/wire.ts";
import { TapewireError } from "../http/errors.ts";
import { queryText } from "../http/query.ts";
import type { ClientFrame, ServerFrame } from "../types.ts";
import type { Dial, Ended, Link, Sink } from "./link.ts";
import { refusalOf } from "./websocket.ts";

/** A frame, or the event that says why the stream ends. */
type EventFrame = ServerFrame | { type: "close"; code: number; reason: string };

/**
 * The stream by server-sent events. What is not read stays in the connection, and then in the server's log: unsubscribe
 * and subscribe only stop reading and go on.
 */
export class EventsLink implements Link {
  readonly takesFilters = false;
  readonly #dial: Dial;
  readonly #sink: Sink;
  readonly #stopper = new AbortController();
  /** Goes on reading; null: reading is not stopped. */
  #resume: (() => void) | null = null;
  #stopped: Promise<void> | null = null;

  constructor(dial: Dial, sink: Sink) {
    this.#dial = dial;
    this.#sink = sink;
    void this.#run()
      .catch(refusalOf)
      .then((ended) => {
        if (this.#stopper.signal.aborted) return;
        this.close();
        sink.ended(ended);
      });
  }

  send(frame: ClientFrame): void {
    if (frame.type === "unsubscribe") {
      this.#stopped = new Promise((resolve) => {
        this.#resume = resolve;
      });
      this.#sink.frame({ type: "unsubscribed", cursor: "" }, 0);
    } else if (frame.type === "subscribe" && this.#resume !== null) {
      this.#sink.frame({ type: "subscribed", filters: {}, cursor: "", resumed: true, snapshot: 0 }, 0);
      this.#resume();
      this.#resume = null;
      this.#stopped = null;
    } else if (frame.type === "ping" && this.#resume !== null)
      this.#sink.frame({ type: "pong", cursor: "", time: "" }, 0);
  }

  close(): void {
    this.#stopper.abort();
    this.#resume?.();
  }

  async #run(): Promise<Ended> {
    const { connection, refused } = this.#dial;
    const key = await connection.key(refused);
    const response = await this.#request(key);
    const isRefused = response.status === 401 && connection.renews && refused === undefined;
    const answer = isRefused ? await this.#request(await connection.key(key)) : response;
    if (!answer.ok || answer.body === null) throw new TapewireError(answer, await answer.text());
    const closed = await this.#read(answer.body.getReader());
    return { ...closed, key };
  }

  #request(key: string): Promise<Response> {
    const { connection, subscribe } = this.#dial;
    const { filters, after, snapshot } = subscribe;
    const query = queryText({ ...toQuery(filters ?? {}), after, snapshot });
    return connection.fetch(`${connection.baseUrl}/v1/stream/sse${query}`, {
      headers: { accept: "text/event-stream", authorization: `Bearer ${key}` },
      signal: this.#stopper.signal,
      cache: "no-store",
    });
  }

  async #read(body: ReadableStreamDefaultReader<Uint8Array>): Promise<Ended> {
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      await this.#stopped;
      const { done, value } = await body.read();
      if (done) return { code: 0, reason: "the connection ended" };
      const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) {
        const frame = frameIn(block);
        if (frame?.type === "close") return frame;
        if (frame !== null && !this.#stopper.signal.aborted) this.#sink.frame(frame, block.length);
      }
    }
  }
}

/** null: a comment, or the time to wait before a reconnection, which the error frame tells as well. */
function frameIn(block: string): EventFrame | null {
  const data = /^data: ?(.*)$/m.exec(block)?.[1];
  return data === undefined ? null : JSON.parse(data);
}
