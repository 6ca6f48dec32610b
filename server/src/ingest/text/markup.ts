import { decodeHTML } from "entities";
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";

const names = (list: string): ReadonlySet<string> => new Set(list.split(" "));
/** Elements whose end is a break between words. */
export const blocks = names(
  "address article aside blockquote br dd div dl dt figcaption footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul",
);
/** Elements that hold nothing for a reader. */
export const silent = names("script style template noscript");

/**
 * The text of an HTML fragment: tags, comments and what is silent go, a block's edge becomes a space, entities are
 * decoded once. Builds no tree and keeps no stack, so depth costs nothing; what is not closed reaches to the end.
 */
export function stripMarkup(markup: string): string {
  if (!markup.includes("<")) return decodeHTML(markup);
  const fragment = new Fragment(markup);
  // What the tokenizer decodes comes character by character; whole pieces are decoded faster.
  const tokenizer = new Tokenizer({ decodeEntities: false }, fragment);
  tokenizer.write(markup);
  tokenizer.end();
  return fragment.text;
}

/** Lives for one fragment. */
class Fragment implements TokenizerCallbacks {
  readonly #markup: string;
  #text = "";
  /** Text that is not decoded yet: the tokenizer ends a piece before every "<", of a tag or not. */
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
    // Behind an end tag that never ends the tokenizer tells of text that begins nowhere.
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

  /** @param next where the text that follows begins, at the earliest */
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
