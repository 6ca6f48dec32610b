import type { Word } from "./scan.ts";
import { numberOf } from "./vocabulary.ts";
import { forms } from "./word-forms.ts";
import { isPooled, type Pooled, pooled } from "./word-pool.ts";

/**
 * One phrase: how it is written and where it stands. Steps are separated by spaces:
 *
 * - `cut|cuts`    one of these words
 * - `upgrade+`    a word with all its regular forms; may stand inside a list
 * - `#`           a number; `%` one with a percent sign, `$` one with a currency sign
 * - `@raise`      a list by name
 * - `?the|an`     one of these words, or nothing
 * - `!near`       the next step's word does not follow one of these: `!finance chief` is no "finance chief"
 * - `~3`          up to three other words before the next step, in the same statement, none of them a denial
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
export interface Choice extends Pooled {
  /** A bit for each of its words, by the last five bits of its number, and by the five before: they refuse most other words. */
  readonly low: number;
  readonly high: number;
  readonly number: boolean;
  readonly percent: boolean;
  readonly money: boolean;
}

export interface Step {
  readonly choice: Choice;
  /** Words that may not stand before the one taken; null for none. */
  readonly barred: Choice | null;
  readonly optional: boolean;
  readonly gap: number;
}

export interface Phrase<T> {
  readonly value: T;
  readonly order: number;
  readonly atStart: boolean;
  readonly steps: readonly Step[];
}

/** A phrase, and the choices that the words must contain, each once. */
export interface ReadPhrase<T> {
  readonly phrase: Phrase<T>;
  readonly needs: readonly Choice[];
}

export type PhraseLists = Readonly<Record<string, string>>;
export type ListNamed = (name: string) => string | undefined;

/** @throws {RangeError} for an unknown list name */
export function alternatives(source: string, listNamed: ListNamed): readonly string[] {
  return source.split("|").flatMap((part) => {
    if (part.startsWith("@")) {
      const list = listNamed(part.slice(1));
      if (list === undefined) throw new RangeError(`phrase list ${part} is not known`);
      return alternatives(list, listNamed);
    }
    return part.endsWith("+") ? forms(part.slice(0, -1)) : part;
  });
}

/** How the choices and steps of an index are made, so that equal ones are one. */
export interface Shared {
  readonly choiceOf: (source: string) => Choice;
  readonly stepOf: (step: Step) => Step;
}

export function parse<T>(value: T, order: number, line: string, { choiceOf, stepOf }: Shared): ReadPhrase<T> {
  const steps: Step[] = [];
  let gap = 0;
  let barred: Choice | null = null;
  let atStart = false;
  for (const part of line.split(/\s+/))
    if (part === "^") atStart = true;
    else if (part.startsWith("~")) gap = Number(part.slice(1));
    else if (part.startsWith("!")) barred = choiceOf(part.slice(1));
    else {
      const optional = part.startsWith("?");
      steps.push(stepOf({ choice: choiceOf(optional ? part.slice(1) : part), barred, optional, gap }));
      gap = 0;
      barred = null;
    }
  if (steps[0] === undefined || steps[0].optional) throw new RangeError(`phrase "${line}" has no first word`);
  const needs: Choice[] = [];
  for (const { choice, optional: isSpare } of steps)
    if (!isSpare && !needs.includes(choice)) needs.push(choice);
  // A list that grew has room for more, which none of ten thousand phrases needs.
  return { phrase: { value, order, atStart, steps: steps.slice() }, needs };
}

/** @param taken words in lower case; `#`, `%` and `$` for numbers */
export function choiceFrom(taken: readonly string[]): Choice {
  const named = new Set(taken);
  const number = named.delete("#");
  const percent = named.delete("%");
  const money = named.delete("$");
  const words = Array.from(named, numberOf);
  let low = 0;
  let high = 0;
  for (const word of words) {
    low |= 1 << (word & 31);
    high |= 1 << ((word >> 5) & 31);
  }
  return { ...pooled(words), low, high, number, percent, money };
}

const hasWord = (choice: Choice, { id }: Word): boolean =>
  id >= 0 &&
  ((choice.low >>> (id & 31)) & (choice.high >>> ((id >> 5) & 31)) & 1) === 1 &&
  isPooled(choice, id);

const follows = (barred: Choice | null, before: Word | undefined, word: Word): boolean =>
  barred !== null && before !== undefined && word.gap < 2 && hasWord(barred, before);

export const isNumeric = ({ number, percent, money }: Choice): boolean => number || percent || money;

const fits = (choice: Choice, word: Word): boolean =>
  hasWord(choice, word) ||
  (word.digits && (choice.number || (choice.percent && word.percent) || (choice.money && word.money)));

/** A denial between two steps means that it did not happen: "sees no recovery". */
const denials = choiceFrom(["no", "not", "never", "without", "neither", "nor"]);
const contrasts = choiceFrom(["while", "whereas", "although", "though", "but"]);
const all = choiceFrom(["all"]);
const as = choiceFrom(["as"]);

/**
 * Whether another statement begins at a word: "shares slide while B wins", "slides as B wins", "Wall Street rises as oil slips";
 * "appoints B as chief" is one.
 */
function opensStatement(words: readonly Word[], at: number): boolean {
  const word = words[at];
  if (word === undefined) return false;
  // "All but evaporated" is one statement.
  if (hasWord(contrasts, word)) return !follows(all, words[at - 1], word);
  if (!hasWord(as, word)) return false;
  const before = words[at - 1];
  return before?.percent === true || (before?.info?.move ?? 0) !== 0 || words[at + 1]?.info?.kind === "price";
}

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
    if (hasWord(denials, word) || opensStatement(words, here)) break;
  }
  return step.optional ? taken(steps, words, start, at, from + 1, mask) : 0;
}

/** Every place at which a phrase stands. */
export function collect<T>(
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
