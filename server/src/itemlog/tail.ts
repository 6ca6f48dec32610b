import type { Bus, Committed } from "../bus/bus.ts";
import type { LogItem } from "../feed/item.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { Signal } from "../runtime/signal.ts";
import type { Queries } from "../store/engine/db.ts";
import { type LogStretch, logHead, readLog } from "../store/log/item-reads.ts";
import { type LogPosition, settleLog } from "../store/log/log-position.ts";
import { LogMemory } from "./memory.ts";
import { LogReplaced } from "./pages.ts";
import { LogReader } from "./reader.ts";
import { Retention } from "./retention.ts";

/** Entries of one statement, and of one stretch. */
const stretchItems = 500;
const pollMs = 1_000;
const staleAfterMs = 10_000;

/** Called in the turn of the change; must not throw. */
export interface LogObserver {
  /** Entries became visible: all that is kept up to the new head, in order. */
  extended?(items: readonly LogItem[]): void;
  /** The log is another from here on: it was restored, or rebuilt. Nothing that was read of it holds. */
  replaced?(): void;
  /** Items were dropped: what is held of them is to go. */
  cut?(): void;
}

/**
 * The reading side of the log in one process: it keeps the head of the log's memory where the log is.
 *
 * Invariants. (1) The ring holds consecutive seq, up to the head, or nothing. (2) It grows only by items that directly
 * continue it: from the bus when they do, else from the table, which has every committed seq below its highest (the
 * writer commits in order). (3) A reader moves only upwards from its own position, in the ring where that reaches, else
 * in pages of the table. Hence no gap and none twice, whatever the bus loses or repeats. (4) A memory is of one epoch:
 * every statement that reads tells the epoch with what it read.
 */
export class ItemTail implements AsyncDisposable {
  readonly #db: Queries;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #changed = new Signal();
  readonly #closing = new AbortController();
  readonly #unsubscribe: () => void;
  readonly #observers = new Set<LogObserver>();
  readonly #retention: Retention;
  #memory: LogMemory;
  /** The newest that the process heard of: committed, though perhaps not read yet. */
  #heard: LogPosition;
  #readAtMs = performance.now();
  #reading: Promise<void> | null = null;
  readonly #polling: Promise<void>;

  private constructor(
    deps: { db: Queries; bus: Bus; log: Log; clock: Clock },
    { start, retention }: { start: LogPosition; retention: Retention },
  ) {
    this.#db = deps.db;
    this.#log = deps.log;
    this.#clock = deps.clock;
    this.#retention = retention;
    this.#memory = this.#memoryOf(start);
    this.#heard = start;
    this.#unsubscribe = deps.bus.subscribe((committed) => this.#offer(committed));
    this.#polling = this.#poll();
  }

  static async open(deps: { db: Queries; bus: Bus; log: Log; clock: Clock }): Promise<ItemTail> {
    const start = await settleLog(deps.db, null);
    const retention = new Retention(deps.db);
    await retention.look();
    return new ItemTail(deps, { start, retention });
  }

  /** The log, for readers; after `replaced` it is another. */
  get memory(): LogMemory {
    return this.#memory;
  }

  /** Whether the table could be read in the last seconds: what is written elsewhere would be seen. */
  get current(): boolean {
    return this.readAgeMs < staleAfterMs;
  }

  /** Of a log that was lost or rebuilt it is another; a cursor `<epoch>.<seq>` tells which log it belongs to. */
  get epoch(): string {
    return this.#memory.epoch;
  }

  /** The newest seq that readers can see. */
  get head(): number {
    return this.#memory.head;
  }

  /** Seq up to which nothing is kept any more. */
  get floor(): number {
    return this.#retention.floor;
  }

  /** Whether this process heard of items that readers cannot see yet. */
  get isBehind(): boolean {
    return this.#heard.epoch !== this.epoch || this.head < this.#heard.seq;
  }

