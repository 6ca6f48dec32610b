import type { LogItem } from "../feed/item.ts";
import type { LogStretch } from "../store/log/item-reads.ts";
import type { LogMemory } from "./memory.ts";
import { Page } from "./pages.ts";

const noPage = new Page(1, []);

/**
 * A position in the log that moves up one entry at a time: it skips none and repeats none. It holds no more than its
 * current page, so a slow reader costs no more than a fast one.
 */
export class LogReader {
  /** All entries up to here were taken. Lower it to take some again. */
  position: number;
  readonly #memory: LogMemory;
  #page = noPage;

  constructor(memory: LogMemory, position: number) {
    this.#memory = memory;
    this.position = position;
  }

  get isAtHead(): boolean {
    return this.position >= this.#memory.head;
  }

  /**
   * Takes the next entry, which must be committed.
   * @returns null: the entry was dropped. undefined: nothing was taken, its page must be loaded first
   */
  next(): LogItem | null | undefined {
    const seq = this.position + 1;
    const entry = this.#memory.recent(seq);
    if (entry === undefined) return this.#nextOfPage(seq);
    this.#page = noPage;
    this.position = seq;
    return entry;
  }

  /**
   * Reads the page of the next entry, once for all readers that wait for it.
   * @throws {LogReplaced}; the database's error
   */
  async load(): Promise<void> {
    this.#page = await this.#memory.page(this.position + 1);
  }

  /** Skips everything up to the head. */
  skipToHead(): void {
    this.position = this.#memory.head;
    this.#page = noPage;
  }

  /** The next entry that still exists, loaded if need be; null: there is none up to the head. */
  async nextKept(): Promise<LogItem | null> {
    while (!this.isAtHead) {
      const entry = this.next();
      if (entry === undefined) await this.load();
      else if (entry !== null) return entry;
    }
    return null;
  }

  #nextOfPage(seq: number): LogItem | null | undefined {
    if (this.#page.at(seq) === undefined) this.#page = this.#memory.keptPage(seq) ?? noPage;
    const entry = this.#page.at(seq);
    if (entry !== undefined) this.position = seq;
    return entry;
  }
}

/** The entries that a reader finds in memory up to the head, at most so many; null: none. */
export function takeStretch(reader: LogReader, most: number): LogStretch | null {
  const from = reader.position;
  const items: LogItem[] = [];
  while (items.length < most && !reader.isAtHead) {
    const entry = reader.next();
    if (entry === undefined) break;
    if (entry !== null) items.push(entry);
  }
  return reader.position === from ? null : { items, reached: reader.position };
}
