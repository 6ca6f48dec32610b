import type { StoryFacts } from "./facts.ts";
import { bandsOf } from "./minima.ts";
import { areOneStory, type Comparable, comparable, isItself, tellsAnother, windowMs } from "./same.ts";

/** What the feed had carried of a matter when an item of it was published. */
export interface Recalled {
  /** Age of the story that the item repeats, ms; null: nobody had told it in the last 48 hours. */
  readonly repeatsMs: number | null;
  /** Items about its symbols in the last 48 hours. */
  readonly onSymbols: number;
}

export const nothingRecalled: Recalled = { repeatsMs: null, onSymbols: 0 };

/** An item as it is remembered. */
export interface StorySketch extends StoryFacts {
  readonly id: string;
  /** Of the first item of its story. */
  readonly storyId: string;
  /** What the item was judged with. */
  readonly recalled: Recalled;
}

interface Entry extends Comparable {
  readonly id: string;
  readonly storyId: string;
  readonly recalled: Recalled;
  readonly seenMs: number;
}

/** Some 40 MB; the busiest 48 hours of all sources that ship stay below. */
export const mostEntries = 20_000;
/** Templates share their bands with everything of their kind; the newest are compared. */
const mostInBucket = 32;

/** The stories of the last 48 hours, bounded. The oldest that matches gives its story. */
export class StoryMemory {
  /** Nearly all hold one: an array each would be most of the memory. */
  readonly #buckets = new Map<string | number, Entry | Entry[]>();
  /** By item, in order of arrival of what it says now. */
  readonly #entries = new Map<string, Entry>();
  readonly #onSymbol = new Map<string, Set<Entry>>();

  get size(): number {
    return this.#entries.size;
  }

  /** The story that the item repeats, null when it is the first to tell its own. */
  find(facts: StoryFacts): string | null {
    const asked = comparable(facts);
    for (const entry of this.#near(asked))
      if (areOneStory(asked, entry) && this.#isOfFirst(asked, entry)) return entry.storyId;
    return null;
  }

  /** A copy of a copy may have little of the first, or the first may have been corrected since. */
  #isOfFirst(asked: Comparable, { id, storyId }: Entry): boolean {
    const first = id === storyId ? undefined : this.#entries.get(storyId);
    return first === undefined || areOneStory(asked, first);
  }

  /**
   * What the feed had carried of the matter when the text was published. A text that is a stored item knows what that
   * one knew: it does not repeat itself.
   * @param id of the item that tells it; null: a text from outside
   */
  recall(facts: StoryFacts, id: string | null): Recalled {
    const asked = comparable(facts);
    const near = this.#near(asked);
    if (id === null) {
      const selves = near.filter((entry) => isItself(asked, entry));
      const self =
        selves.find(({ facts: { publishedMs } }) => publishedMs === facts.publishedMs) ?? selves[0];
      if (self !== undefined) return self.recalled;
    }
    const known = (entry: Entry) =>
      entry.storyId !== id && entry.id !== id && entry.facts.publishedMs <= facts.publishedMs;
    const told = near.find((entry) => known(entry) && areOneStory(asked, entry));
    const counts = facts.symbols.map((symbol) => this.#countOn(symbol, facts.publishedMs, known));
    return {
      repeatsMs: told === undefined ? null : facts.publishedMs - told.facts.publishedMs,
      onSymbols: Math.max(0, ...counts),
    };
  }

  #countOn(symbol: string, publishedMs: number, known: (entry: Entry) => boolean): number {
    let count = 0;
    for (const entry of this.#onSymbol.get(symbol) ?? [])
      if (known(entry) && entry.facts.publishedMs >= publishedMs - windowMs) count += 1;
    return count;
  }

  /** What an item of the last 48 hours was judged with; null: nothing is known of it. */
  recalledOf(id: string): Recalled | null {
    return this.#entries.get(id)?.recalled ?? null;
  }

  /** Whether the item says something else now; true where nothing is known of it. */
  tellsAnother(id: string, now: StoryFacts): boolean {
    const before = this.#entries.get(id);
    return before === undefined || tellsAnother(before, comparable(now));
  }

  /** What may be the same, oldest first: whoever shares the headline, a name or a band of minima. */
  #near(asked: Comparable): Entry[] {
    return [...new Set(keysOf(asked).flatMap((key) => this.#buckets.get(key) ?? []))];
  }

  /**
   * Remembers the item, in place of what it said before.
   * @param seenMs when it was first seen: what is older than 48 hours is forgotten
   * @returns takes it back
   */
  add({ id, storyId, recalled, ...facts }: StorySketch, seenMs: number): () => void {
    const before = this.#entries.get(id);
    if (before !== undefined) this.#remove(before);
    const entry = { ...comparable(facts), id, storyId, recalled, seenMs };
    this.#enter(entry);
    this.#forget(seenMs - windowMs);
    return () => {
      if (this.#entries.get(id) !== entry) return;
      this.#remove(entry);
      if (before !== undefined) this.#enter(before);
    };
  }

  #enter(entry: Entry): void {
    this.#entries.set(entry.id, entry);
    for (const key of keysOf(entry)) {
      const others = this.#buckets.get(key);
      this.#buckets.set(key, others === undefined ? entry : [others, entry].flat().slice(-mostInBucket));
    }
    for (const symbol of entry.facts.symbols) {
      const others = this.#onSymbol.get(symbol);
      if (others === undefined) this.#onSymbol.set(symbol, new Set([entry]));
      else others.add(entry);
    }
  }

  #forget(beforeMs: number): void {
    for (const entry of this.#entries.values()) {
      if (entry.seenMs >= beforeMs && this.#entries.size <= mostEntries) return;
      this.#remove(entry);
    }
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.id);
    for (const key of keysOf(entry)) {
      const rest = [this.#buckets.get(key) ?? []].flat().filter((other) => other !== entry);
      if (rest.length === 0) this.#buckets.delete(key);
      else this.#buckets.set(key, rest);
    }
    for (const symbol of entry.facts.symbols) {
      const others = this.#onSymbol.get(symbol);
      others?.delete(entry);
      if (others?.size === 0) this.#onSymbol.delete(symbol);
    }
  }
}

function keysOf({ facts: { title, names = [], claims = [] }, minima }: Comparable): (string | number)[] {
  return [...(title === "" ? [] : [title]), ...names, ...claims, ...bandsOf(minima)];
}
