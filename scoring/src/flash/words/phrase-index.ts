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

/** What is known of a word: the choices that take it, and the numbers of the phrases that are looked for where it stands. */
interface Entry {
  choices: Int32Array;
  phrases: Int32Array;
  /** The last text that had the word. */
  seenIn: number;
}

const none = new Int32Array(0);
const newEntry = (): Entry => ({ choices: none, phrases: none, seenIn: 0 });

/** Numbers are in most sentences: no phrase is looked for by its number alone. */
const numberUses = 1e6;

/** Phrases found by word lookup, so that the time is linear in the text whatever their number (phrase.ts has their form). */
export class PhraseIndex<T> {
  readonly #byWord = new Map<string, Entry>();
  readonly #byNumber: Entry = newEntry();
  readonly #choices = new Map<string, Choice>();
  readonly #phrases: Phrase<T>[] = [];
  readonly #lists: PhraseLists;
  #order = 0;
  #isAnchored = false;
  /** For each choice the last text that had one of its words: most phrases lack a word, and are not tried. */
  #seenIn = new Uint32Array(0);
  /**
   * Of the phrase with number n the choices that it needs beside the one under which it is filed, rarest first:
   * `#needs` from `#needsFrom[n]` to `#needsFrom[n + 1]`. Flat arrays, since thousands of phrases are passed over for each text.
   */
  #needs = none;
  #needsFrom = none;
  /** For each phrase the last text in which it was looked for. */
  #triedIn = new Uint32Array(0);
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

  #entry(word: string): Entry {
    const known = this.#byWord.get(word);
    if (known !== undefined) return known;
    const entry = newEntry();
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
    return choice;
  }

  /** How common each choice is in news, judged by how many phrases use its words. */
  #commonness(): ReadonlyMap<Choice, number> {
    const uses = new Map<string, number>();
    for (const phrase of this.#phrases)
      for (const { words } of phrase.needs)
        for (const word of words) uses.set(word, (uses.get(word) ?? 0) + 1);
    const of = (choice: Choice): number =>
      [...choice.words].reduce(
        (sum, word) => sum + (uses.get(word) ?? 0),
        isNumeric(choice) ? numberUses : 0,
      );
    return new Map([...this.#choices.values()].map((choice) => [choice, of(choice)]));
  }

  /** Files each phrase under the words of its rarest step. */
  #anchor(): void {
    const commonness = this.#commonness();
    const filed = new Map<Entry, { choices: number[]; phrases: number[] }>();
    const at = (entry: Entry) => {
      const known = filed.get(entry) ?? { choices: [], phrases: [] };
      filed.set(entry, known);
      return known;
    };
    const entriesOf = (choice: Choice): readonly Entry[] => [
      ...[...choice.words].map((word) => this.#entry(word)),
      ...(isNumeric(choice) ? [this.#byNumber] : []),
    ];
    for (const choice of this.#choices.values())
      for (const entry of entriesOf(choice)) at(entry).choices.push(choice.id);
    const needs: number[] = [];
    const from = [0];
    for (const [number, phrase] of this.#phrases.entries()) {
      const [rarest, ...rest] = phrase.needs.toSorted(
        (a, b) => (commonness.get(a) ?? 0) - (commonness.get(b) ?? 0),
      );
      if (rarest !== undefined) for (const entry of entriesOf(rarest)) at(entry).phrases.push(number);
      needs.push(...rest.map(({ id }) => id));
      from.push(needs.length);
    }
    for (const [entry, { choices, phrases }] of filed) {
      entry.choices = Int32Array.from(choices);
      entry.phrases = Int32Array.from(phrases);
      entry.seenIn = 0;
    }
    this.#needs = Int32Array.from(needs);
    this.#needsFrom = Int32Array.from(from);
    this.#triedIn = new Uint32Array(this.#phrases.length);
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
  #see(entry: Entry): boolean {
    if (entry.seenIn === this.#text) return false;
    entry.seenIn = this.#text;
    const { choices } = entry;
    const seenIn = this.#seenIn;
    for (let at = 0; at < choices.length; at += 1) seenIn[choices[at] ?? 0] = this.#text;
    return entry.phrases.length > 0;
  }

  /** Entries of the words that begin a search, each once; their choices are noted. */
  #entriesOf(words: readonly Word[]): readonly Entry[] {
    const entries: Entry[] = [];
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
    const triedIn = this.#triedIn;
    for (const { phrases } of this.#entriesOf(words))
      for (let index = 0; index < phrases.length; index += 1) {
        const number = phrases[index] ?? 0;
        if (!this.#isPossible(number) || triedIn[number] === this.#text) continue;
        triedIn[number] = this.#text;
        const phrase = this.#phrases[number];
        if (phrase !== undefined) collect(phrase, words, found);
      }
    return found.length < 2 ? found : found.sort((a, b) => a.from - b.from || a.order - b.order);
  }

  #isPossible(number: number): boolean {
    const end = this.#needsFrom[number + 1] ?? 0;
    for (let at = this.#needsFrom[number] ?? 0; at < end; at += 1)
      if (this.#seenIn[this.#needs[at] ?? 0] !== this.#text) return false;
    return true;
  }
}
