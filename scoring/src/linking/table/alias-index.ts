import type { Token } from "../../text.ts";
import { firstWord, tokenize } from "../../text.ts";
import { dottedWords, neverAlone, otherNames, placeNames, roleNames } from "../name-classes.ts";
import type { AliasMatch, AliasSafety } from "../types.ts";
import type { Validity } from "./symbol-history.ts";
import { holdsOn } from "./symbol-history.ts";

/** What a word of the text must look like: anything, a capital or digit first, or exactly the alias's letters. */
type Capitals = "any" | "first" | "all";

interface Alias {
  readonly symbol: string;
  readonly safety: AliasSafety;
  /** Raw words of the alias, compared for capitals. */
  readonly words: readonly string[];
  readonly capitals: readonly Capitals[];
  readonly validity: Validity;
  /** The owner of the name after this one's days. */
  readonly next: Alias | null;
}

const always: Validity = { validFrom: null, validTo: null };
const nobody: NameOwner = { symbol: "", ...always };

/** Who has a name at all times. */
export const ownerOf = (symbol: string): NameOwner => ({ symbol, ...always });

const functionWords = new Set(["of", "and", "the", "for", "in", "de", "du", "la", "le", "del", "et", "und"]);

const dot = 46;

function startsLower(word: string): boolean {
  const code = word.charCodeAt(0);
  return code < 128 ? code >= 97 && code <= 122 : /^\p{Ll}/u.test(word);
}

const allCapitals = (word: string): boolean => word.length > 1 && word === word.toUpperCase();

/** The names that begin with the same words. */
interface Node {
  alias: Alias | null;
  next: Map<string, Node> | null;
}

/** The line that a name means. */
export interface NameOwner extends Validity {
  readonly symbol: string;
}

/** Names that are made from an owner when a text has their first word. */
export type Derive = (owner: NameOwner) => readonly string[];

/**
 * Finds symbols by the words of their names: longest name first, always on word boundaries. Names are read when a text has
 * their first word: most never are, and to read all takes longer than all else of a start.
 */
export class AliasIndex {
  /**
   * By their first word the names that are read, or the place of the last one that is not: one look-up a word, since every word
   * of a text is asked. The names that wait are lists side by side, since there are fifty thousand: `#before` has for each name
   * the place of the one before it with the same word, -1 for none.
   */
  readonly #starts = new Map<string, Node | number>();
  readonly #names: (string | Derive | null)[] = [];
  readonly #owners: (NameOwner | null)[] = [];
  readonly #before: number[] = [];

  constructor() {
    for (const name of otherNames) this.add(`!${name}`, nobody);
  }

  /**
   * @param marked alias with the table's marks: `~Apple`, `!Record`, `Alphabet`. The first owner keeps a name during its
   * days
   */
  add(marked: string, owner: NameOwner): void {
    this.#wait(firstWord(marked), marked, owner);
  }

  /**
   * As add, for derived names: they never replace an existing one, `!` names included.
   * @param first word of each of them
   * @param derive called at most once
   */
  addDerived(first: string, derive: Derive, owner: NameOwner): void {
    this.#wait(first, derive, owner);
  }

  #wait(first: string, names: string | Derive, owner: NameOwner): void {
    if (first === "") return;
    const known = this.#starts.get(first) ?? -1;
    const place = this.#names.length;
    this.#names.push(names);
    this.#owners.push(owner);
    this.#before.push(typeof known === "number" ? known : -1);
    if (typeof known === "number") this.#starts.set(first, place);
    else this.#read(known, place);
  }

  /** Names that go on with a word; `before` is null at their beginning. */
  #after(before: Node | null, word: string): Node | null {
    return (before === null ? this.#startOf(word) : before.next?.get(word)) ?? null;
  }

  #startOf(word: string): Node | undefined {
    const known = this.#starts.get(word);
    if (typeof known !== "number") return known;
    const start: Node = { alias: null, next: null };
    this.#starts.set(word, start);
    const places: number[] = [];
    for (let at = known; at >= 0; at = this.#before[at] ?? -1) places.push(at);
    for (const at of places.reverse()) this.#read(start, at);
    return start;
  }

  #read(start: Node, at: number): void {
    const names = this.#names[at] ?? null;
    const owner = this.#owners[at] ?? null;
    this.#names[at] = null;
    this.#owners[at] = null;
    if (names === null || owner === null) return;
    if (typeof names === "string") read(start, names, owner);
    else for (const name of names(owner)) readDerived(start, name, owner);
  }

  /**
   * Names in the text from left to right, none overlapping; each token is examined once per name length.
   * @param on YYYY-MM-DD of the text; some names changed hands
   */
  find(tokens: readonly Token[], on: string): readonly AliasMatch[] {
    const found: AliasMatch[] = [];
    let index = 0;
    while (index < tokens.length) {
      const match = this.#longestAt(tokens, index, on);
      if (match !== null) found.push(match);
      index = match === null ? index + 1 : match.last;
    }
    return found;
  }

  #longestAt(tokens: readonly Token[], first: number, on: string): AliasMatch | null {
    let best: AliasMatch | null = null;
    let node: Node | null = null;
    for (let index = first; index < tokens.length; index += 1) {
      const word = tokens[index]?.word ?? "";
      if (word.endsWith("'s")) {
        const owner = this.#after(node, word.slice(0, -2))?.alias ?? null;
        best = matchOf(owner, tokens, first, index + 1, on, true) ?? best;
      }
      node = this.#after(node, word);
      if (node === null) break;
      best = matchOf(node.alias, tokens, first, index + 1, on, false) ?? best;
    }
    return best;
  }
}

