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

/** Abbreviations of wires: their dot parts nothing before a small letter either, as in "est. loss" and "adj. profit". */
export const wireAbbreviations: readonly string[] =
  "inc corp co ltd vs est approx rev adj avg incl qtr yr".split(" ");

const abbreviations = new Set(
  [
    ...wireAbbreviations,
    "plc llc lp no mr mrs ms dr st jr sr gen sen rep gov prof dept us uk revs",
    "excl pct yrs mos wk wks nos vol sec sect art para pp ca cf resp hon capt col lt sgt messrs mt",
    "assn assoc mfg natl intl tel ext ave blvd rd bldg mgmt govt admin pres esq",
    "jan feb mar apr jun jul aug sep sept oct nov dec fig al etc bros cos",
  ].flatMap((line) => line.split(" ")),
);

/** U.S, a.m, S.p.A: letters with dots between. */
const initials = /^(?:\p{L}\.){1,4}\p{L}$/u;

const isLetterOrDot = (text: string, index: number): boolean => {
  const code = text.charCodeAt(index);
  if (code < 128) return code === 46 || (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return /\p{L}/u.test(text.charAt(index));
};

/** The letters and dots right before `index`, eight at most, in lower case. */
export function wordBefore(text: string, index: number): string {
  let start = index;
  while (start > 0 && index - start < 8 && isLetterOrDot(text, start - 1)) start -= 1;
  return text.slice(start, index).toLowerCase();
}

/** Whether the dot at `index` ends a word like `Inc` or a single letter, so that it may not end the sentence. */
function isAbbreviation(text: string, index: number): boolean {
  const word = wordBefore(text, index);
  return word.length === 1 || abbreviations.has(word) || (word.includes(".") && initials.test(word));
}

/** @param code of the character at `index`: a stop, an exclamation or a question mark */
function endsSentence(text: string, index: number, code: number): boolean {
  const second = text.charCodeAt(index + 2);
  // A blank and a character of ASCII, as nearly always.
  if (text.charCodeAt(index + 1) === 32 && second > 32 && second < 128)
    return (second < 97 || second > 122) && (code !== 46 || !isAbbreviation(text, index));
  const next = text.slice(index + 1, index + 4).trimStart();
  const spaced = index + 1 >= text.length || /^["'”’)\]]?\s/.test(text.slice(index + 1, index + 3));
  if (!spaced || (next !== "" && /^\p{Ll}/u.test(next))) return false;
  return code !== 46 || !isAbbreviation(text, index);
}

/** Offset after the sentence that is open at `from`. A line break ends one, because wires put one paragraph on a line. */
function sentenceEnd(text: string, from: number, stop: number): number {
  for (let index = from; index < stop; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 10) return index + 1;
    if ((code === 46 || code === 33 || code === 63) && endsSentence(text, index, code)) return index + 1;
  }
  return stop;
}

/** Sentences of text[from, to), trimmed, in order. @param most the first so many alone */
export function sentences(
  text: string,
  from = 0,
  to = text.length,
  most = Number.POSITIVE_INFINITY,
): readonly Span[] {
  const spans: Span[] = [];
  const stop = Math.min(to, text.length);
  for (let start = from; start < stop && spans.length < most; ) {
    const end = sentenceEnd(text, start, stop);
    pushTrimmed(spans, text, start, end);
    start = end;
  }
  return spans;
}

const isBlankAt = (text: string, index: number): boolean => {
  const code = text.charCodeAt(index);
  return code <= 32 || code >= 128 ? text.charAt(index).trim() === "" : false;
};

function pushTrimmed(spans: Span[], text: string, from: number, to: number): void {
  let start = from;
  let end = to;
  while (start < end && isBlankAt(text, start)) start += 1;
  while (end > start && isBlankAt(text, end - 1)) end -= 1;
  if (end > start) spans.push({ start, end });
}
