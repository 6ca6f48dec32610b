import type { Filter } from "@tapewire/contract/filter.ts";
import type { LogItem } from "../feed/item.ts";
import { type ListPosition, positionOf } from "../feed/list-key.ts";
import type { Hit } from "../feed/window/types.ts";
import { type Shown, WindowChanges } from "../feed/window/window-changes.ts";
import { type Counted, type CountRequest, countedNothing } from "../feed/window/window-counts.ts";
import { WindowTerms } from "../feed/window/window-terms.ts";
import { backoffMs } from "../runtime/backoff.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { SingleFlight } from "../runtime/sharing/single-flight.ts";
import type { Db } from "../store/engine/db.ts";
import { type PageRequest, pageItems } from "../store/list/list.ts";
import type { History } from "../store/log/history.ts";
import { logItemOf } from "../store/log/item-reads.ts";
import type { Partitions } from "../store/log/partitions.ts";
import type { Peers } from "./peers.ts";
import type { ItemTail, LogObserver } from "./tail.ts";
import { WindowContents } from "./window-contents.ts";
import { WindowFill } from "./window-fill.ts";

export interface WindowDeps {
  readonly db: Db;
  readonly partitions: Partitions;
  /** Reads what is older than the window; absent: from `db`. */
  readonly history?: History;
  readonly tail: ItemTail;
  readonly peers: Pick<Peers, "alone">;
  readonly clock: Clock;
  readonly log: Log;
}

export interface WindowLimits {
  /** Least number of items held, when that many exist; 0: every page is read from the table. */
  readonly items: number;
  /** Memory for encoded items. */
  readonly bodyBytes: number;
}

/** A page of the list, and the state it was read at. */
export interface WindowPage extends Shown {
  /** Stored JSON of the items, newest first. */
  readonly docs: readonly Buffer[];
}

type Page = Pick<WindowPage, "docs" | "last">;

const nothingKnown = { hits: [], docs: Promise.resolve([]) };

export interface WindowStats {
  readonly items: number;
  /** Memory of the index. */
  readonly bytes: number;
  readonly bodies: number;
  readonly bodyBytes: number;
  /** The oldest position answered from memory; null: all of them. */
  readonly from: ListPosition | null;
  readonly ready: boolean;
}

/** How long a page waits for the tail to read what other processes have committed; then the table answers. */
const catchUpMs = 50;

const retryMs = { baseMs: 500, maxMs: 30_000 } as const;

/**
 * The newest items of the list in memory: pages, snapshots and their documents without a statement. It is filled from
 * the table in the background and follows the log; until it is whole, and whenever the log cannot be read, pages come
 * from the table. A page that reaches past the window's oldest item continues in the table after exactly that item, so
 * items that come or change meanwhile are neither doubled nor skipped.
 *
 * Items appended by this process are in the next page; those of other processes are in it after `joinWalk`.
 */
export class RecentWindow implements AsyncDisposable {
  readonly #deps: WindowDeps;
  readonly #terms = new WindowTerms();
  readonly #limits: WindowLimits;
  #contents: WindowContents;
  readonly #changes = new WindowChanges();
  readonly #unobserve: () => void;
  #filling: Promise<void>;
  #refill = new AbortController();
  readonly #isOff: boolean;
  /** One run for all concurrent calls of joinWalk. */
  readonly #joining = new SingleFlight(() => this.#join());
  #isBroken = false;

  /** Begins to follow the log and to fill. */
  constructor(deps: WindowDeps, limits: WindowLimits) {
    this.#deps = deps;
    this.#limits = limits;
    this.#contents = this.#nothing();
    this.#isOff = limits.items === 0;
    const observer: LogObserver = {
      extended: (batch) => this.#apply(batch),
      replaced: () => this.#beginAnew(),
      cut: () => this.#beginAnew(),
    };
    this.#unobserve = this.#isOff ? () => {} : deps.tail.observe(observer);
    this.#filling = this.#isOff ? Promise.resolve() : this.#fill(this.#contents, this.#refill.signal);
  }

  /** Resolves when the window is filled, or was closed before that. */
  get filled(): Promise<void> {
    return this.#filling;
  }

  stats(): WindowStats {
    const { index, bodies, isWhole } = this.#contents;
    return {
      items: index.items,
      bytes: index.bytes,
      bodies: bodies.count,
      bodyBytes: bodies.bytes,
      from: index.floor,
      ready: this.#isFollowing && isWhole,
    };
  }

  /** The epoch of the log whose items are shown. */
  get epoch(): string {
    return this.#deps.tail.epoch;
  }

  /**
   * One page, newest first by (published_at, id).
   * @param request limit: 1..1000
   * @throws {StoreError} timeout, when the table takes too long for the page; read-only, so safe to retry
   */
  async page(request: PageRequest): Promise<WindowPage> {
    const state = this.#isFollowing ? this.#changes.state : null;
    const fromMemory = state !== null && this.#contents.isWhole;
    const page = await (fromMemory ? this.#read(request) : this.#fromTable(request, nothingKnown));
    return { ...page, filter: request.filter, after: request.after, state };
  }

  /**
   * Call it before a walk begins or continues here: pages read after it show everything that any process had committed
   * before it. It does nothing for a process that is alone, or when pages come from the table.
   */
  async joinWalk(): Promise<void> {
    const { peers, tail } = this.#deps;
    const isTable = this.#isOff || this.#isBroken || !this.#contents.isWhole || !tail.current;
    if (!isTable && !peers.alone) await this.#joining.run();
  }

  async #join(): Promise<void> {
    const { clock, tail } = this.#deps;
    await tail.hear();
    // The table can serve few at a time: sending all lists of the moment there would be too many.
    if (tail.isBehind) await Promise.race([tail.readOn(), clock.sleep(catchUpMs)]);
  }

