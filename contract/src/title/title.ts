import { z } from "zod";
import { isStorable, storableRule } from "../input.ts";

export const titleLimits = { queryLength: 200, terms: 8, wordLetters: 32, titleWords: 255 } as const;

/** Words that follow each other. */
export type Phrase<Word = string> = readonly Word[];

/** What a title must contain, and what it must not, in canonical form: folded, sorted, without repeats. */
export interface TitleQuery<Word = string> {
  readonly all: readonly Phrase<Word>[];
  readonly none: readonly Phrase<Word>[];
}

/** A title's words in their order, or what stands for them. */
interface TitleWords<Word> {
  readonly [at: number]: Word;
  indexOf(word: Word, from?: number): number;
}

/** Scripts without spaces between words, or, as Korean, with more than a word between two spaces. */
const unspaced =
  "[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Hang}\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]";
const letter = "[\\p{L}\\p{N}]";
/** A character of an unspaced script is a word by itself; else a word is a run of letters and digits. */
const word = new RegExp(
  `[${unspaced}&&${letter}]\\p{M}*|[${letter}--${unspaced}][[${letter}--${unspaced}]\\p{M}]*`,
  "gv",
);
const asciiWord = /[a-z0-9]+/g;
const isAscii = (text: string) => !/[^ -~]/.test(text);

/** Letters that are not a letter and a mark to Unicode, as people type them. */
const plainLetters: Readonly<Record<string, string>> = {
  æ: "ae",
  đ: "d",
  ı: "i",
  ł: "l",
  ø: "o",
  œ: "oe",
  ß: "ss",
  ς: "σ",
};

function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\p{Cf}]/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[æđıłøœßς]/g, (one) => plainLetters[one] ?? one);
}

/** The words of a text: without case and diacritics, long ones cut, the first 255. */
export function wordsOf(text: string): string[] {
  const { titleWords, wordLetters } = titleLimits;
  const words = isAscii(text) ? text.toLowerCase().match(asciiWord) : folded(text).match(word);
  return (words ?? [])
    .slice(0, titleWords)
    .map((one) => (one.length > wordLetters ? Array.from(one).slice(0, wordLetters).join("") : one));
}

const term = /(-?)(?:"([^"]*)"?|([^\s"]+))/g;

/** Reads `words "phrases" -not`. A term without a letter or digit is left out; one of several words is a phrase. */
export function titleQueryOf(text: string): TitleQuery {
  const all = new Map<string, Phrase>();
  const none = new Map<string, Phrase>();
  for (const [, minus, phrase, plain] of text.replace(/[“”„]/g, '"').matchAll(term)) {
    const words = wordsOf(phrase ?? plain ?? "");
    if (words.length > 0) (minus === "-" ? none : all).set(words.join(" "), words);
  }
  const sorted = (terms: ReadonlyMap<string, Phrase>) =>
    [...terms].sort(([x], [y]) => (x < y ? -1 : 1)).map(([, words]) => words);
  return { all: sorted(all), none: sorted(none) };
}

/** Whether a title with these words has every wanted phrase and no other one. */
export function passesTitle<Word>(words: TitleWords<Word>, { all, none }: TitleQuery<Word>): boolean {
  return all.every((phrase) => contains(words, phrase)) && !none.some((phrase) => contains(words, phrase));
}

function contains<Word>(words: TitleWords<Word>, phrase: Phrase<Word>): boolean {
  const [first] = phrase;
  if (first === undefined) return false;
  for (let at = words.indexOf(first); at >= 0; at = words.indexOf(first, at + 1))
    if (phrase.every((one, n) => words[at + n] === one)) return true;
  return false;
}

/** `q` of a query, a subscription or a webhook; it stays the text that it was. */
export const titleQuery = z
  .string()
  .max(titleLimits.queryLength, `at most ${titleLimits.queryLength} characters`)
  .refine(isStorable, storableRule)
  .superRefine((text, context) => {
    const { all, none } = titleQueryOf(text);
    const terms = all.length + none.length;
    if (terms === 0) context.addIssue({ code: "custom", message: "must have a word, of letters or digits" });
    if (terms > titleLimits.terms)
      context.addIssue({ code: "custom", message: `at most ${titleLimits.terms} words and phrases` });
  });

export const titleQueryMeaning = `Whole words of the title, all of which must be in it; "words in quotes" must follow each other, and -word must not be in it. Case and diacritics do not count; there are no wildcards, and OR is a word. At most ${titleLimits.terms} words and phrases.`;
