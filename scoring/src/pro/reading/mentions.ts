import { normalizeWord, type Token, tokenize } from "../../text.ts";
import type { LinkedSymbol } from "../../types.ts";
import type { Sentence } from "./sentence.ts";

/** A mention of a company in a text. Token indexes are into the sentence's tokens. */
export interface Mention {
  /** Index of the symbol. */
  readonly owner: number;
  readonly first: number;
  readonly after: number;
}

interface Needle {
  readonly owner: number;
  readonly words: readonly string[];
  /** The spelling of a ticker; null for names, whose first letter is a capital or digit. */
  readonly raw: string | null;
}

const legal = new Set(
  `inc incorporated corp corporation co company companies ltd limited plc llc lp sa ag nv se ab asa oyj spa kk group
  holdings holding trust the and adr class a b c common stock shares`.split(/\s+/),
);
/** First words that many companies share: alone they identify none. */
const shared = new Set(
  `american national united first general international global new north south east west western eastern northern
  southern central pacific atlantic bank banco royal standard great golden silver china japan india canadian us british
  european energy capital financial health medical advanced applied digital data home public universal the best old
  future green blue red black white liberty federal state city union power oil gas gold resources water air life one`.split(
    /\s+/,
  ),
);

function needlesOf(symbol: LinkedSymbol, owner: number): readonly Needle[] {
  const words = tokenize(symbol.name.slice(0, 100)).map(({ word }) => word);
  while (words.length > 1 && legal.has(words.at(-1) ?? "")) words.pop();
  while (words.length > 1 && words[0] === "the") words.shift();
  const found: Needle[] = [];
  if (words.length > 0) found.push({ owner, words, raw: null });
  const [first = "", second] = words;
  if (second !== undefined && first.length >= 4 && !shared.has(first))
    found.push({ owner, words: [first], raw: null });
  if (words.length > 2 && second !== undefined) found.push({ owner, words: words.slice(0, 2), raw: null });
  // "JPMorgan" for JP Morgan Chase.
  const joined = `${first}${second ?? ""}`;
  if (first.length < 4 && joined.length >= 6) found.push({ owner, words: [joined], raw: null });
  const ticker = symbol.short_symbol ?? symbol.symbol;
  if (ticker.length >= 2) found.push({ owner, words: [normalizeWord(ticker)], raw: ticker });
  return found;
}

/** Finds the symbols of an item in its sentences, examining each word once. */
export class MentionFinder {
  readonly #byFirst: ReadonlyMap<string, readonly Needle[]>;

  constructor(symbols: readonly LinkedSymbol[]) {
    const needles = symbols.flatMap(needlesOf);
    // A first name that two companies of the item share identifies neither.
    const isOne = ({ words, owner, raw }: Needle): boolean =>
      raw !== null ||
      !needles.some(
        (other) => other.owner !== owner && other.raw === null && other.words.join(" ") === words.join(" "),
      ) ||
      symbols.findIndex(({ name }) => name === symbols[owner]?.name) === owner;
    this.#byFirst = Map.groupBy(
      needles.filter(isOne).toSorted((a, b) => b.words.length - a.words.length || a.owner - b.owner),
      ({ words }) => words[0] ?? "",
    );
  }

  /** In order, without overlaps. */
  find({ tokens }: Sentence): readonly Mention[] {
    if (this.#byFirst.size === 0) return [];
    const found: Mention[] = [];
    for (let at = 0; at < tokens.length; at += 1) {
      // A cheap test for most words: names and tickers begin with a capital or a digit.
      const code = tokens[at]?.raw.charCodeAt(0) ?? 97;
      const needle = code >= 97 && code <= 122 ? null : this.#at(tokens, at);
      if (needle === null) continue;
      found.push({ owner: needle.owner, first: at, after: at + needle.words.length });
      at += needle.words.length - 1;
    }
    return found;
  }

  #at(tokens: readonly Token[], at: number): Needle | null {
    const token = tokens[at];
    if (token === undefined) return null;
    const word = bare(token.word);
    const needles = this.#byFirst.get(word) ?? this.#byFirst.get(token.word);
    const isName = /^[\p{Lu}\d]/u.test(token.raw);
    return (
      needles?.find(({ words, raw }) =>
        raw === null
          ? isName && words.every((wanted, index) => bare(tokens[at + index]?.word ?? "") === bare(wanted))
          : token.raw === raw || token.raw === `${raw}'s` || token.raw === `${raw}’s`,
      ) ?? null
    );
  }
}

/** Without a possessive: "halvorn's" names Halvorn. */
function bare(word: string): string {
  if (word.endsWith("'s")) return word.slice(0, -2);
  return word.endsWith("s'") ? word.slice(0, -1) : word;
}