function read(start: Node, marked: string, { symbol, validFrom, validTo }: NameOwner): void {
  const mark = marked.charAt(0);
  const text = mark === "~" || mark === "!" ? marked.slice(1) : marked;
  const tokens = tokenize(text);
  // A number alone ("111", "2026") is an amount or a year, whoever bears it as a name.
  if (tokens.length === 0 || !/\p{L}/u.test(text)) return;
  const key = tokens.map(({ word }) => word).join(" ");
  const alias: Alias = {
    symbol,
    safety: safetyOf(key, mark),
    words: tokens.map(({ raw }) => raw),
    capitals: capitalsOf(tokens),
    validity: validFrom === null && validTo === null ? always : { validFrom, validTo },
    next: null,
  };
  const node = nodeOf(start, tokens);
  node.alias = withAlias(node.alias, alias) ?? node.alias;
}

function readDerived(start: Node, marked: string, owner: NameOwner): void {
  const tokens = tokenize(marked.replace(/^~/, ""));
  if (tokens.length > 0 && nodeOf(start, tokens).alias === null) read(start, marked, owner);
}

/** @param tokens of a name that begins with the word of `start` */
function nodeOf(start: Node, tokens: readonly Token[]): Node {
  let node = start;
  for (const { word } of tokens.slice(1)) {
    node.next ??= new Map();
    let child = node.next.get(word);
    if (child === undefined) {
      child = { alias: null, next: null };
      node.next.set(word, child);
    }
    node = child;
  }
  return node;
}

function matchOf(
  owner: Alias | null,
  tokens: readonly Token[],
  first: number,
  last: number,
  on: string,
  possessive: boolean,
): AliasMatch | null {
  let alias = owner;
  while (alias !== null && !holdsOn(alias.validity, on)) alias = alias.next;
  if (alias === null || !sameCapitals(alias, tokens, first)) return null;
  const ended = alias.validity.validTo !== null;
  return { symbol: alias.symbol, safety: alias.safety, ended, first, last, possessive };
}

function safetyOf(key: string, mark: string): AliasSafety {
  if (mark === "!" || neverAlone.has(key)) return "never";
  if (roleNames.has(key)) return "role";
  if (placeNames.has(key)) return "context";
  return mark === "~" ? "context" : "safe";
}

/** @returns the aliases of one key with another owner or spelling; null when it changes nothing */
function withAlias(known: Alias | null, alias: Alias): Alias | null {
  if (known === null || known.safety === "never") return known?.symbol === "" ? null : alias;
  if (known.validity.validTo !== null) {
    const next = withAlias(known.next, alias);
    return next === null ? null : { ...known, next };
  }
  const looser = known.symbol === alias.symbol && strictness(alias) < strictness(known);
  return looser ? { ...known, words: alias.words, capitals: alias.capitals } : null;
}

/** `NVIDIA` requires more capitals than `Nvidia`, and `bitcoin` none. */
function strictness({ words: own }: Alias): number {
  return own.reduce((sum, word) => sum + (allCapitals(word) ? 2 : startsLower(word) ? 0 : 1), 0);
}

/**
 * Required capitals, which distinguish names from words. A name that starts small (`gold prices`) matches in any case;
 * short all-capital names (`SAP`, `TASI`) match exactly; every other word must start with a capital or digit.
 */
function capitalsOf(tokens: readonly Token[]): readonly Capitals[] {
  const most = tokens.length === 1 ? 6 : 4;
  return tokens.map(({ raw, word }) => {
    if (startsLower(raw) || functionWords.has(word)) return "any";
    return allCapitals(raw) && raw.length <= most ? "all" : "first";
  });
}

function sameCapitals({ words: own, capitals }: Alias, tokens: readonly Token[], first: number): boolean {
  for (let index = 0; index < own.length; index += 1) {
    const wanted = capitals[index];
    if (wanted === "any") continue;
    const raw = tokens[first + index]?.raw ?? "";
    if (wanted === "first") {
      if (startsLower(raw)) return false;
      continue;
    }
    const word = own[index] ?? "";
    if (raw.startsWith(word)) continue;
    // Most words that differ are plain ones in lower case, `it` against `IT`: they are done with by one look.
    const dotted = raw.charCodeAt(1) === dot || word.charCodeAt(1) === dot;
    if (!dotted || !sameInitials(word, raw, own.length)) return false;
  }
  return true;
}

/** `U.P.S.` is `UPS`, and `JP Morgan` is `J.P. Morgan`; but `U.S.` and `A.M.` are no companies' initials. */
function sameInitials(word: string, raw: string, wordsOfName: number): boolean {
  if (word.includes(".")) return wordsOfName > 1 && !raw.includes(".") && raw === word.replaceAll(".", "");
  return (
    !dottedWords.has(word) && /^\p{Lu}(?:\.[\p{Lu}&])+/u.test(raw) && raw.replaceAll(".", "").startsWith(word)
  );
}
