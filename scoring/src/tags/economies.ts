import {
  ambiguousNames,
  economyNames,
  georgiaTheState,
  namesOfTowns,
  statesAndProvinces,
  unnamedAmerican,
} from "./economy-names.ts";
import type { Token } from "./matcher.ts";

const mostCodes = 6;
const none = "-";

const keyOf = (name: string): string => name.replaceAll(/[.]$/g, "").replaceAll("-", " ");
const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const codes: ReadonlyMap<string, string> = new Map(
  Object.entries(economyNames).flatMap(([code, list]) => list.split("|").map((name) => [keyOf(name), code])),
);
const americanHints: ReadonlyMap<string, string> = new Map(
  unnamedAmerican.split("|").map((name) => [name, "US"]),
);
/** Longest name, in words, by its first word, so that a word that begins no name costs one lookup. */
const longestBy = (names: Iterable<string>): ReadonlyMap<string, number> => {
  const longest = new Map<string, number>();
  for (const name of names) {
    const words = name.split(" ");
    const [first = ""] = words;
    longest.set(first, Math.max(longest.get(first) ?? 0, words.length));
  }
  return longest;
};
const longestName = longestBy(codes.keys());
const longestHint = longestBy(americanHints.keys());
const contexts: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(ambiguousNames).map(([name, words]) => [name, wordsOf(words)]),
);
const towns: ReadonlySet<string> = new Set(namesOfTowns.split("|"));
const states: ReadonlySet<string> = new Set(statesAndProvinces.split("|"));
const stateWords = wordsOf(georgiaTheState);

/** Words that begin sentences and are no given names; a capital after them is not informative. */
const opening = wordsOf("In The As And But For From With To Of By At On How Why When After New");
const isName = (token: Token | undefined): boolean =>
  token !== undefined && /^\p{Lu}\p{Ll}+$/u.test(token.raw) && !opening.has(token.raw);

/** Whether an ambiguous name means the place, and which: Georgia may be the state. */
function placeOf(name: string, code: string, tokens: readonly Token[], at: number): string | null {
  const near = contexts.get(name);
  if (near === undefined) return code;
  if (name === "Georgia") {
    if (tokens.some(({ word }) => stateWords.has(word))) return "US";
    return tokens.some(({ word }) => near.has(word)) ? code : null;
  }
  const previous = tokens[at - 1];
  if (isName(previous) && !codes.has(previous?.raw ?? "")) return null;
  const beside = [1, 2].some((step) => near.has(tokens[at + step]?.word ?? ""));
  const after = /^(?:in|from|to|with|of|against|on)$/.test(previous?.word ?? "") && !isName(tokens[at + 1]);
  return beside || after || tokens[at]?.possessive === true ? code : null;
}

interface Names {
  readonly longest: ReadonlyMap<string, number>;
  readonly codes: ReadonlyMap<string, string>;
}

/** The longest name that starts here, with its length in words. */
function nameAt(
  tokens: readonly Token[],
  at: number,
  { longest, codes: known }: Names,
): readonly [string, number] | null {
  for (let length = longest.get(tokens[at]?.raw ?? "") ?? 0; length > 0; length -= 1) {
    const name = length === 1 ? (tokens[at]?.raw ?? "") : joined(tokens, at, length);
    if (known.has(name)) return [name, length];
  }
  return null;
}

const joined = (tokens: readonly Token[], at: number, length: number): string =>
  tokens
    .slice(at, at + length)
    .map(({ raw }) => raw)
    .join(" ");

/** In "London, Ontario" and "Paris, Texas" the state or the province stands after the name. */
const isStateAt = (tokens: readonly Token[], at: number): boolean => {
  const word = tokens[at]?.raw ?? "";
  return states.has(word) || states.has(`${word} ${tokens[at + 1]?.raw ?? ""}`);
};

function namedIn(tokens: readonly Token[]): readonly string[] {
  const found = new Set<string>();
  for (let at = 0; at < tokens.length && found.size < mostCodes; at += 1) {
    const hit = nameAt(tokens, at, { longest: longestName, codes });
    if (hit === null) continue;
    const [name, length] = hit;
    if (towns.has(name) && isStateAt(tokens, at + length)) {
      if (tokens[at + length]?.raw === "Georgia") found.add("US");
      at += length - 1;
      continue;
    }
    const code = placeOf(name, codes.get(name) ?? none, tokens, at);
    if (code !== null && code !== none) found.add(code);
    at += length - 1;
  }
  return [...found];
}

/** Index of the word after the economy's name that a text opens with; null when it opens with none. */
export function startsWithEconomy(tokens: readonly Token[]): number | null {
  const at = tokens[1]?.word === "the" ? 2 : 1;
  const hit = nameAt(tokens, at, { longest: longestName, codes });
  return hit === null || codes.get(hit[0]) === none ? null : at + hit[1];
}

const american: Names = { longest: longestHint, codes: americanHints };
const capitalised = /^(\p{Lu})(\p{Ll}+)$/u;
/** Headlines capitalise their first word, so "Existing home sales" is looked up in lower case too. */
const opensHint = (tokens: readonly Token[], at: number): boolean =>
  nameAt(tokens, at, american) !== null ||
  (capitalised.test(tokens[at]?.raw ?? "") &&
    nameAt(
      tokens.slice(at, at + 4).map((token) => ({ ...token, raw: token.word })),
      0,
      american,
    ) !== null);

/**
 * Economies that a text names, by ISO 3166-1 alpha-2 code in order of first mention, at most six: by country, people,
 * capital, central bank, statistics office or stock index. Figures that only the United States publish under their name mean
 * that country when no economy is named. The euro area is no country.
 */
export function economiesIn(tokens: readonly Token[]): readonly string[] {
  const named = namedIn(tokens);
  if (named.length > 0) return named;
  return tokens.some((_, at) => opensHint(tokens, at)) ? ["US"] : [];
}
