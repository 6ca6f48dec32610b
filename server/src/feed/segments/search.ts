import { downwards, Scratch } from "../bitmaps.ts";
import { compareListKeys, type ListKey } from "../list-key.ts";
import type { Hit, Range } from "../window/types.ts";
import { mostSegmentItems } from "./draft.ts";
import { countBelow, hitAt } from "./places.ts";
import type { Segment } from "./segment.ts";
import type { Sight } from "./sight.ts";
import { type Enough, type Matches, type Matching, matchesOf, type SegmentWanted } from "./term-matching.ts";

/** Matches that were found before, of segments that never change. */
export interface KnownMatches {
  get(segment: Segment): Matches | undefined;
  set(segment: Segment, matches: Matches): void;
}

/** A search of the segments. */
export interface SegmentSearch {
  /** Oldest first, without overlaps. */
  readonly segments: readonly Segment[];
  readonly wanted: SegmentWanted;
  readonly range: Range;
  readonly limit: number;
  /** Whether a newer version of the item is elsewhere, so that this one does not count. */
  readonly isReplaced: (key: ListKey) => boolean;
  readonly matches: KnownMatches;
  /** Kept from one attempt to the next. */
  readonly enough: Enough;
  /** How many segments further an attempt looks for blocks once it lacks some. */
  readonly ahead: number;
}

/** Only one search works at a time: an attempt does not wait. */
const scratch = new Scratch(mostSegmentItems);

/**
 * One attempt at finding matching items, newest first, with what is in memory: it does not wait, so nothing changes
 * meanwhile.
 * @returns the items, at most `limit`; null: `sight` has noted what is to be read first
 */
export function searchSegments(search: SegmentSearch, sight: Sight): Hit[] | null {
  const { segments, range, limit } = search;
  const hits: Hit[] = [];
  const matching = { sight, scratch, enough: search.enough };
  const first = range.below === null ? segments.length - 1 : indexOf(segments, range.below);
  for (let at = first; at >= 0 && hits.length < limit; at--) {
    const segment = segments[at];
    if (segment === undefined) break;
    if (range.from !== null && compareListKeys(segment.newest, range.from) < 0) break;
    if (!searchOne(search, segment, matching, hits)) {
      const last = Math.max(0, at - search.ahead);
      for (let next = at - 1; next >= last; next--) lookAhead(search, segments[next], matching);
      return null;
    }
  }
  return hits;
}

/** The last segment that begins below the key. */
export function indexOf(segments: readonly Segment[], key: ListKey): number {
  let low = 0;
  let high = segments.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const segment = segments[middle];
    if (segment !== undefined && compareListKeys(segment.oldest, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

function lookAhead(
  { wanted, range, matches }: SegmentSearch,
  segment: Segment | undefined,
  matching: Matching,
): void {
  if (segment === undefined || matches.get(segment) !== undefined) return;
  if (range.from !== null && compareListKeys(segment.newest, range.from) < 0) return;
  matched(segment, wanted, matching, matches);
}

function matched(
  segment: Segment,
  wanted: SegmentWanted,
  matching: Matching,
  known: KnownMatches,
): Matches | undefined {
  const before = known.get(segment);
  if (before !== undefined) return before;
  const found = matchesOf(segment, wanted, matching);
  if (found !== undefined) known.set(segment, found);
  return found;
}

/** @returns false: something is to be read first */
function searchOne(search: SegmentSearch, segment: Segment, matching: Matching, hits: Hit[]): boolean {
  const { wanted, range, limit } = search;
  const { sight } = matching;
  const isAll = wanted.sets.length === 0 && wanted.title === null;
  const found = isAll ? "all" : matched(segment, wanted, matching, search.matches);
  if (found === null) return true;
  const high = range.below === null ? segment.items : countBelow(segment, range.below, sight);
  const low = range.from === null ? 0 : countBelow(segment, range.from, sight);
  if (found === undefined || high === undefined || low === undefined) return false;
  let isKnown = true;
  let awaited = hits.length;
  for (const slot of found === "all" ? upTo(high, low) : downwards(found, low, high)) {
    if (awaited >= limit) break;
    const hit = hitAt(segment, slot, sight);
    if (hit === undefined) isKnown = false;
    else if (search.isReplaced(hit.key)) continue;
    else if (isKnown) hits.push(hit);
    awaited++;
  }
  return isKnown;
}

function* upTo(high: number, low: number): Generator<number> {
  for (let slot = high - 1; slot >= low; slot--) yield slot;
}
