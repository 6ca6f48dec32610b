import { ParseError } from "../adapter.ts";
import { openElements } from "./salvage.ts";

/**
 * How much of a feed is read. Real feeds stay far below; without these bounds one answer takes seconds and hundreds of
 * megabytes in the feed library.
 */
export const feedLimits = {
  entries: 5_000,
  /** Tags, comments and CDATA sections: of the feed, and of one of its entries. */
  tags: 400_000,
  entryTags: 20_000,
  /** UTF-16 code units of a tag with its attributes, and of a text. */
  tag: 16_000,
  text: 1_000_000,
} as const;

export const tooManyEntries = `it has more than ${feedLimits.entries} entries`;

export function cutNote(reasons: readonly string[]): string {
  return `not all of it is read: ${reasons.join("; ")}`;
}

/** Shorter tags are within all limits. */
const shortTag = 1_000;
const mostAttributes = 100;

/** A feed within the limits, and what was cut off for that; null: nothing. */
export interface BoundedXml {
  readonly text: string;
  readonly cut: string | null;
}

/**
 * Cuts what is too long: entries after the first 5,000, and the rest of an entry with too many or too long tags,
 * attributes or texts. The result is a feed if the input was one. Comments are removed. One pass over the `<`.
 * @throws {ParseError} when there is more markup before the first entry than in any feed
 */
export function boundXml(text: string): BoundedXml {
  return new Pass(text).run();
}

const cdata = "<![CDATA[";
const comment = "<!--";
const bang = 33;
const itemTag = /<(\/?)(item|entry)(?=[\s>])(?!\s*\/>)/iy;
const nextItemTag = /<\/?(?:item|entry)(?=[\s>])/gi;
/** Initials of the tags of items; others are not examined further. */
const mayBeItem = /^[iIeE]/;

/** Used for one document. */
class Pass {
  readonly #text: string;
  readonly #kept: string[] = [];
  readonly #cuts = new Set<string>();
  #from = 0;
  #tags = 0;
  #entries = 0;
  #entryTags = 0;
  #entryStart: number | null = null;
  #firstEntry: number | null = null;
  #hasUnclosedComment = false;

  constructor(text: string) {
    this.#text = text;
  }

