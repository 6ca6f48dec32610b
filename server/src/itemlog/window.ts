import { ApiError } from "@tapewire/contract/errors.ts";
import type { Filter } from "@tapewire/contract/filter.ts";
import type { ListPosition } from "../feed/cursor.ts";
import type { LogItem } from "../feed/item.ts";
import { WindowBodies } from "../feed/window-bodies.ts";
import { type Shown, WindowChanges } from "../feed/window-changes.ts";
import type { Hit } from "../feed/window-chunk.ts";
import { WindowIndex } from "../feed/window-index.ts";
import { idOf, positionOf } from "../feed/window-place.ts";
import { WindowTerms } from "../feed/window-terms.ts";
import { backoffMs } from "../runtime/backoff.ts";
import type { Clock } from "../runtime/clock.ts";
import { Joint } from "../runtime/joint.ts";
import type { Log } from "../runtime/log.ts";
import type { Db } from "../store/db.ts";
import { isTimeout } from "../store/errors.ts";
import { docsOf, logItemOf } from "../store/item-reads.ts";
import { type PageRequest, pageItems } from "../store/list.ts";
import type { Partitions } from "../store/partitions.ts";
import type { ItemTail } from "./follow.ts";
import type { Peers } from "./peers.ts";
import { WindowFill } from "./window-fill.ts";

export interface WindowDeps {
  readonly db: Db;
  readonly partitions: Partitions;
  readonly tail: ItemTail;
  readonly peers: Pick<Peers, "alone">;
  readonly clock: Clock;
  readonly log: Log;
}

export interface WindowLimits {
  /** Items held at least, when there are so many; 0: every page is read from the table. */
  readonly items: number;
  /** Encoded items held. */
  readonly bodyBytes: number;
}

/** A page of the list, and what it was true for. */
export interface WindowPage extends Shown {
  /** Stored JSON of the items, newest first. */
  readonly docs: readonly Buffer[];
}

type Page = Pick<WindowPage, "docs" | "last">;

export interface WindowStats {
  readonly items: number;
  /** Of the index. */
  readonly bytes: number;
  readonly bodies: number;
  readonly bodyBytes: number;
  /** The oldest position answered from memory; null: all of them. */
  readonly from: ListPosition | null;
  readonly ready: boolean;
}

/** For the tail to read what other processes have committed; then the table serves. */
const catchUpMs = 50;

const retryMs = { baseMs: 500, maxMs: 30_000 } as const;

/**
 * The newest items of the list in memory: pages, snapshots and their documents without a statement. It is filled from
 * the table in the background and follows the log; until it is whole, and whenever the log cannot be read, pages come
 * from the table. A page that runs past its oldest item goes on in the table behind exactly that item, so items that
 * come or change meanwhile are neither doubled nor skipped.
 *
 * What this process appends is in the next page it serves; what others append, in the next one that was joined.
 */
export class RecentWindow implements AsyncDisposable {
  readonly #deps: WindowDeps;
  readonly #terms = new WindowTerms();
  readonly #index: WindowIndex;
  readonly #bodies: WindowBodies;
  readonly #changes = new WindowChanges();
  readonly #closing = new AbortController();
  readonly #unobserve: () => void;
  readonly #filling: Promise<void>;
  readonly #isOff: boolean;
  /** Of all who ask for a page at a time. */
  readonly #joining = new Joint(() => this.#join());
  /** The index is exact: everything down to its floor, but for what the tail has not read. */
  #isWhole = false;
  #isBroken = false;

  /** Follows the log from here on, and begins to fill. */
  constructor(deps: WindowDeps, { items, bodyBytes }: WindowLimits) {
    this.#deps = deps;
    this.#index = new WindowIndex(items, this.#terms);
    this.#bodies = new WindowBodies(bodyBytes);
    this.#isOff = items === 0;
    this.#unobserve = this.#isOff ? () => {} : deps.tail.observe((batch) => this.#apply(batch));
    this.#filling = this.#isOff ? Promise.resolve() : this.#fill(items);
  }

  /** Resolves when it was filled, or closed before. */
  get filled(): Promise<void> {
    return this.#filling;
  }

  stats(): WindowStats {
    return {
      items: this.#index.items,
      bytes: this.#index.bytes,
      bodies: this.#bodies.count,
      bodyBytes: this.#bodies.bytes,
      from: this.#index.floor,
      ready: this.#isFollowing && this.#isWhole,
    };
  }

  /**
   * One page, newest first by (published_at, id).
   * @param request limit: 1..1000
   * @throws {ApiError} overloaded, when what the page needs of the table takes too long; read-only, so safe to retry
   */
  async page(request: PageRequest): Promise<WindowPage> {
    const state = this.#isFollowing ? this.#changes.state : null;
    const fromMemory = state !== null && this.#isWhole;
    const page = await (fromMemory ? this.#read(request) : this.#fromTable(request, []));
    return { ...page, filter: request.filter, after: request.after, state };
  }

  /**
   * To be called before a walk begins or goes on here: pages from then on show all that any process had committed
   * before. Who is alone has nobody to hear, and the table itself needs no news of it.
   */
  async joinWalk(): Promise<void> {
    const { peers, tail } = this.#deps;
    const isTable = this.#isOff || this.#isBroken || !this.#isWhole || !tail.current;
    if (!isTable && !peers.alone) await this.#joining.done();
  }

  async #join(): Promise<void> {
    const { clock, tail } = this.#deps;
    await tail.hear();
    // The table has few turns to give: all lists of a moment, sent there, would be too many.
    if (tail.isBehind) await Promise.race([tail.readOn(), clock.sleep(catchUpMs)]);
  }

