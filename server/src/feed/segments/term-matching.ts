import { clearRange, fill, type Scratch, wordsFor } from "../bitmaps.ts";
import type { NumberedQuery } from "../title-words.ts";
import type { TermSets } from "../window/types.ts";
import { Axis } from "./axis.ts";
import type { Segment } from "./segment.ts";
import type { Sight } from "./sight.ts";
import { keepTitles } from "./titles.ts";

/** Entries an item from which a look-up of what meets is less work: those of a bitmap. */
const muchWork = 1 / 16;

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

/** Whether it is looked up which values meet, and, for a first try, in which segment. */
type MeetingsUse = "idle" | "due" | "useful" | "useless" | Segment;

/**
 * What was enough to find nothing in the last segments. Neighbouring ones are alike, so this is tried first, and other
 * blocks are read only where it leaves something.
 */
export class Enough {
  /** Positions of the sets; null: it took all of them. */
  sets: readonly number[] | null = null;
  /** Idle until nothing was found with much work; then due in the next segment, and useful or useless after it. */
  #meetings: MeetingsUse = "idle";

  /** Whether to look up first which values meet in this segment. */
  takesMeetings(segment: Segment): boolean {
    if (segment.meetingsSlice === null) return false;
    if (this.#meetings === "due") this.#meetings = segment;
    return this.#meetings === "useful" || this.#meetings === segment;
  }

  /** @param helped whether the meetings of a segment saved much work */
  tookMeetings(helped: boolean): void {
    if (helped) this.#meetings = "useful";
    else this.#meetings = this.#meetings === "useful" ? "idle" : "useless";
  }

  /** Nothing was found, with much work. */
  tookLong(): void {
    if (this.#meetings === "idle") this.#meetings = "due";
  }
}

/**
 * The slots of a segment that have a value of each set, and whose titles pass.
 * @returns null: none; undefined: blocks are to be read first
 */
export function matchesOf(
  segment: Segment,
  { sets: all, title }: SegmentWanted,
  matching: Matching,
): Matches | undefined {
  const sets = metSets(segment, all, matching);
  if (sets === null || sets === undefined) return sets;
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

/**
 * The sets without values that are known to meet none of another one.
 * @returns null: no item has a value of each; undefined: a block is to be read first
 */
function metSets(segment: Segment, sets: TermSets, { sight, enough }: Matching): TermSets | null | undefined {
  if (!enough.takesMeetings(segment)) return sets;
  const left = sight.meetings(segment)?.left(sets);
  if (left !== undefined) enough.tookMeetings(left === null || 2 * valuesOf(left) <= valuesOf(sets));
  return left;
}

function valuesOf(sets: TermSets): number {
  return sets.reduce((sum, { length }) => sum + length, 0);
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
  const work = axes.slice(0, passed).reduce((sum, { axis }) => sum + axis.weight, 0);
  if (found === null && work > segment.items * muchWork) enough.tookLong();
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
