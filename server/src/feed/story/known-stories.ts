import {
  areOneStory,
  type Comparable,
  comparable,
  goesOn,
  isItself,
  storable,
  tellsAnother,
  tellsMore,
  windowMs,
} from "./copies.ts";
import type { StoryFacts } from "./facts.ts";
import { bandsOf } from "./minima.ts";
import { pointsTo } from "./names.ts";
import { ItemsOnSymbols } from "./on-symbols.ts";

/** What the feed had carried about a matter when an item on it was first seen. */
export interface Recalled {
  /** How long the feed had carried the story that the item repeats, ms; null: no item of the last 48 hours told it. */
  readonly repeatsMs: number | null;
  /** Items about its symbols in the last 48 hours, at most 3 of a source. */
  readonly onSymbols: number;
}

export const nothingRecalled: Recalled = { repeatsMs: null, onSymbols: 0 };

/** The engine's verdict on an item as if its story were new; the verdict on a repeat scores lower. */
export interface VerdictAlone {
  readonly actionable: boolean;
  /** 0..100. */
  readonly score: number;
  readonly comment: string;
  /** 0..100. */
  readonly novelty: number;
}

/** An item as the memory stores it. */
export interface StorySketch extends StoryFacts {
  readonly id: string;
  /** Id of the first item of its story. */
  readonly storyId: string;
  /** What was recalled when the item was judged. */
  readonly recalled: Recalled;
  /** null: it was not judged as a repeat, or not judged at all. Absent in items of an earlier version. */
  readonly alone?: VerdictAlone | null;
}

interface Entry extends Comparable {
  readonly id: string;
  readonly storyId: string;
  readonly recalled: Recalled;
  readonly alone: VerdictAlone | null;
  readonly seenMs: number;
  /** Grows with every entry. A removed entry that is put back is last in the sets but keeps its order. */
  readonly order: number;
}

/** Some 40 MB; more than the busiest 48 hours of all sources that ship. */
export const mostEntries = 20_000;
/** Templates share their bands with all others of their kind, so only the newest are compared. */
const mostInBucket = 32;

/** The stories of the last 48 hours, bounded. Of several matching items, the one known longest determines the story. */
export class StoryMemory {
  /** Nearly all buckets hold one entry, and an array for each would be most of the memory. */
  readonly #buckets = new Map<string | number, Entry | Entry[]>();
  /** By item, in order of arrival of their present versions. */
  readonly #entries = new Map<string, Entry>();
  readonly #onSymbols = new ItemsOnSymbols<Entry>();
  #order = 0;
  /** The copies of a story, by the id of its first. */
  readonly #copies = new Map<string, Set<Entry>>();

  get size(): number {
    return this.#entries.size;
  }

  /**
   * The story that the item repeats; null when it is the first of its own.
   * @param stands whether the first item of a story still tells it
   */
  find(facts: StoryFacts, stands: (storyId: string) => boolean = () => true): string | null {
    const item = comparable(facts);
    const near = this.#near(item);
    // An item that points to another's page names its story itself.
    const named = near.filter(({ facts: first }) => pointsTo(facts, first));
    const found = [...named, ...near].find(
      (entry) =>
        isBefore(entry, item) &&
        areOneStory(item, entry) &&
        this.#isOfFirst(item, entry) &&
        stands(entry.storyId),
    );
    return found?.storyId ?? null;
  }

