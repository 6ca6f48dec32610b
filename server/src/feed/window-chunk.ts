import type { ListKey } from "./list-key.ts";
import { Postings, setBit, wordsFor } from "./window-postings.ts";

/** An item as the window knows it. */
export interface WindowEntry {
  readonly seq: number;
  readonly key: ListKey;
  /** See WindowTerms; without repeats. */
  readonly terms: readonly number[];
}

/** An item found: the version, and where it stands. */
export interface Hit {
  readonly seq: number;
  readonly key: ListKey;
}

/** Per axis of a filter its terms, ascending. An item passes when it has one of each. */
export type TermSets = readonly (readonly number[])[];

/** What a search looks for. */
export interface Wanted {
  /** None: everything matches. */
  readonly sets: TermSets;
  /** The number of a filter that chunks remember; null: they do not. */
  readonly filter: number | null;
}

/** Items wanted: older than `below`, not older than `from`. */
export interface Range {
  readonly below: ListKey | null;
  readonly from: ListKey | null;
}

/** Bitmaps that a search works on, as wide as the largest chunk. */
export class Scratch {
  readonly found: Uint32Array;
  readonly axis: Uint32Array;

  constructor(slots: number) {
    this.found = new Uint32Array(wordsFor(slots));
    this.axis = new Uint32Array(wordsFor(slots));
  }
}

const idWords = 4;
/** What a remembered filter takes beside its bitmap. */
const rememberedBytes = 100;
/** Recent postings take more memory than frozen ones; freezing them costs as much as there are of both. */
const mostRecent = 1024;

/**
 * A stretch of the order: some thousand neighbouring items with an index of their own. An item takes the next slot and
 * keeps it; `#order` says how the slots follow one another, so that a late item moves two bytes for each neighbour and
 * no postings. A new version takes a new slot, and the old one drops out of the order.
 */
