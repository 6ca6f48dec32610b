import { clearRange, fill, type Scratch, wordsFor } from "../bitmaps.ts";
import type { NumberedQuery } from "../title-words.ts";
import type { TermSets } from "../window/types.ts";
import { Axis } from "./axis.ts";
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

/** What a search of several segments uses in each of them. */
export interface Matching {
  readonly sight: Sight;
  readonly scratch: Scratch;
  readonly enough: Enough;
}

/**
 * The sets that were enough to find nothing in the last segment, by their positions; null: it took all of them. Neighbouring
 * segments are alike, so these are tried first, and blocks of the others are read only where they leave something.
 */
export interface Enough {
  sets: readonly number[] | null;
}

/**
 * The slots of a segment that have a value of each set, and whose titles pass.
 * @returns null: none; undefined: blocks are to be read first
 */
export function matchesOf(
  segment: Segment,
  { sets, title }: SegmentWanted,
  matching: Matching,
): Matches | undefined {
  const { sets: first } = matching.enough;
  if (first !== null) {
    const left = meeting(segment, sets, first, matching);
    if (left === null || left === undefined) return left;
  }
  const found = meeting(segment, sets, [...sets.keys()], matching);
  if (found === null || title === null) return found;
  const some = keepTitles(segment, title, matching.sight, found ?? null);
  if (some === false) return null;
  return some === true ? found : undefined;
}

/** The slots that have a value of each of these sets, as a bitmap of their own. @returns as matchesOf */
function meeting(
  segment: Segment,
  sets: TermSets,
  positions: readonly number[],
  { sight, scratch, enough }: Matching,
): Matches | undefined {
  const axes: { readonly axis: Axis; readonly position: number }[] = [];
  for (const position of positions) {
    const axis = Axis.of(segment, sets[position] ?? [], sight);
    if (axis !== undefined) axes.push({ axis, position });
    if (axis?.isEmpty !== true) continue;
    // No item has any of its values: an answer, though others are to be read.
    enough.sets = [position];
    return null;
  }
  if (axes.length < positions.length) return undefined;
  // The lightest first: what it leaves is all that the others look at.
  axes.sort((x, y) => x.axis.weight - y.axis.weight);
  const { found, passed } = narrowed(
    segment,
    axes.map(({ axis }) => axis),
    scratch,
  );
  const isShort = found === null && passed < sets.length;
  enough.sets = isShort ? axes.slice(0, passed).map(({ position }) => position) : null;
  return found;
}

/** The slots that are on every axis; null: none. And how many axes it took. */
function narrowed(
  segment: Segment,
  axes: readonly Axis[],
  scratch: Scratch,
): { found: Matches; passed: number } {
  const words = wordsFor(segment.items);
  let { found, axis: kept } = scratch;
  if (axes.length === 0) fill(found, segment.items);
  for (const [at, axis] of axes.entries()) {
    const stored = at === 0 ? axis.bitmap : null;
    if (stored !== null) {
      found = stored;
      continue;
    }
    kept.fill(0, 0, words);
    if (at === 0) axis.addTo(kept);
    else if (!axis.keep(found, kept)) return { found: null, passed: at + 1 };
    [found, kept] = [kept, kept === scratch.axis ? scratch.found : scratch.axis];
  }
  return { found: found.slice(0, words), passed: axes.length };
}

/** Leaves in `bits` the slots that have one of the terms. @returns whether any; undefined: blocks are to be read first */
export function holdersOf(
  segment: Segment,
  terms: readonly number[],
  sight: Sight,
  bits: Uint32Array,
): boolean | undefined {
  const axis = Axis.of(segment, terms, sight);
  if (axis === undefined) return undefined;
  bits.fill(0, 0, wordsFor(segment.items));
  axis.addTo(bits);
  return !axis.isEmpty;
}

/** Keeps the slots [low, high). */
export function keepRange(bits: Uint32Array, low: number, high: number, items: number): void {
  clearRange(bits, 0, low);
  clearRange(bits, high, items);
}
