import type { Filter } from "@tapewire/contract/filter.ts";
import type { LogItem } from "../feed/item.ts";
import { type ListPosition, positionOf } from "../feed/list-key.ts";
import type { Hit } from "../feed/window/types.ts";
import { type Shown, WindowChanges } from "../feed/window/window-changes.ts";
import type { Counted, CountRequest } from "../feed/window/window-counts.ts";
import { backoffMs } from "../runtime/backoff.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { SingleFlight } from "../runtime/sharing/single-flight.ts";
import type { Db } from "../store/engine/db.ts";
import { StoreError } from "../store/engine/errors.ts";
import { logItemOf } from "../store/log/item-reads.ts";
import { FeedDocs } from "./feed-docs.ts";
import type { Peers } from "./peers.ts";
import { type IndexStats, SegmentReader } from "./segments/reader.ts";
import type { ItemTail, LogObserver } from "./tail.ts";

export interface FeedIndexDeps {
  readonly db: Db;
  readonly tail: ItemTail;
  readonly peers: Pick<Peers, "alone">;
  readonly clock: Clock;
  readonly log: Log;
}

export interface FeedIndexLimits {
  /** Memory for parts of segments. */
  readonly cacheBytes: number;
  /** Memory for encoded items. */
  readonly bodyBytes: number;
}

export interface PageRequest {
  readonly filter: Filter;
  /** Continue after this item; null: from the newest. */
  readonly after: ListPosition | null;
  readonly limit: number;
  /** The calling account; absent: the service itself. */
  readonly owner?: string;
}

/** A page of the list, and the state it was read at. */
export interface FeedPage extends Shown {
  /** Stored JSON of the items, newest first. */
  readonly docs: readonly Buffer[];
}

/** How long a page waits for the tail to read what other processes have committed. */
const catchUpMs = 2_000;
const retryMs = { baseMs: 100, maxMs: 10_000 } as const;
const refreshEveryMs = 1_000;

/**
 * The index of all items, from which lists, snapshots and counts are served: segments in the database, and in memory what
 * has come since they were made (segments/views.ts). It follows the log, and notices when segments have changed.
 *
 * Items appended by this process are in the next page; those of other processes are in it after `joinWalk`.
 */
export class FeedIndex implements AsyncDisposable {
  readonly #deps: FeedIndexDeps;
  readonly #reader: SegmentReader;
  /** Others for another log: its entries have the numbers of this one's. */
  #docs: FeedDocs;
  readonly #newDocs: () => FeedDocs;
  readonly #changes = new WindowChanges();
  readonly #unobserve: () => void;
  readonly #closing = new AbortController();
  /** Aborts what loads the present view, when it is to be loaded anew. */
  #loading = new AbortController();
  #loaded: Promise<void>;
  #filling: Promise<void> = Promise.resolve();
  readonly #refreshing: Promise<void>;
  /** One run for all concurrent calls. */
  readonly #joining = new SingleFlight(() => this.#catchUp());
  readonly #renewing = new SingleFlight(() => this.#refresh());

