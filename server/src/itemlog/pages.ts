import type { LogItem } from "../feed/item.ts";
import { Gate } from "../runtime/sharing/gate.ts";
import { lruOf } from "../runtime/sharing/lru.ts";
import type { LogPage } from "../store/log/item-reads.ts";

const pageItems = 200;
const keptPages = 96;
const readsAtOnce = 4;

/** Reads committed entries after a position from the table, in order, over at most `limit` positions. */
export type ReadLog = (afterSeq: number, limit: number) => Promise<LogPage>;

/** The table holds another log than the one read so far: it was restored or rebuilt. */
export class LogReplaced extends Error {
  override readonly name = "LogReplaced";
}

/** The entries at consecutive positions of the log. */
export class Page {
  readonly #first: number;
  readonly #entries: readonly (LogItem | null)[];

  constructor(first: number, entries: readonly (LogItem | null)[]) {
    this.#first = first;
    this.#entries = entries;
  }

  /** null: the entry was dropped. undefined: its position is outside the page. */
  at(seq: number): LogItem | null | undefined {
    return seq < this.#first ? undefined : this.#entries[seq - this.#first];
  }
}

/**
 * Pages of the table. Readers that want the same page share one read, and the most recently used pages are cached. A
 * position of the log never changes, so a page never goes stale; the last page of the log is read again when more of it
 * is wanted.
 */
export class Pages {
  readonly #epoch: string;
  readonly #readLog: ReadLog;
  readonly #pages = lruOf<number, Page>(keptPages);
  /** A thousand readers at about the same position ask for the same page one after the other. */
  #latest: Page | null = null;
  readonly #loading = new Map<number, Promise<Page>>();
  readonly #reads = new Gate({ inside: readsAtOnce });

  constructor(epoch: string, readLog: ReadLog) {
    this.#epoch = epoch;
    this.#readLog = readLog;
  }

  /** The page that holds the entry, when it is in memory. */
  cached(seq: number): Page | null {
    if (this.#latest?.at(seq) !== undefined) return this.#latest;
    const page = this.#pages.get(numberOf(seq));
    if (page?.at(seq) === undefined) return null;
    this.#latest = page;
    return page;
  }

  /**
   * The page that holds the entry, which must be committed.
   * @throws {LogReplaced}; the database's error
   */
  async get(seq: number): Promise<Page> {
    const number = numberOf(seq);
    const before = this.cached(seq) ?? (await this.#loading.get(number));
    if (before?.at(seq) !== undefined) return before;
    // The read that was running may have begun before the entry was committed.
    const page = await this.#load(number);
    if (page.at(seq) === undefined) throw new LogReplaced(`the log ends before its entry ${seq}`);
    return page;
  }

  #load(number: number): Promise<Page> {
    const loading = this.#loading.get(number) ?? this.#read(number);
    this.#loading.set(number, loading);
    return loading;
  }

  async #read(number: number): Promise<Page> {
    const afterSeq = number * pageItems;
    try {
      const found = await this.#reads.run(() => this.#readLog(afterSeq, pageItems));
      const page = pageOf(afterSeq, found, this.#epoch);
      this.#pages.set(number, page);
      return page;
    } finally {
      this.#loading.delete(number);
    }
  }
}

function numberOf(seq: number): number {
  return Math.floor((seq - 1) / pageItems);
}

function pageOf(afterSeq: number, { epoch, items, reached }: LogPage, wanted: string): Page {
  if (epoch !== wanted) throw new LogReplaced("the table holds another log");
  const length = Math.min(reached - afterSeq, pageItems);
  const entries: (LogItem | null)[] = new Array(Math.max(0, length)).fill(null);
  for (const item of items) if (item.seq <= afterSeq + length) entries[item.seq - afterSeq - 1] = item;
  return new Page(afterSeq + 1, entries);
}
