import type { Bus } from "../bus/bus.ts";
import type { LogItem } from "../feed/item.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { Signal } from "../runtime/signal.ts";
import type { Queries } from "../store/db.ts";
import { itemsAfter, logHead } from "../store/item-reads.ts";

const ringItems = 4_096;
const pageItems = 500;
const pollMs = 1_000;
const staleAfterMs = 10_000;

/** Where a log was lost or rebuilt its epoch changes; a cursor `<epoch>.<seq>` tells which log it belongs to. */
export interface LogPosition {
  readonly epoch: string;
  readonly seq: number;
}

/**
 * The reading side of the log in one process: a tail of the newest items in memory, and any number of followers.
 *
 * Invariants. (1) The ring holds consecutive seq, up to #head. (2) It grows only by items that directly continue it:
 * from the bus when they do, else from the table, which has every committed seq below its highest (the writer commits
 * in order). (3) A follower reads only upwards from its own position, from the ring where that reaches, else from the
 * table. Hence no gap and none twice, whatever the bus loses or repeats.
 */
export class ItemTail implements AsyncDisposable {
  readonly #db: Queries;
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #changed = new Signal();
  readonly #closing = new AbortController();
  readonly #unsubscribe: () => void;
  readonly #observers = new Set<(items: readonly LogItem[]) => void>();
  #ring: LogItem[] = [];
  #head: number;
  /** The highest seq that the bus told of: committed, though perhaps not read yet. */
  #heard: number;
  #readAtMs = performance.now();
  #reading: Promise<void> | null = null;
  readonly #polling: Promise<void>;
  readonly epoch: string;

  private constructor(deps: { db: Queries; bus: Bus; log: Log; clock: Clock }, start: LogPosition) {
    this.#db = deps.db;
    this.#log = deps.log;
    this.#clock = deps.clock;
    this.epoch = start.epoch;
    this.#head = start.seq;
    this.#heard = start.seq;
    this.#unsubscribe = deps.bus.subscribe((items) => this.#offer(items));
    this.#polling = this.#poll();
  }

  static async open(deps: { db: Queries; bus: Bus; log: Log; clock: Clock }): Promise<ItemTail> {
    const { epoch, lastSeq } = await logHead(deps.db);
    return new ItemTail(deps, { epoch, seq: lastSeq });
  }

  /** Whether the table could be read in the last seconds: what is written elsewhere would be seen. */
  get current(): boolean {
    return this.readAgeMs < staleAfterMs;
  }

  /** The newest seq that followers can see. */
  get head(): number {
    return this.#head;
  }

  /** Whether this process heard of items that followers cannot see yet. */
  get isBehind(): boolean {
    return this.#head < this.#heard;
  }

  /** How many. */
  get behind(): number {
    return Math.max(0, this.#heard - this.#head);
  }

  /** Since the table could last be read. */
  get readAgeMs(): number {
    return performance.now() - this.#readAtMs;
  }

  /**
   * @param observer is given all that comes from now on, in order, in the turn in which it becomes visible; must not
   * throw @returns ends it
   */
  observe(observer: (items: readonly LogItem[]) => void): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /**
   * Learns how far the log is now: what other processes committed before the call is then visible here, or `isBehind`
   * says that it is not. Rejects when the table cannot be read.
   */
  async hear(): Promise<void> {
    const { lastSeq } = await logHead(this.#db);
    this.#heard = Math.max(this.#heard, lastSeq);
    if (this.isBehind) this.#catchUp();
  }

  /**
   * Every item behind `afterSeq`, in order, in batches: first those that exist, then as they come. Ends when `signal`
   * aborts or the tail closes. A slow reader delays nobody: it falls back to reading the table.
   * @throws the database's error when a read of the table fails
   */
  async *follow(afterSeq: number, signal: AbortSignal): AsyncGenerator<readonly LogItem[], void, void> {
    const stop = AbortSignal.any([signal, this.#closing.signal]);
    let position = afterSeq;
    while (!stop.aborted) {
      const behind = position < this.#head;
      const batch = behind
        ? (this.#fromRing(position) ?? (await itemsAfter(this.#db, position, pageItems)))
        : [];
      if (batch.length === 0) {
        await this.#changed.wait(stop, pollMs);
        continue;
      }
      position = batch.at(-1)?.seq ?? position;
      if (!stop.aborted) yield batch;
    }
  }

  /** The entry, when it is one of the newest, which are in memory. */
  at(seq: number): LogItem | undefined {
    return this.#ring[seq - (this.#ring[0]?.seq ?? 0)];
  }

  /** Committed entries behind a position, in order, at most `limit`, from the table. */
  after(seq: number, limit: number): Promise<LogItem[]> {
    return itemsAfter(this.#db, seq, limit);
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

  #fromRing(position: number): readonly LogItem[] | null {
    const first = this.#ring[0];
    if (first === undefined || position + 1 < first.seq) return null;
    const start = position + 1 - first.seq;
    return this.#ring.slice(start, start + pageItems);
  }

  #offer(items: readonly LogItem[]): void {
    this.#heard = Math.max(this.#heard, items.at(-1)?.seq ?? 0);
    const fresh = items.filter(({ seq }) => seq > this.#head);
    if (fresh[0]?.seq === this.#head + 1) this.#extend(fresh);
    else if (fresh.length > 0) this.#catchUp();
  }

  #extend(items: readonly LogItem[]): void {
    this.#ring.push(...items);
    // In steps, so that the copy is paid once in a while and not per item.
    if (this.#ring.length > 2 * ringItems) this.#ring = this.#ring.slice(-ringItems);
    this.#head = items.at(-1)?.seq ?? this.#head;
    for (const observer of this.#observers) observer(items);
    this.#changed.notify();
  }

  /** Reads what the bus did not bring: items of other processes, or a lost message. */
  #catchUp(): void {
    this.#reading ??= this.#readTable();
  }

  async #readTable(): Promise<void> {
    try {
      for (let more = true; more && !this.#closing.signal.aborted; ) {
        const heard = this.#heard;
        const items = await itemsAfter(this.#db, this.#head, pageItems);
        this.#readAtMs = performance.now();
        // The bus may have brought the same items meanwhile.
        const fresh = items.filter(({ seq }) => seq > this.#head);
        if (fresh.length > 0) this.#extend(fresh);
        more = items.length === pageItems;
        // What was heard of before and is not in the table is not of this log.
        if (!more && this.#heard === heard) this.#heard = this.#head;
      }
    } catch (error) {
      this.#log.error({ err: error }, "reading the item log failed");
    } finally {
      this.#reading = null;
    }
  }

  async #poll(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#clock.sleep(pollMs, signal).catch(() => {});
      if (!signal.aborted) this.#catchUp();
    }
  }
}
