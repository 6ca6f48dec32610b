import type { Token } from "./text.ts";
import { tokenize } from "./text.ts";

/** safe: enough alone. context: a word or name of others too, needs proof. never: not evidence at all. */
export type AliasSafety = "safe" | "context" | "never";

interface Alias {
  readonly text: string;
  readonly symbol: string;
  readonly safety: AliasSafety;
  /** Raw words of the alias, compared for capitals. */
  readonly words: readonly string[];
}

export interface AliasMatch {
  readonly symbol: string;
  readonly safety: AliasSafety;
  /** Index of the first token and of the one after the last. */
  readonly first: number;
  readonly last: number;
  /** `Apple's`: the match ends in a possessive that is not part of the name. */
  readonly possessive: boolean;
}

/** Venues, index makers, publishers' brands and plain words: in running text they are not the company. */
const neverAlone = new Set(
  [
    "nasdaq,nyse,s&p,s&p global,moody's,moodys,msci,nse,bse,cboe,cme,cme group,euronext,dow jones,ftse,icra,otc markets",
    "crypto,amex,reuters,thomson reuters,bloomberg,business wire,globenewswire,pr newswire,newsfile,accesswire,cnbc",
    "yahoo,nbc,abc,cbs,fox,fox news,fitch,angi,capstone,news corp,wall street journal,new york times,cision,benzinga",
    "ecb,rbi,boe,boj,imf,who,eu,un,reserve bank of india,travel,treasury,fed,senate,congress,trust,bank,finance,united,first,general,national,american,international,global",
    "youtube,twitter,facebook live,linkedin,instagram stories,crsp,lseg,factset,morningstar,zacks,seeking alpha",
    "artificial intelligence,innovation,insight,vision,energy,water,solar,uranium,lithium,gaming,health,fintech",
    "sector,growth,value,income,momentum,quality,dividend,bull,bear,impact,pulse,focus,summit,advance,premier",
  ].flatMap((line) => line.split(",")),
);

const functionWords = new Set(["of", "and", "the", "for", "in", "de", "du", "la", "le", "del", "et", "und"]);
const startsLower = (word: string): boolean => /^\p{Ll}/u.test(word);
const allCapitals = (word: string): boolean => word.length > 1 && word === word.toUpperCase();
const withoutPossessive = (word: string): string => (word.endsWith("'s") ? word.slice(0, -2) : word);

/** Names to symbols, found by their words: longest name first, always on word boundaries. */
export class AliasIndex {
  readonly #byWords = new Map<string, Alias>();
  readonly #longest = new Map<string, number>();

  /** @param marked alias as the table writes it: `~Apple`, `!Record`, `Alphabet`. The first owner keeps a name. */
  add(marked: string, symbol: string): void {
    const mark = marked.charAt(0);
    const text = mark === "~" || mark === "!" ? marked.slice(1) : marked;
    const tokens = tokenize(text);
    const first = tokens[0];
    if (first === undefined) return;
    const key = tokens.map(({ word }) => word).join(" ");
    const known = this.#byWords.get(key);
    if (known !== undefined && known.safety !== "never") return;
    const safety = neverAlone.has(key) || mark === "!" ? "never" : mark === "~" ? "context" : "safe";
    this.#byWords.set(key, { text, symbol, safety, words: tokens.map(({ raw }) => raw) });
    this.#longest.set(first.word, Math.max(this.#longest.get(first.word) ?? 0, tokens.length));
  }

  /** Names in the text from left to right, none overlapping; each token is looked at once per name length. */
  find(tokens: readonly Token[]): readonly AliasMatch[] {
    const found: AliasMatch[] = [];
    let index = 0;
    while (index < tokens.length) {
      const match = this.#longestAt(tokens, index);
      if (match !== null) found.push(match);
      index = match === null ? index + 1 : match.last;
    }
    return found;
  }

  #longestAt(tokens: readonly Token[], first: number): AliasMatch | null {
    const head = tokens[first];
    if (head === undefined) return null;
    const longest = this.#longest.get(head.word) ?? this.#longest.get(withoutPossessive(head.word)) ?? 0;
    for (let length = Math.min(longest, tokens.length - first); length > 0; length -= 1) {
      const words = tokens.slice(first, first + length);
      const match = this.#exact(words, first, false) ?? this.#exact(words, first, true);
      if (match !== null) return match;
    }
    return null;
  }

  #exact(tokens: readonly Token[], first: number, possessive: boolean): AliasMatch | null {
    const final = tokens.at(-1);
    if (final === undefined || (possessive && !final.word.endsWith("'s"))) return null;
    const words = tokens.map(({ word }) => word);
    if (possessive) words[words.length - 1] = withoutPossessive(final.word);
    const alias = this.#byWords.get(words.join(" "));
    if (alias === undefined || !sameCapitals(alias, tokens)) return null;
    return { symbol: alias.symbol, safety: alias.safety, first, last: first + tokens.length, possessive };
  }
}

/**
 * Capitals carry what makes a word a name. A name that starts small (`gold prices`) matches in any case; short
 * all-capital names (`SAP`, `TASI`) only as they are; every other word must start with a capital or digit.
 */
function sameCapitals(alias: Alias, tokens: readonly Token[]): boolean {
  const single = tokens.length === 1;
  return alias.words.every((word, index) => {
    const raw = tokens[index]?.raw ?? "";
    if (startsLower(word) || functionWords.has(word.toLowerCase())) return true;
    if (allCapitals(word) && word.length <= (single ? 6 : 4)) return raw.startsWith(word);
    return !startsLower(raw);
  });
}
