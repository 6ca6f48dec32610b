import {
  alternatives,
  type Choice,
  collect,
  isNumeric,
  type Phrase,
  type PhraseLists,
  type PhraseMatch,
  parse,
} from "./phrase.ts";
import { sharedLists } from "./phrase-lists.ts";
import type { Word } from "./scan.ts";

export type { PhraseLists, PhraseMatch } from "./phrase.ts";

/** What is known of a word: the choices that take it, and the phrases that are looked for where it stands. */
interface Entry<T> {
  readonly choices: number[];
  readonly phrases: Phrase<T>[];
  /** The last text that had the word. */
  seenIn: number;
}

const newEntry = <T>(): Entry<T> => ({ choices: [], phrases: [], seenIn: 0 });

/** Numbers are in most sentences: no phrase is looked for by its number alone. */
const numberUses = 1e6;

/** Phrases found by word lookup, so that the time is linear in the text whatever their number (phrase.ts has their form). */
export class PhraseIndex<T> {
  readonly #byWord = new Map<string, Entry<T>>();
  readonly #byNumber: Entry<T> = newEntry();
  readonly #choices = new Map<string, Choice>();
  readonly #phrases: Phrase<T>[] = [];
  readonly #lists: PhraseLists;
  #order = 0;
  #isAnchored = false;
  /** For each choice the last text that had one of its words: most phrases lack a word, and are not tried. */
  #seenIn = new Uint32Array(0);
  #text = 0;

  /**
   * @param entries values with their phrases, one per line; an earlier value wins where two overlap
   * @param ownLists in addition to those of phrase-lists.ts
   * @throws {RangeError} for a phrase without a first word or with an unknown list
   */
  constructor(entries: readonly (readonly [T, string])[], ownLists: PhraseLists = {}) {
    this.#lists = { ...sharedLists, ...ownLists };
    for (const [value, source] of entries) this.add(value, source);
  }

  /**
   * @param lists of these phrases alone; they count before those of the index
   * @throws {RangeError} for a phrase without a first word or with an unknown list
   */
  add(value: T, source: string, lists: PhraseLists = {}): void {
    const known = { ...this.#lists, ...lists };
    const choiceOf = (step: string): Choice => this.#choice(alternatives(step, known));
    for (const line of source.split("\n").map((text) => text.trim()))
      if (line !== "") this.#phrases.push(parse(value, this.#order, line, choiceOf));
    this.#order += 1;
    this.#isAnchored = false;
  }

  #entry(word: string): Entry<T> {
    const known = this.#byWord.get(word);
    if (known !== undefined) return known;
    const entry = newEntry<T>();
    this.#byWord.set(word, entry);
    return entry;
  }

  #choice(taken: readonly string[]): Choice {
    const source = taken.join("|");
    const known = this.#choices.get(source);
    if (known !== undefined) return known;
    const words = new Set(taken);
    const [number, percent, money] = ["#", "%", "$"].map((sign) => words.delete(sign));
    const choice: Choice = {
      id: this.#choices.size,
      words,
      number: number === true,
      percent: percent === true,
      money: money === true,
    };
    this.#choices.set(source, choice);
    for (const word of words) this.#entry(word).choices.push(choice.id);
    if (isNumeric(choice)) this.#byNumber.choices.push(choice.id);
    return choice;
  }

  /**
   * Files each phrase under the words of its rarest step. How common a word is in news is judged by how many phrases of the
   * index use it.
   */
  #anchor(): void {
    const uses = new Map<string, number>();
    const stepsOf = ({ steps }: Phrase<T>) => steps.filter(({ optional }) => !optional);
    for (const phrase of this.#phrases)
      for (const { choice } of stepsOf(phrase))
        for (const word of choice.words) uses.set(word, (uses.get(word) ?? 0) + 1);
    const commonness = (choice: Choice): number =>
      [...choice.words].reduce(
        (sum, word) => sum + (uses.get(word) ?? 0),
        isNumeric(choice) ? numberUses : 0,
      );
    const known = new Map([...this.#choices.values()].map((choice) => [choice, commonness(choice)]));
    for (const entry of [...this.#byWord.values(), this.#byNumber]) {
      entry.phrases.length = 0;
      entry.seenIn = 0;
    }
    for (const phrase of this.#phrases) {
      phrase.triedIn = 0;
      const rarest = stepsOf(phrase)
        .map(({ choice }) => choice)
        .reduce((best, choice) => ((known.get(choice) ?? 0) < (known.get(best) ?? 0) ? choice : best));
      for (const word of rarest.words) this.#entry(word).phrases.push(phrase);
      if (isNumeric(rarest)) this.#byNumber.phrases.push(phrase);
    }
    this.#seenIn = new Uint32Array(this.#choices.size);
    this.#isAnchored = true;
  }

  #nextText(): void {
    if (!this.#isAnchored) this.#anchor();
    this.#text = (this.#text + 1) >>> 0;
    if (this.#text !== 0) return;
    // The count has come round: what was noted long ago must not look new.
    this.#anchor();
    this.#text = 1;
  }

  /** Notes the choices of an entry as seen; false when they were. */
  #see(entry: Entry<T>): boolean {
    if (entry.seenIn === this.#text) return false;
    entry.seenIn = this.#text;
    const { choices } = entry;
    for (let at = 0; at < choices.length; at += 1) this.#seenIn[choices[at] ?? 0] = this.#text;
    return entry.phrases.length > 0;
  }

  /** Entries of the words that begin a search, each once; their choices are noted. */
  #entriesOf(words: readonly Word[]): readonly Entry<T>[] {
    const entries: Entry<T>[] = [];
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at];
      if (word === undefined) break;
      const entry = this.#byWord.get(word.word);
      if (entry !== undefined && this.#see(entry)) entries.push(entry);
      if (word.digits && this.#see(this.#byNumber)) entries.push(this.#byNumber);
    }
    return entries;
  }

  /** Every match, by position in the text. */
  matches(words: readonly Word[]): PhraseMatch<T>[] {
    this.#nextText();
    const found: PhraseMatch<T>[] = [];
    for (const { phrases } of this.#entriesOf(words))
      for (let index = 0; index < phrases.length; index += 1) {
        const phrase = phrases[index];
        if (phrase === undefined || phrase.triedIn === this.#text || !this.#isPossible(phrase.needs))
          continue;
        phrase.triedIn = this.#text;
        collect(phrase, words, found);
      }
    return found.length < 2 ? found : found.sort((a, b) => a.from - b.from || a.order - b.order);
  }

  #isPossible(needs: readonly number[]): boolean {
    for (let at = 0; at < needs.length; at += 1)
      if (this.#seenIn[needs[at] ?? 0] !== this.#text) return false;
    return true;
  }
}
