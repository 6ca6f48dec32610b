/** Words of a text as a comment quotes them: a whole phrase or clause, so that a reader sees what was read. */
import type { Span } from "./text.ts";

const longest = 80;
/** A clause that proves a wording is quoted whole up to this length. */
const longestClause = 70;
/** A run this long is no word. */
const longestWord = 64;
/** Words that a phrase may go on for. */
const mostMore = 9;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));
/** No phrase ends with one of these: what they belong to follows. */
const open = setOf(
  "a an the its his her their our your this that these those of to for in on at by from with into onto over under about against between up down off out away back than worth more less per and or & vs not no new was were be been is are has have had will would could may its another additional as",
);
/** A phrase ends before one of these, unless its last word needs what follows. */
const closing = setOf(
  "as after amid while but and or on in at for with by from to over under into despite citing following before until since during through via against says said when if that which who where is are was were has have had will would could may can be because though although yet even up down",
);
/** Another clause begins here, whatever stands before. */
const ofClause = setOf(
  "as after amid while but despite citing following before until since when if because though although yet even",
);
/** Words that go on with a phrase. */
const linking = setOf("of than worth per back off out away");
const figure = /^[~≈+-]?[$€£¥]?\d[\d.,]*(?:%|x)?$/u;

const isSpace = (character: string): boolean => character === "" || /\s/.test(character);
/** A dash parts words as a space does. */
const isGap = (character: string): boolean => isSpace(character) || character === "—" || character === "–";

