import type { Filter } from "@tapewire/contract/filter.ts";
import { LRUCache } from "lru-cache";
import { AskedBefore } from "../asked-before.ts";
import { Scratch } from "../bitmaps.ts";
import { compareListKeys, type ListKey, type ListPosition, listKeyOf, startOf } from "../list-key.ts";
import { numbered } from "../title-words.ts";
import type { Hit, Range, Wanted, WindowEntry } from "./types.ts";
import { WindowChunk } from "./window-chunk.ts";
import { type CountRequest, type SeriesCounts, seriesCounts, valueCounts } from "./window-counts.ts";
import type { WindowTerms } from "./window-terms.ts";

const usualChunkItems = 16_384;
/** A walk through more chunks is long; the filter of a repeated long walk is remembered, since its caller pages or polls. */
const shortWalkChunks = 4;
/** Filters remembered; each takes a bit per item. */
const mostRemembered = 64;
const mostLongWalks = 1_000;
/** Free slots for late items in a chunk that is made from another. */
const spareSlots = 128;

/**
 * Items in the order of the list, each with the terms by which filters find it. The order is cut into chunks
 * of some thousand items; a search visits them from the newest and makes in each a bitmap of what matches, so its cost is
 * bounded by chunks and values, however rarely the values coincide. Chunks remember the matches of filters with long
 * walks until an item comes. Pure: no I/O, no time.
 */