  /** The same page as of now, when nothing that came in since can have changed it; null: it is to be read again. */
  refreshed(page: Shown): Shown | null {
    return this.#isFollowing && this.#changes.spare(page) ? { ...page, state: this.#changes.state } : null;
  }

  /** Items of a page, parsed, with the place where the next one begins; null: there is none. */
  async latest(
    filter: Filter,
    { behind, ...asked }: { behind: ListPosition | null; limit: number; owner: string },
  ): Promise<{ items: LogItem[]; last: ListPosition | null }> {
    const { docs, last } = await this.page({ filter, after: behind, ...asked });
    return { items: docs.map((doc) => logItemOf(doc.toString())), last };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#unobserve();
    this.#closing.abort();
    await this.#filling;
  }

  /** All that came is known, as far as the tail has it. */
  get #isFollowing(): boolean {
    const { tail } = this.#deps;
    return !this.#isOff && !this.#isBroken && tail.current && !tail.isBehind;
  }

  async #fill(capacity: number): Promise<void> {
    const { db, log } = this.#deps;
    const parts = { index: this.#index, terms: this.#terms, bodies: this.#bodies };
    const fill = new WindowFill(db.main, parts, capacity);
    if (!(await this.#untilTrue(() => fill.items()))) return;
    this.#isWhole = true;
    const { items, bytes } = this.stats();
    log.info({ items, bytes }, "the recent window is filled");
    await this.#untilTrue(() => fill.bodies());
  }

  /** Calls until it says true, again after a pause when the database fails. @returns false: closed before */
  async #untilTrue(step: () => Promise<boolean>): Promise<boolean> {
    const { clock, log } = this.#deps;
    const { signal } = this.#closing;
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
      // One item short, it would be wrong for ever.
      this.#isBroken = true;
      this.#unobserve();
      this.#deps.log.error({ err: error }, "the recent window cannot follow; lists come from the database");
    }
  }

  #put({ item, doc }: LogItem): void {
    const entry = this.#terms.entryOf(item);
    const replaced = this.#index.seqAt(entry.place);
    if (this.#index.put(entry)) {
      if (replaced !== null) this.#bodies.delete(replaced);
      this.#bodies.put(entry.seq, doc);
    }
    this.#changes.add(item);
  }

  async #read(request: PageRequest): Promise<Page> {
    const { filter, after, limit } = request;
    const { hits, beyond } = this.#index.walk(filter, after, limit + 1);
    if (beyond !== null) return this.#fromTable({ ...request, ...beyond }, hits);
    const shown = hits.slice(0, limit);
    const final = shown.at(-1);
    const last = hits.length > limit && final !== undefined ? positionOf(final.place) : null;
    return { docs: await this.#docs(shown), last };
  }

  /** The rest of a page whose first items are known. */
  async #fromTable(request: PageRequest, hits: readonly Hit[]): Promise<Page> {
    const { db, partitions } = this.#deps;
    const { limit } = request;
    // A page that is full already asks whether anything follows it.
    const rest = { ...request, limit: Math.max(1, limit - hits.length) };
    const [known, page] = await Promise.all([this.#docs(hits), pageItems(db.list, partitions, rest)]);
    const final = hits.at(-1);
    if (hits.length === limit && final !== undefined)
      return { docs: known, last: page.docs.length > 0 ? positionOf(final.place) : null };
    return { docs: [...known, ...page.docs.map((doc) => Buffer.from(doc))], last: page.last };
  }

  /** From memory, and what is not there from the table. */
  async #docs(hits: readonly Hit[]): Promise<Buffer[]> {
    const found = hits.map(({ seq }) => this.#bodies.get(seq));
    const missing = hits.filter((_, at) => found[at] === undefined);
    if (missing.length === 0) return found.filter((doc) => doc !== undefined);
    const read = await this.#readDocs(missing);
    return hits.flatMap(({ seq }, at) => found[at] ?? read.get(seq) ?? []);
  }

  /** By the seq they were asked for under; an item may have a newer version since. */
  async #readDocs(hits: readonly Hit[]): Promise<Map<number, Buffer>> {
    const keys = hits.map(({ place }) => ({ id: idOf(place), published_at: new Date(place.ms) }));
    try {
      const docs = await docsOf(this.#deps.db.list, keys);
      const read = new Map<number, Buffer>();
      for (const [at, { seq, place }] of hits.entries()) {
        const doc = docs[at];
        if (doc === null || doc === undefined) continue;
        const body = unpooled(doc);
        read.set(seq, body);
        // Another version may have come to the table meanwhile, or to the index.
        if (doc.startsWith(`{"seq":${seq},`) && this.#index.seqAt(place) === seq)
          this.#bodies.putRead(seq, body);
      }
      return read;
    } catch (error) {
      if (isTimeout(error))
        throw new ApiError("overloaded", { cause: error, headers: { "Retry-After": "5" } });
      throw error;
    }
  }
}

/** In memory of its own: a piece of Node's pool would keep all of it, many times as much, while the document is kept. */
function unpooled(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
