import { type Span, sentences, tokenize } from "../../text.ts";
import type { Artifact } from "../../types.ts";
import type { Sentence } from "./sentence.ts";

/** A part of a document, and its weight. */
export interface Part {
  readonly name: string;
  /** 0: not read. */
  readonly weight: number;
}

/** Longer lines are no headings. */
const longestHeading = 160;
/** Longer "sentences" are tables without breaks, or noise; they are split, so that the cost stays linear in their length. */
const longestSentence = 3_000;
/** The part that flash reads too. */
const leadLength = 2_000;

const part = (name: string, weight: number): Part => ({ name, weight });
const unread = {
  signature: part("signature", 0),
  boilerplate: part("boilerplate", 0),
  contact: part("contact", 0),
};

/** Weights of 8-K items that differ from 0.8: votes, by-laws and lists of exhibits say little. */
const eventWeights: ReadonlyMap<string, number> = new Map([
  ["5.03", 0.2],
  ["5.05", 0.2],
  ["5.07", 0.2],
  ["7.01", 0.7],
  ["9.01", 0],
]);

const periodicParts: readonly (readonly [heading: RegExp, part: Part])[] = [
  [/^risk factors|^quantitative and qualitative/, part("risk factors", 0.15)],
  [/^management.{0,3}s discussion/, part("management's discussion", 0.9)],
  [/^legal proceedings/, part("legal proceedings", 0.6)],
  [/^controls and procedures/, part("controls and procedures", 0.8)],
  [/^(?:condensed |consolidated |unaudited )*financial statements/, part("financial statements", 0.5)],
  [
    /^(?:exhibits?|signatures?|mine safety|unresolved staff|directors|executive compensation|security ownership|certain relationships|principal account)/,
    part("exhibits and formalities", 0),
  ],
  [/^business|^properties/, part("business", 0.2)],
];

/** "Item 4.02 of the report of May" mentions an item and begins none. */
const eventItem = /^item[\s.:]{0,5}(\d\.\d{2})\b(?! (?:of|in|and|above|below|was|is)\b)/i;
const periodicItem = /^item[\s.:]{0,5}\d{1,2}[abc]?[\s.:\u2013\u2014-]{0,6}(.{0,80})/i;
const exhibit = /^(?:exhibit|ex)[-\s.]{0,3}99(?:[.-](\d{1,2}))?\b/i;
const signature = /^signature(?:s|\(s\))?[\s:.]{0,3}$/i;
const boilerplateHeading =
  /^(?:cautionary|forward[- ]looking|note (?:on|regarding) forward|safe harbor|about [\p{Lu}\d]|(?:about|use of|note on) non-gaap|non-gaap financial|conference call|webcast|disclaimer|no offer|additional information|important information|participants in the solicitation|reconciliation)/iu;
/** Names, numbers and addresses, at the top of a release or at its end; the next paragraph is text again. */
const contactHeading =
  /^(?:(?:investor|media|press|company)s? (?:relations|contact|inquiries|enquiries)|contacts?\b)/i;
const contentHeading =
  /^(?:financial|business|operational|operating|first|second|third|fourth|q[1-4]\b|full[- ]year|fiscal|outlook|guidance|results|highlights|key|recent|(?:condensed |unaudited )*consolidated|summary|segment|liquidity|dividend|capital|share repurchase|20\d\d)/i;
/** Sentences about the document itself, under any heading. */
const boilerplateSentence =
  /forward-looking statements?|safe harbor|private securities litigation reform act|undertakes? no (?:obligation|duty)|all rights reserved|not incorporated by reference|shall not be deemed.{0,5} ?filed|solicitation of an offer|duly caused this report/i;

/** Follows the headings of a document. One per reading. */
class Outline {
  readonly #form: string | null;
  readonly #leadEnd: number;
  #part: Part;
  #isOutside: Part | null = null;

  constructor(artifact: Artifact, bodyStart: number) {
    this.#form = artifact.filing?.form.toUpperCase().replace(/^FORM\s+/, "") ?? null;
    this.#leadEnd = bodyStart + leadLength;
    this.#part = this.#form === null ? part("body", 0.8) : part("cover", 0.4);
  }

