import { setImmediate as nextTurn } from "node:timers/promises";
import type { LogItem } from "../feed/item.ts";
import type { ItemTail } from "../itemlog/tail.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { Signal } from "../runtime/sharing/signal.ts";
import type { LogStretch } from "../store/log/item-reads.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import type { EndpointSet } from "./endpoints/endpoint-set.ts";
import type { Shards } from "./endpoints/shards.ts";
import type { Entry, LogEntries } from "./log-entries.ts";

/** Items that are matched in one turn. */
const turnItems = 64;
const afterErrorMs = 500;
const waitMs = 1_000;

export interface ReaderDeps {
  readonly tail: ItemTail;
  readonly clock: Clock;
  readonly log: Log;
  readonly shards: Shards;
  readonly endpoints: EndpointSet;
  readonly entries: LogEntries;
  /** The endpoint must get the entry of the log. */
  readonly owe: (endpoint: Endpoint, entry: Entry) => void;
}

/** Reads the log once for all shards of this worker, from the position of the one that is furthest behind. */
export class ShardReader {
  readonly #deps: ReaderDeps;
  readonly #taken = new Signal();
  #reading = new AbortController();
  #readTo = 0;

  constructor(deps: ReaderDeps) {
    this.#deps = deps;
  }

  /** A shard with this position was taken. */
  from(seq: number): void {
    if (seq < this.#readTo) this.#reading.abort();
    this.#taken.notify();
  }

  /** No shard is held any more: what is being read is discarded. */
  stop(): void {
    this.#reading.abort();
  }

  /** Reads until `signal` aborts. */
  async read(signal: AbortSignal): Promise<void> {
    const { shards, tail, log, clock } = this.#deps;
    while (!signal.aborted) {
      const loaded = [...shards.all].filter(({ isLoaded }) => isLoaded);
      const from = Math.min(...loaded.map(({ readSeq }) => readSeq));
      if (!Number.isFinite(from)) {
        await this.#taken.wait(signal, waitMs);
        continue;
      }
      this.#reading = new AbortController();
      this.#readTo = from;
      try {
        const reading = AbortSignal.any([signal, this.#reading.signal]);
        for await (const stretch of tail.follow(from, reading)) await this.#take(stretch, reading);
      } catch (error) {
        log.warn({ err: error }, "webhooks: reading the item log failed");
        await clock.sleep(afterErrorMs, signal).catch(() => {});
      }
    }
  }

  async #take({ items, reached }: LogStretch, reading: AbortSignal): Promise<void> {
    for (let start = 0; !reading.aborted; start += turnItems) {
      const some = items.slice(start, start + turnItems);
      const isEnd = start + turnItems >= items.length;
      this.#takeTurn(some, isEnd ? reached : (some.at(-1)?.seq ?? reached));
      await nextTurn();
      if (isEnd) break;
    }
  }

  /** In one turn, so that matches, deliveries and positions agree. */
  #takeTurn(items: readonly LogItem[], last: number): void {
    const { shards, endpoints, entries, owe } = this.#deps;
    const before = this.#readTo;
    for (const item of items) {
      const entry = entries.of(item);
      endpoints.forEachMatch(entry, (endpoint) => {
        const { readSeq } = endpoint.shard;
        if (readSeq >= before && item.seq > readSeq) owe(endpoint, entry);
      });
    }
    for (const shard of shards.all)
      if (shard.isLoaded && shard.readSeq >= before) shard.readSeq = Math.max(shard.readSeq, last);
    this.#readTo = last;
  }
}
