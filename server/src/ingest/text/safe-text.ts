/** Removed characters: controls except tab and line ends, and invisible ones. Written as the complement of what stays. */
const unseen = /[^\t\n\r -~\xa0-\u200a\u200c-\u205f\u2061-\ufefe\uff00-\ufffd]/g;

/**
 * More marks on one letter than any language writes, as in the Stream-Safe Text Format (UAX 15): sorting a run of marks
 * takes quadratic time.
 */
const mostMarks = 30;
const markPile = new RegExp(`(\\p{M}{${mostMarks}})\\p{M}+`, "gu");

/** C1 controls are almost always misread Windows-1252; except U+0085, which is a line end. */
const c1 = /[\x80-\x84\x86-\x9f]/;
const allC1 = /[\x80-\x84\x86-\x9f]/g;
const between = new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 32 }, (_, at) => 0x80 + at));

/** Replaces C1 controls by the characters that Windows-1252 has in their place. */
export function withoutC1(text: string): string {
  return c1.test(text) ? text.replaceAll(allC1, (char) => between.charAt(char.charCodeAt(0) - 0x80)) : text;
}

/** NFC, without control characters (PostgreSQL stores no NUL) and lone surrogates (its JSON has none). */
export function safeText(text: string): string {
  return composed(withoutC1(text).replaceAll(unseen, ""), Number.POSITIVE_INFINITY);
}

/** @param joins length of the longest run of composable characters */
function composed(text: string, joins: number): string {
  const formed = text.toWellFormed();
  return (joins > mostMarks ? formed.replaceAll(markPile, "$1") : formed).normalize("NFC");
}

export function foldSpace(text: string): string {
  return text.replaceAll(/\s{2,}|[^\S ]/g, " ").trim();
}

const unknown = 0;
const plain = 1;
const space = 2;
const dropped = 3;
/** May be a mark, or half a surrogate pair, or be changed by a following mark. */
const composable = 4;

/** By UTF-16 code unit; filled on demand. */
const kinds = new Uint8Array(0x1_0000);

function kindAt(text: string, at: number): number {
  const char = text.charCodeAt(at);
  // Past the end.
  if (Number.isNaN(char)) return plain;
  const known = kinds[char] ?? unknown;
  if (known !== unknown) return known;
  const kind = kindOf(String.fromCharCode(char));
  kinds[char] = kind;
  return kind;
}

function kindOf(char: string): number {
  if (char.replaceAll(unseen, "") === "") return dropped;
  if (/\s/.test(char)) return space;
  // Vowels and finals of Hangul join the letter before them, as marks do.
  const joins = /[\p{M}\p{Cs}\u1160-\u11ff]/u.test(char);
  return joins || char.normalize("NFC") !== char ? composable : plain;
}

/** foldSpace(safeText(text)) in one pass, since most text needs changes only at its line ends. */
export function safeLine(given: string): string {
  const text = withoutC1(given);
  let line = "";
  let from = 0;
  let joins = 0;
  let isClosedUp = false;
  for (let at = nextStop(text, 0); at < text.length; at = nextStop(text, at)) {
    const kind = kindAt(text, at);
    if (kind === plain || kind === composable) {
      const word = wordAt(text, at);
      joins = Math.max(joins, word.joins);
      at = word.end;
    } else {
      const run = blankRun(text, from, at);
      // Two runs of composable characters may now be adjacent.
      if (run.stands === "") isClosedUp = true;
      line += text.slice(from, run.start) + run.stands;
      from = run.end;
      at = run.end;
    }
  }
  const whole = from === 0 ? text : line + text.slice(from);
  if (joins === 0) return whole.trim();
  return composed(whole, isClosedUp ? Number.POSITIVE_INFINITY : joins).trim();
}

/** Two spaces, or a character outside printable ASCII. */
const stop = / {2}|[^ -~]/g;

function nextStop(text: string, from: number): number {
  stop.lastIndex = from;
  if (!stop.test(text)) return text.length;
  const last = stop.lastIndex - 1;
  return text.charCodeAt(last) === 32 ? last - 1 : last;
}

/** A word of letters beyond ASCII. `joins`: its longest run of composable characters. */
function wordAt(text: string, from: number): { end: number; joins: number } {
  let end = from;
  let row = 0;
  let joins = 0;
  while (text.charCodeAt(end) > 0x7f) {
    const kind = kindAt(text, end);
    if (kind !== plain && kind !== composable) break;
    row = kind === composable ? row + 1 : 0;
    if (row > joins) joins = row;
    end += 1;
  }
  return { end, joins };
}

/** The blank and dropped characters at a place, and the single space before them; `stands`: their replacement. */
function blankRun(text: string, from: number, at: number): { start: number; end: number; stands: "" | " " } {
  const start = at > from && text.charCodeAt(at - 1) === 32 ? at - 1 : at;
  let end = at;
  let hasSpace = start < at;
  for (let kind = kindAt(text, end); kind === space || kind === dropped; kind = kindAt(text, end)) {
    if (kind === space) hasSpace = true;
    end += 1;
  }
  return { start, end, stands: hasSpace ? " " : "" };
}
