import type { Filter } from "@tapewire/contract/filter.ts";
import type { Term } from "../../feed/filter.ts";
import { listKeyOf } from "../../feed/list-key.ts";
import { axisNumbers, segmentSets, wordId, wordNumber } from "../../feed/segments/numbers.ts";
import type { Segment } from "../../feed/segments/segment.ts";
import { SegmentCounts } from "../../feed/segments/segment-counts.ts";
import { Sight } from "../../feed/segments/sight.ts";
import { Enough, type SegmentWanted } from "../../feed/segments/term-matching.ts";
import { type NumberedQuery, numbered } from "../../feed/title-words.ts";
import { bucketsOf, type Counted, type CountRequest, emptyCounts } from "../../feed/window/window-counts.ts";
import { countedWith, firstWord, judgementText, type WindowTerms } from "../../feed/window/window-terms.ts";
import { type BlockSource, RequestBlocks, SegmentGone } from "./blocks.ts";
import { isInMemory } from "./finding.ts";
import type { FilterIds } from "./term-ids.ts";
import type { TermTexts } from "./term-texts.ts";
import type { View } from "./views.ts";

export interface CounterDeps {
  readonly blocks: BlockSource;
  readonly ids: Pick<FilterIds, "idOf" | "read" | "forgetAbsent">;
  readonly texts: Pick<TermTexts, "get" | "of">;
  readonly view: () => Promise<View> | View;
  readonly renew: () => Promise<void>;
  readonly turnMs?: number;
}

/** How long an attempt may hold the event loop before others have their turn. */
const usualTurnMs = 8;
/** Segments whose blocks are read together. */
const mostAhead = 32;
const mostRenewals = 3;

/** What an attempt needs before the next one. */
interface Wants {
  readonly terms: Term[];
  readonly texts: number[];
}

/**
 * Counts of the matching items, by time and by the values of an axis: of the segments, and of what has come since. Each
 * segment is counted once, in turns; the last attempt adds all up without waiting, so the sum is one moment's.
 * @throws what `request.turn` throws; {StoreError} timeout or busy
 */
export async function countItems(
  deps: CounterDeps,
  filter: Filter,
  request: CountRequest & { readonly owner?: string },
): Promise<Counted> {
  deps.ids.forgetAbsent();
  const range = await rangeOf(deps, request);
  for (let renewals = 0; ; renewals++) {
    const blocks = new RequestBlocks(deps.blocks, request.owner ?? null);
    try {
      return await new Counting(deps, filter, { ...request, ...range }, blocks).result();
    } catch (error) {
      if (!(error instanceof SegmentGone) || renewals === mostRenewals) throw error;
      await deps.renew();
    }
  }
}

type Range = Pick<Counted, "fromMs" | "isComplete">;

/** What of the range can be counted: while segments are built for the first time, the items that they have. */
async function rangeOf({ view }: CounterDeps, { fromMs, untilMs }: CountRequest): Promise<Range> {
  const { builtTo } = (await view()).state;
  if (builtTo === "all") return { fromMs, isComplete: true };
  if (builtTo === "none") return { fromMs: untilMs, isComplete: false };
  const { ms } = listKeyOf(builtTo);
  // At the time of the last item that is built there may be more.
  return fromMs > ms
    ? { fromMs, isComplete: true }
    : { fromMs: Math.min(ms + 1, untilMs), isComplete: false };
}

class Counting {
  readonly #deps: CounterDeps;
  readonly #filter: Filter;
  readonly #request: CountRequest & Range;
  readonly #blocks: RequestBlocks;
  readonly #counted = new Map<number, { readonly replaced: number; readonly counts: SegmentCounts }>();
  readonly #axis: { readonly from: number; readonly to: number } | null;
  readonly #firstMs: number;
  readonly #title: NumberedQuery | null;
  readonly #enough = new Enough();
  /** How many items of the counted segments have each value of the axis. */
  readonly #values = new Map<number, number>();
  readonly #turnMs: number;
  #turnEndsMs = 0;