  /** How many. */
  get behind(): number {
    return Math.max(0, this.#heard.seq - this.head);
  }

  /** Since the table could last be read. */
  get readAgeMs(): number {
    return performance.now() - this.#readAtMs;
  }

  /** @returns ends it */
  observe(observer: LogObserver): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /**
   * Learns how far the log is now: what other processes committed before the call is then visible here, or `isBehind`
   * says that it is not. Rejects when the table cannot be read.
   */
  async hear(): Promise<void> {
    const known = this.#heard;
    const { epoch, lastSeq: seq } = await logHead(this.#db);
    if (epoch === known.epoch && seq < known.seq) return this.readOn();
    this.#hear({ epoch, seq });
    if (this.isBehind) this.#catchUp();
  }

  /**
   * Every item behind `afterSeq`, in order, in stretches: first those that exist, then as they come. Ends when `signal`
   * aborts, the tail closes, or the log is replaced by another.
   * @throws the database's error when a read of the table fails
   */
  async *follow(afterSeq: number, signal: AbortSignal): AsyncGenerator<LogStretch, void, void> {
    const stop = AbortSignal.any([signal, this.#closing.signal]);
    const memory = this.#memory;
    const reader = new LogReader(memory, afterSeq);
    while (!stop.aborted && this.#memory === memory) {
      const stretch = takeStretch(reader);
      if (stretch !== null) yield stretch;
      else if (reader.isAtHead || !(await isLoaded(reader))) await this.#changed.wait(stop, pollMs);
    }
  }

  /** Resolves when everything committed by now has been read, or reading failed. */
  async readOn(): Promise<void> {
    // One that is under way may have begun too early.
    await this.#reading;
    this.#catchUp();
    await this.#reading;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    this.#closing.abort();
    await this.#polling;
    await this.#reading;
  }

  #memoryOf(start: LogPosition): LogMemory {
    return new LogMemory(start, (afterSeq, limit) => readLog(this.#db, afterSeq, limit));
  }

  #hear(position: LogPosition): void {
    const isNewer = position.epoch !== this.#heard.epoch || position.seq > this.#heard.seq;
    if (isNewer) this.#heard = position;
  }

  #offer({ epoch, items }: Committed): void {
    const last = items.at(-1);
    if (last === undefined) return;
    this.#hear({ epoch, seq: last.seq });
    const fresh = epoch === this.epoch ? items.filter(({ seq }) => seq > this.head) : [];
    if (fresh[0]?.seq === this.head + 1) this.#extend(fresh, last.seq);
    else if (this.isBehind) this.#catchUp();
  }

  #extend(items: readonly LogItem[], head: number): void {
    this.#memory.extend(items, head);
    for (const observer of this.#observers) observer.extended?.(items);
    this.#changed.notify();
  }

  /** Reads what the bus did not bring: items of other processes, or a lost message. */
  #catchUp(): void {
    this.#reading ??= this.#readTable();
  }

  async #readTable(): Promise<void> {
    try {
      for (let more = true; more && !this.#closing.signal.aborted; ) more = await this.#readPage();
    } catch (error) {
      this.#log.error({ err: error }, "reading the item log failed");
    } finally {
      this.#reading = null;
    }
  }

  /** @returns whether there is more to read */
  async #readPage(): Promise<boolean> {
    const heard = this.#heard;
    const known = heard.epoch === this.epoch ? heard : this.#position;
    const { newest } = this.#memory;
    // The newest known entry is read once more: it must be the same.
    const page = await readLog(this.#db, this.head - (newest === undefined ? 0 : 1), stretchItems);
    this.#readAtMs = performance.now();
    const isRewritten = page.items.some(({ seq, doc }) => seq === newest?.seq && doc !== newest.doc);
    const isLost = isRewritten || page.head < known.seq;
    if (isLost || page.epoch !== known.epoch || !page.isHome) {
      this.#replace(await settleLog(this.#db, known, { isLost }));
      return true;
    }
    // The bus may have brought the same items meanwhile.
    const fresh = page.items.filter(({ seq }) => seq > this.head);
    if (page.reached > this.head) this.#extend(fresh, page.reached);
    const more = page.reached < page.head;
    // What was heard of before and is not in the table is not of this log.
    if (!more && this.#heard === heard) this.#heard = this.#position;
    return more;
  }

  #replace(position: LogPosition): void {
    if (position.epoch === this.epoch) return;
    this.#log.warn(
      { before: this.#position, now: position },
      "the item log is another: restored, or failed over",
    );
    this.#memory = this.#memoryOf(position);
    this.#heard = position;
    this.#retention.beginAnew();
    for (const observer of this.#observers) observer.replaced?.();
    this.#changed.notify();
  }

  get #position(): LogPosition {
    return { epoch: this.epoch, seq: this.head };
  }

  async #poll(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#clock.sleep(pollMs, signal).catch(() => {});
      if (signal.aborted) break;
      this.#catchUp();
      await this.#lookForCuts();
    }
  }

  async #lookForCuts(): Promise<void> {
    try {
      if (!(await this.#retention.look())) return;
      this.#memory.forget();
      for (const observer of this.#observers) observer.cut?.();
    } catch (error) {
      this.#log.warn({ err: error }, "looking for months that were dropped failed");
    }
  }
}

/** What a reader finds in memory up to the head; null: nothing. */
function takeStretch(reader: LogReader): LogStretch | null {
  const from = reader.position;
  const items: LogItem[] = [];
  while (items.length < stretchItems && !reader.isAtHead) {
    const entry = reader.next();
    if (entry === undefined) break;
    if (entry !== null) items.push(entry);
  }
  return reader.position === from ? null : { items, reached: reader.position };
}

/** @returns false: the log was replaced, and the tail does not know it yet */
async function isLoaded(reader: LogReader): Promise<boolean> {
  try {
    await reader.load();
    return true;
  } catch (error) {
    if (error instanceof LogReplaced) return false;
    throw error;
  }
}
