import { createHash } from "node:crypto";
import type { Filter } from "@tapewire/contract/filter.ts";
import { passesTitle } from "@tapewire/contract/title/title.ts";
import { type Filterable, isCopy, type TermKind, termGroups, termsOf } from "./filter.ts";
import { clearBit, forEachBit, Members } from "./members.ts";
import { titleWords } from "./title-words.ts";
import { WordCounts } from "./word-counts.ts";

/** The axes of the index: those of terms, the scores, and a word of the title. */
type Axis = TermKind | "actionability" | "sentiment" | "conviction" | "actionability_score" | "word";

interface AxisIndex {
  /** Slots by the value that lets an item pass. */
  readonly values: Map<string, Members>;
  /** Slots whose filters restrict this axis. */
  readonly restricted: Members;
}

interface Slot {
  readonly filter: Filter;
  readonly key: string;
  /** The wanted word of the title that fewest items have; null: none is wanted. */
  readonly word: string | null;
  uses: number;
}

const firstCapacity = 1024;

/**
 * Filters of many subscribers, arranged so that one pass finds all filters that an item passes, at a cost that hardly
 * depends on their number. It means what `matches` of feed/filter.ts means, except `since` and `until`, which
 * subscriptions do not have. Equal filters share a slot.
 *
 * A set of slots is a bitmap. An axis passes the slots that do not restrict it and those filed under a value of the
 * item; the item passes a filter that every axis passes. Of the words that a filter wants in a title it is filed under the
 * rarest; the others are looked at last, for the filters that are left.
 */
export class SubscriptionIndex {
  readonly #axes = new Map<Axis, AxisIndex>();
  readonly #withoutCopies = new Members();
  /** Slots whose filters ask for more of the title than the word under which they are filed. */
  readonly #titles = new Members();
  readonly #counts = new WordCounts();
  readonly #all = new Members();
  readonly #slots: (Slot | undefined)[] = [];
  readonly #bySlotKey = new Map<string, number>();
  readonly #free: number[] = [];
  #capacity = firstCapacity;
  #result = new Int32Array(firstCapacity >> 5);
  #axis = new Int32Array(firstCapacity >> 5);
  /** For the slots whose titles are to be looked at. */
  #asked = new Int32Array(firstCapacity >> 5);

  /** Distinct filters. */
  get size(): number {
    return this.#bySlotKey.size;
  }

