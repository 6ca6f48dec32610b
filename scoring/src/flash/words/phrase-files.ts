/** How the phrases of an index are filed, so that the few that can stand in a text are found among thousands. */
import { type Choice, isNumeric, type Phrase, type ReadPhrase } from "./phrase.ts";
import { vocabularySize } from "./vocabulary.ts";
import { pooledWords } from "./word-pool.ts";

/** Numbers are in most sentences: no phrase is looked for by its number alone. */
const numberUses = 1e6;

/**
 * Each phrase is filed under the rarest choice that it needs, its key, and among those of one key in a group by the next rarest.
 * Choices have numbers of their own here: keys first. All lists are flat and of 16 bits, since they are read for each text and
 * should stay in the processor's cache.
 */
export interface PhraseFiles<T> {
  readonly phrases: readonly Phrase<T>[];
  /** Numbers of words are below this; it stands for all numbers. */
  readonly words: number;
  /** Choices below this are keys. */
  readonly keys: number;
  /** Choices that some phrase needs. */
  readonly choices: number;
  /** The choices that take word w are `taking` from `ofWord[2 * w]` to `ofWord[2 * w + 2]`; for a common word only the keys. */
  readonly taking: Uint16Array;
  /** The words that most choices take, the common ones, have a bit each: that of word w at 2 * w + 1, or 0. */
  readonly ofWord: Int32Array;
  /** Of choice c the bits of all its common words. */
  readonly commonIn: Int32Array;
  /** Of key k the groups: from `groupsFrom[k]` to `groupsFrom[k + 1]`. */
  readonly groupsFrom: Uint16Array;
  /** Of group g 1 + the next choice that its phrases need, 0 for none; its phrases: from `phrasesFrom[g]` to `phrasesFrom[g + 1]`. */
  readonly next: Uint16Array;
  readonly phrasesFrom: Uint16Array;
  /** Of phrase p the choices that it needs beside these two: `needs` from `needsFrom[p]` to `needsFrom[p + 1]`. */
  readonly needs: Uint16Array;
  readonly needsFrom: Uint32Array;
}

/** How common each choice is in news, judged by how many steps of phrases use its words. */
function commonness(phrases: readonly ReadPhrase<unknown>[], words: number): (choice: Choice) => number {
  const uses = new Float64Array(words);
  for (const { needs } of phrases)
    for (const need of needs) for (const word of pooledWords(need)) uses[word] = (uses[word] ?? 0) + 1;
  const known = new Map<Choice, number>();
  return (choice) => {
    const found = known.get(choice);
    if (found !== undefined) return found;
    let sum = isNumeric(choice) ? numberUses : 0;
    for (const word of pooledWords(choice)) sum += uses[word] ?? 0;
    known.set(choice, sum);
    return sum;
  };
}

/** Numbers of the choices that phrases need: keys first. */
class Numbers {
  readonly #numbers = new Map<Choice, number>();
  get size(): number {
    return this.#numbers.size;
  }
  of(choice: Choice): number {
    const known = this.#numbers.get(choice);
    if (known !== undefined) return known;
    const fresh = this.#numbers.size;
    this.#numbers.set(choice, fresh);
    return fresh;
  }
  get all(): Iterable<readonly [Choice, number]> {
    return this.#numbers;
  }
}

/** Lists one after the other, with the place at which each begins. */
function flat(lists: readonly (readonly number[])[]): { all: Uint16Array; from: Uint32Array } {
  const from = new Uint32Array(lists.length + 1);
  for (const [at, { length }] of lists.entries()) from[at + 1] = (from[at] ?? 0) + length;
  return { all: Uint16Array.from(lists.flat()), from };
}

/** As many as a number has bits. They are more than half of what texts say, and each would mark a hundred choices. */
const mostCommon = 32;

/** For each word, and for numbers at last, the choices that take it. */
function takingOf(numbers: Numbers, words: number, keys: number) {
  const taking = Array.from({ length: words + 1 }, (): number[] => []);
  for (const [choice, number] of numbers.all) {
    for (const word of pooledWords(choice)) taking[word]?.push(number);
    if (isNumeric(choice)) taking[words]?.push(number);
  }
  const ofWord = new Int32Array(2 * taking.length + 1);
  const commonIn = new Int32Array(numbers.size);
  const byUse = [...taking.entries()].sort(([, a], [, b]) => b.length - a.length);
  for (const [at, [word, choices]] of byUse.slice(0, mostCommon).entries()) {
    ofWord[2 * word + 1] = 1 << at;
    for (const choice of choices) commonIn[choice] = (commonIn[choice] ?? 0) | (1 << at);
    taking[word] = choices.filter((choice) => choice < keys);
  }
  const { all, from } = flat(taking);
  for (const [word, begin] of from.entries()) ofWord[2 * word] = begin;
  return { taking: all, ofWord, commonIn };
}

interface Sorted<T> {
  readonly phrase: Phrase<T>;
  readonly key: number;
  /** 1 + its number, or 0. */
  readonly next: number;
  readonly rest: readonly number[];
}

function sortedOf<T>(phrases: readonly ReadPhrase<T>[], numbers: Numbers, words: number): Sorted<T>[] {
  const common = commonness(phrases, words);
  const needing = phrases.map(({ phrase, needs }) => ({
    phrase,
    needs: needs.toSorted((a, b) => common(a) - common(b)),
  }));
  for (const { needs } of needing) if (needs[0] !== undefined) numbers.of(needs[0]);
  return needing
    .map(({ phrase, needs }) => {
      const [key = 0, next = -1, ...rest] = needs.map((choice) => numbers.of(choice));
      return { phrase, key, next: next + 1, rest };
    })
    .sort((a, b) => a.key - b.key || a.next - b.next);
}

/** @throws {RangeError} for more phrases or choices than have a number of 16 bits */
export function filed<T>(unfiled: readonly ReadPhrase<T>[]): PhraseFiles<T> {
  const words = vocabularySize();
  const numbers = new Numbers();
  const sorted = sortedOf(unfiled, numbers, words);
  const keys = new Set(sorted.map(({ key }) => key)).size;
  if (sorted.length > 0xffff || numbers.size >= 0xffff)
    throw new RangeError("too many phrases for one index");
  const groupsFrom = new Uint16Array(keys + 1);
  const next: number[] = [];
  const phrasesFrom: number[] = [];
  for (const [at, phrase] of sorted.entries()) {
    const before = sorted[at - 1];
    if (before !== undefined && before.key === phrase.key && before.next === phrase.next) continue;
    phrasesFrom.push(at);
    next.push(phrase.next);
    groupsFrom[phrase.key + 1] = next.length;
  }
  const needs = flat(sorted.map(({ rest }) => rest));
  return {
    phrases: sorted.map(({ phrase }) => phrase),
    words,
    keys,
    choices: numbers.size,
    ...takingOf(numbers, words, keys),
    groupsFrom,
    next: Uint16Array.from(next),
    phrasesFrom: Uint16Array.from([...phrasesFrom, sorted.length]),
    needs: needs.all,
    needsFrom: needs.from,
  };
}
