import type { SymbolEntry } from "../types.ts";
import { isShare } from "./symbol-lines.ts";
import type { SymbolTable } from "./symbol-table.ts";

/** Most words of a query that are looked at. */
const mostWords = 8;

/** The words of a text in lower case, without accents: `Nestlé S.A.` has nestle, s and a. */
function wordsOf(text: string): string[] {
  const lower = text.toLowerCase();
  // Nearly all names are ASCII, and normalizing them would take most of the time.
  const isPlain = /^[\x20-\x7e]*$/.test(lower);
  const plain = isPlain ? lower : lower.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  return plain.match(isPlain ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [];
}

/** Ranks of one length are alike: of the largest hundred, of the largest thousand, and of the others. */
function sizeClass({ rank }: SymbolEntry): number {
  return rank < 100 ? 0 : rank < 1_000 ? 1 : 2;
}

/**
 * Shares come before futures, currencies and coins of like rank, because most news is about companies; of a company's lines
 * its own comes first.
 */
function bySize(a: SymbolEntry, b: SymbolEntry): number {
  return (
    sizeClass(a) - sizeClass(b) ||
    Number(isShare(b)) - Number(isShare(a)) ||
    a.rank - b.rank ||
    Number(b.primary === b.symbol) - Number(a.primary === a.symbol) ||
    (a.name < b.name ? -1 : Number(a.name > b.name))
  );
}

/**
 * Finds symbols by the beginnings of their ticker and of the words of their name. A ticker is found once, with its main
 * line. Immutable, made of one table: sorted words, and for each the entries that have it.
 */
export class SymbolSearch {
  readonly #table: SymbolTable;
  /** Largest first; a place in it stands for the entry. */
  readonly #entries: readonly SymbolEntry[];
  /** Ascending, each once. */
  readonly #words: readonly string[];
  /** Where the places of each word begin in `#places`, and after the last word its length. */
  readonly #starts: Uint32Array;
  readonly #places: Uint32Array;
  /** For each entry how many words of the present query it has so far; counted from `#round` on. */
  readonly #matched: Uint32Array;
  #round = 0;

  constructor(table: SymbolTable) {
    this.#table = table;
    this.#entries = table.entries
      .filter((entry) => table.byTicker(entry.shortSymbol)[0] === entry)
      .toSorted(bySize);
    const holders = new Map<string, number[]>();
    for (const [place, { shortSymbol, name }] of this.#entries.entries())
      for (const word of new Set([...wordsOf(shortSymbol), ...wordsOf(name)])) {
        const places = holders.get(word);
        if (places === undefined) holders.set(word, [place]);
        else places.push(place);
      }
    this.#words = [...holders.keys()].sort();
    const lists = this.#words.map((word) => holders.get(word) ?? []);
    this.#starts = new Uint32Array(lists.length + 1);
    for (const [at, list] of lists.entries()) this.#starts[at + 1] = (this.#starts[at] ?? 0) + list.length;
    this.#places = Uint32Array.from(lists.flat());
    this.#matched = new Uint32Array(this.#entries.length);
  }

  /**
   * The entries of which every word of the query begins the ticker or a word of the name: first the one whose ticker is
   * the query, then the largest. An exchange before a colon is not looked at.
   */
  find(query: string, most: number): SymbolEntry[] {
    const asked = query.slice(query.lastIndexOf(":") + 1).trim();
    const found = this.#largest([...new Set(wordsOf(asked))].slice(0, mostWords), most).flatMap(
      (place) => this.#entries[place] ?? [],
    );
    const exact = this.#table.byTicker(asked.toUpperCase())[0];
    if (exact === undefined) return found;
    return [exact, ...found.filter((entry) => entry !== exact)].slice(0, most);
  }

  /** The first places that have all of the beginnings, ascending. */
  #largest(beginnings: readonly string[], most: number): number[] {
    const base = this.#round;
    this.#round += mostWords + 1;
    if (this.#round > 0xffff_0000) {
      this.#matched.fill(0);
      this.#round = mostWords + 1;
      return this.#largest(beginnings, most);
    }
    const last = beginnings.length - 1;
    const found: number[] = [];
    for (const [at, beginning] of beginnings.entries()) {
      const end = this.#starts[this.#firstFrom(`${beginning}\uffff`)] ?? 0;
      for (let n = this.#starts[this.#firstFrom(beginning)] ?? 0; n < end; n++) {
        const place = this.#places[n] ?? 0;
        const before = this.#matched[place] ?? 0;
        if (at > 0 ? before !== base + at : before > base) continue;
        this.#matched[place] = base + at + 1;
        if (at === last) insert(found, place, most);
      }
    }
    return found;
  }

  /** The first word that is not before the text. */
  #firstFrom(text: string): number {
    let low = 0;
    let high = this.#words.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#words[middle] ?? "") < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Keeps the smallest numbers, ascending, at most so many. */
function insert(smallest: number[], number: number, most: number): void {
  if (smallest.length === most && number > (smallest[most - 1] ?? 0)) return;
  let at = smallest.length;
  while (at > 0 && (smallest[at - 1] ?? 0) > number) at--;
  smallest.splice(at, 0, number);
  if (smallest.length > most) smallest.pop();
}
