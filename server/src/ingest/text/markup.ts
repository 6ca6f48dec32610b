import { decodeHTML } from "entities";
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

const names = (list: string): ReadonlySet<string> => new Set(list.split(" "));
/** Elements whose edges separate words. */
export const blocks = names(
  "address article aside blockquote br dd div dl dt figcaption footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul",
);
/** Elements whose content is not visible. */
export const silent = names("script style template noscript");

/**
 * The text of an HTML fragment: tags, comments and invisible elements are removed, a block's edge becomes a space,
 * entities are decoded once. No tree and no stack, so depth costs nothing; an unclosed element reaches to the end.
 */
export function stripMarkup(markup: string): string {
  if (!markup.includes("<")) return decodeHTML(markup);
  const fragment = new Fragment(markup);
  // Off in the tokenizer, which decodes character by character; whole pieces are decoded faster.
  const tokenizer = new Tokenizer({ decodeEntities: false }, fragment);
  tokenizer.write(markup);
  tokenizer.end();
  return fragment.text;
}

/** Used for one fragment. */
class Fragment implements TokenizerCallbacks {
  readonly #markup: string;
  #text = "";
  /** Start of text that is not decoded yet: the tokenizer ends a piece before every "<", tag or not. */
  #start = 0;
  #end = 0;
  #silentDepth = 0;

  constructor(markup: string) {
    this.#markup = markup;
  }

  get text(): string {
    return this.#text;
  }

  ontext(start: number, end: number): void {
    // After an unclosed end tag the tokenizer reports text with a negative start.
    if (start < 0) return;
    if (start !== this.#end) this.#decode(start);
    this.#end = end;
  }

  onend(): void {
    this.#decode(this.#markup.length);
  }

  onopentagname(start: number, end: number): void {
    this.#edge(start, end, 1);
  }

  onclosetag(start: number, end: number): void {
    this.#edge(start, end, -1);
  }

  #edge(start: number, end: number, step: 1 | -1): void {
    const name = this.#markup.slice(start, end).toLowerCase();
    if (silent.has(name)) {
      this.#decode(end);
      this.#silentDepth = Math.max(0, this.#silentDepth + step);
    } else if (this.#silentDepth === 0 && blocks.has(name)) {
      this.#decode(end);
      this.#text += " ";
    }
  }

  /** @param next the earliest place where the following text begins */
  #decode(next: number): void {
    if (this.#silentDepth === 0 && this.#end > this.#start)
      this.#text += decodeHTML(this.#markup.slice(this.#start, this.#end));
    this.#start = next;
    this.#end = next;
  }

  ontextentity(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onattribname(): void {}
  onattribdata(): void {}
  onattribentity(): void {}
  onattribend(): void {}
  onopentagend(): void {}
  onselfclosingtag(): void {}
}
