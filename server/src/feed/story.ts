/**
 * Which items tell the same story: the same release carried by two wires, an article taken over by an aggregator.
 * Either the same headline about the same symbol, with figures that do not contradict, or texts that are nearly the same
 * (MinHash over 3-word shingles, Jaccard >= 0.5) with the same figures; within 48 hours. A changed figure makes another
 * story: it is the news.
 * Source: Broder, "On the resemblance and containment of documents" (1997); bands as in Leskovec et al., "Mining of
 * Massive Datasets", ch. 3.
 */

/** What an item is compared by; small enough to keep 48 hours of them. Stored as JSON. */
export interface StorySketch {
  readonly storyId: string;
  /** Of the item itself, ms. */
  readonly publishedMs: number;
  /** Letters and digits of the headline. */
  readonly title: string;
  /** Figures of headline and text, normalised, sorted. */
  readonly numbers: readonly string[];
  readonly symbols: readonly string[];
  readonly source: string;
  readonly shingles: number;
  /** 64 minima of 16 bits each, base64; empty for texts too short to compare. */
  readonly minima: string;
}

export type StoryFacts = Omit<StorySketch, "storyId">;

const windowMs = 48 * 3_600_000;
const readChars = 2_000;
const permutations = 64;
const bandRows = 4;
const leastAlike = permutations / 2;
const fewestShingles = 6;
/** Two texts without a common symbol must be this long to be taken for one by their words. */
const shinglesWithoutSymbol = 30;
const mostNumbers = 60;

/** What the item will be compared by. @param item symbols as EXCHANGE:TICKER */
export function storyFacts(item: {
  readonly title: string;
  readonly body: string;
  readonly symbols: readonly string[];
  readonly source: string;
  readonly publishedAt: Date;
}): StoryFacts {
  const { symbols, source } = item;
  const headline = withoutOutlet(item.title);
  const text = `${headline}\n${item.body.slice(0, readChars)}`.toLowerCase();
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const shingles = Math.max(0, words.length - 2);
  return {
    publishedMs: item.publishedAt.getTime(),
    title: headline
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, "")
      .slice(0, 300),
    numbers: numbersOf(text),
    symbols,
    source,
    shingles,
    minima: shingles < fewestShingles ? "" : Buffer.from(minimaOf(words).buffer).toString("base64"),
  };
}

/** "Headline - Outlet" as "Headline": aggregators add the name of the publisher. */
function withoutOutlet(title: string): string {
  const [, headline, outlet] =
    /^(.{25,}) [-\u2013|] ([^-\u2013|]{2,40})$/su.exec(title.slice(0, 1_000)) ?? [];
  return headline === undefined || outlet === undefined || outlet.split(" ").length > 4 ? title : headline;
}

function numbersOf(text: string): string[] {
  const found = new Set<string>();
  for (const [number] of text.matchAll(/\d+(?:[.,]\d+)*/g)) {
    found.add(number.replaceAll(/,(?=\d{3})/g, ""));
    if (found.size >= mostNumbers) break;
  }
  return [...found].sort();
}

/** Odd multipliers and offsets of the permutations, fixed: sketches are compared over restarts. */
const seeds = Array.from({ length: permutations }, (_, index) => ({
  factor: (Math.imul(index + 1, 0x9e3779b1) | 1) >>> 0,
  offset: Math.imul(index + 1, 0x85ebca6b) >>> 0,
}));

function minimaOf(words: readonly string[]): Uint16Array {
  const hashes = words.map(hashOf);
  const minima = new Uint32Array(permutations).fill(0xffffffff);
  for (let at = 0; at + 2 < hashes.length; at++) {
    const shingle = mixed(
      Math.imul(hashes[at] ?? 0, 31) ^ Math.imul(hashes[at + 1] ?? 0, 17) ^ (hashes[at + 2] ?? 0),
    );
    for (const [index, { factor, offset }] of seeds.entries()) {
      const value = (Math.imul(shingle, factor) + offset) >>> 0;
      if (value < (minima[index] ?? 0)) minima[index] = value;
    }
  }
  return Uint16Array.from(minima, (value) => value >>> 16);
}

