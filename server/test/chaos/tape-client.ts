import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { filterOfSubscription, type SubscriptionFilters } from "@tapewire/contract/filter.ts";
import { serverFrame } from "@tapewire/contract/stream.ts";
import WebSocket from "ws";
import { matches } from "../../src/feed/filter.ts";
import type { LogItem } from "../../src/feed/item.ts";

/** What a client has had of one log: from where on, and which entries. */
export interface Stretch {
  readonly epoch: string;
  readonly begin: number;
  /** Id of the item at each seq, in the order they came. */
  readonly got: { readonly seq: number; readonly id: string }[];
}

/** The log of one epoch as the database had it. */
export interface KnownLog {
  readonly epoch: string;
  readonly entries: readonly LogItem[];
}

const epochOf = (cursor: string) => cursor.split(".")[0] ?? "";
const seqOf = (cursor: string) => Number(cursor.split(".")[1]);

/** Comes back whenever its connection ends, with the cursor it had last; a log that was lost begins a new stretch. */
export class TapeClient {
  readonly filters: SubscriptionFilters;
  readonly stretches: Stretch[] = [];
  cursor: string | null = null;
  #socket: WebSocket | null = null;
  #stopped = false;
  #broken: unknown = null;
  readonly #running: Promise<void>;

  constructor(url: () => string, key: string, filters: SubscriptionFilters) {
    this.filters = filters;
    this.#running = this.#run(url, key);
  }

  /** Ends the connection without a word. */
  cut(): void {
    this.#socket?.terminate();
  }

  async reaches(epoch: string, seq: number): Promise<void> {
    while (this.cursor === null || epochOf(this.cursor) !== epoch || seqOf(this.cursor) < seq) {
      if (this.#broken !== null) throw this.#broken;
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send('{"type":"ping"}');
      await sleep(100);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.cut();
    await this.#running;
  }

  /** Each stretch has exactly what its log holds for these filters, in order, up to the last that came. */
  check(logs: readonly KnownLog[]): void {
    const filter = filterOfSubscription(this.filters);
    for (const { epoch, begin, got } of this.stretches) {
      const log = logs.find((known) => known.epoch === epoch);
      const last = got.at(-1)?.seq ?? begin;
      const owed = (log?.entries ?? [])
        .filter(({ seq, item }) => seq > begin && seq <= last && matches(item, filter))
        .map(({ seq, item: { id } }) => ({ seq, id }));
      assert.deepEqual(got, owed, `${epoch} ${JSON.stringify(this.filters)}`);
    }
  }

  async #run(url: () => string, key: string): Promise<void> {
    while (!this.#stopped) {
      const socket = new WebSocket(url(), { headers: { authorization: `Bearer ${key}` } });
      this.#socket = socket;
      socket.on("message", (data) => this.#receive(socket, data.toString()));
      socket.on("error", () => {});
      await new Promise((resolve) => socket.once("close", resolve));
      await sleep(50 + Math.random() * 300);
    }
  }

  #receive(socket: WebSocket, text: string): void {
    try {
      this.#read(socket, text);
    } catch (error) {
      this.#broken ??= error;
    }
  }

  #read(socket: WebSocket, text: string): void {
    const frame = serverFrame.parse(JSON.parse(text));
    if (frame.type === "welcome") {
      const after = this.cursor === null ? {} : { after: this.cursor };
      socket.send(JSON.stringify({ type: "subscribe", filters: this.filters, ...after }));
    }
    if (frame.type === "subscribed") this.#subscribed(frame.cursor, frame.resumed);
    if (frame.type === "feed") this.stretches.at(-1)?.got.push({ seq: frame.seq, id: frame.data.id });
    if ("cursor" in frame) this.cursor = frame.cursor;
  }

  #subscribed(cursor: string, resumed: boolean): void {
    const isSameLog = this.cursor !== null && epochOf(this.cursor) === epochOf(cursor);
    assert.equal(resumed, isSameLog, `resumed behind ${this.cursor} at ${cursor}`);
    if (!isSameLog) this.stretches.push({ epoch: epochOf(cursor), begin: seqOf(cursor), got: [] });
  }
}
