import { wordsFor } from "../bitmaps.ts";
import { Postings } from "../window/window-postings.ts";

/** Items whose keys are read together. */
export const blockItems = 256;

/** Time 4, id 16, seq 4. */
const itemBytes = 24;

export function keyBlockBytes(items: number): number {
  return itemBytes * items;
}

/** Keys of neighbouring items, as they are stored: column by column. */
export interface KeyBlock {
  /** ms since the base of the segment. */
  readonly times: Uint32Array;
  /** Four words each. */
  readonly ids: Uint32Array;
  /** Since the base of the segment. */
  readonly seqs: Uint32Array;
}

export function decodeKeys(bytes: Uint8Array): KeyBlock {
  const words = decodeTimes(bytes);
  const items = bytes.length / itemBytes;
  return {
    times: words.subarray(0, items),
    ids: words.subarray(items, 5 * items),
    seqs: words.subarray(5 * items),
  };
}

export function decodeTimes(bytes: Uint8Array): Uint32Array {
  return new Uint32Array(copied(bytes));
}

const slotsPerListed = 16;
/** A block of postings ends with the term that reaches it. */
const blockBytes = 4_096;

/** Writes postings, ascending by term, into blocks. A term has a list of slots, or a bitmap where that is smaller. */
export class PostingBlocks {
  readonly #slots: number;
  readonly #blocks: Uint8Array[] = [];
  readonly #firsts: number[] = [];
  #terms: number[] = [];
  #lengths: number[] = [];
  #lists: Uint16Array[] = [];
  #bitmaps: Uint32Array[] = [];
  #bytes = 0;

  constructor(slots: number) {
    this.#slots = slots;
  }

  /** @param slots ascending */
  add(term: number, slots: Uint16Array): void {
    if (slots.length === 0) return;
    if (this.#terms.length === 0) this.#firsts.push(term);
    this.#terms.push(term);
    const isList = slots.length * slotsPerListed <= this.#slots;
    this.#lengths.push(isList ? slots.length : 0);
    if (isList) this.#lists.push(slots);
    else this.#bitmaps.push(bitmapOf(slots, this.#slots));
    this.#bytes += 6 + (isList ? slots.byteLength : 4 * wordsFor(this.#slots));
    if (this.#bytes >= blockBytes) this.#endBlock();
  }

  finish(): { firsts: readonly number[]; blocks: readonly Uint8Array[] } {
    if (this.#terms.length > 0) this.#endBlock();
    return { firsts: this.#firsts, blocks: this.#blocks };
  }

  #endBlock(): void {
    const lists = this.#lists.reduce((sum, { length }) => sum + length, 0);
    // An even number of the two-byte columns, so that bitmaps are aligned.
    const padding = new Uint16Array((this.#lengths.length + lists) % 2);
    const parts = [
      Uint32Array.of(this.#terms.length, lists),
      Uint32Array.from(this.#terms),
      Uint16Array.from(this.#lengths),
      ...this.#lists,
      padding,
      ...this.#bitmaps,
    ];
    this.#blocks.push(joined(parts));
    this.#terms = [];
    this.#lengths = [];
    this.#lists = [];
    this.#bitmaps = [];
    this.#bytes = 0;
  }
}

function bitmapOf(slots: Uint16Array, capacity: number): Uint32Array {
  const bits = new Uint32Array(wordsFor(capacity));
  for (const slot of slots) bits[slot >>> 5] = (bits[slot >>> 5] ?? 0) | (1 << (slot & 31));
  return bits;
}

/** @param slots of the segment */
export function decodePostings(bytes: Uint8Array, slots: number): Postings {
  const buffer = copied(bytes);
  const [count = 0, listed = 0] = new Uint32Array(buffer, 0, 2);
  const lengthsAt = 8 + 4 * count;
  const lengths = new Uint16Array(buffer, lengthsAt, count);
  const lists = new Uint16Array(buffer, lengthsAt + 2 * count, listed);
  const bitmapsAt = lengthsAt + 2 * (count + listed + ((count + listed) % 2));
  const starts = new Int32Array(count);
  const words = wordsFor(slots);
  let list = 0;
  let bitmap = 0;
  for (let index = 0; index < count; index++) {
    const length = lengths[index] ?? 0;
    starts[index] = length === 0 ? ~bitmap : list;
    list += length;
    if (length === 0) bitmap += words;
  }
  const terms = new Uint32Array(buffer, 8, count);
  return new Postings({ terms, starts, lengths, lists, bitmaps: new Uint32Array(buffer, bitmapsAt) }, slots);
}

/** The bytes of all parts, one after another. */
export function joined(parts: readonly ArrayBufferView[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), at);
    at += part.byteLength;
  }
  return bytes;
}

/** A copy, which is aligned and keeps no larger buffer alive. */
export function copied(bytes: Uint8Array): ArrayBuffer {
  const made = new Uint8Array(bytes.length);
  made.set(bytes);
  return made.buffer;
}
