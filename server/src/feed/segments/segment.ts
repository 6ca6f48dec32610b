import { compareListKeys, type ListKey } from "../list-key.ts";
import { blockItems, copied, joined, keyBlockBytes } from "./blocks.ts";

/** Words of a key in the head: the time since the base, and the id. */
const keyWords = 5;
const headWords = 4;

/** Where bytes of a segment are. */
export interface Slice {
  readonly at: number;
  readonly bytes: number;
}

export interface SegmentColumns {
  readonly items: number;
  readonly baseMs: number;
  readonly baseSeq: number;
  /** Of each block of items its first key, and at the end the last key of all. */
  readonly keys: Uint32Array;
  /** The first term of each block of postings. */
  readonly blockTerms: Uint32Array;
  /** Where each block of postings begins in the body, and where the last one ends. */
  readonly blockStarts: Uint32Array;
  /** Blocks of the words of titles; null: the segment was made without them. */
  readonly words: WordColumns | null;
  /** Where it is told which common values meet; null: nowhere. */
  readonly meetings: Slice | null;
}

interface WordColumns {
  /** The first word of each block. */
  readonly firsts: Float64Array;
  /** Where each block begins in the body, and where the last one ends. */
  readonly starts: Uint32Array;
}

/** The head of a segment: what every process has in memory of it. Typed arrays are as the machine has them: little-endian. */
export function encodeHead(columns: SegmentColumns): Uint8Array {
  const { items, baseMs, baseSeq, keys, blockTerms, blockStarts, words, meetings } = columns;
  // Segments without words have 0 there.
  const lengths = Uint32Array.of(
    items,
    keys.length,
    blockTerms.length,
    words === null ? 0 : 1 + words.firsts.length,
  );
  const parts: ArrayBufferView[] = [Float64Array.of(baseMs, baseSeq), lengths, keys, blockTerms, blockStarts];
  if (words !== null) parts.push(words.firsts, words.starts);
  // At the end, where versions without meetings do not look.
  if (meetings !== null) parts.push(Uint32Array.of(meetings.at, meetings.bytes));
  return joined(parts);
}

function decodeHead(bytes: Uint8Array): SegmentColumns {
  const buffer = copied(bytes);
  const [baseMs = 0, baseSeq = 0] = new Float64Array(buffer, 0, 2);
  const [items = 0, keyLength = 0, blocks = 0, words = 0] = new Uint32Array(buffer, 16, headWords);
  let at = 16 + 4 * headWords;
  const take = (length: number) => {
    const part = new Uint32Array(buffer, at, length);
    at += 4 * length;
    return part;
  };
  const keys = take(keyLength);
  const blockTerms = take(blocks);
  const blockStarts = take(blocks + 1);
  const takeWords = () => {
    // Copied, since a number of eight bytes may only begin at a multiple of eight.
    const firsts = new Float64Array(buffer.slice(at, at + 8 * (words - 1)));
    at += firsts.byteLength;
    return { firsts, starts: take(words) };
  };
  const columns = { items, baseMs, baseSeq, keys, blockTerms, blockStarts };
  const wordColumns = words === 0 ? null : takeWords();
  return { ...columns, words: wordColumns, meetings: at === buffer.byteLength ? null : sliceOf(take(2)) };
}

function sliceOf([at = 0, bytes = 0]: Uint32Array): Slice {
  return { at, bytes };
}

/**
 * A stretch of the list with an index of its own, immutable: up to 65,536 neighbouring items of one month. A slot is
 * the rank of an item, oldest first. In memory it is a head that says which bytes of the stored body hold what.
 */
export class Segment {
  readonly id: number;
  readonly month: string;
  readonly baseMs: number;
  readonly baseSeq: number;
  readonly items: number;
  readonly oldest: ListKey;
  readonly newest: ListKey;
  readonly #columns: SegmentColumns;

  constructor({ id, month, head }: { id: number; month: string; head: Uint8Array }) {
    this.id = id;
    this.month = month;
    this.#columns = decodeHead(head);
    const { items, baseMs, baseSeq, keys } = this.#columns;
    this.items = items;
    this.baseMs = baseMs;
    this.baseSeq = baseSeq;
    this.oldest = this.#keyAt(0);
    this.newest = this.#keyAt(keys.length / keyWords - 1);
  }

  get bytes(): number {
    const { keys, blockTerms, blockStarts, words } = this.#columns;
    const own = words === null ? 0 : words.firsts.byteLength + words.starts.byteLength;
    return 600 + keys.byteLength + blockTerms.byteLength + blockStarts.byteLength + own;
  }

  /** Blocks of items. */
  get keyBlocks(): number {
    return Math.ceil(this.items / blockItems);
  }

  /** Blocks of the words of titles; null: it was made without them. */
  get wordBlocks(): number | null {
    return this.#columns.words?.firsts.length ?? null;
  }

  /** Where it is told which common values meet; null: nowhere. */
  get meetingsSlice(): Slice | null {
    return this.#columns.meetings;
  }

  get postingBlocks(): number {
    return this.#columns.blockTerms.length;
  }

  /** The block of items that has the key, or would have it. */
  keyBlockOf(key: ListKey): number {
    let low = 0;
    let high = this.keyBlocks - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (compareListKeys(this.#keyAt(middle), key) > 0) high = middle - 1;
      else low = middle;
    }
    return low;
  }

  /** The block of postings that has the term, if one has. */
  postingBlockOf(term: number): number {
    return blockOf(this.#columns.blockTerms, term);
  }

  /** The block of words that has the word, if one has. A segment without words counts as one block. */
  wordBlockOf(word: number): number {
    const { words } = this.#columns;
    return words === null ? 0 : blockOf(words.firsts, word);
  }

  itemsOfBlock(block: number): number {
    return Math.min(blockItems, this.items - block * blockItems);
  }

  keySlice(block: number): Slice {
    return { at: block * keyBlockBytes(blockItems), bytes: keyBlockBytes(this.itemsOfBlock(block)) };
  }

  /** The times are the first column of a block. */
  timeSlice(block: number): Slice {
    return { at: block * keyBlockBytes(blockItems), bytes: 4 * this.itemsOfBlock(block) };
  }

  postingSlice(block: number): Slice {
    return sliceAt(this.#columns.blockStarts, block);
  }

  wordSlice(block: number): Slice {
    return sliceAt(this.#columns.words?.starts ?? noStarts, block);
  }

  #keyAt(n: number): ListKey {
    const { keys } = this.#columns;
    const [time = 0, a = 0, b = 0, c = 0, d = 0] = keys.subarray(keyWords * n, keyWords * (n + 1));
    return { ms: this.baseMs + time, a, b, c, d };
  }
}

const noStarts = new Uint32Array();

/** The last block whose first value is not above the wanted one. */
function blockOf(firsts: Uint32Array | Float64Array, wanted: number): number {
  let low = 0;
  let high = firsts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if ((firsts[middle] ?? 0) > wanted) high = middle - 1;
    else low = middle;
  }
  return low;
}

function sliceAt(starts: Uint32Array, block: number): Slice {
  const at = starts[block] ?? 0;
  return { at, bytes: (starts[block + 1] ?? at) - at };
}
