import { copied, joined } from "./blocks.ts";

/** A title has fewer words. */
const positions = 256;

/** Where a word is: the item's rank, and the word's position in the title. Places ascend by both. */
export function placeOf(rank: number, position: number): number {
  return rank * positions + position;
}

export function rankOf(place: number): number {
  return Math.floor(place / positions);
}

/** The place of the item that has another rank. */
export function placeAt(place: number, rank: number): number {
  return placeOf(rank, place % positions);
}

/** Places of the words of titles, by the number of the word (title-words.ts). */
export type WordPlaces = Map<number, Uint32Array>;

/** A block of words ends with the one that reaches it. */
const blockBytes = 4_096;
const wordBytes = 10;
const placeBytes = 3;
const lowSpan = 2 ** 32;

/** Writes words, ascending by number, into blocks. */
export class WordBlocks {
  readonly #blocks: Uint8Array[] = [];
  readonly #firsts: number[] = [];
  #words: number[] = [];
  #places: Uint32Array[] = [];
  #bytes = 0;

  add(word: number, places: Uint32Array): void {
    if (places.length === 0) return;
    if (this.#words.length === 0) this.#firsts.push(word);
    this.#words.push(word);
    this.#places.push(places);
    this.#bytes += wordBytes + placeBytes * places.length;
    if (this.#bytes >= blockBytes) this.#endBlock();
  }

  finish(): { firsts: readonly number[]; blocks: readonly Uint8Array[] } {
    if (this.#words.length > 0) this.#endBlock();
    return { firsts: this.#firsts, blocks: this.#blocks };
  }

  #endBlock(): void {
    const words = this.#words;
    const places = this.#places;
    const parts = [
      Uint32Array.of(words.length),
      Uint32Array.from(words, (word) => word % lowSpan),
      Uint32Array.from(places, ({ length }) => length),
      Uint16Array.from(words, (word) => Math.floor(word / lowSpan)),
      ...places.map((some) => Uint16Array.from(some, rankOf)),
      ...places.map((some) => Uint8Array.from(some, (place) => place % positions)),
    ];
    this.#blocks.push(joined(parts));
    this.#words = [];
    this.#places = [];
    this.#bytes = 0;
  }
}

const noPlaces = new Uint32Array();

/** Some words of a segment with their places. */
export class Words {
  readonly #words: Float64Array;
  /** Where the places of each word begin, and where the last ones end. */
  readonly #starts: Uint32Array;
  readonly #places: Uint32Array;

  private constructor(words: Float64Array, starts: Uint32Array, places: Uint32Array) {
    this.#words = words;
    this.#starts = starts;
    this.#places = places;
  }

  static decode(bytes: Uint8Array): Words {
    const buffer = copied(bytes);
    const [count = 0] = new Uint32Array(buffer, 0, 1);
    const lows = new Uint32Array(buffer, 4, count);
    const lengths = new Uint32Array(buffer, 4 + 4 * count, count);
    const highs = new Uint16Array(buffer, 4 + 8 * count, count);
    const starts = startsOf(lengths);
    const total = starts[count] ?? 0;
    const slots = new Uint16Array(buffer, 4 + wordBytes * count, total);
    const at = new Uint8Array(buffer, 4 + wordBytes * count + 2 * total, total);
    // Loops, since a block has thousands of places, and calls of a function for each would be most of a search.
    const words = new Float64Array(count);
    for (let n = 0; n < count; n++) words[n] = (highs[n] ?? 0) * lowSpan + (lows[n] ?? 0);
    const places = new Uint32Array(total);
    for (let n = 0; n < total; n++) places[n] = placeOf(slots[n] ?? 0, at[n] ?? 0);
    return new Words(words, starts, places);
  }

  /** All words of a segment, which has none stored. */
  static of(all: WordPlaces): Words {
    const words = Float64Array.from(all.keys()).sort();
    const places = Array.from(words, (word) => all.get(word) ?? noPlaces);
    const starts = startsOf(Uint32Array.from(places, ({ length }) => length));
    const joinedPlaces = new Uint32Array(starts[words.length] ?? 0);
    for (const [n, some] of places.entries()) joinedPlaces.set(some, starts[n]);
    return new Words(words, starts, joinedPlaces);
  }

  get bytes(): number {
    return this.#words.byteLength + this.#starts.byteLength + this.#places.byteLength;
  }

  placesOf(word: number): Uint32Array {
    let low = 0;
    let high = this.#words.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#words[middle] ?? 0) < word) low = middle + 1;
      else high = middle;
    }
    return this.#words[low] === word ? this.#placesAt(low) : noPlaces;
  }

  /** Calls back with every word, ascending. */
  each(visit: (word: number, places: Uint32Array) => void): void {
    for (const [n, word] of this.#words.entries()) visit(word, this.#placesAt(n));
  }

  #placesAt(n: number): Uint32Array {
    return this.#places.subarray(this.#starts[n], this.#starts[n + 1]);
  }
}

function startsOf(lengths: Uint32Array): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (let n = 0; n < lengths.length; n++) starts[n + 1] = (starts[n] ?? 0) + (lengths[n] ?? 0);
  return starts;
}

/** The words of titles. @param titles by ascending rank */
export function wordPlaces(titles: Iterable<readonly [rank: number, words: ArrayLike<number>]>): WordPlaces {
  const found = new Map<number, number[]>();
  for (const [rank, words] of titles)
    for (let at = 0; at < words.length; at++) {
      const known = found.get(words[at] ?? 0);
      if (known === undefined) found.set(words[at] ?? 0, [placeOf(rank, at)]);
      else known.push(placeOf(rank, at));
    }
  return new Map([...found].map(([word, places]) => [word, Uint32Array.from(places)]));
}