export class WindowIndex {
  readonly #chunkItems: number;
  readonly #terms: WindowTerms;
  readonly #scratch: Scratch;
  /** Oldest first; none is empty. */
  #chunks: WindowChunk[] = [];
  #items = 0;
  /** Numbers of the filters remembered. */
  readonly #remembered = new LRUCache<string, number>({
    max: mostRemembered,
    dispose: (filter) => {
      for (const chunk of this.#chunks) chunk.forget(filter);
    },
  });
  #nextNumber = 0;
  readonly #longWalks = new AskedBefore(mostLongWalks);

  /** @param chunkItems most items of a chunk, at least 2 */
  constructor(terms: WindowTerms, { chunkItems = usualChunkItems }: { readonly chunkItems?: number } = {}) {
    this.#chunkItems = chunkItems;
    this.#terms = terms;
    this.#scratch = new Scratch(this.#chunkItems);
  }

  get items(): number {
    return this.#items;
  }

  get bytes(): number {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
  }

  /** The seq of the stored version of the item at this key; null: none. */
  seqAt(key: ListKey): number | null {
    return this.#chunks[this.#chunkOf(key)]?.seqAt(key) ?? null;
  }

  /** Adds an item, or a newer version of one. @returns false: this version, or a newer one, is known */
  put(entry: WindowEntry): boolean {
    const at = this.#chunkOf(entry.key);
    const chunk = this.#chunks[at];
    const known = chunk?.seqAt(entry.key) ?? null;
    if (known !== null && known >= entry.seq) return false;
    if (chunk === undefined || chunk.isFull) this.#putBeside(at, chunk, entry);
    else {
      chunk.put(entry);
      if (chunk.isWorn) this.#chunks[at] = chunk.part(0, chunk.items, chunk.capacity);
    }
    if (known === null) this.#items++;
    return true;
  }

  /** Matching items after a position, newest first: at most `limit`. */
  walk(filter: Filter, after: ListPosition | null, limit: number): Hit[] {
    const until = filter.until === undefined ? null : startOf(filter.until);
    const cursor = after === null ? null : listKeyOf(after);
    const from = filter.since === undefined ? null : startOf(filter.since);
    const hits: Hit[] = [];
    const sets = this.#terms.setsOf(filter);
    if (sets !== null) {
      const range = {
        below: until === null || (cursor !== null && compareListKeys(cursor, until) < 0) ? cursor : until,
        from,
      };
      this.#search({ sets, title: numbered(filter.title) }, range, limit, hits);
    }
    return hits;
  }

  /** How many of the matching items have each value of the request's axis, by its number. */
  valueCounts(filter: Filter, request: CountRequest): Map<number, number> {
    return valueCounts(this.#held, filter, request);
  }

  /** Counts of the matching items by time. @param values for each series the numbers of its values */
  seriesCounts(filter: Filter, request: CountRequest, values: readonly (readonly number[])[]): SeriesCounts {
    return seriesCounts(this.#held, filter, request, values);
  }

  /** The keys of its items from one to another, both included. */
  *keysBetween(from: ListKey, to: ListKey): Generator<ListKey> {
    for (const chunk of this.#chunks)
      if (compareListKeys(chunk.newest, from) >= 0 && compareListKeys(chunk.oldest, to) <= 0)
        yield* chunk.keysBetween(from, to);
  }

  get #held() {
    return { chunks: this.#chunks, terms: this.#terms, scratch: this.#scratch };
  }

  #search(wanted: Omit<Wanted, "filter">, range: Range, limit: number, hits: Hit[]): void {
    const { sets, title } = wanted;
    // Sorted, because the order of the sets follows how often their terms were seen, which changes.
    const text = [...sets.map(String).sort(), ...(title === null ? [] : [JSON.stringify(title)])].join(";");
    const first = range.below === null ? this.#chunks.length - 1 : this.#chunkOf(range.below);
    const last = range.from === null ? 0 : this.#chunkOf(range.from);
    let filter = this.#remembered.get(text) ?? null;
    for (let at = first; at >= last && hits.length < limit; at--) {
      if (first - at === shortWalkChunks && filter === null && text !== "" && this.#longWalks.ask(text))
        filter = this.#remember(text);
      this.#chunks[at]?.search({ ...wanted, filter }, range, limit, this.#scratch, hits);
    }
  }

  #remember(text: string): number {
    const made = this.#nextNumber++;
    this.#remembered.set(text, made);
    return made;
  }

  /** The chunk that has the key, or would have it. */
  #chunkOf(key: ListKey): number {
    let low = 0;
    let high = this.#chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      const chunk = this.#chunks[middle];
      if (chunk !== undefined && compareListKeys(chunk.oldest, key) > 0) high = middle - 1;
      else low = middle;
    }
    return low;
  }

  /** Beyond either end a new chunk begins, so that the others stay full; in between a full chunk is split in two. */
  #putBeside(at: number, chunk: WindowChunk | undefined, entry: WindowEntry): void {
    if (chunk === undefined) {
      this.#chunks.push(this.#begun(entry));
      return;
    }
    const { items } = chunk;
    const isCrowded = 4 * items > 3 * this.#chunkItems;
    const isNewest = at === this.#chunks.length - 1 && compareListKeys(chunk.newest, entry.key) < 0;
    const isOldest = at === 0 && compareListKeys(chunk.oldest, entry.key) > 0;
    if (isCrowded && (isNewest || isOldest)) {
      const left = this.#tight(chunk, 0, items);
      const begun = this.#begun(entry);
      this.#chunks.splice(at, 1, ...(isNewest ? [left, begun] : [begun, left]));
      return;
    }
    const half = isCrowded ? items >>> 1 : items;
    const parts = [this.#tight(chunk, 0, half), ...(half < items ? [this.#tight(chunk, half, items)] : [])];
    this.#chunks.splice(at, 1, ...parts);
    this.#chunks[this.#chunkOf(entry.key)]?.put(entry);
  }

  #begun(entry: WindowEntry): WindowChunk {
    const chunk = new WindowChunk(this.#chunkItems);
    chunk.put(entry);
    return chunk;
  }

  #tight(chunk: WindowChunk, from: number, to: number): WindowChunk {
    const items = to - from;
    return chunk.part(from, to, Math.min(this.#chunkItems, items + Math.max(spareSlots, items >>> 2)));
  }
}
