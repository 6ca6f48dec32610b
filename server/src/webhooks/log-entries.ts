import type { LogItem } from "../feed/item.ts";
import type { Clock } from "../runtime/clock.ts";
import type { LogStretch } from "../store/log/item-reads.ts";
import { payloadOf } from "./payload.ts";

const ringItems = 2_048;
const pageItems = 200;
const keptPages = 32;

/** What an entry was matched against: slots that it passes, a bit each, and the state of the index at that moment. */
export interface Matched {
  readonly bits: Int32Array;
  readonly generation: number;
}

/** An entry of the log as all endpoints share it: matched once, encoded at most once for each kind of plan. */
export class Entry {
  readonly item: LogItem;
  readonly matched: Matched;
  readonly #clock: Clock;
  /** When this version was made; every delivery of it asks. */
  readonly madeAtMs: number;
  #open: Buffer | null = null;
  #locked: Buffer | null = null;

  constructor(item: LogItem, matched: Matched, clock: Clock) {
    this.item = item;
    this.matched = matched;
    this.#clock = clock;
    this.madeAtMs = Date.parse(item.item.updated_at);
  }

  get seq(): number {
    return this.item.seq;
  }

  get itemId(): string {
    return this.item.item.id;
  }

  body(locked: boolean): Buffer {
    if (locked) {
      this.#locked ??= payloadOf(this.item, { locked, now: this.#clock.now() });
      return this.#locked;
    }
    this.#open ??= payloadOf(this.item, { locked, now: this.#clock.now() });
    return this.#open;
  }
}

/** The first entry that passes, or null; up to `reached` there is no other. */
export interface Found {
  readonly entry: Entry | null;
  readonly reached: number;
}

interface Page {
  readonly entries: readonly Entry[];
  /** All entries of the page up to this seq are in it. */
  readonly completeTo: number;
}

export interface EntrySource {
  /** The newest seq that is committed and known. */
  readonly head: number;
  after(seq: number, limit: number): Promise<LogStretch>;
}

/**
 * The log as endpoints walk it: the newest entries in memory, older ones in pages of the table that all who catch up
 * there share.
 */
export class LogEntries {
  readonly #log: EntrySource;
  readonly #match: (item: LogItem) => Matched;
  readonly #clock: Clock;
  #ring: Entry[] = [];
  readonly #pages = new Map<number, Page>();
  readonly #loading = new Map<number, Promise<void>>();
  /** Counts the logs: what was asked of one is nothing of the next. */
  #ofLog = 0;

  constructor(deps: { log: EntrySource; match: (item: LogItem) => Matched; clock: Clock }) {
    this.#log = deps.log;
    this.#match = deps.match;
    this.#clock = deps.clock;
  }

  /** An entry that was read from the log; kept when it continues what is kept. */
  add(item: LogItem): Entry {
    const last = this.#ring.at(-1)?.seq ?? null;
    const known = last !== null && item.seq <= last ? this.#inRing(item.seq) : undefined;
    if (known !== undefined) return known;
    const entry = new Entry(item, this.#match(item), this.#clock);
    if (last !== null && item.seq <= last) return entry;
    if (last !== null && item.seq !== last + 1) this.#ring = [];
    this.#ring.push(entry);
    // In steps, so that the copy is paid once in a while and not per item.
    if (this.#ring.length > 2 * ringItems) this.#ring = this.#ring.slice(-ringItems);
    return entry;
  }

  /**
   * Looks for the next entry behind `after`, up to `upTo`, that passes.
   * @returns a promise when a page must be read first: ask again then; it rejects with the database's error
   */
  scan(after: number, upTo: number, passes: (entry: Entry) => boolean): Found | Promise<void> {
    if (after >= upTo) return { entry: null, reached: after };
    const first = this.#ring[0]?.seq ?? Number.POSITIVE_INFINITY;
    const last = this.#ring.at(-1)?.seq ?? 0;
    // The ring may also end before: a shard that was just taken is further on than what is being read for others.
    if (after + 1 < first || after + 1 > last) return this.#scanPage(after, upTo, passes);
    const end = Math.min(upTo, last);
    for (let seq = after + 1; seq <= end; seq++) {
      const entry = this.#inRing(seq);
      if (entry !== undefined && passes(entry)) return { entry, reached: seq };
    }
    return { entry: null, reached: end };
  }

  /** The log is another from here on, or some of it was dropped. */
  forget(): void {
    this.#ofLog += 1;
    this.#ring = [];
    this.#pages.clear();
    this.#loading.clear();
  }

  /** @returns null when the log does not hold it any more */
  async at(seq: number): Promise<Entry | null> {
    for (;;) {
      const found = this.scan(seq - 1, seq, () => true);
      if (!(found instanceof Promise)) return found.entry;
      await found;
    }
  }

  #inRing(seq: number): Entry | undefined {
    return this.#ring[seq - (this.#ring[0]?.seq ?? 0)];
  }

  #scanPage(after: number, upTo: number, passes: (entry: Entry) => boolean): Found | Promise<void> {
    const number = Math.floor(after / pageItems);
    const page = this.#pages.get(number);
    if (page === undefined || page.completeTo <= after) return this.#load(number);
    // To the end of the order: the page used longest ago goes first.
    this.#pages.delete(number);
    this.#pages.set(number, page);
    const reached = Math.min(upTo, page.completeTo);
    const entry = page.entries.find(({ seq }) => seq > after && seq <= reached);
    const passing =
      entry !== undefined && passes(entry)
        ? entry
        : page.entries.find((one) => one.seq > after && one.seq <= reached && passes(one));
    return passing === undefined ? { entry: null, reached } : { entry: passing, reached: passing.seq };
  }

  #load(number: number): Promise<void> {
    const known = this.#loading.get(number);
    if (known !== undefined) return known;
    const loading = this.#read(number).finally(() => {
      if (this.#loading.get(number) === loading) this.#loading.delete(number);
    });
    this.#loading.set(number, loading);
    return loading;
  }

  async #read(number: number): Promise<void> {
    const start = number * pageItems;
    const head = this.#log.head;
    const log = this.#ofLog;
    const { items, reached } = await this.#log.after(start, pageItems);
    if (log !== this.#ofLog) return;
    // Another process may have taken the log beyond the head that this one knows of. Of a log that ends before it, nobody
    // is owed what was lost.
    const completeTo = Math.min(Math.max(head, reached), start + pageItems);
    const entries = items
      .filter(({ seq }) => seq <= start + pageItems)
      .map((item) => new Entry(item, this.#match(item), this.#clock));
    this.#pages.set(number, { entries, completeTo });
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= keptPages) break;
      this.#pages.delete(oldest);
    }
  }
}
