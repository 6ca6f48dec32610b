import type { Filter } from "@tapewire/contract/filter.ts";
import { clearBit, clearRange, hasBit, popcount, type Scratch, wordMask, wordsFor } from "../bitmaps.ts";
import { numbered } from "../title-words.ts";
import type { WindowChunk } from "./window-chunk.ts";
import { type CountAxis, judgementTerms, type WindowTerms } from "./window-terms.ts";

/** What to count. Times are in ms: items of fromMs <= published_at < untilMs, in buckets that begin at multiples of bucketMs. */
export interface CountRequest {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly bucketMs: number;
  /** null: all items are one series. */
  readonly by: CountAxis | null;
  /** Most series, beside the one of the other items. */
  readonly top: number;
  /** Called between two parts of the work; throws to give up. */
  readonly turn: () => void;
}

/** Members of a count, in the order in which they follow each other: see Counts. */
export const members = 4;

/**
 * Four numbers for each bucket: items; those rated actionable; those with a sentiment score; the sum of these scores
 * (0..10 each).
 */
export type Counts = Float64Array;

export interface CountedSeries {
  /** null: the items that are in no other series. */
  readonly value: string | null;
  readonly counts: Counts;
}

export interface Counted {
  /** Items from this time on were counted. */
  readonly fromMs: number;
  /** false: the index does not reach back to the time that was asked for. */
  readonly isComplete: boolean;
  /** Start of the first bucket. */
  readonly firstMs: number;
  /** The values with most items first, equal ones by value; an item with several values is in the series of each. */
  readonly series: readonly CountedSeries[];
  readonly totals: Counts;
}

interface Held {
  readonly chunks: readonly WindowChunk[];
  readonly terms: WindowTerms;
  readonly scratch: Scratch;
}

/** The slots of a chunk that match in the range; of the sorted ones only those in [from, to) can. */
interface Selected {
  readonly chunk: WindowChunk;
  readonly found: Uint32Array;
  readonly from: number;
  readonly to: number;
}

/** Bitmaps of what counts say of an item's scores. */
export interface Planes {
  readonly actionable: Uint32Array;
  readonly scored: Uint32Array;
  readonly bits: readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
}

/** The first bucket's start, and how many buckets the range has. */
export function bucketsOf({
  fromMs,
  untilMs,
  bucketMs,
}: Pick<CountRequest, "fromMs" | "untilMs" | "bucketMs">): {
  firstMs: number;
  count: number;
} {
  const first = Math.floor(fromMs / bucketMs);
  return { firstMs: first * bucketMs, count: Math.max(0, Math.ceil(untilMs / bucketMs) - first) };
}

/** Counts of items by bucket: of those with the values of each series, of those with none of them, and of all. */
export interface SeriesCounts {
  readonly series: readonly Counts[];
  readonly rest: Counts;
  /** One bucket. */
  readonly totals: Counts;
}

/**
 * Counts by bitmaps: the slots of a bucket are neighbours in a chunk, so a bucket's count is one of bits between two slots.
 * Slots that came late are looked at one by one.
 * @param values for each series the numbers of its values
 */
export function seriesCounts(
  held: Held,
  filter: Filter,
  request: CountRequest,
  values: readonly (readonly number[])[],
): SeriesCounts {
  const { firstMs, count } = bucketsOf(request);
  const series = values.map(() => emptyCounts(count));
  const rest = emptyCounts(count);
  const totals = emptyCounts(1);
  const bits = held.scratch.axis;
  for (const one of selections(held, filter, request)) {
    const { chunk, found } = one;
    const tally = tallyOf(one, { firstMs, bucketMs: request.bucketMs });
    const others = found.slice();
    for (const [at, numbers] of values.entries()) {
      chunk.holders(numbers, bits);
      for (let word = 0; word < found.length; word++) {
        const own = (bits[word] ?? 0) & (found[word] ?? 0);
        bits[word] = own;
        others[word] = (others[word] ?? 0) & ~own;
      }
      tally.byBucket(bits, series[at] ?? rest);
    }
    tally.byBucket(others, rest);
    tally.whole(found, totals);
  }
  return { series, rest, totals };
}

/** How many matching items have each value of the axis, by its number. */
export function valueCounts(held: Held, filter: Filter, request: CountRequest): Map<number, number> {
  const found = new Map<number, number>();
  if (request.by === null) return found;
  const isWanted = held.terms.valuesOf(request.by);
  const counts = new Uint32Array(isWanted.length);
  for (const { chunk, found: slots } of selections(held, filter, request))
    chunk.countTerms(slots, isWanted, counts);
  for (const [term, count] of counts.entries()) if (count > 0) found.set(term, count);
  return found;
}

export const emptyCounts = (buckets: number): Counts => new Float64Array(members * buckets);