  constructor(deps: CounterDeps, filter: Filter, request: CountRequest & Range, blocks: RequestBlocks) {
    this.#deps = deps;
    this.#turnMs = deps.turnMs ?? usualTurnMs;
    this.#filter = filter;
    this.#request = request;
    this.#blocks = blocks;
    this.#title = numbered(filter.title);
    this.#axis = request.by === null ? null : axisNumbers(request.by);
    this.#firstMs = bucketsOf(request).firstMs;
  }

  async result(): Promise<Counted> {
    const { ids, texts, view } = this.#deps;
    for (;;) {
      this.#request.turn();
      const sight = new Sight(this.#blocks);
      const wants: Wants = { terms: [], texts: [] };
      this.#turnEndsMs = performance.now() + this.#turnMs;
      const made = this.#attempt(await view(), sight, wants);
      if (made !== null) return made;
      if (wants.terms.length > 0) await ids.read(wants.terms);
      if (wants.texts.length > 0) await texts.of(wants.texts);
      if (sight.missing.length > 0) await this.#blocks.read(sight.missing);
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** null: something is to be read first, or others shall have their turn. */
  #attempt(view: View, sight: Sight, wants: Wants): Counted | null {
    const { sets, unknown } = segmentSets(this.#filter, (term) => this.#deps.ids.idOf(term));
    if (unknown.length > 0 && !isInMemory(view)) {
      wants.terms.push(...unknown);
      return null;
    }
    const segments = sets === null ? [] : this.#overlapping(view);
    const wanted = { sets: sets ?? [], title: this.#title };
    const parts = this.#countSegments(segments, wanted, view, sight);
    if (parts === null) return null;
    const top = this.#top(view, wants);
    if (top === null) return null;
    if (!this.#prepare(parts, top, sight)) return null;
    return this.#sum(view, parts, top);
  }

  #overlapping({ segments }: View): Segment[] {
    const { fromMs, untilMs } = this.#request;
    return segments.filter(({ oldest, newest }) => newest.ms >= fromMs && oldest.ms < untilMs);
  }

  /** The counts of each segment; null: not all of them yet. */
  #countSegments(
    segments: readonly Segment[],
    wanted: SegmentWanted,
    view: View,
    sight: Sight,
  ): SegmentCounts[] | null {
    const { untilMs, bucketMs, fromMs } = this.#request;
    const request = { fromMs, untilMs, bucketMs, firstMs: this.#firstMs, axis: this.#axis };
    const made: SegmentCounts[] = [];
    let missing = 0;
    for (const segment of segments) {
      const replaced = [...view.unfolded.keysBetween(segment.oldest, segment.newest)];
      const known = this.#counted.get(segment.id);
      // The replaced items of a segment only become more.
      if (known?.replaced === replaced.length) {
        made.push(known.counts);
        continue;
      }
      const counts = SegmentCounts.of(segment, wanted, { replaced, request, sight, enough: this.#enough });
      if (counts === undefined) missing++;
      else {
        this.#uncount(segment.id);
        this.#counted.set(segment.id, { replaced: replaced.length, counts });
        this.#addValues(counts, 1);
        made.push(counts);
      }
      if (missing >= mostAhead || (missing === 0 && this.#isLate)) return null;
    }
    if (missing > 0) return null;
    const present = new Set(segments.map(({ id }) => id));
    for (const id of this.#counted.keys()) if (!present.has(id)) this.#uncount(id);
    return made;
  }

  #uncount(id: number): void {
    const before = this.#counted.get(id);
    if (before !== undefined) this.#addValues(before.counts, -1);
    this.#counted.delete(id);
  }

  #addValues({ values }: SegmentCounts, sign: 1 | -1): void {
    for (const [number, count] of values)
      this.#values.set(number, (this.#values.get(number) ?? 0) + sign * count);
  }

  get #isLate(): boolean {
    return performance.now() > this.#turnEndsMs;
  }

  /** The values with the most items, with their numbers in memory and in segments; null: something is to be read first. */
  #top(view: View, wants: Wants): Series[] | null {
    if (this.#request.by === null) return [];
    const sums = new Map<number, Sum>();
    for (const [number, count] of this.#values) if (count > 0) sumOf(sums, number).count += count;
    const { terms } = view;
    for (const [local, count] of view.unfolded.valueCounts(this.#filter, this.#request)) {
      const number = this.#numberOf(local, terms, wants);
      if (number === null) continue;
      const sum = sumOf(sums, number);
      sum.count += count;
      if (number >= firstWord) sum.locals = [local];
    }
    return wants.terms.length > 0 ? null : this.#largest(sums, wants);
  }

  /** The number in segments; null: its id is to be read first. */
  #numberOf(local: number, terms: WindowTerms, wants: Wants): number | null {
    const term = terms.termOf(local);
    if (term === null) return local;
    const id = this.#deps.ids.idOf(term);
    if (id !== null && id !== undefined) return wordNumber(term.kind, id);
    // An item has it, so its id exists: a filter may have asked for it too early.
    if (id === null) this.#deps.ids.forgetAbsent();
    wants.terms.push(term);
    return null;
  }

  #largest(sums: ReadonlyMap<number, Sum>, wants: Wants): Series[] | null {
    const { top, by } = this.#request;
    const bySize = [...sums].sort(([, x], [, y]) => y.count - x.count);
    const found: (Series & { count: number })[] = [];
    for (const [number, { count, numbers, locals }] of bySize) {
      const least = found[top - 1]?.count ?? 0;
      // Of equal ones the text decides, so all of them are looked at.
      if (found.length >= top && count < least) break;
      const text = number < firstWord ? judgementText(number) : this.#deps.texts.get(wordId(number))?.value;
      if (text === undefined) wants.texts.push(wordId(number));
      else if (!(by === "ticker" && text.includes(":"))) found.push({ numbers, locals, count, text });
      if (wants.texts.length >= 4 * top) return null;
    }
    if (wants.texts.length > 0) return null;
    return found.sort((x, y) => y.count - x.count || (x.text < y.text ? -1 : 1)).slice(0, top);
  }

  #prepare(parts: readonly SegmentCounts[], top: readonly Series[], sight: Sight): boolean {
    this.#turnEndsMs = performance.now() + this.#turnMs;
    const series = top.length === 0 ? [[]] : top.map(({ numbers }) => numbers);
    const name = JSON.stringify(series);
    let missing = 0;
    for (const part of parts) {
      // Each attempt gets further, however long it takes to pass these.
      if (part.readyFor === name) continue;
      if (!part.prepare(series, name, sight)) missing++;
      if (missing >= mostAhead || (missing === 0 && this.#isLate && part !== parts.at(-1))) return false;
    }
    return missing === 0;
  }

  #sum(view: View, parts: readonly SegmentCounts[], top: readonly Series[]): Counted {
    const { by, fromMs, isComplete } = this.#request;
    const { firstMs, count } = bucketsOf(this.#request);
    const locals = top.map((one) => one.locals);
    const { series, rest, totals } = view.unfolded.seriesCounts(this.#filter, this.#request, locals);
    const own = top.map(({ numbers }, at) => ({ terms: numbers, counts: series[at] ?? emptyCounts(count) }));
    for (const part of parts) part.add(own, rest, totals);
    const shown = own.map(({ counts }, at) => ({ value: top[at]?.text ?? "", counts }));
    const hasRest = by === null || rest.some((one) => one > 0);
    return {
      fromMs,
      isComplete,
      firstMs,
      totals,
      series: hasRest ? [...shown, { value: null, counts: rest }] : shown,
    };
  }
}

interface Sum {
  count: number;
  /** The numbers of the values in segments. */
  readonly numbers: readonly number[];
  /** Those in memory, where words have their own; none: only segments have the value. */
  locals: readonly number[];
}

interface Series extends Pick<Sum, "numbers" | "locals"> {
  readonly text: string;
}

/** The sum of a value and of those that are counted as one with it; it is kept under the first of their numbers. */
function sumOf(sums: Map<number, Sum>, number: number): Sum {
  const isWord = number >= firstWord;
  const numbers = isWord ? [number] : countedWith(number);
  const first = numbers[0] ?? number;
  const known = sums.get(first);
  if (known !== undefined) return known;
  const made: Sum = { count: 0, numbers, locals: isWord ? [] : numbers };
  sums.set(first, made);
  return made;
}
