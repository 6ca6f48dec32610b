import type { BusMessage, Committed } from "../bus/types.ts";
import type { LogItem } from "../feed/item.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { Signal } from "../runtime/sharing/signal.ts";
import type { Queries } from "../store/engine/db.ts";
import { type LogStretch, logHead, readLog, readLogAtHome } from "../store/log/item-reads.ts";
import { type LogPosition, settleLog } from "../store/log/log-position.ts";
import { Freshness } from "./catching-up/freshness.ts";
import { HeardEntries } from "./catching-up/heard-entries.ts";
import { TableReads } from "./catching-up/table-reads.ts";
import type { LogObserver, TailDeps } from "./catching-up/types.ts";
import { LogMemory } from "./memory.ts";
import { LogReplaced } from "./pages.ts";
import { LogReader, takeStretch } from "./reader.ts";
import { Retention } from "./retention.ts";

export type { LogObserver } from "./catching-up/types.ts";

/** Entries of one statement, and of one stretch. */
const stretchItems = 500;
const pollMs = 1_000;

/**
 * The reading side of the log in one process: it keeps the log's memory up to date.
 *
 * Invariants. (1) The ring holds consecutive seq, up to the head, or nothing. (2) It grows only by items that directly
 * continue it: from the bus when they do, else from the table, which has every committed seq below its highest (the
 * writer commits in order). (3) A reader moves only upwards from its own position, in the ring where that reaches, else
 * in pages of the table. Hence no gap and no repeat, whatever the bus loses or repeats. (4) A memory belongs to one
 * epoch: every statement that reads entries also reads the epoch.
 */
export class ItemTail implements AsyncDisposable {
  readonly #db: Queries;
  readonly #history: TailDeps["history"];
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #changed = new Signal();
  readonly #closing = new AbortController();
  readonly #unsubscribe: () => void;
  readonly #observers = new Set<LogObserver>();
  readonly #retention: Retention;
  #memory: LogMemory;
  /** The newest position that this process knows to be committed, though perhaps not read yet. */
  #heard: LogPosition;
  readonly freshness: Freshness;
  /** Bring what the bus did not: items of other processes, or those of a lost message. */
  readonly #reads: TableReads;
  readonly #early = new HeardEntries();
  readonly #polling: Promise<void>;

