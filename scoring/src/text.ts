/** Words and sentences of a text with their offsets. Every function here is one pass over its input. */

export interface Token {
  /** As written. */
  readonly raw: string;
  /** Lower case, dots removed (`U.S.` is `us`), curly apostrophes made straight. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const wordCharacter = /[\p{L}\p{N}]/u;
/** Characters that join a word between letters or digits: AT&T, Moody's, J.P., 3.5, 1,200. */
const joiners = new Set(["&", "'", "’", ".", ","]);

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

function isWordAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  if (code < 128) return isDigit(code) || (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  if (code >= 0xd800 && code <= 0xdfff) return false;
  return index < text.length && wordCharacter.test(text.charAt(index));
}

/** A comma joins only digits, since lists without spaces would otherwise be one word. */
function joinsAt(text: string, index: number): boolean {
  const character = text.charAt(index);
  if (!joiners.has(character) || !isWordAt(text, index + 1)) return false;
  if (character !== ",") return true;
  return isDigit(text.charCodeAt(index - 1)) && isDigit(text.charCodeAt(index + 1));
}

/** A run this long is no word; cutting it keeps lookups short on hostile text. */
const longestWord = 64;

/** The end of the word that begins at `start`. */
function wordEnd(text: string, start: number, stop: number): number {
  let index = start;
  while (index < stop && index - start < longestWord && (isWordAt(text, index) || joinsAt(text, index)))
    index += 1;
  return index;
}

/** @param from offset to start at; @param to offset to stop at, so that only the part that is read costs time */
export function tokenize(text: string, from = 0, to = text.length): readonly Token[] {
  const tokens: Token[] = [];
  const stop = Math.min(to, text.length);
  let index = from;
  while (index < stop) {
    if (!isWordAt(text, index)) {
      index += 1;
      continue;
    }
    const start = index;
    index = wordEnd(text, start, stop);
    const raw = text.slice(start, index);
    tokens.push({ raw, word: normalizeWord(raw), start, end: index });
  }
  return tokens;
}

/** The word of the first token; empty when the text has none. */
export function firstWord(text: string): string {
  let start = 0;
  while (start < text.length && !isWordAt(text, start)) start += 1;
  return normalizeWord(text.slice(start, wordEnd(text, start, text.length)));
}

export function normalizeWord(raw: string): string {
  const lower = raw.toLowerCase();
  if (!/[.’,]/.test(lower)) return lower;
  const straight = lower.replaceAll("’", "'");
  return /^\d/.test(straight) ? straight.replaceAll(",", "") : straight.replaceAll(".", "");
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

const abbreviations = new Set(
  [
    "inc corp co ltd plc llc lp no mr mrs ms dr st vs jr sr gen sen rep gov prof dept est approx us uk",
    "adj avg incl excl pct qtr yr yrs mos wk wks nos vol sec sect art para pp ca cf resp hon capt col lt sgt messrs mt",
    "assn assoc mfg natl intl tel ext ave blvd rd bldg mgmt govt admin pres esq",
    "jan feb mar apr jun jul aug sep sept oct nov dec fig al etc bros cos",
  ].flatMap((line) => line.split(" ")),
);

/** U.S, a.m, S.p.A: letters with dots between. */
const initials = /^(?:\p{L}\.){1,4}\p{L}$/u;

/** Whether the dot at `index` ends a word like `Inc` or a single letter, so that it may not end the sentence. */
function isAbbreviation(text: string, index: number): boolean {
  let start = index;
  while (start > 0 && index - start < 8 && /[\p{L}.]/u.test(text.charAt(start - 1))) start -= 1;
  const word = text.slice(start, index).toLowerCase();
  return word.length === 1 || abbreviations.has(word) || initials.test(word);
}

function endsSentence(text: string, index: number): boolean {
  const character = text.charAt(index);
  if (character === "\n") return true;
  if (character !== "." && character !== "!" && character !== "?") return false;
  const next = text.slice(index + 1, index + 4).trimStart();
  const spaced = index + 1 >= text.length || /^["'”’)\]]?\s/.test(text.slice(index + 1, index + 3));
  if (!spaced || (next !== "" && /^\p{Ll}/u.test(next))) return false;
  return character !== "." || !isAbbreviation(text, index);
}

/** Sentences of text[from, to), trimmed, in order. A line break ends one, because wires put one paragraph on a line. */
export function sentences(text: string, from = 0, to = text.length): readonly Span[] {
  const spans: Span[] = [];
  const stop = Math.min(to, text.length);
  let start = from;
  for (let index = from; index < stop; index += 1) {
    if (!endsSentence(text, index)) continue;
    pushTrimmed(spans, text, start, index + 1);
    start = index + 1;
  }
  pushTrimmed(spans, text, start, stop);
  return spans;
}

function pushTrimmed(spans: Span[], text: string, from: number, to: number): void {
  let start = from;
  let end = to;
  while (start < end && text.charAt(start).trim() === "") start += 1;
  while (end > start && text.charAt(end - 1).trim() === "") end -= 1;
  if (end > start) spans.push({ start, end });
}
