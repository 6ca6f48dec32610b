import { firstSet, setBit, wordsFor } from "../bitmaps.ts";
import type { TermSets } from "../window/types.ts";
import { copied, joined } from "./blocks.ts";
import type { Turn } from "./types.ts";

/**
 * A value is common, or even frequent, when one item in `each` has it, and no fewer than `least`. At most `most` values
 * are, those with the most items: what is stored of all their pairs stays below 40 KB.
 */
const common = { each: 512, least: 32, most: 1_024 } as const;
const frequent = { each: 64, least: 128, most: 256 } as const;
/** Slots looked at after which another task may have its turn. */
const turnSlots = 50_000;

/** A value, and the slots that have it. */
export interface CommonTerm {
  readonly term: number;
  readonly slots: Uint16Array;
}

/** Values of fewer items are not common. */
export function leastCommon(items: number): number {
  return leastOf(common, items);
}

function leastOf({ each, least }: { readonly each: number; readonly least: number }, items: number): number {
  return Math.max(least, items / each);
}

/**
 * Which of the common values of a segment are ever in the same item, of all pairs of which one is frequent. What never
 * meets is told without a look at the slots of either.
 */
export class Meetings {
  /** The common values, ascending. */
  readonly #terms: Uint32Array;
  /** The row of each common value; below 0: it is not frequent. */
  readonly #rows: Int16Array;
  /** For each frequent value, in order, a bit for each common one. */
  readonly #bits: Uint32Array;
  readonly #words: number;

  private constructor(terms: Uint32Array, frequent: Uint16Array, bits: Uint32Array) {
    this.#terms = terms;
    this.#rows = new Int16Array(terms.length).fill(-1);
    for (const [row, place] of frequent.entries()) this.#rows[place] = row;
    this.#bits = bits;
    this.#words = wordsFor(terms.length);
  }

  static decode(bytes: Uint8Array): Meetings {
    const buffer = copied(bytes);
    const [count = 0, rows = 0] = new Uint32Array(buffer, 0, 2);
    const rowsAt = 8 + 4 * count;
    const bitsAt = rowsAt + 2 * (rows + (rows % 2));
    return new Meetings(
      new Uint32Array(buffer, 8, count),
      new Uint16Array(buffer, rowsAt, rows),
      new Uint32Array(buffer, bitsAt),
    );
  }

  get bytes(): number {
    return 300 + 6 * this.#terms.length + this.#bits.byteLength;
  }

  /**
   * The sets without the values that meet no value of another one.
   * @param sets each ascending
   * @returns null: one of them has none left, so no item has a value of each
   */
  left(sets: TermSets): TermSets | null {
    const places = sets.map((set) => this.#placesOf(set));
    const left: (readonly number[])[] = [];
    for (const [n, set] of sets.entries()) {
      const own = places[n] ?? [];
      const some = set.filter((_, at) =>
        places.every((others, m) => m === n || this.#mayMeet(own[at] ?? -1, others)),
      );
      if (some.length === 0) return null;
      left.push(some);
    }
    return left;
  }

  /** Where the terms are; below 0: not common. */
  #placesOf(set: readonly number[]): number[] {
    const terms = this.#terms;
    let low = 0;
    return set.map((term) => {
      let high = terms.length;
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((terms[middle] ?? 0) < term) low = middle + 1;
        else high = middle;
      }
      return terms[low] === term ? low : -1;
    });
  }

  /** Whether a value may be in an item that has one of the others. */
  #mayMeet(place: number, others: readonly number[]): boolean {
    if (place < 0) return true;
    const row = this.#rows[place] ?? -1;
    return others.some((other) => {
      if (other < 0) return true;
      if (row >= 0) return this.#has(row, other);
      const theirs = this.#rows[other] ?? -1;
      return theirs < 0 || this.#has(theirs, place);
    });
  }

  #has(row: number, place: number): boolean {
    return (((this.#bits[row * this.#words + (place >>> 5)] ?? 0) >>> (place & 31)) & 1) === 1;
  }
}

/** @param terms those that may be common, ascending @returns null: there is nothing to tell */
export async function encodeMeetings(
  terms: readonly CommonTerm[],
  items: number,
  turn: Turn,
): Promise<Uint8Array | null> {
  const columns = most(terms, items, common);
  const rows = most(columns, items, frequent);
  if (rows.length === 0) return null;
  const words = wordsFor(columns.length);
  const bits = new Uint32Array(rows.length * words);
  const places = new Map(columns.map(({ term }, place) => [term, place]));
  let passed = 0;
  for (const [row, { slots }] of rows.entries()) {
    const holders = new Uint32Array(wordsFor(items));
    for (const slot of slots) setBit(holders, slot);
    const own = bits.subarray(row * words, (row + 1) * words);
    for (const [place, { slots: others }] of columns.entries()) {
      const met = firstSet(holders, others, 0, others.length);
      if (met < others.length) setBit(own, place);
      passed += met;
    }
    if (passed > turnSlots) {
      passed = 0;
      await turn();
    }
  }
  const frequentPlaces = rows.map(({ term }) => places.get(term) ?? 0);
  return joined([
    Uint32Array.of(columns.length, rows.length),
    Uint32Array.from(columns, ({ term }) => term),
    Uint16Array.from(frequentPlaces),
    new Uint16Array(rows.length % 2),
    bits,
  ]);
}

/** Those with enough slots, at most so many, still ascending. */
function most(terms: readonly CommonTerm[], items: number, wanted: typeof common | typeof frequent) {
  const least = leastOf(wanted, items);
  return terms
    .filter(({ slots }) => slots.length >= least)
    .sort((x, y) => y.slots.length - x.slots.length)
    .slice(0, wanted.most)
    .sort((x, y) => x.term - y.term);
}
