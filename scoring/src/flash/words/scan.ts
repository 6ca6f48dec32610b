import { wireAbbreviations, wordBefore } from "../../text.ts";
import type { WordInfo } from "./lexicon.ts";
import { emptyHash, hashedWith, knownWord, knownWordAt, lowerOf, wordHash } from "./vocabulary.ts";

/** A word as the rules see it, with the separators around it. */
export interface Word {
  /** Lower case, without possessive ending, dots (`u.s.`) or thousands commas. */
  readonly word: string;
  /** Its number in the vocabulary; -1 for a word that no phrase names. */
  readonly id: number;
  /** What the rules know of it. */
  readonly info: WordInfo | undefined;
  /** 32 bits, signed; see vocabulary.ts. */
  readonly hash: number;
  readonly start: number;
  readonly end: number;
  /** Separator before it: 0 none, 1 a comma, 2 a clause mark (; : dash bracket), 3 a full stop. */
  readonly gap: number;
  readonly digits: boolean;
  /** A percent sign follows. */
  readonly percent: boolean;
  /** A currency sign precedes it. */
  readonly money: boolean;
  /** -1 or 1 for the sign before it, or before its currency sign: "-0.3", "-$1.2", "+0.1%"; 0 for none. */
  readonly sign: -1 | 0 | 1;
  /** Opens inside a round bracket: "13.1 (8.7)". */
  readonly bracketed: boolean;
  /** Stands alone in a round bracket, in capitals: "(ACM)", "($ACM)", "(ACM.N)". */
  readonly symbol: boolean;
}

/** The sign of cents ends a figure as a letter does: "41¢". */
const wordLike = /[\p{L}\p{N}\p{M}¢]/u;
/** A longer run is no word; cutting it keeps lookups short on hostile text. */
const longestWord = 64;

/** 0 neither, 1 letter, 2 digit; a table for ASCII, since this runs once per character. */
const asciiKind = Uint8Array.from({ length: 128 }, (_, code) =>
  code >= 48 && code <= 57 ? 2 : (code >= 65 && code <= 90) || (code >= 97 && code <= 122) ? 1 : 0,
);

function kindAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 128) return asciiKind[code] ?? 0;
  // Superscripts, currency signs and pictures are no words; halves of surrogate pairs count as pictures.
  if (Number.isNaN(code) || (code >= 0xd800 && code <= 0xdfff) || (code >= 0x2000 && code < 0x2c00)) return 0;
  return wordLike.test(text.charAt(index)) ? 1 : 0;
}

/** Whether the character at `index` joins a word: AT&T, don't, U.S, 3.5, 1,200. */
function joins(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code !== 38 && code !== 39 && code !== 46 && code !== 44 && code !== 0x2019) return false;
  const after = kindAt(text, index + 1);
  if (after === 0) return false;
  return code !== 44 || (after === 2 && kindAt(text, index - 1) === 2);
}

function plain(raw: string): string {
  let word = raw.toLowerCase();
  if (word.length > 2 && (word.endsWith("'s") || word.endsWith("’s"))) word = word.slice(0, -2);
  if (word.includes("’")) word = word.replaceAll("’", "'");
  const code = word.charCodeAt(0);
  if (code >= 48 && code <= 57) return word.includes(",") ? word.replaceAll(",", "") : word;
  return word.includes(".") ? word.replaceAll(".", "") : word;
}

const clauseMarks = new Set([59, 58, 124, 0x2013, 0x2014, 40, 41]);

/** Words of wires that end in a dot within a sentence. At the end of one, before a capital, those of amounts may end it. */
const shortened = new Set([...wireAbbreviations, ..."bln bn cons ests exp fcst mln mn prev".split(" ")]);

/** The dot of "U.S. tariffs" and "vs. $1.18": what follows a stop that parts sentences is not in the same one. */
const isAbbreviation = (text: string, dot: number, next: number): boolean => {
  const code = text.charCodeAt(next);
  const isLower = code >= 97 && code <= 122;
  return !isLower || text.charCodeAt(dot - 2) === 46 || shortened.has(wordBefore(text, dot));
};

/** The hyphen of "expected -1.9" is a sign, no dash. */
const isMinus = (text: string, at: number, to: number): boolean => at + 1 === to && kindAt(text, to) === 2;

