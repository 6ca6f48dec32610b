import type { LogItem } from "../feed/item.ts";
import { type Page, Pages, type ReadLog } from "./pages.ts";

const ringItems = 4_096;

/**
 * The part of one log that a process has in memory for all its readers: the newest entries, and pages of older ones. It
 * belongs to one epoch: a log that replaces this one gets a memory of its own.
 */
export class LogMemory {
  readonly epoch: string;
  readonly #readLog: ReadLog;
  #head: number;
  /** Consecutive entries up to the head, or none. */
  #ring: LogItem[] = [];
  #pages: Pages;

  constructor({ epoch, seq }: { epoch: string; seq: number }, readLog: ReadLog) {
    this.epoch = epoch;
    this.#head = seq;
    this.#readLog = readLog;
    this.#pages = new Pages(epoch, readLog);
  }

  /** Seq of the newest entry that readers can see. */
  get head(): number {
    return this.#head;
  }

  /** Entries in the ring. */
  get size(): number {
    return this.#ring.length;
  }

  /** The entry at the head, when it is in the ring. */
  get newest(): LogItem | undefined {
    return this.#ring.at(-1);
  }

  /** The entry, when it is in the ring. */
  recent(seq: number): LogItem | undefined {
    const at = seq - this.#head + this.#ring.length - 1;
    return at < 0 ? undefined : this.#ring[at];
  }

  /** The page that holds an older entry, when it is in memory. */
  keptPage(seq: number): Page | null {
    return this.#pages.cached(seq);
  }

  /** See Pages.get. */
  page(seq: number): Promise<Page> {
    return this.#pages.get(seq);
  }

  /** @param items all remaining entries after the old head up to the new one, in order */
  extend(items: readonly LogItem[], head: number): void {
    // The ring cannot represent a dropped entry; readers then use the table.
    if (items.length === head - this.#head) this.#ring.push(...items);
    else this.#ring = [];
    this.#head = head;
    // Trimmed in large steps: the copy then costs little per item.
    if (this.#ring.length > 2 * ringItems) this.#ring = this.#ring.slice(-ringItems);
  }

  /** Entries were dropped from the log: discards everything, so that it is read again. */
  forget(): void {
    this.#ring = [];
    this.#pages = new Pages(this.epoch, this.#readLog);
  }
}
