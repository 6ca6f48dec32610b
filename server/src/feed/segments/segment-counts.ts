import { clearBit, countBits, Scratch, wordsFor } from "../bitmaps.ts";
import type { ListKey } from "../list-key.ts";
import { addCounts, type Counts, type Planes } from "../window/window-counts.ts";
import { judgementTerms } from "../window/window-terms.ts";
import { mostSegmentItems } from "./draft.ts";
import { countBefore, slotOf } from "./places.ts";
import type { Segment } from "./segment.ts";
import type { Sight } from "./sight.ts";
import { type Enough, holdersOf, keepRange, matchesOf, type SegmentWanted } from "./term-matching.ts";

/** What to count in segments. Times in ms; buckets begin at multiples of bucketMs, the first at firstMs. */
export interface SegmentCountRequest {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly firstMs: number;
  readonly bucketMs: number;
  /** Numbers of the axis by whose values items are counted; null: none. */
  readonly axis: { readonly from: number; readonly to: number } | null;
}

const scratch = new Scratch(mostSegmentItems);

/**
 * What one request counts in one segment. Each step needs blocks, and its result stays, so that it is made once however
 * many attempts a request takes.
 */
export class SegmentCounts {
  readonly #segment: Segment;
  readonly #request: SegmentCountRequest;
  /** The matching slots in the range; null: none. */
  readonly #found: Uint32Array | null;
  /** How many of the matching items have each value of the axis. */
  readonly values = new Map<number, number>();
  /** Buckets with the slots after their last ones, ascending. */
  #ends: readonly [number, number][] | null = null;
  #planes: Planes | null = null;
  readonly #bySeries = new Map<string, Uint32Array | null>();
  #readyFor: string | null = null;

  private constructor(segment: Segment, request: SegmentCountRequest, found: Uint32Array | null) {
    this.#segment = segment;
    this.#request = request;
    this.#found = found;
  }

  /**
   * @param replaced keys whose items are counted elsewhere
   * @returns undefined: blocks are to be read first
   */
  static of(
    segment: Segment,
    wanted: SegmentWanted,
    {
      replaced,
      request,
      sight,
      enough,
    }: { replaced: readonly ListKey[]; request: SegmentCountRequest; sight: Sight; enough: Enough },
  ): SegmentCounts | undefined {
    const found = matchesOf(segment, wanted, { sight, scratch, enough });
    if (found === null) return new SegmentCounts(segment, request, null);
    const low = countBefore(segment, request.fromMs, sight);
    const high = countBefore(segment, request.untilMs, sight);
    const gone = replaced.map((key) => slotOf(segment, key, sight));
    if (found === undefined || low === undefined || high === undefined || gone.includes(undefined))
      return undefined;
    keepRange(found, low, high, segment.items);
    for (const slot of gone) if (slot !== null && slot !== undefined) clearBit(found, slot);
    const made = new SegmentCounts(segment, request, countBits(found) === 0 ? null : found);
    return made.#countValues(sight) ? made : undefined;
  }

  /** The name under which series were made ready last. */
  get readyFor(): string | null {
    return this.#readyFor;
  }

  /** Makes ready what `add` needs. @param series the values of each @returns false: blocks are to be read first */
  prepare(series: readonly (readonly number[])[], name: string, sight: Sight): boolean {
    let isReady = true;
    if (this.#found !== null) {
      isReady = this.#bucketEnds(sight) !== null;
      if (this.#planesOf(sight) === null) isReady = false;
      for (const terms of series) if (!this.#prepareOne(terms, sight)) isReady = false;
    }
    if (isReady) this.#readyFor = name;
    return isReady;
  }

  #prepareOne(terms: readonly number[], sight: Sight): boolean {
    const name = terms.join(" ");
    if (this.#bySeries.has(name)) return true;
    const bits = scratch.found;
    const some = holdersOf(this.#segment, terms, sight, bits);
    if (some === undefined) return false;
    this.#bySeries.set(name, some ? bits.slice(0, wordsFor(this.#segment.items)) : null);
    return true;
  }

  /** Adds the counts of this segment, for which `prepare` has said true. @param series their values, and their counts */
  add(
    series: readonly { readonly terms: readonly number[]; readonly counts: Counts }[],
    rest: Counts,
    totals: Counts,
  ): void {
    const found = this.#found;
    const planes = this.#planes;
    if (found === null || planes === null) return;
    const others = found.slice();
    for (const { terms, counts } of series) {
      const holders = this.#bySeries.get(terms.join(" ")) ?? null;
      if (holders === null) continue;
      const own = found.slice();
      for (let word = 0; word < own.length; word++) {
        own[word] = (own[word] ?? 0) & (holders[word] ?? 0);
        others[word] = (others[word] ?? 0) & ~(holders[word] ?? 0);
      }
      this.#addByBucket(own, planes, counts);
    }
    this.#addByBucket(others, planes, rest);
    addCounts(found, planes, { from: 0, to: this.#segment.items }, totals, 0);
  }

  #addByBucket(bits: Uint32Array, planes: Planes, counts: Counts): void {
    let from = 0;
    for (const [bucket, to] of this.#ends ?? []) {
      if (to > from) addCounts(bits, planes, { from, to }, counts, 4 * bucket);
      from = to;
    }
  }

  #countValues(sight: Sight): boolean {
    const { axis } = this.#request;
    const segment = this.#segment;
    if (axis === null || this.#found === null || segment.postingBlocks === 0) return true;
    const slots = countBits(this.#found) === segment.items ? null : this.#found;
    let isKnown = true;
    const last = segment.postingBlockOf(axis.to - 1);
    for (let block = segment.postingBlockOf(axis.from); block <= last; block++) {
      const postings = sight.postings(segment, block);
      if (postings === undefined) isKnown = false;
      else if (isKnown) postings.countRange(slots, axis, this.values);
    }
    return isKnown;
  }

  /** null: blocks are to be read first. */
  #bucketEnds(sight: Sight): readonly [number, number][] | null {
    if (this.#ends !== null) return this.#ends;
    const { fromMs, untilMs, firstMs, bucketMs } = this.#request;
    const { oldest, newest, items } = this.#segment;
    const bucketAt = (ms: number) => Math.floor((ms - firstMs) / bucketMs);
    const ends: [number, number][] = [];
    let isKnown = true;
    const last = bucketAt(Math.min(newest.ms, untilMs - 1));
    for (let bucket = bucketAt(Math.max(oldest.ms, fromMs)); bucket <= last; bucket++) {
      const end = countBefore(this.#segment, firstMs + (bucket + 1) * bucketMs, sight);
      if (end === undefined) isKnown = false;
      else ends.push([bucket, Math.min(end, items)]);
    }
    if (isKnown) this.#ends = ends;
    return this.#ends;
  }

  #planesOf(sight: Sight): Planes | null {
    if (this.#planes !== null) return this.#planes;
    let isKnown = true;
    const plane = (terms: readonly number[]) => {
      const bits = new Uint32Array(wordsFor(this.#segment.items));
      if (holdersOf(this.#segment, terms, sight, bits) === undefined) isKnown = false;
      return bits;
    };
    const [ones = [], twos = [], fours = [], eights = []] = judgementTerms.sentimentBits;
    const planes: Planes = {
      actionable: plane(judgementTerms.actionable),
      scored: plane(judgementTerms.scored),
      bits: [plane(ones), plane(twos), plane(fours), plane(eights)],
    };
    if (isKnown) this.#planes = planes;
    return this.#planes;
  }
}