  run(): BoundedXml {
    const text = this.#text;
    for (let at = text.indexOf("<"); at !== -1; ) {
      this.#tags += 1;
      this.#entryTags += 1;
      if (this.#tags > feedLimits.tags) return this.#ended(at, `it has more than ${feedLimits.tags} tags`);
      const end = this.#constructEnd(at);
      if (end === null) break;
      if (this.#entries > feedLimits.entries) return this.#ended(at, tooManyEntries);
      if (this.#isOverfull) {
        at = text.indexOf("<", this.#cutEntry(at));
        continue;
      }
      const next = text.indexOf("<", end);
      this.#boundGap(at, end, next === -1 ? text.length : next);
      at = next;
    }
    return this.#result(text.slice(this.#from));
  }

  get #isOverfull(): boolean {
    return this.#entryStart !== null && this.#entryTags > feedLimits.entryTags;
  }

  /** The end of a comment or CDATA section, or after the "<" of anything else; null: it does not end. */
  #constructEnd(at: number): number | null {
    const text = this.#text;
    if (text.charCodeAt(at + 1) !== bang) {
      this.#noteEntry(at);
      return at + 1;
    }
    if (text.startsWith(cdata, at)) {
      const end = text.indexOf("]]>", at + cdata.length);
      if (end === -1) return null;
      this.#boundText(at + cdata.length, end);
      return end + 3;
    }
    if (this.#hasUnclosedComment || !text.startsWith(comment, at)) return at + 1;
    const end = text.indexOf("-->", at + comment.length);
    this.#hasUnclosedComment = end === -1;
    if (end === -1) return at + 1;
    this.#replace(at, end + 3, "");
    return end + 3;
  }

  #noteEntry(at: number): void {
    const isEnd = this.#text[at + 1] === "/";
    if (!mayBeItem.test(this.#text[at + (isEnd ? 2 : 1)] ?? "")) return;
    itemTag.lastIndex = at;
    if (!itemTag.test(this.#text)) return;
    this.#entryTags = 0;
    if (isEnd) {
      this.#entryStart = null;
      return;
    }
    this.#firstEntry ??= at;
    this.#entryStart = at;
    this.#entries += 1;
  }

  /** Drops the rest of the entry and closes its open elements. @returns where the next tag of an item begins */
  #cutEntry(at: number): number {
    nextItemTag.lastIndex = at + 1;
    const end = nextItemTag.exec(this.#text)?.index ?? this.#text.length;
    const head = this.#text.slice((this.#entryStart ?? at) + 1, at);
    this.#replace(at, end, closers(head.slice(head.indexOf(">") + 1)));
    this.#cuts.add(`an entry has more than ${feedLimits.entryTags} tags`);
    this.#entryTags = 0;
    return end;
  }

  /** Bounds the tag that begins here, and the text after it up to the next tag. */
  #boundGap(at: number, end: number, next: number): void {
    if (next - end <= shortTag) return;
    this.#boundText(end > at + 1 ? end : at + this.#boundTag(at, next), next);
  }

  /** @returns the tag's length; 0 when it does not end before the next begins */
  #boundTag(at: number, next: number): number {
    const gap = this.#text.slice(at, next);
    const length = tagLength(gap);
    if (length <= shortTag) return length;
    const kept = attributesKept(gap);
    const tail = gap[length - 2] === "/" ? 2 : 1;
    if (kept >= length - tail) return length;
    this.#replace(at + kept, at + length - tail, "");
    this.#cuts.add(`a tag has more than ${mostAttributes} attributes or ${feedLimits.tag} characters`);
    return length;
  }

  /** Does not cut in the middle of an entity. */
  #boundText(start: number, end: number): void {
    if (end - start <= feedLimits.text) return;
    const tail = this.#text.slice(start + feedLimits.text - 40, start + feedLimits.text);
    const open = /&[^;&\s]*$/.exec(tail)?.[0].length ?? 0;
    this.#replace(start + feedLimits.text - open, end, "");
    this.#cuts.add(`a text has more than ${feedLimits.text} characters`);
  }

  #replace(start: number, end: number, by: string): void {
    this.#kept.push(this.#text.slice(this.#from, start), by);
    this.#from = end;
  }

  /** Drops everything from here on. */
  #ended(at: number, why: string): BoundedXml {
    const start = this.#firstEntry;
    if (start === null) throw new ParseError(`${why}, and no entry among it`);
    this.#cuts.add(why);
    const entry = this.#entryStart === null || this.#entryStart === at ? "" : this.#openEntry(at);
    const rest = at > this.#from ? this.#text.slice(this.#from, at) : "";
    const outer = openElements(this.#text.slice(0, start)).reverse();
    return this.#result(rest + entry + outer.map((name) => `</${name}>`).join(""));
  }

  #openEntry(at: number): string {
    return closers(this.#text.slice(this.#entryStart ?? at, at));
  }

  #result(rest: string): BoundedXml {
    const cut = this.#cuts.size === 0 ? null : cutNote([...this.#cuts]);
    return { text: this.#kept.join("") + rest, cut };
  }
}

const anyTag = /<!\[CDATA\[[\s\S]*?\]\]>|<(\/?)([A-Za-z_][\w.:-]*)([^<>]*)>/g;

/** End tags for the elements that are open after a piece of XML. Of end tags only the innermost element's counts. */
function closers(xml: string): string {
  const open: string[] = [];
  for (const [, slash, name, rest] of xml.matchAll(anyTag)) {
    if (name === undefined || rest?.endsWith("/") === true) continue;
    if (slash === "") open.push(name);
    else if (open.at(-1) === name) open.pop();
  }
  return open
    .reverse()
    .map((name) => `</${name}>`)
    .join("");
}

const quoteOrEnd = /["'>]/g;

/** Length of the tag at the start of a piece of XML, in which a ">" in quotes does not end it; 0: it has no end. */
function tagLength(piece: string): number {
  quoteOrEnd.lastIndex = 1;
  for (let found = quoteOrEnd.exec(piece); found !== null; found = quoteOrEnd.exec(piece)) {
    if (found[0] === ">") return found.index + 1;
    const end = piece.indexOf(found[0], found.index + 1);
    if (end === -1) return 0;
    quoteOrEnd.lastIndex = end + 1;
  }
  return 0;
}

const attribute = /\s+[^\s=<>"'/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'))?/y;

/** The length of a tag's name and of the attributes within the limits. */
function attributesKept(tag: string): number {
  let kept = /^<[^\s/>]{1,200}/.exec(tag)?.[0].length ?? 1;
  for (let count = 0; count < mostAttributes; count += 1) {
    attribute.lastIndex = kept;
    if (!attribute.test(tag) || attribute.lastIndex > feedLimits.tag) break;
    kept = attribute.lastIndex;
  }
  return kept;
}
