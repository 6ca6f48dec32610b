import type { LogItem } from "../feed/item.ts";
import type { SubscriptionIndex } from "../feed/subscription-index.ts";
import type { Clock } from "../runtime/clock.ts";
import type { LogPage } from "../store/item-reads.ts";
import { EncodedItem } from "./wire/encoded-item.ts";

const ringItems = 4_096;
const pageItems = 200;
const keptPages = 64;
const readsAtOnce = 4;

/** Where the log stands for a process. */
export interface LogPlace {
  readonly epoch: string;
  readonly head: number;
  /** Seq up to which nothing is kept. */
  readonly floor: number;
}

/** A stretch of the log: what stands at each position of it, from the first on. */
export interface RingPage {
  readonly first: number;
  /** null: nothing that is kept. */
  readonly entries: readonly (EncodedItem | null)[];
}

export interface LogSource extends LogPlace {
  /** Committed entries behind a position, in order, of at most `limit` positions. */
  after(seq: number, limit: number): Promise<LogPage>;
  /** Resolves when the head is at what is committed by now, or could not be moved. */
  readOn(): Promise<void>;
}

/**
 * The log as connections walk it: the newest entries in memory, matched once when they arrive and encoded once when the
 * first connection is due them; what lies before is read from the table in pages that all who resume there share. A
 * position of the log shows the same for ever, so a page never goes stale.
 */
export class LogRing {
  readonly #log: LogSource;
  readonly #index: SubscriptionIndex;
  readonly #clock: Clock;
  #entries: EncodedItem[] = [];
  #head: number;
  readonly #epoch: string;
  readonly #pages = new Map<number, Promise<RingPage>>();
  #reading = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(log: LogSource, index: SubscriptionIndex, clock: Clock) {
    this.#log = log;
    this.#index = index;
    this.#clock = clock;
    this.#head = log.head;
    this.#epoch = log.epoch;
  }

  /** Seq of the newest entry. */
  get head(): number {
    return this.#head;
  }

  /** Entries in memory. */
  get size(): number {
    return this.#entries.length;
  }

  /** @param items all that is kept from where the ring ends up to `head` */
  extend(items: readonly LogItem[], head: number): void {
    const isWhole = items.length === head - this.#head;
    this.#head = head;
    // The ring has no place for a hole: the table serves.
    if (!isWhole) {
      this.#entries = [];
      return;
    }
    const context = { epoch: this.#epoch, now: this.#clock.now() };
    for (const item of items) {
      const matches = this.#index.size === 0 ? null : this.#index.match(item.item).slice();
      this.#entries.push(new EncodedItem(item, context, matches));
    }
    // In steps, so that the copy is paid once in a while and not per item.
    if (this.#entries.length > 2 * ringItems) this.#entries = this.#entries.slice(-ringItems);
  }

  /** Resolves when the head is at what is committed by now, or could not be moved. */
  readOn(): Promise<void> {
    return this.#log.readOn();
  }

  /** The entry in memory; undefined: it lies before them, or is not yet. */
  at(seq: number): EncodedItem | undefined {
    return this.#entries[seq - this.#head + this.#entries.length - 1];
  }

  /** The page of the table that holds an entry before those in memory. */
  page(seq: number): Promise<RingPage> {
    const number = Math.floor((seq - 1) / pageItems);
    const known = this.#pages.get(number);
    // To the end of the order: the page used longest ago goes first.
    this.#pages.delete(number);
    const page = known ?? this.#read(number * pageItems);
    this.#pages.set(number, page);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= keptPages) break;
      this.#pages.delete(oldest);
    }
    // One that was read while it was being filled is not kept: what came since would be missing from it.
    const drop = () => this.#pages.delete(number);
    page.then(({ entries }) => (entries.length < pageItems ? drop() : undefined), drop);
    return page;
  }

  async #read(afterSeq: number): Promise<RingPage> {
    if (this.#reading < readsAtOnce) this.#reading += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      const { epoch, items, reached } = await this.#log.after(afterSeq, pageItems);
      if (epoch !== this.#epoch) throw new Error("the table holds another log");
      const context = { epoch, now: this.#clock.now() };
      const length = Math.min(reached - afterSeq, pageItems);
      const entries: (EncodedItem | null)[] = new Array(Math.max(0, length)).fill(null);
      for (const item of items)
        if (item.seq <= afterSeq + length) entries[item.seq - afterSeq - 1] = new EncodedItem(item, context);
      return { first: afterSeq + 1, entries };
    } finally {
      // The place goes to the next in line, before anybody else can ask.
      const next = this.#waiting.shift();
      if (next === undefined) this.#reading -= 1;
      else next();
    }
  }
}
