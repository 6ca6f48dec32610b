import type { ListKey } from "../list-key.ts";
import { blockItems, joined, type KeyBlock, PostingBlocks } from "./blocks.ts";
import { mergedWords, wordBlocks } from "./draft-words.ts";
import { type CommonTerm, encodeMeetings, leastCommon } from "./meetings.ts";
import { encodeHead } from "./segment.ts";
import type { SegmentEntry, Turn } from "./types.ts";
import type { WordPlaces } from "./words.ts";

/** Most items of a segment: a slot has 16 bits. */
export const mostSegmentItems = 65_536;

const idWords = 4;
const keyWords = 5;
const wordSpan = 2 ** 32;
/** Postings after which another task may have its turn. */
const turnPostings = 20_000;

/** A segment in its stored form. */
export interface EncodedSegment {
  readonly items: number;
  readonly head: Uint8Array;
  readonly body: Uint8Array;
}

/** The content of segments while they are made: columns by rank, oldest first, and the ranks that have each value. */
export class Draft {
  readonly items: number;
  readonly ms: Float64Array;
  readonly ids: Uint32Array;
  readonly seqs: Float64Array;
  /** Ascending. */
  readonly postings = new Map<number, Uint16Array | Uint32Array>();
  /** Places of the words of titles; null: they are not known of all items, so the segment is made without. */
  words: WordPlaces | null;

  constructor(items: number, words: WordPlaces | null) {
    this.items = items;
    this.ms = new Float64Array(items);
    this.ids = new Uint32Array(idWords * items);
    this.seqs = new Float64Array(items);
    this.words = words;
  }

  /** Puts the keys of a stored block at a rank. */
  putBlock(
    at: number,
    { times, ids, seqs }: KeyBlock,
    base: { readonly ms: number; readonly seq: number },
  ): void {
    for (const [n, time] of times.entries()) this.ms[at + n] = base.ms + time;
    this.ids.set(ids, idWords * at);
    for (const [n, seq] of seqs.entries()) this.seqs[at + n] = base.seq + seq;
  }

  /**
   * A draft with entries added.
   * @param entries ascending by key, one a key; an entry replaces the item of its key
   */
  async merged(entries: readonly SegmentEntry[], turn: Turn): Promise<Draft> {
    const order = this.#merge(entries);
    const words = this.words === null ? null : await mergedWords(this.words, entries, order, turn);
    const made = new Draft(order.items, words);
    for (const [rank, at] of order.moved.entries()) if (at >= 0) made.#copyItem(at, this, rank);
    for (const [n, { key, seq }] of entries.entries()) made.#putItem(order.added[n] ?? 0, key, seq);
    const added = postingsOf(entries, order.added);
    let passed = 0;
    for (const [term, ranks] of this.postings) {
      const kept = movedRanks(ranks, order.moved);
      const late = added.get(term);
      added.delete(term);
      const all = late === undefined ? kept : united(kept, late);
      if (all.length > 0) made.postings.set(term, all);
      passed += ranks.length;
      if (passed > turnPostings) {
        passed = 0;
        await turn();
      }
    }
    for (const [term, ranks] of added) made.postings.set(term, Uint32Array.from(ranks));
    return made;
  }

  /** The items of the ranks [from, to), at most `mostSegmentItems`, as a segment. */
  async encode(from: number, to: number, turn: Turn): Promise<EncodedSegment> {
    const items = to - from;
    const { firsts, blocks: postings, common } = await this.#postingBlocks(from, to, turn);
    const words = this.words === null ? null : await wordBlocks(this.words, from, to, turn);
    const baseMs = Math.floor(this.ms[from] ?? 0);
    const baseSeq = this.#leastSeq(from, to);
    const keys = this.#keyBlocks(from, to, { ms: baseMs, seq: baseSeq });
    await turn();
    const blockStarts = startsOf(
      keys.reduce((sum, { byteLength }) => sum + byteLength, 0),
      postings,
    );
    const wordStarts = startsOf(blockStarts.at(-1) ?? 0, words?.blocks ?? []);
    const meetings = await encodeMeetings(common, items, turn);
    return {
      items,
      head: encodeHead({
        items,
        baseMs,
        baseSeq,
        keys: this.#firstKeys(from, to, baseMs),
        blockTerms: Uint32Array.from(firsts),
        blockStarts,
        words: words === null ? null : { firsts: Float64Array.from(words.firsts), starts: wordStarts },
        meetings: meetings === null ? null : { at: wordStarts.at(-1) ?? 0, bytes: meetings.byteLength },
      }),
      body: joined([
        ...keys,
        ...postings,
        ...(words?.blocks ?? []),
        ...(meetings === null ? [] : [meetings]),
      ]),
    };
  }

