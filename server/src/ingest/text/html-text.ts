import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { safeText } from "./text.ts";

const lines = new Set(
  "address article aside blockquote body br center dd div dl dt figcaption footer form h1 h2 h3 h4 h5 h6 header hr li main ol p pre section ul".split(
    " ",
  ),
);
const cells = new Set(["td", "th"]);
const rows = new Set(["tr", "table"]);
/** Elements without visible text. ix:header has the facts of inline XBRL a second time. */
const silent = new Set(["script", "style", "template", "noscript", "title", "ix:header"]);
/** Elements without an end tag, so that hiding one hides nothing after it. */
const empty = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));

/**
 * Text of an HTML document of a filing: newlines between blocks, tabs between the cells of a row.
 * Handles tags one by one without a tree or stack, so time is linear and depth costs nothing; a hidden element (script,
 * style, ix:header, display:none) is skipped up to its own end tag.
 * @param maxLength UTF-16 code units kept; the rest is cut
 */
export function htmlToText(html: string, maxLength = 200_000): string {
  const walk = new Walk(html, maxLength);
  const tokenizer = new Tokenizer({ decodeEntities: true, recognizeSelfClosing: true }, walk);
  tokenizer.write(html);
  tokenizer.end();
  return tidyLines(walk.text(), maxLength, false);
}

/**
 * Trims the ends of lines and makes the text safe for storage.
 * @param keepsGaps one empty line stays between paragraphs, as in plain text; otherwise no line is empty
 */
export function tidyLines(text: string, maxLength: number, keepsGaps: boolean): string {
  const kept: string[] = [];
  for (const line of safeText(text).split("\n")) {
    const tidy = line
      .replaceAll(/[^\S\t]+/g, " ")
      .replaceAll(/ ?\t[\t ]*/g, "\t")
      .trim();
    if (tidy !== "" || (keepsGaps && kept.at(-1) !== "")) kept.push(tidy);
  }
  const whole = kept.join("\n").trim();
  return whole.length <= maxLength
    ? whole
    : whole
        .slice(0, maxLength)
        .toWellFormed()
        .replace(/\ufffd$/, "");
}

/** Used for one document. */
class Walk implements TokenizerCallbacks {
  readonly #html: string;
  readonly #parts: string[] = [];
  /** Characters that may still be collected: four times what is wanted, since white space folds later. */
  #room: number;
  #tag = "";
  #attribute = "";
  #value = "";
  #isHidden = false;
  /** Name of the element being skipped, and how many elements of that name are open inside. */
  #skipped = "";
  #skippedDepth = 0;
  #preformatted = 0;
  #inCell = false;

  constructor(html: string, maxLength: number) {
    this.#html = html;
    this.#room = maxLength * 4;
  }

  text(): string {
    return this.#parts.join("");
  }

  #push(text: string): void {
    if (this.#skippedDepth > 0 || this.#room <= 0) return;
    this.#parts.push(text);
    this.#room -= text.length;
  }

  ontext(start: number, end: number): void {
    if (this.#skippedDepth > 0 || this.#room <= 0) return;
    const text = this.#html.slice(start, end);
    // A newline in the source is shown as a space, except in preformatted text.
    this.#push(this.#preformatted > 0 ? text : text.replaceAll(/\s+/g, " "));
  }

  ontextentity(codepoint: number): void {
    this.#push(codepoint === 0xa0 ? " " : String.fromCodePoint(codepoint));
  }

  oncdata(start: number, end: number): void {
    this.ontext(start, end);
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#html.slice(start, end).toLowerCase();
    this.#isHidden = silent.has(this.#tag);
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#html.slice(start, end).toLowerCase();
    this.#value = "";
  }

  onattribdata(start: number, end: number): void {
    if (this.#attribute === "style" && this.#value.length < 2_000)
      this.#value += this.#html.slice(start, end);
  }

  onattribentity(codepoint: number): void {
    if (this.#attribute === "style" && this.#value.length < 2_000)
      this.#value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    if (this.#attribute === "hidden" || /display\s*:\s*none/i.test(this.#value)) this.#isHidden = true;
    this.#attribute = "";
    this.#value = "";
  }

  onopentagend(): void {
    const tag = this.#tag;
    if (this.#skippedDepth > 0) {
      // A paragraph ends where the next block begins, even without an end tag.
      const endsHere = this.#skipped === "p" && (lines.has(tag) || rows.has(tag)) && !empty.has(tag);
      if (!endsHere) {
        if (tag === this.#skipped) this.#skippedDepth += 1;
        return;
      }
      this.#skippedDepth = 0;
    }
    this.#breakAt(tag, false);
    if (tag === "pre") this.#preformatted += 1;
    if (!this.#isHidden || empty.has(tag)) return;
    this.#skipped = tag;
    this.#skippedDepth = 1;
  }

  onselfclosingtag(): void {
    // HTML ignores the slash, but filers mean it: <ix:header/> hides nothing after it.
    if (this.#skippedDepth === 0) this.#breakAt(this.#tag, false);
  }

  onclosetag(start: number, end: number): void {
    const tag = this.#html.slice(start, end).toLowerCase();
    if (this.#skippedDepth > 0) {
      if (tag === this.#skipped) this.#skippedDepth -= 1;
      return;
    }
    if (tag === "pre") this.#preformatted = Math.max(0, this.#preformatted - 1);
    this.#breakAt(tag, true);
  }

  /** Paragraphs within a cell do not end its row. */
  #breakAt(tag: string, isEnd: boolean): void {
    if (cells.has(tag)) {
      this.#inCell = !isEnd;
      this.#push("\t");
    } else if (rows.has(tag)) {
      this.#inCell = false;
      this.#push("\n");
    } else if (lines.has(tag)) this.#push(this.#inCell ? " " : "\n");
  }

  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}
