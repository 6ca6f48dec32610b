import { firstSet, hasBit, keepSlots, popcount, setBit, slotsOf, wordsFor } from "../bitmaps.ts";

/** A bitmap takes an eighth of a byte per slot, a list two bytes per slot that has the term. */
const slotsPerListed = 16;

/** Memory of the objects. */
const postingsBytes = 500;

/** Slots added since the postings were made, by term. */
export type RecentPostings = ReadonlyMap<number, readonly number[]>;

/**
 * For each term the slots of a chunk that have it: a list, or a bitmap where that is smaller. Immutable: `merged` makes
 * new postings.
 */
export class Postings {
  /** Ascending. */
  readonly #terms: Uint32Array;
  /** Where a list begins; the complement of where a bitmap begins. */
  readonly #starts: Int32Array;
  /** Lengths of lists; 0 for bitmaps. */
  readonly #lengths: Uint16Array;
  readonly #lists: Uint16Array;
  readonly #bitmaps: Uint32Array;
  readonly #words: number;

  constructor({ terms, starts, lengths, lists, bitmaps }: Columns, slots: number) {
    this.#terms = terms;
    this.#starts = starts;
    this.#lengths = lengths;
    this.#lists = lists;
    this.#bitmaps = bitmaps;
    this.#words = wordsFor(slots);
  }

  static empty(): Postings {
    return new Writer().finish(0);
  }

  get bytes(): number {
    const { byteLength } = this.#terms;
    return postingsBytes + 2.5 * byteLength + this.#lists.byteLength + this.#bitmaps.byteLength;
  }