const opensQuote = /^["'“‘([«*]+/;
const endsWord = /["'”’)\]»*]*[.,;:!?…]*["'”’)\]»]*$/u;

interface WordAt extends Span {
  readonly word: string;
  /** A comma, a stop or a bracket stands behind it. */
  readonly ends: boolean;
}

/** The word that begins at or after an offset. */
function wordAfter(text: string, from: number): WordAt | null {
  let start = from;
  while (start < text.length && text.charAt(start) !== "\n" && isGap(text.charAt(start))) start += 1;
  if (start >= text.length || text.charAt(start) === "\n" || /[—–]/.test(text.slice(from, start)))
    return null;
  let stop = start;
  while (stop < text.length && stop - start < longestWord && !isGap(text.charAt(stop))) stop += 1;
  const raw = text.slice(start, stop);
  const bare = raw.replace(endsWord, "");
  if (bare === "" || !/^[\p{L}\p{N}$€£¥"'“‘~+&-]/u.test(bare) || /^[&-]$/.test(bare)) return null;
  // "U.S." and "est." end with a stop that is their own.
  const isOwnStop =
    /^(?:\p{L}\.)+$/u.test(raw) ||
    /^(?:Corp|Inc|Co|Ltd|Bros|adj|est|vs|Dr|St|No|Sept|Oct|Nov|Dec|Jan|Feb|Aug)\.$/i.test(raw);
  return {
    start,
    end: isOwnStop ? stop : start + bare.length,
    word: bare.replace(opensQuote, "").toLowerCase(),
    ends: !isOwnStop && raw !== bare,
  };
}

/** A span from the beginning of its first word to the end of its last one. */
function wholeWords(text: string, span: Span): Span {
  let { start, end } = span;
  const [from, to] = [Math.max(0, start - longestWord), Math.min(text.length, end + longestWord)];
  while (start > from && !isGap(text.charAt(start - 1))) start -= 1;
  while (end < to && end > 0 && !isGap(text.charAt(end)) && !isGap(text.charAt(end - 1))) end += 1;
  const raw = text.slice(start, end);
  const lead = span.start > start ? (opensQuote.exec(raw)?.[0].length ?? 0) : 0;
  const isOwnStop = /(?:^|\s)(?:\p{L}\.)+$/u.test(raw);
  const tail = span.end < end && !isOwnStop ? (endsWord.exec(raw)?.[0].length ?? 0) : 0;
  return { start: Math.min(start + lead, span.start), end: Math.max(end - tail, span.end) };
}

/** Borders that no quotation crosses: "$1.41 View; Cuts" is of two clauses. */
const border = /;\s|:\s|(?:(?<=\p{Ll}{4}|[\d%])\.|[!?])\s+(?=[\p{Lu}"'“])|\s[-–—|]+\s|—|\n/gu;

/** The stretch between borders that has most of a span. */
function between(text: string, span: Span): Span {
  let best = { start: span.start, end: span.start };
  let from = span.start;
  const within = text.slice(span.start, span.end);
  for (const { index, 0: mark } of within.matchAll(border)) {
    const end = span.start + index;
    if (end - from > best.end - best.start) best = { start: from, end };
    from = end + mark.length;
  }
  return span.end - from > best.end - best.start ? { start: from, end: span.end } : best;
}

const lastWord = (text: string, { start, end }: Span): string =>
  text.slice(start, end).split(/\s+/).at(-1)?.toLowerCase() ?? "";

const needsMore = (word: string): boolean => open.has(word) || figure.test(word);

/** Goes on to the end of the phrase that a span begins: "calls back 1.4" ends with "million trucks". */
function extended(text: string, span: Span): Span {
  let end = span.end;
  let last = lastWord(text, span);
  // A mark behind the span ends the phrase there.
  if (/^["'”’)\]]*[,;:.!?()]/.test(text.slice(end, end + 3)) && !open.has(last)) return span;
  for (let more = 0; more < mostMore; more += 1) {
    const next = wordAfter(text, end);
    if (next === null || next.end - span.start > longest) break;
    if (ofClause.has(next.word)) break;
    const isMore = needsMore(last) || linking.has(next.word) || !closing.has(next.word);
    if (!isMore) break;
    end = next.end;
    last = next.word;
    if (next.ends) break;
  }
  return { start: span.start, end: withoutOpenEnd(text, span, end) };
}

/** What was added does not end with a word that needs another one. */
function withoutOpenEnd(text: string, span: Span, end: number): number {
  let kept = end;
  while (kept > span.end && open.has(lastWord(text, { start: span.start, end: kept })))
    kept = span.start + text.slice(span.start, kept).search(/\s+\S+$/);
  return Math.max(kept, span.end);
}

/** A bracket or a quotation that was opened is closed, where it closes soon. */
function closed(text: string, { start, end }: Span): Span {
  const inside = text.slice(start, end);
  const opened = inside.lastIndexOf("(") > inside.lastIndexOf(")");
  if (!opened) return { start, end };
  const at = text.slice(end, end + 25).indexOf(")");
  return { start, end: at < 0 ? start + inside.lastIndexOf("(") : end + at + 1 };
}

const nameBefore = /(?:^|\s)(\p{Lu}[\p{L}.&'’-]{0,30} of (?:the )?)$/u;
const verbBefore = /(?:^|\s)((?:did|does|do|will|would|could|can|may|has|have|had|is|are|was|were) )$/i;

/** "Bank of Canada Lowers", "did not meet": a name, and what is denied, are quoted from their beginning. */
function fromBeginning(text: string, { start, end }: Span): Span {
  const pattern = /^\p{Lu}/u.test(text.charAt(start)) ? nameBefore : verbBefore;
  if (pattern === verbBefore && !/^not\b/i.test(text.slice(start, start + 4))) return { start, end };
  const before = pattern.exec(text.slice(Math.max(0, start - 45), start))?.[1] ?? "";
  return { start: start - before.length, end };
}

/** "to $52 bln, enlarges repurchase plan": a span that begins within another phrase is quoted from the next one. */
function fromPhrase(text: string, { start, end }: Span): Span {
  const inside = text.slice(start, end);
  const [first = ""] = inside.split(/\s+/);
  const comma = inside.search(/,\s/);
  const rest = inside.slice(comma + 1).trimStart();
  const isBroken = comma > 0 && (open.has(first.toLowerCase()) || figure.test(first));
  return isBroken && rest.split(/\s+/).length > 1 ? { start: end - rest.length, end } : { start, end };
}

/** The whole phrase that a span is of. @param span what proves an event or a statement */
export function phraseAt(text: string, span: Span): Span {
  const whole = between(text, wholeWords(text, span));
  return closed(text, extended(text, fromBeginning(text, fromPhrase(text, whole))));
}

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
const withoutMark = (text: string): string => text.replace(/[\s,;:]+$/, "");
const clean = (text: string): string => withoutMark(onOneLine(text));

const shorten = (line: string, most: number): string => {
  if (line.length <= most) return line;
  const cut = line.slice(0, most - 1).toWellFormed();
  return `${withoutMark(cut.includes(" ") ? cut.slice(0, cut.lastIndexOf(" ")) : cut)}…`;
};

/** A phrase of a text in single quotes, on one line. */
export function quote(text: string, span: Span, most = longest): string {
  const { start, end } = phraseAt(text, span);
  return `'${shorten(onOneLine(text.slice(start, Math.min(end, start + 400))), most)}'`;
}

/** Words that begin another clause. */
const opensClause =
  /,?\s(?:but|while|whereas|as|after|amid|despite|citing|though|although|because|even as|following|when|before)\s/giu;
const listed = /,\s/g;

const marksIn = (title: string, patterns: readonly RegExp[]): readonly Span[] =>
  patterns
    .flatMap((pattern) => [...title.matchAll(pattern)])
    .map(({ index, 0: mark }) => ({ start: index, end: index + mark.length }))
    .toSorted((one, other) => one.start - other.start);

/** The stretch of a title between marks that has most of a span. */
function stretchAt(title: string, span: Span, marks: readonly Span[]): Span {
  let best: Span = { start: 0, end: title.length };
  let most = -1;
  let from = 0;
  for (const { start, end } of [...marks, { start: title.length, end: title.length }]) {
    const shared = Math.min(start, span.end) - Math.max(from, span.start);
    if (shared > most && start > from) [best, most] = [{ start: from, end: start }, shared];
    from = Math.max(from, end);
  }
  return best;
}

/** The clause that has most of a span; of a long one the part between commas. */
function clauseAt(title: string, span: Span): Span {
  const clause = stretchAt(title, span, marksIn(title, [border, opensClause]));
  if (clause.end - clause.start <= longestClause) return clause;
  const part = stretchAt(title, span, marksIn(title, [border, opensClause, listed]));
  return title.slice(part.start, part.end).trim().split(/\s+/).length < 3 ? clause : part;
}

/** Where a long clause may be cut. */
const cutBefore = /,?\s(?:in|on|at|for|with|by|from|to|of|over|under|and|or|into|via|that|which|who)\s/giu;

/** The clause that opens a title. */
export function quoteFirst(title: string): string {
  const { start, end } = clauseAt(title, { start: 0, end: 1 });
  const isShort = title.slice(start, end).trim().split(/\s+/).length < 3;
  return isShort ? `'${shorten(clean(title), longestClause)}'` : quoteClause(title, { start: 0, end: 1 });
}

/**
 * The clause of a title whose words speak for a sign, in single quotes. A long one begins with the words that do, and ends where a phrase
 * does.
 */
export function quoteClause(title: string, span: Span): string {
  const clause = clauseAt(title, span);
  const whole = title.slice(clause.start, clause.end).trim();
  if (whole.length <= longestClause) return `'${clean(whole)}'`;
  const from = Math.max(clause.start, Math.min(wholeWords(title, span).start, clause.end));
  const rest = title.slice(from, clause.end).trim();
  const [first = "", ...others] = rest.split(/\s+/);
  const line = others.length < 2 || open.has(first.toLowerCase()) ? whole : rest;
  if (line.length <= longestClause) return `'${clean(line)}'`;
  const cuts = [...line.matchAll(cutBefore)].map(({ index }) => index).filter((at) => at <= longestClause);
  const cut = cuts.findLast((at) => line.slice(0, at).trim().split(/\s+/).length >= 3);
  return `'${cut === undefined ? shorten(clean(line), longestClause) : clean(line.slice(0, cut))}'`;
}