export class WindowChunk {
  /** Slots it has room for. */
  readonly capacity: number;
  readonly #ms: Float64Array;
  readonly #ids: Uint32Array;
  readonly #seqs: Float64Array;
  /** Slots from the oldest item to the newest. */
  readonly #order: Uint16Array;
  #items = 0;
  #slots = 0;
  /** Every item stands in the slot of its rank. */
  #inOrder = true;
  #frozen = Postings.empty();
  #frozenSlots = 0;
  #recent = new Map<number, number[]>();
  /** What filters have matched since the last item was put, by their number; null: nothing. */
  readonly #remembered = new Map<number, Uint32Array | null>();

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#ms = new Float64Array(capacity);
    this.#ids = new Uint32Array(idWords * capacity);
    this.#seqs = new Float64Array(capacity);
    this.#order = new Uint16Array(capacity);
  }

  get items(): number {
    return this.#items;
  }

  get isFull(): boolean {
    return this.#slots === this.capacity;
  }

  /** It had better be made anew, by `part`. */
  get isWorn(): boolean {
    return this.#slots - this.#frozenSlots > Math.max(mostRecent, this.#frozenSlots / 2);
  }

  /** About: what the map of recent postings takes can only be told from experience. */
  get bytes(): number {
    const columns =
      this.#ms.byteLength + this.#ids.byteLength + this.#seqs.byteLength + this.#order.byteLength;
    const recent = 120 * this.#recent.size + 80 * (this.#slots - this.#frozenSlots);
    let remembered = 0;
    for (const found of this.#remembered.values()) remembered += rememberedBytes + (found?.byteLength ?? 0);
    return columns + this.#frozen.bytes + recent + remembered;
  }

  get oldest(): ListKey {
    return this.#keyAt(this.#order[0] ?? 0);
  }

  get newest(): ListKey {
    return this.#keyAt(this.#order[this.#items - 1] ?? 0);
  }

  /** How many items are older than the key. */
  countBelow(key: ListKey): number {
    let low = 0;
    let high = this.#items;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.#order[middle] ?? 0, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The seq of the version held of the item at this key; null: there is none. */
  seqAt(key: ListKey): number | null {
    const rank = this.countBelow(key);
    const slot = this.#order[rank];
    return rank < this.#items && slot !== undefined && this.#compare(slot, key) === 0
      ? (this.#seqs[slot] ?? null)
      : null;
  }

  /** Puts an item, or a version in the place of another. The chunk must not be full. */
  put({ seq, key, terms }: WindowEntry): void {
    const slot = this.#slots++;
    this.#remembered.clear();
    this.#ms[slot] = key.ms;
    this.#ids.set([key.a, key.b, key.c, key.d], idWords * slot);
    this.#seqs[slot] = seq;
    this.#orderIn(slot, key);
    for (const term of terms) {
      const slots = this.#recent.get(term);
      if (slots === undefined) this.#recent.set(term, [slot]);
      else slots.push(slot);
    }
  }

  /** Adds what matches to `hits`, newest first, until there are `limit`. */
  search(wanted: Wanted, { below, from }: Range, limit: number, scratch: Scratch, hits: Hit[]): void {
    const high = below === null ? this.#items : this.countBelow(below);
    const low = from === null ? 0 : this.countBelow(from);
    if (low >= high) return;
    if (wanted.sets.length === 0) return this.#collectAll(low, high, limit, hits);
    const found = this.#found(wanted, scratch);
    if (found === null) return;
    if (this.#inOrder) this.#collectBits(found, low, high, limit, hits);
    else this.#collectInOrder(found, low, high, limit, hits);
  }

  /** The filter is no longer remembered. */
  forget(filter: number): void {
    this.#remembered.delete(filter);
  }

  /** The items of the ranks [from, to) in a chunk of their own, in order, without what other versions left behind. */
  part(from: number, to: number, capacity: number): WindowChunk {
    const part = new WindowChunk(Math.max(capacity, to - from));
    const moved = new Int32Array(this.#slots).fill(-1);
    for (let rank = from; rank < to; rank++) {
      const slot = this.#order[rank] ?? 0;
      const at = rank - from;
      moved[slot] = at;
      part.#ms[at] = this.#ms[slot] ?? 0;
      for (let word = 0; word < idWords; word++)
        part.#ids[idWords * at + word] = this.#ids[idWords * slot + word] ?? 0;
      part.#seqs[at] = this.#seqs[slot] ?? 0;
      part.#order[at] = at;
    }
    part.#items = to - from;
    part.#slots = to - from;
    part.#frozenSlots = to - from;
    part.#frozen = this.#frozen.merged(this.#recent, moved, to - from);
    return part;
  }

  #orderIn(slot: number, key: ListKey): void {
    const rank = this.countBelow(key);
    const before = this.#order[rank] ?? 0;
    if (rank < this.#items && this.#compare(before, key) === 0) {
      this.#order[rank] = slot;
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

  /** The slots that match, those of replaced versions too; null: none. */
  #found({ sets, filter }: Wanted, scratch: Scratch): Uint32Array | null {
    const known = filter === null ? undefined : this.#remembered.get(filter);
    if (known !== undefined) return known;
    const found = this.#match(sets, scratch) ? scratch.found : null;
    if (filter !== null) this.#remembered.set(filter, found?.slice(0, wordsFor(this.#slots)) ?? null);
    return found;
  }

  /** Leaves in `found` the slots that have a term of each set, those of replaced versions too. @returns whether any */
  #match(sets: TermSets, { found, axis }: Scratch): boolean {
    const words = wordsFor(this.#slots);
    for (let at = 0; at < sets.length; at++) {
      const bits = at === 0 ? found : axis;
      if (!this.#holdersOf(sets[at] ?? [], bits, words)) return false;
      if (at > 0 && !intersect(found, axis, words)) return false;
    }
    return true;
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
      if (((found[slot >>> 5] ?? 0) >>> (slot & 31)) & 1) hits.push(this.#hitAt(slot));
    }
  }

  /** Slots are ranks here: the highest bit is the newest item. */
  #collectBits(found: Uint32Array, low: number, high: number, limit: number, hits: Hit[]): void {
    const last = (high - 1) >>> 5;
    const first = low >>> 5;
    for (let word = last; word >= first && hits.length < limit; word--) {
      let bits = found[word] ?? 0;
      if (word === last) bits &= 0xffffffff >>> (31 - ((high - 1) & 31));
      if (word === first) bits &= 0xffffffff << (low & 31);
      while (bits !== 0 && hits.length < limit) {
        const bit = 31 - Math.clz32(bits);
        bits &= ~(1 << bit);
        hits.push(this.#hitAt(word * 32 + bit));
      }
    }
  }

  #hitAt(slot: number): Hit {
    return { seq: this.#seqs[slot] ?? 0, key: this.#keyAt(slot) };
  }

  #keyAt(slot: number): ListKey {
    const at = idWords * slot;
    return {
      ms: this.#ms[slot] ?? 0,
      a: this.#ids[at] ?? 0,
      b: this.#ids[at + 1] ?? 0,
      c: this.#ids[at + 2] ?? 0,
      d: this.#ids[at + 3] ?? 0,
    };
  }

  #compare(slot: number, { ms, a, b, c, d }: ListKey): number {
    const at = idWords * slot;
    return (
      (this.#ms[slot] ?? 0) - ms ||
      (this.#ids[at] ?? 0) - a ||
      (this.#ids[at + 1] ?? 0) - b ||
      (this.#ids[at + 2] ?? 0) - c ||
      (this.#ids[at + 3] ?? 0) - d
    );
  }
}

/** @returns whether anything is left in `found` */
function intersect(found: Uint32Array, other: Uint32Array, words: number): boolean {
  let left = 0;
  for (let word = 0; word < words; word++) {
    const both = (found[word] ?? 0) & (other[word] ?? 0);
    found[word] = both;
    left |= both;
  }
  return left !== 0;
}
