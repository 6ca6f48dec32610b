import type { Bus, Committed } from "../bus/bus.ts";
import type { LogItem } from "../feed/item.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { Signal } from "../runtime/signal.ts";
import type { Queries } from "../store/db.ts";
import { type LogPage, type LogStretch, logHead, readLog } from "../store/item-reads.ts";
import { type LogPosition, settleLog } from "../store/log-place.ts";
import { Retention } from "./retention.ts";

const ringItems = 4_096;
const pageItems = 500;
const pollMs = 1_000;
const staleAfterMs = 10_000;

/** Told in the turn in which it becomes so; must not throw. */
export interface LogObserver {
  /**
   * Entries became visible.
   * @param items all that is kept up to `head`, in order
   */
  extended(items: readonly LogItem[], head: number): void;
  /** The log is another from here on: it was restored, or rebuilt. Nothing that was read of it holds. */
  replaced(): void;
  /** Items were dropped: what is held of them is to go. */
  cut(): void;
}

/**
 * The reading side of the log in one process: a tail of the newest items in memory, and any number of followers.
 *
 * Invariants. (1) The ring holds consecutive seq, up to #head, or nothing. (2) It grows only by items that directly
 * continue it: from the bus when they do, else from the table, which has every committed seq below its highest (the
 * writer commits in order). (3) A follower reads only upwards from its own position, from the ring where that reaches,
 * else from the table. Hence no gap and none twice, whatever the bus loses or repeats. (4) All of it is of one epoch:
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
  #ring: LogItem[] = [];
  /** What followers can see. */
  #place: LogPosition;
  /** The newest that was told of: committed, though perhaps not read yet. */
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
    this.#place = start;
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

  /** Whether the table could be read in the last seconds: what is written elsewhere would be seen. */
  get current(): boolean {
    return this.readAgeMs < staleAfterMs;
  }

  /** Of a log that was lost or rebuilt it is another; a cursor `<epoch>.<seq>` tells which log it belongs to. */
  get epoch(): string {
    return this.#place.epoch;
  }

  /** The newest seq that followers can see. */
  get head(): number {
    return this.#place.seq;
  }

  /** Seq up to which nothing is kept any more. */
  get floor(): number {
    return this.#retention.floor;
  }

  /** Whether this process heard of items that followers cannot see yet. */
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
   * aborts, the tail closes, or the log is replaced by another. A slow reader delays nobody: it falls back to reading the
   * table.
   * @throws the database's error when a read of the table fails
   */
  async *follow(afterSeq: number, signal: AbortSignal): AsyncGenerator<LogStretch, void, void> {
    const stop = AbortSignal.any([signal, this.#closing.signal]);
    const { epoch } = this;
    const isOver = () => stop.aborted || this.epoch !== epoch;
    let position = afterSeq;
    while (!isOver()) {
      const stretch = position < this.head ? await this.#behind(position) : null;
      if (stretch === null || stretch.reached <= position) {
        await this.#changed.wait(stop, pollMs);
        continue;
      }
      position = stretch.reached;
      if (!isOver()) yield stretch;
    }
  }

  /** The entry, when it is one of the newest, which are in memory. */
  at(seq: number): LogItem | undefined {
    return this.#ring[seq - (this.#ring[0]?.seq ?? 0)];
  }

  /** Committed entries behind a position, in order, at most `limit`, from the table. */
  after(seq: number, limit: number): Promise<LogPage> {
    return readLog(this.#db, seq, limit);
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

  /** null: the table holds another log. */
  async #behind(position: number): Promise<LogStretch | null> {
    const first = this.#ring[0];
    if (first !== undefined && position + 1 >= first.seq) {
      const start = position + 1 - first.seq;
      const items = this.#ring.slice(start, start + pageItems);
      return { items, reached: items.at(-1)?.seq ?? position };
    }
    const page = await readLog(this.#db, position, pageItems);
    return page.epoch === this.epoch ? page : null;
  }

  #hear(place: LogPosition): void {
    const isNewer = place.epoch !== this.#heard.epoch || place.seq > this.#heard.seq;
    if (isNewer) this.#heard = place;
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
    // An entry that is gone leaves a hole, which the ring has no place for.
    if (items.length === head - this.head) this.#ring.push(...items);
    else this.#ring = [];
    // In steps, so that the copy is paid once in a while and not per item.
    if (this.#ring.length > 2 * ringItems) this.#ring = this.#ring.slice(-ringItems);
    this.#place = { epoch: this.epoch, seq: head };
    for (const observer of this.#observers) observer.extended(items, head);
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
    const known = heard.epoch === this.epoch ? heard : this.#place;
    const last = this.#ring.at(-1);
    // The newest known entry is read once more: it must be the same.
    const page = await readLog(this.#db, this.head - (last === undefined ? 0 : 1), pageItems);
    this.#readAtMs = performance.now();
    const isRewritten = page.items.some(({ seq, doc }) => seq === last?.seq && doc !== last.doc);
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
    if (!more && this.#heard === heard) this.#heard = this.#place;
    return more;
  }

  #replace(place: LogPosition): void {
    if (place.epoch === this.epoch) return;
    this.#log.warn({ before: this.#place, now: place }, "the item log is another: restored, or failed over");
    this.#place = place;
    this.#heard = place;
    this.#ring = [];
    this.#retention.beginAnew();
    for (const observer of this.#observers) observer.replaced();
    this.#changed.notify();
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
      this.#ring = [];
      for (const observer of this.#observers) observer.cut();
    } catch (error) {
      this.#log.warn({ err: error }, "looking for months that were dropped failed");
    }
  }
}