  /** The first index from `from` on whose term is not below. Steps double, so a walk over ascending terms stays short. */
  seek(term: number, from: number): number {
    const terms = this.#terms;
    let step = 1;
    let low = from;
    let high = from;
    while (high < terms.length && (terms[high] ?? 0) < term) {
      low = high + 1;
      high += step;
      step *= 2;
    }
    high = Math.min(high, terms.length);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((terms[middle] ?? 0) < term) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether the term is the one at this index. */
  isAt(index: number, term: number): boolean {
    return this.#terms[index] === term;
  }

  /** Sets the bits of the slots that have the term, if it is the one at this index. @returns whether it is */
  addTo(bits: Uint32Array, index: number, term: number): boolean {
    if (this.#terms[index] !== term) return false;
    this.addAt(bits, index);
    return true;
  }

  /** Sets the bits of the slots that have the term at this index. */
  addAt(bits: Uint32Array, index: number): void {
    const start = this.#starts[index] ?? 0;
    if (start < 0) {
      const bitmaps = this.#bitmaps;
      const words = this.#words;
      for (let word = 0; word < words; word++) bits[word] = (bits[word] ?? 0) | (bitmaps[~start + word] ?? 0);
      return;
    }
    const lists = this.#lists;
    const end = start + (this.#lengths[index] ?? 0);
    for (let at = start; at < end; at++) setBit(bits, lists[at] ?? 0);
  }

  /** Sets in `kept` the bits of `found` whose slots have the term at this index. @returns whether there are any */
  keepAt(index: number, found: Uint32Array, kept: Uint32Array): boolean {
    const start = this.#starts[index] ?? 0;
    if (start < 0) return this.#keepBitmap(~start, found, kept);
    const lists = this.#lists;
    const end = start + (this.#lengths[index] ?? 0);
    // Values that never meet what was found are passed without a write.
    const first = firstSet(found, lists, start, end);
    if (first === end) return false;
    keepSlots(found, kept, lists, first, end);
    return true;
  }

  #keepBitmap(from: number, found: Uint32Array, kept: Uint32Array): boolean {
    const bitmaps = this.#bitmaps;
    const words = this.#words;
    let some = 0;
    for (let word = 0; word < words; word++) {
      const both = (found[word] ?? 0) & (bitmaps[from + word] ?? 0);
      kept[word] = (kept[word] ?? 0) | both;
      some |= both;
    }
    return some !== 0;
  }

  /** The bitmap of the term at this index, to be read only; null: it has a list. */
  bitmapAt(index: number): Uint32Array | null {
    const start = this.#starts[index] ?? 0;
    return start < 0 ? this.#bitmaps.subarray(~start, ~start + this.#words) : null;
  }

  /** About how many slots have the term at this index, which is also the work that it takes; of a bitmap the least. */
  weightAt(index: number): number {
    return this.#lengths[index] || (2 * 16 * this.#words) / slotsPerListed;
  }

  /** Adds to `counts`, by term, in how many of the slots each wanted term is. @param slots null: all */
  count(slots: Uint32Array | null, isWanted: Uint8Array, counts: Uint32Array): void {
    const { length } = this.#terms;
    for (let index = 0; index < length; index++) {
      const term = this.#terms[index] ?? 0;
      if (isWanted[term] === 1) counts[term] = (counts[term] ?? 0) + this.#countAt(index, slots);
    }
  }

  /** Adds to `counts` in how many of the slots each term of [from, to) is. @param slots null: all */
  countRange(
    slots: Uint32Array | null,
    { from, to }: { readonly from: number; readonly to: number },
    counts: Map<number, number>,
  ): void {
    for (let index = this.seek(from, 0); index < this.#terms.length; index++) {
      const term = this.#terms[index] ?? 0;
      if (term >= to) return;
      const count = this.#countAt(index, slots);
      if (count > 0) counts.set(term, (counts.get(term) ?? 0) + count);
    }
  }

  /** Calls back with the slots of every term, ascending by term. */
  each(visit: (term: number, slots: Uint16Array) => void): void {
    for (const [index, term] of this.#terms.entries()) visit(term, this.#slotsAt(index));
  }

  #countAt(index: number, slots: Uint32Array | null): number {
    const start = this.#starts[index] ?? 0;
    let count = 0;
    if (start < 0) {
      for (let word = 0; word < this.#words; word++)
        count += popcount((slots === null ? -1 : (slots[word] ?? 0)) & (this.#bitmaps[~start + word] ?? 0));
      return count;
    }
    const end = start + (this.#lengths[index] ?? 0);
    if (slots === null) return end - start;
    for (let at = start; at < end; at++) if (hasBit(slots, this.#lists[at] ?? 0)) count++;
    return count;
  }

  /** @param moved new slot by old slot, of `slots` new ones; below 0: the slot was dropped */
  merged(recent: RecentPostings, moved: Int32Array, slots: number): Postings {
    const writer = new Writer();
    const late = [...recent.keys()].sort((x, y) => x - y);
    let next = 0;
    for (const [index, term] of this.#terms.entries()) {
      for (; (late[next] ?? Number.POSITIVE_INFINITY) < term; next++)
        writeTerm(writer, late[next] ?? 0, null, recent, moved, slots);
      writeTerm(writer, term, this.#slotsAt(index), recent, moved, slots);
      if (late[next] === term) next++;
    }
    for (; next < late.length; next++) writeTerm(writer, late[next] ?? 0, null, recent, moved, slots);
    return writer.finish(slots);
  }

  #slotsAt(index: number): Uint16Array {
    const start = this.#starts[index] ?? 0;
    return start < 0
      ? slotsOf(this.#bitmaps.subarray(~start, ~start + this.#words))
      : this.#lists.subarray(start, start + (this.#lengths[index] ?? 0));
  }
}

function writeTerm(
  writer: Writer,
  term: number,
  frozen: Uint16Array | null,
  recent: RecentPostings,
  moved: Int32Array,
  slots: number,
): void {
  if (frozen !== null) for (const slot of frozen) writer.add(moved[slot] ?? -1);
  for (const slot of recent.get(term) ?? []) writer.add(moved[slot] ?? -1);
  writer.endTerm(term, slots);
}

interface Columns {
  readonly terms: Uint32Array;
  readonly starts: Int32Array;
  readonly lengths: Uint16Array;
  readonly lists: Uint16Array;
  readonly bitmaps: Uint32Array;
}

/** Collects terms in ascending order. */
class Writer {
  readonly #terms: number[] = [];
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  readonly #bitmaps: Uint32Array[] = [];
  #lists = new Uint16Array(4096);
  #listed = 0;
  #added = 0;

  add(slot: number): void {
    if (slot < 0) return;
    if (this.#listed + this.#added === this.#lists.length) {
      const wider = new Uint16Array(2 * this.#lists.length);
      wider.set(this.#lists);
      this.#lists = wider;
    }
    this.#lists[this.#listed + this.#added++] = slot;
  }

  endTerm(term: number, slots: number): void {
    const count = this.#added;
    this.#added = 0;
    if (count === 0) return;
    this.#terms.push(term);
    if (count * slotsPerListed <= slots) {
      this.#starts.push(this.#listed);
      this.#lengths.push(count);
      this.#listed += count;
      return;
    }
    const bitmap = new Uint32Array(wordsFor(slots));
    for (const slot of this.#lists.subarray(this.#listed, this.#listed + count)) setBit(bitmap, slot);
    this.#starts.push(~(this.#bitmaps.length * bitmap.length));
    this.#lengths.push(0);
    this.#bitmaps.push(bitmap);
  }

  finish(slots: number): Postings {
    const words = wordsFor(slots);
    const bitmaps = new Uint32Array(this.#bitmaps.length * words);
    for (const [index, bitmap] of this.#bitmaps.entries()) bitmaps.set(bitmap, index * words);
    return new Postings(
      {
        terms: Uint32Array.from(this.#terms),
        starts: Int32Array.from(this.#starts),
        lengths: Uint16Array.from(this.#lengths),
        lists: this.#lists.slice(0, this.#listed),
        bitmaps,
      },
      slots,
    );
  }
}
