import type { Postings } from "../window/window-postings.ts";
import type { Segment } from "./segment.ts";
import type { Sight } from "./sight.ts";

/** Where the values of one axis of a filter are in a segment; values that no item there has are left out. */
export class Axis {
  readonly #postings: Postings[] = [];
  readonly #indexes: number[] = [];
  /** About how much work it is to go through it. */
  weight = 0;

  /**
   * @param terms ascending
   * @returns undefined: blocks are to be read first
   */
  static of(segment: Segment, terms: readonly number[], sight: Sight): Axis | undefined {
    const made = new Axis();
    if (segment.postingBlocks === 0) return made;
    let isKnown = true;
    let number = -1;
    let index = 0;
    let block: Postings | undefined;
    for (const term of terms) {
      const next = segment.postingBlockOf(term);
      if (next !== number) {
        number = next;
        index = 0;
        block = sight.postings(segment, number);
        if (block === undefined) isKnown = false;
      }
      if (block === undefined) continue;
      index = block.seek(term, index);
      if (block.isAt(index, term)) made.#add(block, index);
    }
    return isKnown ? made : undefined;
  }

  get isEmpty(): boolean {
    return this.#indexes.length === 0;
  }

  /** Sets the bits of the slots that have one of the values. */
  addTo(bits: Uint32Array): void {
    for (const [n, postings] of this.#postings.entries()) postings.addAt(bits, this.#indexes[n] ?? 0);
  }

  /** Sets in `kept` the bits of `found` whose slots have one of the values. @returns whether there are any */
  keep(found: Uint32Array, kept: Uint32Array): boolean {
    let some = false;
    for (const [n, postings] of this.#postings.entries())
      if (postings.keepAt(this.#indexes[n] ?? 0, found, kept)) some = true;
    return some;
  }

  /** A bitmap that is stored as it is, to be read only; null: there is none. */
  get bitmap(): Uint32Array | null {
    return this.#postings.length === 1 ? (this.#postings[0]?.bitmapAt(this.#indexes[0] ?? 0) ?? null) : null;
  }

  #add(postings: Postings, index: number): void {
    this.#postings.push(postings);
    this.#indexes.push(index);
    this.weight += postings.weightAt(index);
  }
}