  /** The same page with the present state, when nothing that came in since can have changed it; null: read it again. */
  refreshed(page: Shown): Shown | null {
    return this.#isFollowing && this.#changes.spare(page) ? { ...page, state: this.#changes.state } : null;
  }

  /** Items of a page, parsed, and the position after which the next page begins; null when there is none. */
  async latest(
    filter: Filter,
    { behind, ...page }: { behind: ListPosition | null; limit: number; owner: string },
  ): Promise<{ items: LogItem[]; last: ListPosition | null }> {
    const { docs, last } = await this.page({ filter, after: behind, ...page });
    return { items: docs.map((doc) => logItemOf(doc.toString())), last };
  }

  /**
   * Counts of the items that it holds; it holds none when it is switched off.
   * @returns null: it is not filled yet, or can no longer follow the log
   * @throws what `request.turn` throws
   */
  counts(filter: Filter, request: CountRequest): Counted | null {
    const { index, isWhole } = this.#contents;
    if (this.#isOff) return countedNothing(request);
    return this.#isBroken || !isWhole ? null : index.counts(filter, request);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unobserve();
    this.#refill.abort();
    await this.#filling;
  }

  /** Whether the window has everything that this process knows to be committed. */
  get #isFollowing(): boolean {
    const { tail } = this.#deps;
    return !this.#isOff && !this.#isBroken && tail.current && !tail.isBehind;
  }

  #nothing(): WindowContents {
    return new WindowContents(this.#deps.db, this.#terms, this.#limits);
  }

  /** Starts over: the log was replaced, or months were dropped from it. */
  #beginAnew(): void {
    this.#refill.abort();
    this.#refill = new AbortController();
    const { signal } = this.#refill;
    const contents = this.#nothing();
    this.#contents = contents;
    this.#changes.forget();
    this.#deps.partitions.forget();
    this.#filling = this.#filling.then(() => this.#fill(contents, signal));
  }

  async #fill(contents: WindowContents, signal: AbortSignal): Promise<void> {
    const { db, log } = this.#deps;
    const fill = new WindowFill(db.main, contents, this.#limits.items);
    if (!(await this.#untilTrue(() => fill.items(), signal))) return;
    contents.isWhole = true;
    const { items, bytes } = contents.index;
    log.info({ items, bytes }, "the recent window is filled");
    await this.#untilTrue(() => fill.bodies(), signal);
  }

  /** Repeats `step` until it returns true; after a database error it pauses first. @returns false: aborted before */
  async #untilTrue(step: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> {
    const { clock, log } = this.#deps;
    for (let failures = 0; !signal.aborted; ) {
      try {
        if (await step()) return true;
        failures = 0;
      } catch (error) {
        failures += 1;
        log.warn({ err: error }, "filling the recent window failed; trying again");
        await clock.sleep(backoffMs(failures, retryMs), signal).catch(() => {});
      }
    }
    return false;
  }

  #apply(batch: readonly LogItem[]): void {
    try {
      for (const logItem of batch) this.#put(logItem);
    } catch (error) {
      // The window now lacks an item, and would stay wrong.
      this.#isBroken = true;
      this.#unobserve();
      this.#deps.log.error({ err: error }, "the recent window cannot follow; lists come from the database");
    }
  }

  #put({ item, doc }: LogItem): void {
    const { index, bodies } = this.#contents;
    const entry = this.#terms.entryOf(item);
    const replaced = index.seqAt(entry.key);
    if (index.put(entry)) {
      if (replaced !== null) bodies.delete(replaced);
      bodies.put(entry.seq, doc);
    }
    this.#changes.add(item);
  }

  async #read(request: PageRequest): Promise<Page> {
    const { filter, after, limit } = request;
    const contents = this.#contents;
    const { hits, beyond } = contents.index.walk(filter, after, limit + 1);
    if (beyond !== null)
      return this.#fromTable({ ...request, ...beyond }, { hits, docs: contents.docs(hits) });
    const shown = hits.slice(0, limit);
    const final = shown.at(-1);
    const last = hits.length > limit && final !== undefined ? positionOf(final.key) : null;
    return { docs: await contents.docs(shown), last };
  }

  #fromHistory(request: PageRequest): ReturnType<typeof pageItems> {
    const { db, partitions, history, tail } = this.#deps;
    if (history === undefined) return pageItems(db.list, partitions, request);
    // A window that is whole has everything that was shown (joinWalk), and its tail knows how far that is.
    const needed = !this.#isOff && this.#contents.isWhole ? tail.heard : undefined;
    return history.read("list", (from) => pageItems(from.db, from.partitions, request), needed);
  }

  /** The rest of a page whose first items are known. */
  async #fromTable(
    request: PageRequest,
    { hits, docs }: { hits: readonly Hit[]; docs: Promise<Buffer[]> },
  ): Promise<Page> {
    const { limit } = request;
    // A full page still reads one row, to see whether anything follows it.
    const rest = { ...request, limit: Math.max(1, limit - hits.length) };
    const [known, page] = await Promise.all([docs, this.#fromHistory(rest)]);
    const final = hits.at(-1);
    if (hits.length === limit && final !== undefined)
      return { docs: known, last: page.docs.length > 0 ? positionOf(final.key) : null };
    return { docs: [...known, ...page.docs.map((doc) => Buffer.from(doc))], last: page.last };
  }
}