  /** The part of a sentence. @param words its beginning */
  at(words: string, start: number): Part {
    const found = this.#isOutside ?? this.#part;
    if (found.name === "body" && start < this.#leadEnd) return part("lead", found.weight);
    return boilerplateSentence.test(words) ? unread.boilerplate : found;
  }

  /** Called with each line before its sentences. "Item 6. Exhibits" is two sentences, but one heading. */
  heading(line: string): void {
    const attached = exhibit.exec(line);
    if (attached !== null && line.length < 60) return this.#open(exhibitPart(attached[1] ?? "1"));
    if (this.#form?.startsWith("8-K") === true) {
      const [, number] = eventItem.exec(line) ?? [];
      if (number !== undefined) return this.#open(part(`item ${number}`, eventWeights.get(number) ?? 0.8));
    } else if (this.#form !== null) {
      const [, heading] = periodicItem.exec(line) ?? [];
      const known =
        heading === undefined ? undefined : periodicParts.find(([name]) => name.test(heading.toLowerCase()));
      if (known !== undefined) return this.#open(known[1]);
    }
    if (this.#form !== null && signature.test(line)) return this.#open(unread.signature);
    const isShort = line.length < 100 && !/[.;,]$/.test(line);
    if (isShort && boilerplateHeading.test(line)) this.#isOutside = unread.boilerplate;
    else if (isShort && this.#isOutside === null && contactHeading.test(line))
      this.#isOutside = unread.contact;
    else if (this.#isOutside === unread.contact && line.length >= longestHeading) this.#isOutside = null;
    else if (isShort && this.#isOutside !== null && contentHeading.test(line)) this.#isOutside = null;
    // A filing's documents follow each other: a paragraph after the signatures begins the press release.
    else if (this.#part === unread.signature && line.length >= longestHeading) this.#open(exhibitPart("1"));
  }

  #open(found: Part): void {
    this.#part = found;
    this.#isOutside = null;
  }
}

/** The rest of a line, up to the length of a heading. */
function lineAt(text: string, start: number): string {
  const ahead = text.slice(start, start + 400);
  const end = ahead.indexOf("\n");
  return end < 0 ? ahead : ahead.slice(0, end);
}

const exhibitPart = (number: string): Part =>
  part(`exhibit 99.${Number(number)}`, Number(number) === 1 ? 1 : 0.6);

/** A sentence, in pieces split between words if it is too long. */
function piecesOf(text: string, { start, end }: Span): readonly Span[] {
  const pieces: Span[] = [];
  for (let from = start; from < end; ) {
    const most = Math.min(end, from + longestSentence);
    const blank = most < end ? text.slice(from, most).lastIndexOf(" ") : -1;
    const to = blank > 0 ? from + blank : most;
    pieces.push({ start: from, end: to });
    from = to;
  }
  return pieces;
}

/**
 * The sentences to read, each with its part. The title is the first, as a whole.
 * @param text title + newline + body
 */
export function partsOf(artifact: Artifact, text: string): readonly Sentence[] {
  const bodyStart = artifact.title.length + 1;
  const titleEnd = Math.min(artifact.title.length, longestSentence);
  const found: Sentence[] = [
    { index: 0, start: 0, end: titleEnd, tokens: tokenize(text, 0, titleEnd), weight: 1, part: "title" },
  ];
  const outline = new Outline(artifact, bodyStart);
  for (const span of sentences(text, bodyStart)) {
    const isLine = span.start === bodyStart || text.charCodeAt(span.start - 1) === 10;
    if (isLine) outline.heading(lineAt(text, span.start));
    const { name, weight } = outline.at(
      text.slice(span.start, Math.min(span.end, span.start + 400)),
      span.start,
    );
    if (weight === 0) continue;
    for (const { start, end: stop } of piecesOf(text, span)) {
      const tokens = tokenize(text, start, stop);
      if (tokens.length > 0)
        found.push({ index: found.length, start, end: stop, tokens, weight, part: name });
    }
  }
  return found;
}
