import type { StoryFacts } from "./facts.ts";
import { bandsOf } from "./minima.ts";
import { pointsTo } from "./names.ts";
import { ItemsOnSymbols } from "./on-symbols.ts";
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
} from "./same.ts";

/** What the feed had carried of a matter when an item of it was first seen. */
export interface Recalled {
  /** How long the feed had carried the story that the item repeats, ms; null: nobody had told it in the last 48 hours. */
  readonly repeatsMs: number | null;
  /** Items about its symbols in the last 48 hours, at most 3 of a source. */
  readonly onSymbols: number;
}

export const nothingRecalled: Recalled = { repeatsMs: null, onSymbols: 0 };

/** What the engine says of an item where nobody has told its story: what it says of a repeat is less. */
export interface VerdictAlone {
  readonly actionable: boolean;
  /** 0..100. */
  readonly score: number;
  readonly comment: string;
  /** 0..100. */
  readonly novelty: number;
}

/** An item as it is remembered. */
export interface StorySketch extends StoryFacts {
  readonly id: string;
  /** Of the first item of its story. */
  readonly storyId: string;
  /** What the item was judged with. */
  readonly recalled: Recalled;
  /** null: it was judged as no repeat, or not at all. Absent from those of an earlier version. */
  readonly alone?: VerdictAlone | null;
}

interface Entry extends Comparable {
  readonly id: string;
  readonly storyId: string;
  readonly recalled: Recalled;
  readonly alone: VerdictAlone | null;
  readonly seenMs: number;
  /** Grows with every entry: one that was taken out and put back stands last in the sets, and is as old as before. */
  readonly order: number;
}

/** Some 40 MB; the busiest 48 hours of all sources that ship stay below. */
export const mostEntries = 20_000;
/** Templates share their bands with everything of their kind; the newest are compared. */
const mostInBucket = 32;

/** The stories of the last 48 hours, bounded. Of those that match, the one that is known longest gives its story. */
export class StoryMemory {
  /** Nearly all hold one: an array each would be most of the memory. */
  readonly #buckets = new Map<string | number, Entry | Entry[]>();
  /** By item, in order of arrival of what it says now. */
  readonly #entries = new Map<string, Entry>();
  readonly #onSymbols = new ItemsOnSymbols<Entry>();
  #order = 0;
  /** The copies of a story, by the id of its first. */
  readonly #copies = new Map<string, Set<Entry>>();

  get size(): number {
    return this.#entries.size;
  }

  /**
   * The story that the item repeats, null when it is the first to tell its own.
   * @param stands whether the first of a story still tells it
   */
  find(facts: StoryFacts, stands: (storyId: string) => boolean = () => true): string | null {
    const asked = comparable(facts);
    const near = this.#near(asked);
    // An item that points to another's page says itself whose story it tells.
    const named = near.filter(({ facts: first }) => pointsTo(facts, first));
    const found = [...named, ...near].find(
      (entry) =>
        isBefore(entry, asked) &&
        areOneStory(asked, entry) &&
        this.#isOfFirst(asked, entry) &&
        stands(entry.storyId),
    );
    return found?.storyId ?? null;
  }

  /** A copy of a copy may have little of the first, or the first may have been corrected since. */
  #isOfFirst(asked: Comparable, { id, storyId }: Entry): boolean {
    const first = id === storyId ? undefined : this.#entries.get(storyId);
    return first === undefined || areOneStory(asked, first);
  }

  /**
   * What the feed had carried of the matter when the text was first seen. A text that is a stored item knows what that
   * one knew: it does not repeat itself, nor what others have told since.
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
    const before = this.#entries.get(id ?? "");
    if (before !== undefined && goesOn(before, asked)) return this.#recalledAgain(before, asked, near);
    const known = (entry: Entry) => entry.storyId !== id && entry.id !== id && isBefore(entry, asked);
    const told = near.find((entry) => known(entry) && areOneStory(asked, entry));
    const isRecent = (entry: Entry) =>
      known(entry) && entry.facts.publishedMs >= facts.publishedMs - windowMs;
    const counts = facts.symbols.map((symbol) => this.#onSymbols.count(symbol, isRecent));
    return {
      repeatsMs: told === undefined ? null : Math.max(0, facts.knownMs - told.facts.knownMs),
      onSymbols: Math.max(0, ...counts),
    };
  }

  /** A revision repeats what its item repeated, while somebody tells that, and nothing that others have told since. */
  #recalledAgain(
    { id, storyId, recalled, facts }: Entry,
    asked: Comparable,
    near: readonly Entry[],
  ): Recalled {
    const isForgotten = storyId !== id && !this.#entries.has(storyId);
    const isFormer = (entry: Entry) =>
      entry.id === storyId || (entry.storyId !== id && entry.facts.knownMs <= facts.knownMs);
    const isTold =
      isForgotten || near.some((entry) => entry.id !== id && isFormer(entry) && areOneStory(asked, entry));
    return isTold ? recalled : { ...recalled, repeatsMs: null };
  }

  /** Since when the feed has carried what an item tells now, ms. */
  knownSince(id: string, now: StoryFacts): number {
    const before = this.#entries.get(id);
    const after = comparable(now);
    const isKnown = before !== undefined && goesOn(before, after) && !tellsMore(after, before);
    return isKnown ? before.facts.knownMs : now.knownMs;
  }

  /** What an item of the last 48 hours was judged with; null: nothing is known of it. */
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
   * The stories of copies of an item that has come to tell another, or is told no longer. Each stays with the item where
   * that still tells the same, joins the first of those before it that tells the same, or becomes a first, which repeats
   * nothing.
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

  /** Whether the item says something else now; true where nothing is known of it. */
  tellsAnother(id: string, now: StoryFacts): boolean {
    const before = this.#entries.get(id);
    return before === undefined || tellsAnother(before, comparable(now));
  }

  /** Whether a copy tells another story now than before, or more than the first of its story has told. */
  leavesStory(id: string, storyId: string, now: StoryFacts): boolean {
    const first = this.#entries.get(storyId);
    return this.tellsAnother(id, now) || (first !== undefined && tellsMore(comparable(now), first));
  }

  /** What may be the same, known longest first: whoever shares the headline, a name or a band of minima. */
  #near(asked: Comparable): Entry[] {
    return [...new Set(keysOf(asked).flatMap((key) => this.#buckets.get(key) ?? []))].sort(byAge);
  }

  /**
   * Remembers the item, in place of what it said before.
   * @param seenMs when it was first seen: what is older than 48 hours is forgotten
   * @returns takes it back
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
   * Forgets the item: nothing repeats it any more.
   * @returns takes it back
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

/** What is remembered was stored before; it comes after what it dates itself behind. */
function isBefore(entry: Entry, asked: Comparable): boolean {
  return entry.facts.publishedMs <= asked.facts.knownMs;
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
