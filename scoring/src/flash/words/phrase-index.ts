import { sharedLists } from "./phrase-lists.ts";
import type { Word } from "./scan.ts";
import { forms } from "./word-forms.ts";

/**
 * Phrases found by word lookup, so the time is linear in the text whatever their number. One phrase per line, with steps
 * separated by spaces:
 *
 * - `cut|cuts`    one of these words
 * - `upgrade+`    a word with all its regular forms; may stand inside a list
 * - `#`           a number; `%` one with a percent sign, `$` one with a currency sign
 * - `@raise`      a list by name
 * - `?the|an`     one of these words, or nothing
 * - `!near`       the next step's word does not follow one of these: `!finance chief` is no "finance chief"
 * - `~3`          up to three other words before the next step, in the same clause, none of them a denial
 * - `^`           at the start of the text
 */
export interface PhraseMatch<T> {
  readonly value: T;
  /** Position of the value in the given list; the lower one has precedence. */
  readonly order: number;
  /** First word and the word after the last. */
  readonly from: number;
  readonly to: number;
  /** The words that the steps took, as bits counted from `from`. */
  readonly mask: number;
}

/** The words that a step takes. Phrases that name the same words share one. */
interface Choice {
  readonly id: number;
  readonly words: ReadonlySet<string>;
  readonly number: boolean;
  readonly percent: boolean;
  readonly money: boolean;
}

interface Step {
  readonly choice: Choice;
  /** Words that may not stand before the one taken; null for none. */
  readonly barred: ReadonlySet<string> | null;
  readonly optional: boolean;
  readonly gap: number;
}

interface Phrase<T> {
  readonly value: T;
  readonly order: number;
  readonly atStart: boolean;
  readonly steps: readonly Step[];
  /** Choices that the words must contain. */
  readonly needs: readonly number[];
  /** The last text in which it was looked for. */
  triedIn: number;
}

export type PhraseLists = Readonly<Record<string, string>>;

/** @throws {RangeError} for an unknown list name */
function alternatives(source: string, lists: PhraseLists): readonly string[] {
  return source.split("|").flatMap((part) => {
    if (part.startsWith("@")) {
      const list = lists[part.slice(1)];
      if (list === undefined) throw new RangeError(`phrase list ${part} is not known`);
      return alternatives(list, lists);
    }
    return part.endsWith("+") ? forms(part.slice(0, -1)) : [part];
  });
}

type ChoiceOf = (source: string) => Choice;

function parse<T>(value: T, order: number, line: string, choiceOf: ChoiceOf): Phrase<T> {
  const steps: Step[] = [];
  let gap = 0;
  let barred: ReadonlySet<string> | null = null;
  let atStart = false;
  for (const part of line.split(/\s+/))
    if (part === "^") atStart = true;
    else if (part.startsWith("~")) gap = Number(part.slice(1));
    else if (part.startsWith("!")) barred = choiceOf(part.slice(1)).words;
    else {
      const optional = part.startsWith("?");
      steps.push({ choice: choiceOf(optional ? part.slice(1) : part), barred, optional, gap });
      gap = 0;
      barred = null;
    }
  if (steps[0] === undefined || steps[0].optional) throw new RangeError(`phrase "${line}" has no first word`);
  const needs = steps.filter(({ optional }) => !optional);
  return {
    value,
    order,
    atStart,
    steps,
    needs: [...new Set(needs.map(({ choice }) => choice.id))],
    triedIn: 0,
  };
}

const follows = (barred: ReadonlySet<string> | null, before: Word | undefined, word: Word): boolean =>
  barred !== null && before !== undefined && word.gap < 2 && barred.has(before.word);

const isNumeric = ({ number, percent, money }: Choice): boolean => number || percent || money;

const fits = ({ words, number, percent, money }: Choice, word: Word): boolean =>
  words.has(word.word) || (word.digits && (number || (percent && word.percent) || (money && word.money)));

/** A denial between two steps means that it did not happen: "sees no recovery". */
const denials = new Set(["no", "not", "never", "without", "neither", "nor"]);

/** Words after the first that a phrase may reach over. */
const longestSpan = 30;

/**
 * The words that the steps take, as bits counted from `start`; 0 when they do not fit. Gaps are short and few, so the
 * backtracking is bounded.
 */
function taken(
  steps: readonly Step[],
  words: readonly Word[],
  start: number,
  at: number,
  from: number,
  mask: number,
): number {
  const step = steps[from];
  if (step === undefined) return mask;
  for (let skipped = 0; skipped <= step.gap; skipped += 1) {
    const here = at + skipped;
    const word = words[here];
    if (word === undefined || word.gap >= 2 || here - start > longestSpan) break;
    if (fits(step.choice, word) && !follows(step.barred, words[here - 1], word)) {
      const rest = taken(steps, words, start, here + 1, from + 1, mask | (1 << (here - start)));
      if (rest !== 0) return rest;
    }
    if (denials.has(word.word)) break;
  }
  return step.optional ? taken(steps, words, start, at, from + 1, mask) : 0;
}

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

/** Every place at which a phrase stands. */
function collect<T>(
  { steps, value, order, atStart }: Phrase<T>,
  words: readonly Word[],
  found: PhraseMatch<T>[],
): void {
  const [first] = steps;
  if (first === undefined) return;
  const end = atStart ? Math.min(1, words.length) : words.length;
  for (let at = 0; at < end; at += 1) {
    const word = words[at];
    if (word === undefined || !fits(first.choice, word) || follows(first.barred, words[at - 1], word))
      continue;
    const mask = taken(steps, words, at, at + 1, 1, 1);
    if (mask !== 0) found.push({ value, order, from: at, to: at + 32 - Math.clz32(mask), mask });
  }
}