  /** Begins to follow the log and to load. */
  constructor(deps: FeedIndexDeps, { cacheBytes, bodyBytes }: FeedIndexLimits) {
    this.#deps = deps;
    this.#reader = new SegmentReader(deps, cacheBytes, {
      loaded: () => this.#loaded,
      renew: () => this.#renewing.run(),
    });
    const { views } = this.#reader;
    this.#newDocs = () =>
      new FeedDocs(deps.db, bodyBytes, (key) => views.current?.unfolded.seqAt(key) ?? null);
    this.#docs = this.#newDocs();
    const observer: LogObserver = {
      extended: (batch) => this.#apply(batch),
      replaced: () => this.#beginAnew(),
      cut: () => this.#beginAnew(),
    };
    this.#unobserve = deps.tail.observe(observer);
    this.#loaded = this.#load(this.#loading.signal);
    this.#refreshing = this.#refreshRegularly();
  }

  /** Resolves when lists are served, or it was closed before that. */
  get loaded(): Promise<void> {
    return this.#loaded;
  }

  stats(): IndexStats & { bodies: number; bodyBytes: number } {
    const { bodies } = this.#docs;
    return { ...this.#reader.stats(), bodies: bodies.count, bodyBytes: bodies.bytes };
  }

  /** The epoch of the log whose items are shown. */
  get epoch(): string {
    return this.#deps.tail.epoch;
  }

  /**
   * One page, newest first by (published_at, id).
   * @param request limit: 1..1000
   * @throws {StoreError} timeout or busy, when the database takes too long for the page; read-only, so safe to retry
   */
  async page(request: PageRequest): Promise<FeedPage> {
    if (!this.#isFollowing) await this.#catchUp();
    const state = this.#isFollowing ? this.#changes.state : null;
    const { filter, after } = request;
    return { ...(await this.#read(request, { isAgain: false })), filter, after, state };
  }

  /**
   * Call it before a walk begins or continues here: pages read after it show everything that any process had committed
   * before it. It does nothing for a process that is alone.
   */
  async joinWalk(): Promise<void> {
    if (!this.#deps.peers.alone) await this.#joining.run();
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
   * Counts of the matching items.
   * @throws what `request.turn` throws; {StoreError} timeout or busy
   */
  async counts(filter: Filter, request: CountRequest & { readonly owner?: string }): Promise<Counted> {
    if (!this.#isFollowing) await this.#catchUp();
    return this.#reader.count(filter, request);
  }

  /** Shows what the keeper of segments has changed. */
  refresh(): Promise<void> {
    return this.#renewing.run();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unobserve();
    this.#closing.abort();
    this.#loading.abort();
    await Promise.all([this.#loaded, this.#refreshing, this.#filling]);
  }

  /** Whether the index has everything that this process knows to be committed. */
  get #isFollowing(): boolean {
    const { tail } = this.#deps;
    return this.#reader.views.current !== null && tail.freshness.isCurrent && !tail.isBehind;
  }

  /** Waits until everything committed before is in the index. */
  async #catchUp(): Promise<void> {
    const { clock, tail } = this.#deps;
    await tail.hear();
    if (tail.isBehind) await Promise.race([tail.readOn(), clock.sleep(catchUpMs)]);
    if (tail.isBehind) throw new StoreError("timeout");
  }

  /** Starts over: the log was replaced, or months were dropped from it. */
  #beginAnew(): void {
    this.#loading.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    this.#changes.forget();
    this.#reader.forget();
    this.#docs = this.#newDocs();
    this.#loaded = this.#loaded.then(() => this.#load(signal));
  }

  async #load(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps;
    for (let failures = 0; !signal.aborted; ) {
      try {
        await this.#reader.views.load(signal);
        break;
      } catch (error) {
        failures += 1;
        log.warn({ err: error }, "loading the index of items failed; trying again");
        await clock.sleep(backoffMs(failures, retryMs), signal).catch(() => {});
      }
    }
    if (signal.aborted) return;
    const { segments, items, unfolded } = this.stats();
    log.info({ segments, items, unfolded }, "the index of items is loaded");
    this.#filling = this.#filling.then(() => this.#fill(signal));
  }

  /** Documents in memory only make pages faster. */
  async #fill(signal: AbortSignal): Promise<void> {
    try {
      await this.#docs.fill(signal);
    } catch (error) {
      this.#deps.log.warn({ err: error }, "reading the newest documents failed");
    }
  }

  async #refreshRegularly(): Promise<void> {
    const { clock, log } = this.#deps;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await clock.sleep(refreshEveryMs, signal).catch(() => {});
      if (signal.aborted) return;
      try {
        await this.#renewing.run();
      } catch (error) {
        log.warn({ err: error }, "looking for new segments failed");
      }
    }
  }

  async #refresh(): Promise<void> {
    if ((await this.#reader.views.refresh()) === "lost") this.#beginAnew();
  }

  #apply(batch: readonly LogItem[]): void {
    try {
      for (const logItem of batch) this.#put(logItem);
    } catch (error) {
      // The index now lacks an item, and would stay wrong.
      this.#deps.log.error({ err: error }, "the index of items cannot follow the log; it is loaded anew");
      this.#beginAnew();
    }
  }

  #put({ item, doc, seq }: LogItem): void {
    const { isNew, replaced } = this.#reader.views.put(item);
    if (isNew) {
      if (replaced !== null) this.#docs.bodies.delete(replaced);
      this.#docs.bodies.put(seq, doc);
    }
    this.#changes.add(item);
  }

  async #read(
    request: PageRequest,
    { isAgain }: { isAgain: boolean },
  ): Promise<Pick<FeedPage, "docs" | "last">> {
    const { limit, owner = null } = request;
    const known = this.#docs;
    const hits: Hit[] = await this.#reader.find({ ...request, limit: limit + 1, owner });
    const shown = hits.slice(0, limit);
    const final = shown.at(-1);
    const last = hits.length > limit && final !== undefined ? positionOf(final.key) : null;
    const docs = await known.of(shown);
    if (docs.includes(null) && !isAgain) {
      // A month was dropped, and the index has not noticed.
      await this.#renewing.run();
      return this.#read(request, { isAgain: true });
    }
    return { docs: docs.filter((doc) => doc !== null), last };
  }
}
