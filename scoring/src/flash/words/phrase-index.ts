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
  choices: number[];
  phrases: number[];
  /** How many steps of phrases take it. */
  uses: number;
  /** The last text that had the word. */
  seenIn: number;
}

const none = new Int32Array(0);
const noLists: PhraseLists = {};
const newEntry = (): Entry => ({ choices: [], phrases: [], uses: 0, seenIn: 0 });

/** Numbers are in most sentences: no phrase is looked for by its number alone. */
const numberUses = 1e6;

/** Phrases found by word lookup, so that the time is linear in the text whatever their number (phrase.ts has their form). */
export class PhraseIndex<T> {
  readonly #byWord = new Map<string, Entry>();
  readonly #byNumber: Entry = newEntry();
  /** By their words; their ids count from 0 in this order. */
  readonly #choices = new Map<string, Choice>();
  /** Choices as phrases write them, by the lists that hold for the phrases: most steps are written many times. */
  readonly #written = new Map<PhraseLists, Map<string, Choice>>();
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
  constructor(entries: readonly (readonly [T, string])[], ownLists = noLists) {
    this.#lists = ownLists;
    for (const [value, source] of entries) this.add(value, source);
  }

  /**
   * @param lists of these phrases alone; they count before those of the index
   * @throws {RangeError} for a phrase without a first word or with an unknown list
   */
  add(value: T, source: string, lists = noLists): void {
    const written = this.#written.get(lists) ?? new Map<string, Choice>();
    this.#written.set(lists, written);
    const listNamed = (name: string) => lists[name] ?? this.#lists[name] ?? sharedLists[name];
    const choiceOf = (step: string): Choice => {
      const known = written.get(step);
      if (known !== undefined) return known;
      const choice = this.#choice(alternatives(step, listNamed));
      written.set(step, choice);
      return choice;
    };
    for (const line of source.split("\n").map((text) => text.trim()))
      if (line !== "") this.#phrases.push(parse(value, this.#order, line, choiceOf));
    this.#order += 1;
    this.#isAnchored = false;
  }

  #choice(taken: readonly string[]): Choice {
    const source = taken.join("|");
    const known = this.#choices.get(source);
    if (known !== undefined) return known;
    const words = new Set(taken);
    const choice: Choice = {
      id: this.#choices.size,
      words,
      number: words.delete("#"),
      percent: words.delete("%"),
      money: words.delete("$"),
    };
    this.#choices.set(source, choice);
    return choice;
  }

  #entry(word: string): Entry {
    const known = this.#byWord.get(word);
    if (known !== undefined) return known;
    const entry = newEntry();
    this.#byWord.set(word, entry);
    return entry;
  }

  /** Files each choice under its words. @returns the entries of each, by its id */
  #fileChoices(): readonly (readonly Entry[])[] {
    this.#byWord.clear();
    Object.assign(this.#byNumber, newEntry());
    return Array.from(this.#choices.values(), (choice) => {
      const entries = Array.from(choice.words, (word) => this.#entry(word));
      if (isNumeric(choice)) entries.push(this.#byNumber);
      for (const entry of entries) entry.choices.push(choice.id);
      return entries;
    });
  }

  /** How common each choice is in news, judged by how many steps of phrases use its words. */
  #commonness(entriesOf: readonly (readonly Entry[])[]): Float64Array {
    for (const { needs } of this.#phrases)
      for (const { id } of needs) for (const entry of entriesOf[id] ?? []) entry.uses += 1;
    this.#byNumber.uses = numberUses;
    return Float64Array.from(entriesOf, (entries) => entries.reduce((sum, { uses }) => sum + uses, 0));
  }

  /** Files each phrase under the words of its rarest step. */
  #anchor(): void {
    const entriesOf = this.#fileChoices();
    const commonness = this.#commonness(entriesOf);
    const rarestFirst = (a: number, b: number) => (commonness[a] ?? 0) - (commonness[b] ?? 0);
    const needs: number[] = [];
    const from = [0];
    for (const [number, phrase] of this.#phrases.entries()) {
      const [rarest = 0, ...rest] = phrase.needs.map(({ id }) => id).sort(rarestFirst);
      for (const entry of entriesOf[rarest] ?? []) entry.phrases.push(number);
      needs.push(...rest);
      from.push(needs.length);
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
