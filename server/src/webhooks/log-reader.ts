import { setImmediate as nextTurn } from "node:timers/promises";
import type { LogItem } from "../feed/item.ts";
import type { ItemTail } from "../itemlog/follow.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { Signal } from "../runtime/signal.ts";
import type { Endpoint, EndpointSet } from "./endpoints.ts";
import type { Entry, LogEntries } from "./log-entries.ts";
import type { Shards } from "./shards.ts";

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
  /** The endpoint is owed an entry of the log. */
  readonly owe: (endpoint: Endpoint, entry: Entry) => void;
}

/** Reads the log once for all shards of this worker, from where the one that is furthest behind stands. */
export class LogReader {
  readonly #deps: ReaderDeps;
  readonly #taken = new Signal();
  #reading = new AbortController();
  #readTo = 0;

  constructor(deps: ReaderDeps) {
    this.#deps = deps;
  }

  /** A shard was taken that stands here. */
  from(seq: number): void {
    if (seq < this.#readTo) this.#reading.abort();
    this.#taken.notify();
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
        for await (const batch of tail.follow(from, reading)) await this.#take(batch, reading);
      } catch (error) {
        log.warn({ err: error }, "webhooks: reading the item log failed");
        await clock.sleep(afterErrorMs, signal).catch(() => {});
      }
    }
  }

  async #take(batch: readonly LogItem[], reading: AbortSignal): Promise<void> {
    for (let start = 0; start < batch.length && !reading.aborted; start += turnItems) {
      this.#takeTurn(batch.slice(start, start + turnItems));
      await nextTurn();
    }
  }

  /** In one turn, so that what is matched, sent and read tell of the same position. */
  #takeTurn(items: readonly LogItem[]): void {
    const { shards, endpoints, entries, owe } = this.#deps;
    const before = this.#readTo;
    const last = items.at(-1)?.seq ?? before;
    for (const item of items) {
      const entry = entries.add(item);
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
