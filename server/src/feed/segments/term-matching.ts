import { clearRange, fill, intersect, type Scratch, wordsFor } from "../bitmaps.ts";
import type { NumberedQuery } from "../title-words.ts";
import type { TermSets } from "../window/types.ts";
import type { Segment } from "./segment.ts";
import type { Sight } from "./sight.ts";
import { keepTitles } from "./titles.ts";

/** What is looked for: values of each set, and words. */
export interface SegmentWanted {
  readonly sets: TermSets;
  /** null: any title. */
  readonly title: NumberedQuery | null;
}

/** Slots that match, as a bitmap; null: none. */
export type Matches = Uint32Array | null;

/**
 * The slots of a segment that have a value of each set, and whose titles pass.
 * @returns null: none; undefined: blocks are to be read first
 */
export function matchesOf(
  segment: Segment,
  { sets, title }: SegmentWanted,
  sight: Sight,
  { found, axis }: Scratch,
): Matches | undefined {
  const words = wordsFor(segment.items);
  if (sets.length === 0) fill(found, segment.items);
  let isKnown = true;
  let isEmpty = false;
  for (let at = 0; at < sets.length; at++) {
    const some = holdersOf(segment, sets[at] ?? [], sight, at === 0 ? found : axis);
    if (some === undefined) isKnown = false;
    else if (!some) isEmpty = true;
    // An axis that no item has is an answer, though others are to be read.
    if (isEmpty) return null;
    if (at > 0 && isKnown && !intersect(found, axis, words)) return null;
  }
  const some = title === null ? true : keepTitles(segment, title, sight, isKnown ? found : null);
  if (some === false) return null;
  return isKnown && some === true ? found.slice(0, words) : undefined;
}

/** Leaves in `bits` the slots that have one of the terms. @returns whether any; undefined: blocks are to be read first */
export function holdersOf(
  segment: Segment,
  terms: readonly number[],
  sight: Sight,
  bits: Uint32Array,
): boolean | undefined {
  bits.fill(0, 0, wordsFor(segment.items));
  if (segment.postingBlocks === 0) return false;
  let some = false;
  let isKnown = true;
  let number = -1;
  let index = 0;
  let block: ReturnType<Sight["postings"]>;
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
    if (block.addTo(bits, index, term)) some = true;
  }
  return isKnown ? some : undefined;
}

/** Keeps the slots [low, high). */
export function keepRange(bits: Uint32Array, low: number, high: number, items: number): void {
  clearRange(bits, 0, low);
  clearRange(bits, high, items);
}
