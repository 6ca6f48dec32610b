import { passesTitle } from "@tapewire/contract/title/title.ts";
import {
  clearBit,
  countBits,
  downwards,
  fill,
  hasBit,
  intersect,
  type Scratch,
  setBit,
  wordsFor,
} from "../bitmaps.ts";
import { compareListKeys, type ListKey } from "../list-key.ts";
import type { NumberedQuery } from "../title-words.ts";
import type { Hit, Range, Wanted, WindowEntry } from "./types.ts";
import { WindowKeys } from "./window-keys.ts";
import { Postings } from "./window-postings.ts";

/** Memory of a remembered filter beside its bitmap. */
const rememberedBytes = 100;
/** Of a title: its words, and their array. */
const titleBytes = 200;
const noWords = new Float64Array();
/** Recent postings take more memory than frozen ones; freezing them costs as much as there are postings of both. */
const mostRecent = 1024;

/**
 * A chunk of the order: some thousand neighbouring items with an index of their own. An item takes the next free slot
 * and stays there; `#order` lists the slots by rank, so a late item moves two bytes per neighbour and no postings. A new
 * version takes a new slot, and the old slot drops out of the order.
 */
export class WindowChunk {
  /** Slots in total. */
  readonly capacity: number;
  readonly #keys: WindowKeys;
  /** Words of the titles. */
  readonly #titles: Float64Array[] = [];
  /** Slots from the oldest item to the newest. */
  readonly #order: Uint16Array;
  #items = 0;
  #slots = 0;
  /** Whether every item is in the slot of its rank. */
  #inOrder = true;
  /** Slots before it are in the order of their times; those from it on may not be. */
  #sorted = 0;
  /** Slots of replaced versions. */
  readonly #replaced: number[] = [];
  #frozen = Postings.empty();
  #frozenSlots = 0;
  #recent = new Map<number, number[]>();
  /** The matches of filters since the last put, by their number; null: no match. */
  readonly #remembered = new Map<number, Uint32Array | null>();

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#keys = new WindowKeys(capacity);
    this.#order = new Uint16Array(capacity);
  }

  get items(): number {
    return this.#items;
  }

  get isFull(): boolean {
    return this.#slots === this.capacity;
  }

  /** Whether the chunk should be replaced by a new one (`part`). */
  get isWorn(): boolean {
    return this.#slots - this.#frozenSlots > Math.max(mostRecent, this.#frozenSlots / 2);
  }

  /** An estimate: the size of the map of recent postings is known only by measurement. */
  get bytes(): number {
    const columns = this.#keys.bytes + this.#order.byteLength;
    const recent = 120 * this.#recent.size + 80 * (this.#slots - this.#frozenSlots);
    let remembered = 0;
    for (const found of this.#remembered.values()) remembered += rememberedBytes + (found?.byteLength ?? 0);
    return columns + titleBytes * this.#slots + this.#frozen.bytes + recent + remembered;
  }

  get oldest(): ListKey {
    return this.#keys.keyAt(this.#order[0] ?? 0);
  }

  get newest(): ListKey {
    return this.#keys.keyAt(this.#order[this.#items - 1] ?? 0);
  }

  /** How many items are older than the key. */
  countBelow(key: ListKey): number {
    let low = 0;
    let high = this.#items;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#keys.compare(this.#order[middle] ?? 0, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  *keysBetween(from: ListKey, to: ListKey): Generator<ListKey> {
    for (let rank = this.countBelow(from); rank < this.#items; rank++) {
      const key = this.#keys.keyAt(this.#order[rank] ?? 0);
      if (compareListKeys(key, to) > 0) return;
      yield key;
    }
  }

  /** The seq of the stored version of the item at this key; null: there is none. */
  seqAt(key: ListKey): number | null {
    const rank = this.countBelow(key);
    const slot = this.#order[rank];
    return rank < this.#items && slot !== undefined && this.#keys.compare(slot, key) === 0
      ? (this.#keys.seqs[slot] ?? null)
      : null;
  }

  /** Puts an item, or a new version of one. The chunk must not be full. */
  put({ seq, key, terms, title }: WindowEntry): void {
    const slot = this.#slots++;
    this.#remembered.clear();
    if (slot === this.#sorted && (slot === 0 || (this.#keys.ms[slot - 1] ?? 0) <= key.ms)) this.#sorted++;
    this.#keys.put(slot, key, seq);
    this.#titles[slot] = title;
    this.#orderIn(slot, key);
    for (const term of terms) {
      const slots = this.#recent.get(term);
      if (slots === undefined) this.#recent.set(term, [slot]);
      else slots.push(slot);
    }
  }

  /** Adds matching items to `hits`, newest first, until there are `limit`. */
  search(wanted: Wanted, { below, from }: Range, limit: number, scratch: Scratch, hits: Hit[]): void {
    const high = below === null ? this.#items : this.countBelow(below);
    const low = from === null ? 0 : this.countBelow(from);
    if (low >= high) return;
    if (wanted.sets.length === 0 && wanted.title === null) return this.#collectAll(low, high, limit, hits);
    const found = this.#found(wanted, scratch);
    if (found === null) return;
    if (this.#inOrder) this.#collectBits(found, low, high, limit, hits);
    else this.#collectInOrder(found, low, high, limit, hits);
  }

  /** The time of the item in each slot, in ms; the first `sorted` ascend. */
  get times(): { readonly ms: Float64Array; readonly sorted: number } {
    return { ms: this.#keys.ms.subarray(0, this.#slots), sorted: this.#sorted };
  }

  /** Leaves in `scratch.found` the slots of exactly the items that match. @returns whether any */
  select(wanted: Omit<Wanted, "filter">, scratch: Scratch): boolean {
    const { found } = scratch;
    if (!this.#match(wanted, scratch)) return false;
    for (const slot of this.#replaced) clearBit(found, slot);
    return true;
  }

  /** Leaves in `bits` the slots that have one of the terms, replaced versions included. */
  holders(terms: readonly number[], bits: Uint32Array): void {
    this.#holdersOf(terms, bits, wordsFor(this.#slots));
  }

  /** Adds to `counts`, by term, in how many of the slots each wanted term is. */
  countTerms(slots: Uint32Array, isWanted: Uint8Array, counts: Uint32Array): void {
    // No bitmap has to be looked into when every slot counts, as for whole chunks without a filter.
    this.#frozen.count(countBits(slots) === this.#slots ? null : slots, isWanted, counts);
    for (const [term, holders] of this.#recent)
      if (isWanted[term] === 1)
        for (const slot of holders) if (hasBit(slots, slot)) counts[term] = (counts[term] ?? 0) + 1;
  }

  /** Forgets the matches of a filter. */
  forget(filter: number): void {
    this.#remembered.delete(filter);
  }

  /** The items of the ranks [from, to) in a chunk of their own, in order, without slots of replaced versions. */
  part(from: number, to: number, capacity: number): WindowChunk {
    const part = new WindowChunk(Math.max(capacity, to - from));
    const moved = new Int32Array(this.#slots).fill(-1);
    for (let rank = from; rank < to; rank++) {
      const slot = this.#order[rank] ?? 0;
      const at = rank - from;
      moved[slot] = at;
      part.#keys.copy(at, this.#keys, slot);
      part.#titles[at] = this.#titles[slot] ?? noWords;
      part.#order[at] = at;
    }
    part.#items = to - from;
    part.#slots = to - from;
    part.#sorted = to - from;
    part.#frozenSlots = to - from;
    part.#frozen = this.#frozen.merged(this.#recent, moved, to - from);
    return part;
  }

  #orderIn(slot: number, key: ListKey): void {
    const rank = this.countBelow(key);
    const before = this.#order[rank] ?? 0;
    if (rank < this.#items && this.#keys.compare(before, key) === 0) {
      this.#order[rank] = slot;
      this.#replaced.push(before);
      this.#inOrder = false;
      return;
    }
    if (rank < this.#items) {
      this.#order.copyWithin(rank + 1, rank, this.#items);
      this.#inOrder = false;
    }
    this.#order[rank] = slot;
    this.#items++;
  }

  /** The slots that match, those of replaced versions included; null: none. */
  #found({ filter, ...wanted }: Wanted, scratch: Scratch): Uint32Array | null {
    const known = filter === null ? undefined : this.#remembered.get(filter);
    if (known !== undefined) return known;
    const found = this.#match(wanted, scratch) ? scratch.found : null;
    if (filter !== null) this.#remembered.set(filter, found?.slice(0, wordsFor(this.#slots)) ?? null);
    return found;
  }

  /** Leaves in `found` the slots that match, replaced versions included. @returns whether any may */
  #match({ sets, title }: Omit<Wanted, "filter">, { found, axis }: Scratch): boolean {
    const words = wordsFor(this.#slots);
    if (sets.length === 0) fill(found, this.#slots);
    for (let at = 0; at < sets.length; at++) {
      const bits = at === 0 ? found : axis;
      if (!this.#holdersOf(sets[at] ?? [], bits, words)) return false;
      if (at > 0 && !intersect(found, axis, words)) return false;
    }
    if (title !== null) this.#readTitles(title, found);
    return true;
  }

  /** Their number is bounded, so titles have no postings here: those of the items that are left are looked at. */
  #readTitles(title: NumberedQuery, found: Uint32Array): void {
    for (const slot of downwards(found, 0, this.#slots))
      if (!passesTitle(this.#titles[slot] ?? noWords, title)) clearBit(found, slot);
  }

  #holdersOf(terms: readonly number[], bits: Uint32Array, words: number): boolean {
    bits.fill(0, 0, words);
    let some = false;
    let index = 0;
    for (const term of terms) {
      index = this.#frozen.seek(term, index);
      if (this.#frozen.addTo(bits, index, term)) some = true;
      const recent = this.#recent.size === 0 ? undefined : this.#recent.get(term);
      if (recent === undefined) continue;
      for (const slot of recent) setBit(bits, slot);
      some = true;
    }
    return some;
  }

  #collectAll(low: number, high: number, limit: number, hits: Hit[]): void {
    for (let rank = high - 1; rank >= low && hits.length < limit; rank--)
      hits.push(this.#hitAt(this.#order[rank] ?? 0));
  }

  #collectInOrder(found: Uint32Array, low: number, high: number, limit: number, hits: Hit[]): void {
    for (let rank = high - 1; rank >= low && hits.length < limit; rank--) {
      const slot = this.#order[rank] ?? 0;
      if (hasBit(found, slot)) hits.push(this.#hitAt(slot));
    }
  }

  /** For a chunk in order, where slots are ranks: the highest bit is the newest item. */
  #collectBits(found: Uint32Array, low: number, high: number, limit: number, hits: Hit[]): void {
    for (const slot of downwards(found, low, high)) {
      if (hits.length >= limit) return;
      hits.push(this.#hitAt(slot));
    }
  }

  #hitAt(slot: number): Hit {
    return { seq: this.#keys.seqs[slot] ?? 0, key: this.#keys.keyAt(slot) };
  }
}