  async #postingBlocks(from: number, to: number, turn: Turn) {
    const blocks = new PostingBlocks(to - from);
    const common: CommonTerm[] = [];
    const least = leastCommon(to - from);
    let passed = 0;
    for (const term of [...this.postings.keys()].sort((x, y) => x - y)) {
      const ranks = this.postings.get(term) ?? new Uint32Array();
      const slots = cut(ranks, from, to);
      blocks.add(term, slots);
      if (slots.length >= least) common.push({ term, slots });
      passed += ranks.length;
      if (passed > turnPostings) {
        passed = 0;
        await turn();
      }
    }
    return { ...blocks.finish(), common };
  }

  /** New ranks: `moved` of the items here, below 0 when replaced, and `added` of the entries. */
  #merge(entries: readonly SegmentEntry[]) {
    const moved = new Int32Array(this.items).fill(-1);
    const added = new Int32Array(entries.length);
    let rank = 0;
    let items = 0;
    for (const [n, { key }] of entries.entries()) {
      while (rank < this.items && this.#compare(rank, key) < 0) moved[rank++] = items++;
      if (rank < this.items && this.#compare(rank, key) === 0) rank++;
      added[n] = items++;
    }
    while (rank < this.items) moved[rank++] = items++;
    return { moved, added, items };
  }

  #compare(rank: number, { ms, a, b, c, d }: ListKey): number {
    const at = idWords * rank;
    return (
      (this.ms[rank] ?? 0) - ms ||
      (this.ids[at] ?? 0) - a ||
      (this.ids[at + 1] ?? 0) - b ||
      (this.ids[at + 2] ?? 0) - c ||
      (this.ids[at + 3] ?? 0) - d
    );
  }

  #copyItem(at: number, from: Draft, rank: number): void {
    this.ms[at] = from.ms[rank] ?? 0;
    for (let word = 0; word < idWords; word++)
      this.ids[idWords * at + word] = from.ids[idWords * rank + word] ?? 0;
    this.seqs[at] = from.seqs[rank] ?? 0;
  }

  #putItem(at: number, { ms, a, b, c, d }: ListKey, seq: number): void {
    this.ms[at] = ms;
    this.ids.set([a, b, c, d], idWords * at);
    this.seqs[at] = seq;
  }

  #leastSeq(from: number, to: number): number {
    let least = Number.POSITIVE_INFINITY;
    for (let rank = from; rank < to; rank++) least = Math.min(least, this.seqs[rank] ?? 0);
    return least;
  }

  #keyBlocks(from: number, to: number, base: { readonly ms: number; readonly seq: number }): Uint32Array[] {
    const blocks: Uint32Array[] = [];
    for (let at = from; at < to; at += blockItems) {
      const items = Math.min(blockItems, to - at);
      const block = new Uint32Array((2 + idWords) * items);
      for (let n = 0; n < items; n++) {
        block[n] = within((this.ms[at + n] ?? 0) - base.ms);
        block[(1 + idWords) * items + n] = within((this.seqs[at + n] ?? 0) - base.seq);
      }
      block.set(this.ids.subarray(idWords * at, idWords * (at + items)), items);
      blocks.push(block);
    }
    return blocks;
  }

  #firstKeys(from: number, to: number, baseMs: number): Uint32Array {
    const ranks: number[] = [];
    for (let rank = from; rank < to; rank += blockItems) ranks.push(rank);
    ranks.push(to - 1);
    const keys = new Uint32Array(keyWords * ranks.length);
    for (const [n, rank] of ranks.entries()) {
      keys[keyWords * n] = (this.ms[rank] ?? 0) - baseMs;
      keys.set(this.ids.subarray(idWords * rank, idWords * (rank + 1)), keyWords * n + 1);
    }
    return keys;
  }
}

/** A month has fewer ms, and its entries are a part of a log that takes years for so many. */
function within(difference: number): number {
  if (difference >= wordSpan) throw new RangeError(`a segment cannot span ${difference}`);
  return difference;
}

function postingsOf(entries: readonly SegmentEntry[], ranks: Int32Array): Map<number, number[]> {
  const postings = new Map<number, number[]>();
  for (const [n, { terms }] of entries.entries())
    for (const term of terms) {
      const known = postings.get(term);
      if (known === undefined) postings.set(term, [ranks[n] ?? 0]);
      else known.push(ranks[n] ?? 0);
    }
  return postings;
}

function united(x: Uint32Array, y: readonly number[]): Uint32Array {
  const all = new Uint32Array(x.length + y.length);
  all.set(x);
  all.set(y, x.length);
  return all.sort();
}

function movedRanks(ranks: Uint16Array | Uint32Array, moved: Int32Array): Uint32Array {
  const kept = new Uint32Array(ranks.length);
  let count = 0;
  for (const rank of ranks) {
    const at = moved[rank] ?? -1;
    if (at >= 0) kept[count++] = at;
  }
  return kept.subarray(0, count);
}

/** The ranks in [from, to), from 0 on. */
function cut(ranks: Uint16Array | Uint32Array, from: number, to: number): Uint16Array {
  const found = new Uint16Array(Math.min(ranks.length, to - from));
  let count = 0;
  for (const rank of ranks) if (rank >= from && rank < to) found[count++] = rank - from;
  return found.subarray(0, count);
}

function startsOf(first: number, parts: readonly Uint8Array[]): Uint32Array {
  const starts = new Uint32Array(parts.length + 1);
  starts[0] = first;
  for (const [n, { byteLength }] of parts.entries()) starts[n + 1] = (starts[n] ?? 0) + byteLength;
  return starts;
}