  private constructor(deps: TailDeps, { start, retention }: { start: LogPosition; retention: Retention }) {
    this.#db = deps.db;
    this.#history = deps.history;
    this.#log = deps.log;
    this.#clock = deps.clock;
    this.#retention = retention;
    this.freshness = new Freshness(deps.lentUntilMs);
    this.#memory = this.#memoryOf(start);
    this.#heard = start;
    this.#reads = new TableReads({
      readPage: () => this.#readPage(),
      isBeyond: (position) => this.#isBeyond(position),
      signal: this.#closing.signal,
      log: deps.log,
    });
    this.#unsubscribe = deps.bus.subscribe((message) => this.#take(message));
    this.#polling = this.#poll();
  }

  static async open(deps: TailDeps): Promise<ItemTail> {
    const start = await settleLog(deps.db, null);
    const retention = new Retention(deps.db);
    await retention.look();
    return new ItemTail(deps, { start, retention });
  }

  /** The log, for readers; a new object after `replaced`. */
  get memory(): LogMemory {
    return this.#memory;
  }

  /** Changes when the log is lost or rebuilt; a cursor `<epoch>.<seq>` names its log by it. */
  get epoch(): string {
    return this.#memory.epoch;
  }

  /** The newest seq that readers can see. */
  get head(): number {
    return this.#memory.head;
  }

  /** All entries up to this seq were dropped. */
  get floor(): number {
    return this.#retention.floor;
  }

  /** The newest position that this process knows to be committed. */
  get heard(): LogPosition {
    return this.#heard;
  }

  /** Whether this process knows of entries that its readers cannot see yet. */
  get isBehind(): boolean {
    return this.#heard.epoch !== this.epoch || this.head < this.#heard.seq;
  }

  /** How many such entries. */
  get behind(): number {
    return Math.max(0, this.#heard.seq - this.head);
  }

  /** @returns ends the observation */
  observe(observer: LogObserver): () => void {
    this.#observers.add(observer);
    return () => this.#observers.delete(observer);
  }

  /**
   * Reads the position of the log's head: what other processes committed before the call is then visible here, or
   * `isBehind` says that it is not. Rejects when the table cannot be read.
   */
  async hear(): Promise<void> {
    const known = this.#heard;
    const { epoch, lastSeq: seq } = await logHead(this.#db);
    if (epoch === known.epoch && seq < known.seq) return this.readOn();
    this.#hear({ epoch, seq });
    if (this.isBehind) this.#reads.want("all");
  }

  /**
   * Every item after `afterSeq`, in order, in stretches: first those that exist, then new ones as they come. Ends when
   * `signal` aborts, the tail closes, or the log is replaced.
   * @throws the database's error when a read of the table fails
   */
  async *follow(afterSeq: number, signal: AbortSignal): AsyncGenerator<LogStretch, void, void> {
    const stop = AbortSignal.any([signal, this.#closing.signal]);
    const memory = this.#memory;
    const reader = new LogReader(memory, afterSeq);
    while (!stop.aborted && this.#memory === memory) {
      const stretch = takeStretch(reader, stretchItems);
      if (stretch !== null) yield stretch;
      else if (reader.isAtHead || !(await isLoaded(reader))) await this.#changed.wait(stop, pollMs);
    }
  }

  /** Resolves when everything committed by now has been read, or reading failed. */
  async readOn(): Promise<void> {
    this.#reads.want("all");
    await this.#reads.ended();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    this.#closing.abort();
    await this.#polling;
    await this.#reads.ended();
  }

  #memoryOf(start: LogPosition): LogMemory {
    const { epoch } = start;
    return new LogMemory(start, (afterSeq, limit) => {
      const needed = { epoch, seq: Math.min(this.#heard.seq, afterSeq + limit) };
      const read = (db: Queries) => readLog(db, afterSeq, limit);
      return this.#history?.read("main", read, needed) ?? read(this.#db);
    });
  }

  #hear(position: LogPosition): void {
    const isNewer = position.epoch !== this.#heard.epoch || position.seq > this.#heard.seq;
    if (isNewer) this.#heard = position;
  }

  #take(message: BusMessage): void {
    if (message.kind === "committed") this.#offer(message.committed, { isOwn: true });
    else if (message.kind === "entries") this.#offer(message.committed, { isOwn: false });
    else if (message.kind === "position") this.#lookFor(message);
    else if (message.kind === "missed") this.#reads.want("all");
  }

  /** @param isOwn this process committed them, so they are in the table */
  #offer({ epoch, items }: Committed, { isOwn }: { isOwn: boolean }): void {
    const last = items.at(-1);
    if (last === undefined) return;
    const position = { epoch, seq: last.seq };
    if (isOwn) this.#hear(position);
    const fresh = epoch === this.epoch ? items.filter(({ seq }) => seq > this.head) : [];
    const [first] = fresh;
    if (first !== undefined && first.seq !== this.head + 1) this.#early.add(fresh);
    if (first?.seq !== this.head + 1) return this.#lookFor(position);
    this.#hear(position);
    this.#extend(fresh, last.seq);
  }

  /**
   * Reads the table when it should have more. What another process says of the log is only a reason to look: were it
   * wrong, the log would seem to have lost entries.
   */
  #lookFor(position: LogPosition): void {
    if (this.#isBeyond(position)) this.#reads.want(position);
  }

  #isBeyond({ epoch, seq }: LogPosition): boolean {
    return epoch !== this.epoch || seq > this.head;
  }

  #extend(items: readonly LogItem[], head: number): void {
    this.#memory.extend(items, head);
    for (const observer of this.#observers) observer.extended?.(items);
    this.#changed.notify();
  }

  /** @returns whether there is more to read */
  async #readPage(): Promise<boolean> {
    const heard = this.#heard;
    const known = heard.epoch === this.epoch ? heard : this.#position;
    const { newest } = this.#memory;
    // Reads the newest known entry once more, to see that it is still the same log.
    const page = await readLogAtHome(this.#db, this.head - (newest === undefined ? 0 : 1), stretchItems);
    this.freshness.read();
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
    const early = this.#early.takeAfter(this.head);
    const last = early.at(-1);
    if (last !== undefined) {
      this.#hear({ epoch: this.epoch, seq: last.seq });
      this.#extend(early, last.seq);
    }
    // A position that was announced but is not in the table belongs to another log.
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
    this.#early.clear();
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
      this.#reads.want("all");
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

/** @returns false: the log was replaced, and the tail has not noticed yet */
async function isLoaded(reader: LogReader): Promise<boolean> {
  try {
    await reader.load();
    return true;
  } catch (error) {
    if (error instanceof LogReplaced) return false;
    throw error;
  }
}
