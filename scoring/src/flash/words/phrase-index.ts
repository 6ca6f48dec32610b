import { collect, type PhraseLists, type PhraseMatch } from "./phrase.ts";
import { filed, type PhraseFiles } from "./phrase-files.ts";
import { PhraseReader } from "./phrase-reader.ts";
import type { Word } from "./scan.ts";

export type { PhraseLists, PhraseMatch } from "./phrase.ts";

const noLists: PhraseLists = {};
const most = 0x7fffffff;

/** Phrases found by word lookup, so that the time is linear in the text whatever their number (phrase.ts has their form). */
export class PhraseIndex<T> {
  /** Until the first text. */
  #reader: PhraseReader<T> | null;
  #files: PhraseFiles<T> | null = null;
  /** Of choice c the last text that had it, and the bits of its common words: most phrases lack a word, and are not tried. */
  #choiceIn = new Int32Array(0);
  /** The bits of the common words that the text has. */
  #common = 0;
  /** The keys that the text has. */
  #active = new Uint16Array(0);
  /** Number of the text, from 1. */
  #text = 0;

  /**
   * @param entries values with their phrases, one per line; an earlier value wins where two overlap
   * @param ownLists in addition to those of phrase-lists.ts
   * @throws {RangeError} for a phrase without a first word or with an unknown list
   */
  constructor(entries: readonly (readonly [T, string])[], ownLists = noLists) {
    this.#reader = new PhraseReader(ownLists);
    for (const [value, source] of entries) this.add(value, source);
  }

  /**
   * @param lists of these phrases alone; they count before those of the index
   * @throws {RangeError} for a phrase without a first word or with an unknown list, and after the first text
   */
  add(value: T, source: string, lists = noLists): void {
    if (this.#reader === null) throw new RangeError("phrases are added before the first text");
    this.#reader.add(value, source, lists);
  }

  /** Begins a text. The notes of the one before become old, not cleared. */
  #next(): PhraseFiles<T> {
    this.#common = 0;
    if (this.#files !== null && this.#text < most) {
      this.#text += 1;
      return this.#files;
    }
    // When the count has come to its end, what was noted long ago must not look new.
    const files = this.#files ?? filed(this.#reader?.phrases ?? []);
    this.#files = files;
    this.#reader = null;
    this.#choiceIn = new Int32Array(2 * files.choices);
    for (const [choice, bits] of files.commonIn.entries()) this.#choiceIn[2 * choice + 1] = bits;
    this.#active = new Uint16Array(files.keys);
    this.#text = 1;
    return files;
  }

  /** Notes the choices that take a word. @returns how many active keys there are now, of `count` before */
  #see(word: number, { taking, ofWord, keys }: PhraseFiles<T>, count: number): number {
    const text = this.#text;
    this.#common |= ofWord[2 * word + 1] ?? 0;
    const choiceIn = this.#choiceIn;
    const active = this.#active;
    const end = ofWord[2 * word + 2] ?? 0;
    let now = count;
    for (let at = ofWord[2 * word] ?? 0; at < end; at += 1) {
      const choice = taking[at] ?? 0;
      if (choice < keys && choiceIn[2 * choice] !== text) {
        active[now] = choice;
        now += 1;
      }
      choiceIn[2 * choice] = text;
    }
    return now;
  }

  #seeAll(words: readonly Word[], files: PhraseFiles<T>): number {
    let count = 0;
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at];
      if (word === undefined) break;
      if (word.id >= 0 && word.id < files.words) count = this.#see(word.id, files, count);
      if (word.digits) count = this.#see(files.words, files, count);
    }
    return count;
  }

  /** Every match, by position in the text. @param isWanted of a value; others are not looked for */
  matches(words: readonly Word[], isWanted?: (value: T) => boolean): PhraseMatch<T>[] {
    const files = this.#next();
    const found: PhraseMatch<T>[] = [];
    const count = this.#seeAll(words, files);
    const { groupsFrom, next } = files;
    for (let at = 0; at < count; at += 1) {
      const key = this.#active[at] ?? 0;
      const end = groupsFrom[key + 1] ?? 0;
      for (let group = groupsFrom[key] ?? 0; group < end; group += 1) {
        const needed = next[group] ?? 0;
        if (needed === 0 || this.#has(needed - 1)) this.#collect(group, words, files, isWanted, found);
      }
    }
    return found.length < 2 ? found : found.sort((a, b) => a.from - b.from || a.order - b.order);
  }

  /** The matches of the phrases of a group. */
  #collect(
    group: number,
    words: readonly Word[],
    files: PhraseFiles<T>,
    isWanted: ((value: T) => boolean) | undefined,
    found: PhraseMatch<T>[],
  ): void {
    const end = files.phrasesFrom[group + 1] ?? 0;
    for (let number = files.phrasesFrom[group] ?? 0; number < end; number += 1) {
      if (!this.#hasAll(number, files)) continue;
      const phrase = files.phrases[number];
      if (phrase !== undefined && (isWanted === undefined || isWanted(phrase.value)))
        collect(phrase, words, found);
    }
  }

  /** Whether the text has a word of a choice. */
  #has(choice: number): boolean {
    const noted = this.#choiceIn;
    return noted[2 * choice] === this.#text || ((noted[2 * choice + 1] ?? 0) & this.#common) !== 0;
  }

  /** Whether the text has the further choices that a phrase needs. */
  #hasAll(number: number, { needs, needsFrom }: PhraseFiles<T>): boolean {
    const end = needsFrom[number + 1] ?? 0;
    for (let at = needsFrom[number] ?? 0; at < end; at += 1) if (!this.#has(needs[at] ?? 0)) return false;
    return true;
  }
}
