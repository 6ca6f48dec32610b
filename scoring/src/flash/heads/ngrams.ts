import type { Word } from "../words/scan.ts";

/** How much of a title is hashed: more than a headline's length. */
const mostCharacters = 300;
const mostWords = 60;

const prime = 0x01000193;
/** A seed of its own, so that a word differs from the same letters inside a longer one. */
const letterSeed = 0x2545f491;
const pairSeed = 0x1b873593;
const skipSeed = 0x7f4a7c15;

/** All digits become one, so that a figure is a shape and not a value. */
const folded = (code: number): number => (code >= 49 && code <= 57 ? 48 : code);

const mixed = (hash: number): number => {
  const once = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return once ^ (once >>> 13);
};

/** Lower case, links as one word, with blanks at both ends, so that n-grams include the edges of words. */
export const readable = (title: string): string => {
  const cut = title.slice(0, mostCharacters);
  const linkless = cut.includes("://") ? cut.replaceAll(/https?:\/\/\S{0,200}/g, "url") : cut;
  return ` ${linkless.toLowerCase()} `;
};

const linkParts = new Set(["http", "https", "tco"]);
const isLinkPart = ({ word }: Word): boolean => word.length <= 5 && linkParts.has(word);

/** Hashes of the words of a headline that count as features: not the parts of links. */
function countedHashes(words: readonly Word[]): readonly number[] {
  const counted: number[] = [];
  let wasLink = false;
  for (let index = 0; index < words.length && counted.length < mostWords; index += 1) {
    const word = words[index];
    if (word === undefined) break;
    const isLink = isLinkPart(word);
    if (!isLink && !wasLink) counted.push(word.hash);
    wasLink = isLink;
  }
  return counted;
}

export interface Grams {
  /** Hashes of single words. */
  readonly words: readonly number[];
  /** Hashes of two words in a row. */
  readonly pairs: readonly number[];
  /** Hashes of 3 to 5 characters in a row. */
  readonly letters: readonly number[];
}

function wordGrams(words: readonly Word[]): {
  readonly words: readonly number[];
  readonly pairs: readonly number[];
} {
  const singles = countedHashes(words);
  const pairs: number[] = [];
  for (let index = 1; index < singles.length; index += 1)
    pairs.push(mixed(Math.imul((singles[index - 1] ?? 0) ^ pairSeed, prime) ^ (singles[index] ?? 0)));
  // With one word skipped: "profit ... falls".
  for (let index = 2; index < singles.length; index += 1)
    pairs.push(mixed(Math.imul((singles[index - 2] ?? 0) ^ skipSeed, prime) ^ (singles[index] ?? 0)));
  return { words: singles.map(mixed), pairs };
}

function letterGrams(title: string): readonly number[] {
  const text = readable(title);
  const letters: number[] = [];
  for (let at = 0; at + 3 <= text.length; at += 1) {
    let hash = letterSeed;
    const stop = Math.min(5, text.length - at);
    for (let size = 0; size < stop; size += 1) {
      hash = Math.imul(hash ^ folded(text.charCodeAt(at + size)), prime);
      if (size >= 2) letters.push(mixed(hash));
    }
  }
  return letters;
}

/** 32-bit hashes, signed, of a headline's words, word pairs and letter runs; its bucket is the hash modulo a power of two. */
export const gramsOf = (title: string, words: readonly Word[]): Grams => ({
  ...wordGrams(words),
  letters: letterGrams(title),
});

/** Hashes of a lead: words and pairs alone, since letters of a long text tell little. */
export const leadGramsOf = (words: readonly Word[]): Grams => ({
  ...wordGrams(words),
  letters: [],
});
