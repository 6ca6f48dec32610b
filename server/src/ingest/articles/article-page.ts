import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

/** Tags, attributes and pieces of text; a larger page is no article, but could fill the memory of a thread. */
const mostNodes = 30_000;
/** UTF-16 code units kept of a page. */
const mostKept = 2_000_000;
const longestValue = 2_000;

const names = (list: string): ReadonlySet<string> => new Set(list.split(" "));
/** Elements dropped with their content, which is not an article's text; captions describe a picture, not the news. */
const dropped = names(
  "audio button canvas datalist embed figcaption iframe map math noscript object script select style svg template textarea video",
);
/** Elements without content, so that dropping one drops nothing after it. */
const empty = names("area base col embed img input link meta param source track wbr");
/** Elements written anew at the page's start, wherever they were. */
const structure = names("html head body");
/** The attributes that the search for the article uses. */
const keptAttributes = names(
  "aria-hidden aria-modal class content datetime href id itemprop name property pubdate rel role value",
);

/**
 * A page reduced to what the search for its article needs, as a complete, regular and small document: head and body are
 * present, text is escaped, attributes are quoted. The next parser cannot read it differently, and its cost is bounded.
 * Runs in linear time.
 * @returns null when the page is larger than any article's
 */
export function essentialPage(html: string): string | null {
  const walk = new Walk(html);
  const tokenizer = new Tokenizer({ decodeEntities: false }, walk);
  tokenizer.write(html);
  tokenizer.end();
  return walk.page();
}

/** Used for one page. */
class Walk implements TokenizerCallbacks {
  readonly #html: string;
  readonly #head: string[] = [];
  readonly #body: string[] = [];
  #nodes = 0;
  #kept = 0;
  #tag = "";
  #attributes = "";
  #attribute = "";
  #value = "";
  /** Name of the open dropped element, and how many elements of that name are open in it. */
  #dropped = "";
  #depth = 0;
  #collects: "title" | "ld+json" | null = null;
  #hasTitle = false;

  constructor(html: string) {
    this.#html = html;
  }

  page(): string | null {
    if (this.#isFull) return null;
    return `<!doctype html><html><head>${this.#head.join("")}</head><body>${this.#body.join("")}</body></html>`;
  }

  get #isFull(): boolean {
    return this.#nodes > mostNodes || this.#kept > mostKept;
  }

  #emit(to: string[], markup: string): void {
    this.#nodes += 1;
    this.#kept += markup.length;
    if (!this.#isFull) to.push(markup);
  }

  ontext(start: number, end: number): void {
    const text = this.#html.slice(start, end);
    // In JSON a "<" occurs only in strings, which allow this escape.
    if (this.#collects === "ld+json") this.#emit(this.#head, text.replaceAll("<", "\\u003c"));
    else if (this.#depth > 0) return;
    else this.#emit(this.#collects === "title" ? this.#head : this.#body, text.replaceAll("<", "&lt;"));
  }

  onopentagname(start: number, end: number): void {
    this.#tag = this.#html.slice(start, end).toLowerCase();
    this.#attributes = "";
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#html.slice(start, end).toLowerCase();
    this.#value = "";
  }

  onattribdata(start: number, end: number): void {
    if (this.#value.length < longestValue)
      this.#value += this.#html.slice(start, Math.min(end, start + longestValue));
  }

  onattribend(): void {
    const name = this.#attribute;
    const isHidden = name === "hidden" || (name === "style" && /display\s*:\s*none/i.test(this.#value));
    if (isHidden) this.#keep(" hidden");
    else if (name === "type" && this.#tag === "script" && /ld\+json/i.test(this.#value))
      this.#attributes = "ld+json";
    else if (keptAttributes.has(name)) this.#keep(` ${name}="${this.#value.replaceAll('"', "&quot;")}"`);
    this.#attribute = "";
  }

  #keep(attribute: string): void {
    if (this.#depth > 0 || this.#tag === "script") return;
    this.#nodes += 1;
    this.#attributes += attribute;
  }

  onopentagend(): void {
    const tag = this.#tag;
    if (this.#depth > 0) {
      if (tag === this.#dropped) this.#depth += 1;
    } else if (tag === "meta") this.#emit(this.#head, `<meta${this.#attributes}>`);
    else if (tag === "title") this.#openTitle();
    else if (dropped.has(tag) && !empty.has(tag)) this.#drop(tag);
    else if (!empty.has(tag) && !structure.has(tag) && isName(tag))
      this.#emit(this.#body, `<${tag}${this.#attributes}>`);
  }

  /** HTML ignores the slash, except in its two foreign elements. */
  onselfclosingtag(): void {
    if (this.#tag !== "svg" && this.#tag !== "math") this.onopentagend();
  }

  #openTitle(): void {
    this.#collects = this.#hasTitle ? null : "title";
    if (this.#hasTitle) return this.#drop("title");
    this.#hasTitle = true;
    this.#emit(this.#head, "<title>");
  }

  #drop(tag: string): void {
    this.#dropped = tag;
    this.#depth = 1;
    if (tag !== "script" || this.#attributes !== "ld+json") return;
    this.#collects = "ld+json";
    this.#emit(this.#head, '<script type="application/ld+json">');
  }

  onclosetag(start: number, end: number): void {
    const tag = this.#html.slice(start, end).toLowerCase();
    if (this.#collects !== null) this.#closeCollected();
    if (this.#depth > 0) {
      if (tag === this.#dropped) this.#depth -= 1;
    } else if (tag !== "title" && !dropped.has(tag) && !empty.has(tag) && !structure.has(tag) && isName(tag))
      this.#emit(this.#body, `</${tag}>`);
  }

  #closeCollected(): void {
    this.#emit(this.#head, this.#collects === "title" ? "</title>" : "</script>");
    this.#collects = null;
  }

  onattribentity(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onprocessinginstruction(): void {}
  ontextentity(): void {}
}

function isName(tag: string): boolean {
  return /^[a-z][a-z\d-]{0,40}$/.test(tag);
}