function* selections(
  { chunks, terms, scratch }: Held,
  filter: Filter,
  { fromMs, untilMs }: CountRequest,
): Generator<Selected> {
  const sets = terms.setsOf(filter);
  if (sets === null) return;
  const wanted = { sets, title: numbered(filter.title) };
  for (const chunk of chunks) {
    if (chunk.newest.ms < fromMs || chunk.oldest.ms >= untilMs) continue;
    if (!chunk.select(wanted, scratch)) continue;
    const { ms, sorted } = chunk.times;
    const found = scratch.found.slice(0, wordsFor(ms.length));
    const from = lowerBound(ms, fromMs, 0, sorted);
    const to = lowerBound(ms, untilMs, 0, sorted);
    clearRange(found, 0, from);
    clearRange(found, to, sorted);
    for (let slot = sorted; slot < ms.length; slot++) {
      const at = ms[slot] ?? 0;
      if (at < fromMs || at >= untilMs) clearBit(found, slot);
    }
    yield { chunk, found, from, to };
  }
}

/** Counts slots of a chunk. */
function tallyOf(selected: Selected, { firstMs, bucketMs }: { firstMs: number; bucketMs: number }) {
  const { chunk } = selected;
  const { ms, sorted } = chunk.times;
  const planes = planesOf(chunk, ms.length);
  const ends = bucketEnds(ms, selected, firstMs, bucketMs);
  return {
    byBucket(bits: Uint32Array, counts: Counts): void {
      let { from } = selected;
      for (let at = 0; at < ends.length; at += 2) {
        const to = ends[at + 1] ?? 0;
        addCounts(bits, planes, { from, to }, counts, members * (ends[at] ?? 0));
        from = to;
      }
      for (let slot = sorted; slot < ms.length; slot++)
        if (hasBit(bits, slot)) {
          const bucket = Math.floor(((ms[slot] ?? 0) - firstMs) / bucketMs);
          addCounts(bits, planes, { from: slot, to: slot + 1 }, counts, members * bucket);
        }
    },
    whole(bits: Uint32Array, counts: Counts): void {
      addCounts(bits, planes, { from: 0, to: ms.length }, counts, 0);
    },
  };
}

/** Planes that were made of a chunk when it had so many slots; a chunk changes only by taking another slot. */
const madePlanes = new WeakMap<WindowChunk, { readonly slots: number; readonly planes: Planes }>();

function planesOf(chunk: WindowChunk, slots: number): Planes {
  const made = madePlanes.get(chunk);
  if (made?.slots === slots) return made.planes;
  const planes = newPlanes(chunk, wordsFor(slots));
  madePlanes.set(chunk, { slots, planes });
  return planes;
}

function newPlanes(chunk: WindowChunk, words: number): Planes {
  const plane = (terms: readonly number[]) => {
    const bits = new Uint32Array(words);
    chunk.holders(terms, bits);
    return bits;
  };
  const [ones = [], twos = [], fours = [], eights = []] = judgementTerms.sentimentBits;
  return {
    actionable: plane(judgementTerms.actionable),
    scored: plane(judgementTerms.scored),
    bits: [plane(ones), plane(twos), plane(fours), plane(eights)],
  };
}

/** Pairs of a bucket and the slot after its last one, of the slots [from, to). */
function bucketEnds(
  ms: Float64Array,
  { from, to }: Pick<Selected, "from" | "to">,
  firstMs: number,
  bucketMs: number,
): number[] {
  const ends: number[] = [];
  for (let slot = from; slot < to; ) {
    const bucket = Math.floor(((ms[slot] ?? 0) - firstMs) / bucketMs);
    slot = lowerBound(ms, firstMs + (bucket + 1) * bucketMs, slot, to);
    ends.push(bucket, slot);
  }
  return ends;
}

/** Adds the slots [from, to) that are set to the four counts at `at`. */
export function addCounts(
  slots: Uint32Array,
  { actionable, scored, bits: [ones, twos, fours, eights] }: Planes,
  { from, to }: { from: number; to: number },
  counts: Counts,
  at: number,
): void {
  let items = 0;
  let actionables = 0;
  let judged = 0;
  let sum = 0;
  const last = (to - 1) >>> 5;
  for (let word = from >>> 5; word <= last; word++) {
    const bits = (slots[word] ?? 0) & wordMask(word, from, to);
    if (bits === 0) continue;
    items += popcount(bits);
    actionables += popcount(bits & (actionable[word] ?? 0));
    judged += popcount(bits & (scored[word] ?? 0));
    sum += popcount(bits & (ones[word] ?? 0)) + 2 * popcount(bits & (twos[word] ?? 0));
    sum += 4 * popcount(bits & (fours[word] ?? 0)) + 8 * popcount(bits & (eights[word] ?? 0));
  }
  if (items === 0) return;
  counts[at] = (counts[at] ?? 0) + items;
  counts[at + 1] = (counts[at + 1] ?? 0) + actionables;
  counts[at + 2] = (counts[at + 2] ?? 0) + judged;
  counts[at + 3] = (counts[at + 3] ?? 0) + sum;
}

/** The first slot in [from, to) whose time is not below; they ascend. */
function lowerBound(ms: Float64Array, time: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ms[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