  /** A copy of a copy may share little with the first, or the first may have been corrected since. */
  #isOfFirst(item: Comparable, { id, storyId }: Entry): boolean {
    const first = id === storyId ? undefined : this.#entries.get(storyId);
    return first === undefined || areOneStory(item, first);
  }

  /**
   * What the feed had carried about the matter when the text was first seen. For a stored item the answer is the one it
   * was judged with: it does not repeat itself, nor items that came after it.
   * @param id of the item that has the text; null: a text from outside
   */
  recall(facts: StoryFacts, id: string | null): Recalled {
    const item = comparable(facts);
    const near = this.#near(item);
    if (id === null) {
      const selves = near.filter((entry) => isItself(item, entry));
      const self =
        selves.find(({ facts: { publishedMs } }) => publishedMs === facts.publishedMs) ?? selves[0];
      if (self !== undefined) return self.recalled;
    }
    const before = this.#entries.get(id ?? "");
    if (before !== undefined && goesOn(before, item)) return this.#recalledAgain(before, item, near);
    const known = (entry: Entry) => entry.storyId !== id && entry.id !== id && isBefore(entry, item);
    const repeated = near.find((entry) => known(entry) && areOneStory(item, entry));
    const isRecent = (entry: Entry) =>
      known(entry) && entry.facts.publishedMs >= facts.publishedMs - windowMs;
    const counts = facts.symbols.map((symbol) => this.#onSymbols.count(symbol, isRecent));
    return {
      repeatsMs: repeated === undefined ? null : Math.max(0, facts.knownMs - repeated.facts.knownMs),
      onSymbols: Math.max(0, ...counts),
    };
  }

  /** A revision repeats what its item repeated, as long as an item still tells that, and nothing that came later. */
  #recalledAgain(
    { id, storyId, recalled, facts }: Entry,
    item: Comparable,
    near: readonly Entry[],
  ): Recalled {
    const isForgotten = storyId !== id && !this.#entries.has(storyId);
    const isFormer = (entry: Entry) =>
      entry.id === storyId || (entry.storyId !== id && entry.facts.knownMs <= facts.knownMs);
    const isTold =
      isForgotten || near.some((entry) => entry.id !== id && isFormer(entry) && areOneStory(item, entry));
    return isTold ? recalled : { ...recalled, repeatsMs: null };
  }

  /** Since when the feed has carried what an item says now, ms. */
  knownSince(id: string, now: StoryFacts): number {
    const before = this.#entries.get(id);
    const after = comparable(now);
    const isKnown = before !== undefined && goesOn(before, after) && !tellsMore(after, before);
    return isKnown ? before.facts.knownMs : now.knownMs;
  }

  /** What was recalled when an item of the last 48 hours was judged; null: the item is unknown. */
  recalledOf(id: string): Recalled | null {
    return this.#entries.get(id)?.recalled ?? null;
  }

  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** The copies of an item, oldest first. */
  copiesOf(id: string): string[] {
    return [...(this.#copies.get(id) ?? [])].sort(byAge).map((entry) => entry.id);
  }

  /**
   * Finds new stories for the copies of an item that now tells another story or was withdrawn. A copy that still tells
   * the same stays; another joins the first of the copies before it that tells the same, or becomes the first of a story
   * and repeats nothing.
   * @param ids of the copies, oldest first
   * @returns those that do not stay
   */
  regroup(id: string, ids: readonly string[]): StorySketch[] {
    const first = this.#entries.get(id);
    const firsts = first === undefined ? [] : [first];
    return ids.flatMap((copyId): StorySketch[] => {
      const copy = this.#entries.get(copyId);
      if (copy === undefined) return [];
      const joined = firsts.find((one) => areOneStory(copy, one));
      if (joined === first && first !== undefined) return [];
      const { recalled, alone } = copy;
      const facts = storable(copy);
      if (joined !== undefined) return [{ ...facts, id: copyId, storyId: joined.id, recalled, alone }];
      firsts.push(copy);
      return [{ ...facts, id: copyId, storyId: copyId, recalled: { ...recalled, repeatsMs: null }, alone }];
    });
  }

  /** Whether the item says something else now; true for an unknown item. */
  tellsAnother(id: string, now: StoryFacts): boolean {
    const before = this.#entries.get(id);
    return before === undefined || tellsAnother(before, comparable(now));
  }

  /** Whether a copy now tells another story than before, or more than the first item of its story. */
  leavesStory(id: string, storyId: string, now: StoryFacts): boolean {
    const first = this.#entries.get(storyId);
    return this.tellsAnother(id, now) || (first !== undefined && tellsMore(comparable(now), first));
  }

  /** Candidates for the same story, known longest first: entries that share the headline, a name or a band of minima. */
  #near(item: Comparable): Entry[] {
    return [...new Set(keysOf(item).flatMap((key) => this.#buckets.get(key) ?? []))].sort(byAge);
  }

  /**
   * Remembers the item, replacing its previous version.
   * @param seenMs when it was first seen: entries 48 hours older than that are forgotten
   * @returns undoes it
   */
  add({ id, storyId, recalled, alone = null, ...facts }: StorySketch, seenMs: number): () => void {
    const before = this.#entries.get(id);
    if (before !== undefined) this.#remove(before);
    this.#order += 1;
    const entry = { ...comparable(facts), id, storyId, recalled, alone, seenMs, order: this.#order };
    this.#enter(entry);
    this.#forget(seenMs - windowMs);
    return () => {
      if (this.#entries.get(id) !== entry) return;
      this.#remove(entry);
      if (before !== undefined) this.#enter(before);
    };
  }

  /**
   * Forgets the item: later items no longer repeat it.
   * @returns undoes it
   */
  remove(id: string): () => void {
    const before = this.#entries.get(id);
    if (before === undefined) return () => {};
    this.#remove(before);
    return () => {
      if (!this.#entries.has(id)) this.#enter(before);
    };
  }

  #enter(entry: Entry): void {
    this.#entries.set(entry.id, entry);
    for (const key of keysOf(entry)) {
      const others = this.#buckets.get(key);
      this.#buckets.set(key, others === undefined ? entry : [others, entry].flat().slice(-mostInBucket));
    }
    this.#onSymbols.add(entry);
    if (entry.storyId !== entry.id) addTo(this.#copies, entry.storyId, entry);
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
    this.#onSymbols.remove(entry);
    dropFrom(this.#copies, entry.storyId, entry);
  }
}

/** Whether an entry, which was stored earlier, counts as earlier: not when it claims a time after the item was known. */
function isBefore(entry: Entry, item: Comparable): boolean {
  return entry.facts.publishedMs <= item.facts.knownMs;
}

function byAge(a: Entry, b: Entry): number {
  return a.facts.knownMs - b.facts.knownMs || a.order - b.order;
}

function addTo(sets: Map<string, Set<Entry>>, key: string, entry: Entry): void {
  const others = sets.get(key);
  if (others === undefined) sets.set(key, new Set([entry]));
  else others.add(entry);
}

function dropFrom(sets: Map<string, Set<Entry>>, key: string, entry: Entry): void {
  const others = sets.get(key);
  others?.delete(entry);
  if (others?.size === 0) sets.delete(key);
}

function keysOf({ facts: { title, names = [], claims = [] }, minima }: Comparable): (string | number)[] {
  return [...(title === "" ? [] : [title]), ...names, ...claims, ...bandsOf(minima)];
}
