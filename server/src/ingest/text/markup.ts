import { decodeEntities } from "./entities.ts";

/** Elements whose end is a break between words. */
export const blocks: ReadonlySet<string> = new Set(
  "address article aside blockquote br dd div dl dt figcaption footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul".split(
    " ",
  ),
);
/** Elements that hold nothing for a reader. */
export const silent: ReadonlySet<string> = new Set(["script", "style", "template", "noscript"]);

/** Elements in which everything up to their own end tag is text, whatever it looks like. */
const raw = ["script", "style", "title", "textarea", "iframe", "noembed", "noframes", "xmp"];

interface Element {
  readonly isBlock: boolean;
  readonly isSilent: boolean;
  readonly rawEnd: RegExp | null;
}
const elements: ReadonlyMap<string, Element> = new Map(
  [...new Set([...blocks, ...silent, ...raw])].map((name) => [
    name,
    {
      isBlock: blocks.has(name),
      isSilent: silent.has(name),
      rawEnd: raw.includes(name) ? new RegExp(`</${name}(?=[\\s/>])`, "gi") : null,
    },
  ]),
);

const code = {
  tab: 9,
  newline: 10,
  formFeed: 12,
  carriageReturn: 13,
  space: 32,
  bang: 33,
  doubleQuote: 34,
  singleQuote: 39,
  slash: 47,
  equals: 61,
  greater: 62,
  question: 63,
} as const;

/**
 * The text of an HTML fragment: tags, comments and what is silent go, a block's edge becomes a space, entities are
 * decoded once. Cuts as the HTML standard's tokenizer does, and looks at each character once: no tree, no stack, and
 * what is not closed reaches to the end.
 */
export function stripMarkup(markup: string): string {
  const first = markup.indexOf("<");
  if (first === -1) return decodeEntities(markup);
  let text = "";
  let hidden = 0;
  // Text waits until a tag ends it: a "<" that opens none is part of it.
  let from = 0;
  for (let at = first; at !== -1; at = markup.indexOf("<", at)) {
    const end = constructEnd(markup, at);
    if (end === at) {
      at += 1;
      continue;
    }
    if (hidden === 0 && at > from) text += decodeEntities(markup.slice(from, at));
    from = end;
    const isEnd = markup.charCodeAt(at + 1) === code.slash;
    const element = elements.get(nameAt(markup, isEnd ? at + 2 : at + 1));
    at = end;
    if (element === undefined) continue;
    if (element.isBlock && hidden === 0) text += " ";
    if (element.isSilent) hidden = isEnd ? Math.max(0, hidden - 1) : hidden + 1;
    if (element.rawEnd !== null && !isEnd) at = endOfRaw(markup, at, element.rawEnd);
  }
  return hidden === 0 && from < markup.length ? text + decodeEntities(markup.slice(from)) : text;
}

function endOfRaw(markup: string, from: number, end: RegExp): number {
  end.lastIndex = from;
  return end.exec(markup)?.index ?? markup.length;
}

/** Where the tag, comment or declaration ends that begins at the "<"; there itself when it begins none. */
function constructEnd(markup: string, at: number): number {
  const next = markup.charCodeAt(at + 1);
  if (isLetter(next)) return usualTagEnd(markup, at + 1) ?? tagEnd(markup, at + 2);
  if (next === code.slash) return at + 2 < markup.length ? behind(markup, ">", at + 2) : at;
  if (next === code.question) return behind(markup, ">", at + 2);
  if (next !== code.bang) return at;
  if (markup.startsWith("--", at + 2)) return commentEnd(markup, at + 4);
  if (markup.startsWith("[CDATA[", at + 2)) return behind(markup, "]]>", at + 9);
  return behind(markup, ">", at + 2);
}

function behind(markup: string, end: string, from: number): number {
  const at = markup.indexOf(end, from);
  return at === -1 ? markup.length : at + end.length;
}

/** `-->`, and by the HTML standard `--!>`; `<!-->` and `<!--->` are comments too. */
function commentEnd(markup: string, from: number): number {
  if (markup.startsWith(">", from)) return from + 1;
  if (markup.startsWith("->", from)) return from + 2;
  for (let at = markup.indexOf("--", from); at !== -1; at = markup.indexOf("--", at + 1)) {
    if (markup.charCodeAt(at + 2) === code.greater) return at + 3;
    if (markup.startsWith("!>", at + 2)) return at + 4;
  }
  return markup.length;
}

const usualTag = /[A-Za-z0-9]+(?: +[\w:-]+="[^"<>]*")* *\/?>/y;

/** What nearly all tags look like, several times as fast. Looks no further than the next angle bracket. */
function usualTagEnd(markup: string, from: number): number | null {
  usualTag.lastIndex = from;
  return usualTag.test(markup) ? usualTag.lastIndex : null;
}

/** A ">" in a quoted value ends no tag; a quote counts only behind "=". */
function tagEnd(markup: string, from: number): number {
  let at = endOfName(markup, from);
  while (at < markup.length) {
    const char = markup.charCodeAt(at);
    if (char === code.greater) return at + 1;
    if (char === code.slash || isBlank(char)) at += 1;
    else at = attributeEnd(markup, at);
  }
  return markup.length;
}

function attributeEnd(markup: string, from: number): number {
  let at = from + 1;
  while (at < markup.length && markup.charCodeAt(at) !== code.equals && !endsName(markup.charCodeAt(at)))
    at += 1;
  at = skipBlanks(markup, at);
  if (markup.charCodeAt(at) !== code.equals) return at;
  at = skipBlanks(markup, at + 1);
  const quote = markup.charCodeAt(at);
  if (quote === code.doubleQuote) return behind(markup, '"', at + 1);
  if (quote === code.singleQuote) return behind(markup, "'", at + 1);
  while (at < markup.length && markup.charCodeAt(at) !== code.greater && !isBlank(markup.charCodeAt(at)))
    at += 1;
  return at;
}

function skipBlanks(markup: string, from: number): number {
  let at = from;
  while (isBlank(markup.charCodeAt(at))) at += 1;
  return at;
}

function endOfName(markup: string, from: number): number {
  let at = from;
  while (at < markup.length && !endsName(markup.charCodeAt(at))) at += 1;
  return at;
}

/** No name of interest is longer. */
const longestName = 12;

/** The tag's name in lower case; "" for what is no tag. */
function nameAt(markup: string, from: number): string {
  if (!isLetter(markup.charCodeAt(from))) return "";
  const end = endOfName(markup, from);
  return end - from > longestName ? "" : markup.slice(from, end).toLowerCase();
}

const isLetter = (char: number) => (char >= 97 && char <= 122) || (char >= 65 && char <= 90);
const isBlank = (char: number) =>
  char === code.space ||
  char === code.newline ||
  char === code.tab ||
  char === code.formFeed ||
  char === code.carriageReturn;
const endsName = (char: number) => char === code.slash || char === code.greater || isBlank(char);
