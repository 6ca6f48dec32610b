import type { LogItem } from "../feed/item.ts";
import type { LogPage } from "../store/log/item-reads.ts";

const pageItems = 200;
const keptPages = 96;
const readsAtOnce = 4;

/** Reads committed entries behind a position from the table, in order, of at most `limit` positions. */
export type ReadLog = (afterSeq: number, limit: number) => Promise<LogPage>;

/** The table holds another log than the one that was read: it was restored, or rebuilt. */
export class LogReplaced extends Error {
  override readonly name = "LogReplaced";
}

/** What stands at consecutive positions of the log. */
export class Page {
  readonly #first: number;
  readonly #entries: readonly (LogItem | null)[];

  constructor(first: number, entries: readonly (LogItem | null)[]) {
    this.#first = first;
    this.#entries = entries;
  }

  /** null: the entry is not kept any more. undefined: its position is outside the page. */
  at(seq: number): LogItem | null | undefined {
    return seq < this.#first ? undefined : this.#entries[seq - this.#first];
  }
}

/**
 * Pages of the table, each read once for all readers that want it, the latest used kept. A position of the log shows the
 * same for ever, so a page never goes stale; the last one of the log is read again when more of it is wanted.
 */
export class Pages {
  readonly #epoch: string;
  readonly #readLog: ReadLog;
  /** By number, the page used longest ago first. */
  readonly #pages = new Map<number, Page>();
  readonly #loading = new Map<number, Promise<Page>>();
  #reading = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(epoch: string, readLog: ReadLog) {
    this.#epoch = epoch;
    this.#readLog = readLog;
  }

  /** The page that holds the entry, when it is in memory. */
  kept(seq: number): Page | null {
    const number = numberOf(seq);
    const page = this.#pages.get(number);
    if (page?.at(seq) === undefined) return null;
    this.#pages.delete(number);
    this.#pages.set(number, page);
    return page;
  }

  /**
   * The page that holds the entry, which must be committed.
   * @throws {LogReplaced}; the database's error
   */
  async get(seq: number): Promise<Page> {
    const number = numberOf(seq);
    const before = this.kept(seq) ?? (await this.#loading.get(number));
    if (before?.at(seq) !== undefined) return before;
    // A read that was under way may have begun before the entry was committed.
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
    await this.#turn();
    try {
      const afterSeq = number * pageItems;
      const page = pageOf(afterSeq, await this.#readLog(afterSeq, pageItems), this.#epoch);
      this.#keep(number, page);
      return page;
    } finally {
      this.#loading.delete(number);
      // The turn goes to the next in line, before anybody else can ask.
      const next = this.#waiting.shift();
      if (next === undefined) this.#reading -= 1;
      else next();
    }
  }

  async #turn(): Promise<void> {
    if (this.#reading < readsAtOnce) this.#reading += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #keep(number: number, page: Page): void {
    this.#pages.delete(number);
    this.#pages.set(number, page);
    for (const oldest of this.#pages.keys()) {
      if (this.#pages.size <= keptPages) break;
      this.#pages.delete(oldest);
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
