import { hash } from "node:crypto";
import { type TitleQuery, wordsOf } from "@tapewire/contract/title/title.ts";
import { LRUCache } from "lru-cache";

/** Words by item: every subscriber and every filter asks for them. */
const known = new WeakMap<object, readonly string[]>();

/** The words of an item's title. Items do not change, so they are found once. */
export function titleWords(item: { readonly title: string | null }): readonly string[] {
  const before = known.get(item);
  if (before !== undefined) return before;
  const words = wordsOf(item.title ?? "");
  known.set(item, words);
  return words;
}

/** About 100 bytes each. */
const mostKept = 50_000;
const numbers = new LRUCache<string, number>({ maxSize: mostKept, sizeCalculation: () => 1 });
/** Any word shares its number with one of a million others in one case of 280 million. */
const numberBytes = 6;

/**
 * The number of a word in indexes, the same in every process and for ever: 48 bits of SHA-256. Words have no table, so
 * that an item with new ones costs no writes.
 */
export function numberOfWord(word: string): number {
  const before = numbers.get(word);
  if (before !== undefined) return before;
  const made = hash("sha256", word, "buffer").readUIntBE(0, numberBytes);
  numbers.set(word, made);
  return made;
}

/** The numbers of a title's words, in their order. */
export function wordNumbers(words: readonly string[]): Float64Array {
  return Float64Array.from(words, numberOfWord);
}

/** The same of a title outside of an item. */
export function titleNumbers(title: string | null): Float64Array {
  return wordNumbers(wordsOf(title ?? ""));
}

/** A query by numbers of words. */
export type NumberedQuery = TitleQuery<number>;

export function numbered(query: TitleQuery | undefined): NumberedQuery | null {
  if (query === undefined) return null;
  const terms = (phrases: TitleQuery["all"]) => phrases.map((phrase) => phrase.map(numberOfWord));
  return { all: terms(query.all), none: terms(query.none) };
}