/** FNV-1a, 32 bits. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193);
  return hash;
}

/** The finish of MurmurHash3: the shingle's bits spread over the whole word. */
function mixed(value: number): number {
  let hash = value ^ (value >>> 16);
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** A remembered item; its minima as numbers only. */
interface Entry {
  readonly sketch: Omit<StorySketch, "minima">;
  readonly seenMs: number;
  readonly minima: Uint16Array;
}

/** Some 25 MB; the busiest 48 hours of all sources that ship stay below. */
export const mostEntries = 20_000;
/** Templates share their bands with everything of their kind; the newest are compared. */
const mostInBucket = 32;

/** The stories of the last 48 hours, bounded. The oldest that matches gives its story. */
export class StoryMemory {
  /** Nearly all hold one: an array each would be most of the memory. */
  readonly #buckets = new Map<string | number, Entry | Entry[]>();
  readonly #entries: Entry[] = [];
  readonly #onSymbol = new Map<string, number>();

  get size(): number {
    return this.#entries.length;
  }

  /** The story that the item repeats, null when it is the first to tell its own. */
  find(facts: StoryFacts): string | null {
    return this.#match(facts)?.storyId ?? null;
  }

  /** What the feed has carried of the matter. @param id of the item itself, which is no repeat of its own story */
  recall(facts: StoryFacts, id: string | null): { repeatsMs: number | null; onSymbols: number } {
    const match = this.#match(facts);
    const repeats = match !== null && match.storyId !== id;
    const counts = facts.symbols.map((symbol) => this.#onSymbol.get(symbol) ?? 0);
    return {
      repeatsMs: repeats ? Math.max(0, facts.publishedMs - match.publishedMs) : null,
      onSymbols: Math.max(0, ...counts),
    };
  }

  #match(facts: StoryFacts): Entry["sketch"] | null {
    const minima = minimaFrom(facts.minima);
    const seen = new Set<Entry>();
    for (const key of keysOf(facts, minima))
      for (const entry of [this.#buckets.get(key) ?? []].flat()) {
        if (seen.has(entry)) continue;
        seen.add(entry);
        if (isSame(facts, minima, entry)) return entry.sketch;
      }
    return null;
  }

  /**
   * @param seenMs when the item was first seen: what is older than 48 hours is forgotten
   * @returns takes the item back
   */
  add({ minima: base64, ...sketch }: StorySketch, seenMs: number): () => void {
    const entry = { sketch, seenMs, minima: minimaFrom(base64) };
    this.#entries.push(entry);
    for (const key of keysOf(sketch, entry.minima)) this.#list(key, entry);
    this.#count(sketch.symbols, 1);
    this.#forget(seenMs - windowMs);
    return () => {
      const at = this.#entries.lastIndexOf(entry);
      if (at === -1) return;
      this.#entries.splice(at, 1);
      this.#unlist(entry);
    };
  }

  #list(key: string | number, entry: Entry): void {
    const others = this.#buckets.get(key);
    if (others === undefined) this.#buckets.set(key, entry);
    else this.#buckets.set(key, [others, entry].flat().slice(-mostInBucket));
  }

  #forget(beforeMs: number): void {
    let drop = 0;
    while (drop < this.#entries.length) {
      const oldest = this.#entries[drop];
      const isOld = (oldest?.seenMs ?? 0) < beforeMs || this.#entries.length - drop > mostEntries;
      if (oldest === undefined || !isOld) break;
      this.#unlist(oldest);
      drop += 1;
    }
    if (drop > 0) this.#entries.splice(0, drop);
  }

  #count(symbols: readonly string[], change: 1 | -1): void {
    for (const symbol of symbols) {
      const count = (this.#onSymbol.get(symbol) ?? 0) + change;
      if (count > 0) this.#onSymbol.set(symbol, count);
      else this.#onSymbol.delete(symbol);
    }
  }

  #unlist(entry: Entry): void {
    this.#count(entry.sketch.symbols, -1);
    for (const key of keysOf(entry.sketch, entry.minima)) {
      const rest = [this.#buckets.get(key) ?? []].flat().filter((other) => other !== entry);
      if (rest.length === 0) this.#buckets.delete(key);
      else this.#buckets.set(key, rest);
    }
  }
}

function minimaFrom(base64: string): Uint16Array {
  const bytes = Uint8Array.from(Buffer.from(base64, "base64"));
  return new Uint16Array(bytes.buffer);
}

/** Items that share no key are not compared: the headline, and each band of four minima as a number. */
function keysOf({ title, symbols }: Omit<StoryFacts, "minima">, minima: Uint16Array): (string | number)[] {
  const keys: (string | number)[] = title === "" || symbols.length === 0 ? [] : [title];
  for (let band = 0; band + bandRows <= minima.length; band += bandRows) {
    let hash = 0;
    for (let row = 0; row < bandRows; row++) hash = mixed(Math.imul(hash, 31) + (minima[band + row] ?? 0));
    keys.push(band * 2 ** 32 + hash);
  }
  return keys;
}

function isSame(facts: StoryFacts, minima: Uint16Array, { sketch, minima: others }: Entry): boolean {
  if (Math.abs(facts.publishedMs - sketch.publishedMs) > windowMs) return false;
  const sharesSymbol = facts.symbols.some((symbol) => sketch.symbols.includes(symbol));
  if (sharesSymbol && facts.title === sketch.title && sameHeadline(facts, sketch)) return true;
  const long = Math.min(facts.shingles, sketch.shingles) >= shinglesWithoutSymbol;
  if (!sharesSymbol && !long) return false;
  return equal(facts.numbers, sketch.numbers) && alike(minima, others) >= leastAlike;
}

/** One source uses a headline for many notices ("Director shareholding"): then the figures must show that it is one. */
function sameHeadline(facts: StoryFacts, sketch: Entry["sketch"]): boolean {
  if (!agree(facts.numbers, sketch.numbers)) return false;
  return facts.source !== sketch.source || Math.min(facts.numbers.length, sketch.numbers.length) > 0;
}

/** One text may be an excerpt of the other: then all its figures are there too. */
function agree(some: readonly string[], others: readonly string[]): boolean {
  const [less, more] = some.length <= others.length ? [some, others] : [others, some];
  const all = new Set(more);
  return less.every((number) => all.has(number));
}

function equal(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((number, index) => number === others[index]);
}

function alike(some: Uint16Array, others: Uint16Array): number {
  if (some.length === 0 || some.length !== others.length) return 0;
  let count = 0;
  for (let at = 0; at < some.length; at++) if (some[at] === others[at]) count += 1;
  return count;
}

/** Whether a revision changes what was judged: the headline, or a figure in the text. */
export function changesJudgement(
  before: { title: string | null; body: string },
  after: { title: string | null; body: string },
): boolean {
  if ((before.title ?? "") !== (after.title ?? "")) return true;
  return !equal(numbersOf(before.body), numbersOf(after.body));
}
