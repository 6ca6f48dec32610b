import { sharedLists } from "./phrase-lists.ts";
import type { Word } from "./scan.ts";
import { forms } from "./word-forms.ts";

/**
 * Phrases found by word lookup, so the time is linear in the text whatever their number. One phrase per line, with steps
 * separated by spaces:
 *
 * - `cut|cuts`    one of these words
 * - `upgrade+`    a word with all its regular forms; may stand inside a list
 * - `#`           a number
 * - `@raise`      a list by name
 * - `?the|an`     one of these words, or nothing
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
}

interface Step {
  readonly words: ReadonlySet<string>;
  readonly number: boolean;
  readonly optional: boolean;
  readonly gap: number;
}

interface Phrase<T> {
  readonly value: T;
  readonly order: number;
  readonly atStart: boolean;
  readonly steps: readonly Step[];
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

function parse<T>(value: T, order: number, line: string, lists: PhraseLists): Phrase<T> {
  const steps: Step[] = [];
  let gap = 0;
  let atStart = false;
  for (const part of line.split(/\s+/))
    if (part === "^") atStart = true;
    else if (part.startsWith("~")) gap = Number(part.slice(1));
    else {
      const optional = part.startsWith("?");
      const words = new Set(alternatives(optional ? part.slice(1) : part, lists));
      steps.push({ words, number: words.delete("#"), optional, gap });
      gap = 0;
    }
  if (steps[0] === undefined || steps[0].optional) throw new RangeError(`phrase "${line}" has no first word`);
  return { value, order, atStart, steps };
}

const fits = (step: Step, word: Word): boolean => step.words.has(word.word) || (step.number && word.digits);

/** A denial between two steps means that it did not happen: "sees no recovery". */
const denials = new Set(["no", "not", "never", "without", "neither", "nor"]);

/** Index after the last word of the phrase, or -1. Gaps are short and few, so the backtracking is bounded. */
function endOf(steps: readonly Step[], words: readonly Word[], at: number, from: number): number {
  const step = steps[from];
  if (step === undefined) return at;
  for (let skipped = 0; skipped <= step.gap; skipped += 1) {
    const word = words[at + skipped];
    if (word === undefined || word.gap >= 2) break;
    if (fits(step, word)) {
      const end = endOf(steps, words, at + skipped + 1, from + 1);
      if (end !== -1) return end;
    }
    if (denials.has(word.word)) break;
  }
  return step.optional ? endOf(steps, words, at, from + 1) : -1;
}

export class PhraseIndex<T> {
  readonly #byWord = new Map<string, Phrase<T>[]>();
  readonly #byNumber: Phrase<T>[] = [];

  /**
   * @param entries values with their phrases, one per line; an earlier value wins where two overlap
   * @param ownLists in addition to those of phrase-lists.ts
   */
  constructor(entries: readonly (readonly [T, string])[], ownLists: PhraseLists = {}) {
    const lists = { ...sharedLists, ...ownLists };
    entries.forEach(([value, source], order) => {
      for (const line of source.split("\n").map((text) => text.trim()))
        if (line !== "") this.#add(parse(value, order, line, lists));
    });
  }

  #add(phrase: Phrase<T>): void {
    const first = phrase.steps[0];
    if (first === undefined) return;
    for (const word of first.words) {
      const known = this.#byWord.get(word);
      if (known === undefined) this.#byWord.set(word, [phrase]);
      else known.push(phrase);
    }
    if (first.number) this.#byNumber.push(phrase);
  }

  /** Every match, by position in the text. */
  matches(words: readonly Word[]): PhraseMatch<T>[] {
    const found: PhraseMatch<T>[] = [];
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at];
      if (word === undefined) break;
      this.#collect(this.#byWord.get(word.word), words, at, found);
      if (word.digits) this.#collect(this.#byNumber, words, at, found);
    }
    return found;
  }

  #collect(
    phrases: readonly Phrase<T>[] | undefined,
    words: readonly Word[],
    at: number,
    found: PhraseMatch<T>[],
  ): void {
    if (phrases === undefined) return;
    for (const { value, order, atStart, steps } of phrases) {
      if (atStart && at !== 0) continue;
      const to = endOf(steps, words, at + 1, 1);
      if (to !== -1) found.push({ value, order, from: at, to });
    }
  }
}