function gapOf(text: string, from: number, to: number): number {
  let gap = 0;
  for (let index = from; index < to; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 32 || (code === 46 && isAbbreviation(text, index, to))) continue;
    const mark =
      code === 46 || code === 33 || code === 63
        ? 3
        : clauseMarks.has(code) ||
            (code === 45 && text.charCodeAt(index - 1) === 32 && !isMinus(text, index, to))
          ? 2
          : code === 44
            ? 1
            : 0;
    if (mark > gap) gap = mark;
  }
  return gap;
}

const currencySigns = new Set([36, 0xa3, 0xa5, 0x20ac, 0x20b9]);

/** A hyphen is a sign where no word precedes it: not that of "Q3-2026" or "$310-$325". */
function signBefore(text: string, start: number): -1 | 0 | 1 {
  const at = currencySigns.has(text.charCodeAt(start - 1)) ? start - 2 : start - 1;
  const code = text.charCodeAt(at);
  if (code === 43) return 1;
  const isHyphen = code === 45 || code === 0x2212;
  return isHyphen && (at === 0 || kindAt(text, at - 1) === 0) && text.charCodeAt(at - 1) !== 37 ? -1 : 0;
}

/** A word as it was found, before what stands around it is read. */
interface Found {
  readonly word: string;
  readonly id: number;
  readonly info: WordInfo | undefined;
  readonly hash: number;
}

/** The word text[start, end). @param hash of its lower case where it `isPlain`: ASCII letters and digits alone */
function wordAt(text: string, start: number, end: number, hash: number, isPlain: boolean): Found {
  const known = isPlain ? knownWordAt(text, start, end, hash) : undefined;
  if (known !== undefined) return known;
  const raw = text.slice(start, end);
  if (isPlain) return { word: raw.toLowerCase(), id: -1, info: undefined, hash };
  const word = plain(raw);
  return knownWord(word) ?? { word, id: -1, info: undefined, hash: wordHash(word) };
}

/** Words of text[from, to) in order, in one pass. */
export function scan(text: string, from = 0, to = text.length): readonly Word[] {
  const words: Word[] = [];
  const stop = Math.min(to, text.length);
  let previous = from;
  let index = from;
  while (index < stop) {
    const kind = kindAt(text, index);
    if (kind === 0) {
      index += 1;
      continue;
    }
    const start = index;
    const longest = Math.min(stop, start + longestWord);
    let hash = emptyHash;
    let isPlain = true;
    for (; index < longest; index += 1) {
      const lower = lowerOf[text.charCodeAt(index)] ?? 0;
      if (lower === 0) {
        if (kindAt(text, index) === 0 && !joins(text, index)) break;
        isPlain = false;
      }
      hash = hashedWith(hash, lower);
    }
    const { word, id, info, hash: own } = wordAt(text, start, index, hash, isPlain);
    const after = text.charCodeAt(index) === 32 ? index + 1 : index;
    const isFirst = words.length === 0;
    // One blank between two words, as nearly always: no mark to look for.
    const isBlank = !isFirst && start - previous === 1 && text.charCodeAt(previous) === 32;
    const bracketed = !isBlank && hasOpenBracket(text, previous, start);
    words.push({
      word,
      id,
      info,
      hash: own,
      start,
      end: index,
      gap: isFirst ? 3 : isBlank ? 0 : gapOf(text, previous, start),
      digits: kind === 2,
      percent: kind === 2 && after < stop && text.charCodeAt(after) === 37,
      money: !isBlank && start > 0 && currencySigns.has(text.charCodeAt(start - 1)),
      sign: kind === 2 && !isBlank ? signBefore(text, start) : 0,
      bracketed,
      symbol: bracketed && isSymbol(text, start, index),
    });
    previous = index;
  }
  return words;
}

/** Whether words have two figures, without which nothing is compared. */
export function hasTwoFigures(words: readonly Word[]): boolean {
  let figures = 0;
  for (let at = 0; at < words.length && figures < 2; at += 1) if (words[at]?.digits === true) figures += 1;
  return figures === 2;
}

const capitals = /^[A-Z]{1,5}(?:\.[A-Z]{1,3})?$/;

const isSymbol = (text: string, start: number, end: number): boolean =>
  text.charCodeAt(end) === 41 && end - start <= 9 && capitals.test(text.slice(start, end));

function hasOpenBracket(text: string, from: number, to: number): boolean {
  for (let index = from; index < to; index += 1) if (text.charCodeAt(index) === 40) return true;
  return false;
}