  /** Memory of the sets, without the filters and their names. */
  get bytes(): number {
    const sets = [...this.#axes.values()].flatMap(({ values, restricted }) => [
      restricted,
      ...values.values(),
    ]);
    return [...sets, this.#withoutCopies, this.#titles, this.#all].reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** @returns the slot of the filter, the same for equal filters; `remove` once for each `add` */
  add(filter: Filter): number {
    const key = keyOf(filter);
    const known = this.#bySlotKey.get(key);
    const used = known === undefined ? undefined : this.#slots[known];
    if (known !== undefined && used !== undefined) {
      used.uses += 1;
      return known;
    }
    const slot = this.#free.pop() ?? this.#slots.length;
    const word = this.#counts.rarest(filter.title?.all.flat() ?? []);
    this.#slots[slot] = { filter, key, word, uses: 1 };
    this.#bySlotKey.set(key, slot);
    this.#grow(slot);
    this.#all.add(slot, this.#capacity);
    if (filter.storyCopies === false) this.#withoutCopies.add(slot, this.#capacity);
    if (asksMore(filter)) this.#titles.add(slot, this.#capacity);
    for (const { axis, values } of axesOf(filter, word)) this.#file(slot, axis, values);
    return slot;
  }

  remove(slot: number): void {
    const used = this.#slots[slot];
    if (used === undefined) return;
    used.uses -= 1;
    if (used.uses > 0) return;
    const { filter, key, word } = used;
    this.#all.remove(slot);
    if (filter.storyCopies === false) this.#withoutCopies.remove(slot);
    if (asksMore(filter)) this.#titles.remove(slot);
    for (const { axis, values } of axesOf(filter, word)) this.#unfile(slot, axis, values);
    this.#slots[slot] = undefined;
    this.#bySlotKey.delete(key);
    this.#free.push(slot);
  }

  /** @returns a bitmap of the slots whose filters the item passes (see hasBit); valid until the next call */
  match(item: Filterable): Int32Array {
    const words = (this.#slots.length + 31) >> 5;
    const result = this.#result.subarray(0, words);
    const values = valuesByAxis(item);
    const title = titleWords(item);
    this.#counts.add(title);
    values.set("word", [...new Set(title)]);
    result.fill(0);
    this.#all.into(result);
    if (isCopy(item)) this.#withoutCopies.outOf(result);
    for (const [name, { values: filed, restricted }] of this.#axes) {
      if (restricted.size === 0) continue;
      this.#allow(result, restricted, filed, values.get(name) ?? []);
    }
    if (this.#titles.size > 0) this.#readTitle(result, title);
    return result;
  }

  /** Calls back with each slot whose filter the item passes. */
  forEachMatch(item: Filterable, visit: (slot: number) => void): void {
    const bits = this.match(item);
    forEachBit(bits, bits.length, visit);
  }

  /** Leaves in `result` the slots that the axis passes. */
  #allow(
    result: Int32Array,
    restricted: Members,
    filed: ReadonlyMap<string, Members>,
    values: readonly string[],
  ): void {
    const found = values.flatMap((value) => filed.get(value) ?? []);
    if (found.length === 0) return restricted.outOf(result);
    const axis = this.#axis.subarray(0, result.length);
    axis.set(result);
    restricted.outOf(axis);
    for (const members of found) members.into(axis);
    for (let word = 0; word < result.length; word++) result[word] = (result[word] ?? 0) & (axis[word] ?? 0);
  }

  /** Takes out the slots whose filters the title does not pass, of those that every axis passes. */
  #readTitle(result: Int32Array, title: readonly string[]): void {
    const asked = this.#asked.subarray(0, result.length);
    asked.fill(0);
    this.#titles.into(asked);
    for (let word = 0; word < result.length; word++) asked[word] = (asked[word] ?? 0) & (result[word] ?? 0);
    forEachBit(asked, asked.length, (slot) => {
      const query = this.#slots[slot]?.filter.title;
      if (query !== undefined && !passesTitle(title, query)) clearBit(result, slot);
    });
  }

  #file(slot: number, axis: Axis, values: readonly string[]): void {
    const index = this.#axes.get(axis) ?? { values: new Map(), restricted: new Members() };
    this.#axes.set(axis, index);
    index.restricted.add(slot, this.#capacity);
    for (const value of values) {
      const members = index.values.get(value) ?? new Members();
      index.values.set(value, members);
      members.add(slot, this.#capacity);
    }
  }

  #unfile(slot: number, axis: Axis, values: readonly string[]): void {
    const index = this.#axes.get(axis);
    if (index === undefined) return;
    index.restricted.remove(slot);
    for (const value of values) {
      const members = index.values.get(value);
      members?.remove(slot);
      if (members?.size === 0) index.values.delete(value);
    }
  }

  #grow(slot: number): void {
    if (slot < this.#capacity) return;
    this.#capacity *= 2;
    this.#result = new Int32Array(this.#capacity >> 5);
    this.#axis = new Int32Array(this.#capacity >> 5);
    this.#asked = new Int32Array(this.#capacity >> 5);
  }
}

/** Canonical filters have one order of members and values; long ones are stored as a digest. */
function keyOf(filter: Filter): string {
  const text = JSON.stringify(filter);
  return text.length <= 64 ? text : createHash("sha1").update(text).digest("base64");
}

/** Whether its title says more than one word that must be there. */
function asksMore({ title }: Filter): boolean {
  return title !== undefined && (title.none.length > 0 || title.all.flat().length > 1);
}

function axesOf(filter: Filter, word: string | null): { axis: Axis; values: readonly string[] }[] {
  const { actionability, sentimentMin, sentimentMax, minConviction, minActionability } = filter;
  const axes: { axis: Axis; values: readonly string[] }[] = termGroups(filter).map(({ kind, values }) => ({
    axis: kind,
    values,
  }));
  if (actionability !== undefined) axes.push({ axis: "actionability", values: [String(actionability)] });
  if (sentimentMin !== undefined || sentimentMax !== undefined) {
    const from = sentimentMin ?? 0;
    const scores = Array.from({ length: (sentimentMax ?? 10) - from + 1 }, (_, i) => String(from + i));
    axes.push({ axis: "sentiment", values: scores });
  }
  if (word !== null) axes.push({ axis: "word", values: [word] });
  if (minConviction !== undefined) axes.push({ axis: "conviction", values: [String(minConviction)] });
  if (minActionability !== undefined)
    axes.push({ axis: "actionability_score", values: [String(minActionability)] });
  return axes;
}

/** The lower bounds that a score of 0..100 reaches: a filter is filed under its bound alone, not under 100 scores. */
const upTo = Array.from({ length: 101 }, (_, score) =>
  Array.from({ length: score + 1 }, (_, bound) => String(bound)),
);

/** The values, by axis, whose filters the item passes; a null score has none. */
function valuesByAxis(item: Filterable): Map<Axis, string[]> {
  const { actionability, sentiment_score: sentiment, actionability_score: score } = item.scoring;
  const { sentiment_conviction: conviction } = item.scoring;
  const values = new Map<Axis, string[]>();
  for (const { kind, value } of termsOf(item)) {
    const known = values.get(kind);
    if (known === undefined) values.set(kind, [value]);
    else known.push(value);
  }
  if (actionability !== null) values.set("actionability", [String(actionability)]);
  if (sentiment !== null) values.set("sentiment", [String(sentiment)]);
  if (conviction !== null) values.set("conviction", upTo[conviction] ?? []);
  if (score !== null) values.set("actionability_score", upTo[score] ?? []);
  return values;
}
