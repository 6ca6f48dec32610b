import { decodeHTML } from "entities";
import { Tokenizer } from "htmlparser2";

/** Longest text kept of an item; what stands beyond is cut. */
export const textLimits = { title: 1_000, body: 200_000 } as const;

/** Elements whose end is a break between words. */
const blocks = new Set(
  "address article aside blockquote br dd div dl dt figcaption footer h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul".split(
    " ",
  ),
);
const silent = new Set(["script", "style", "template", "noscript"]);
/** The other elements that a headline or summary may hold. */
const inline =
  "a abbr b bdi bdo big cite code del dfn em font i img ins kbd mark q s samp small span strike strong sub sup tt u var wbr";

const names = [...blocks, ...silent, ...inline.split(" ")].join("|");
/** What was escaped twice and is markup for certain: an element of HTML that also ends. A lone "<b>" may be meant. */
const escapedTwice = new RegExp(`<(${names})(?:\\s[^<>]{0,300})?>[^]{0,500}?</\\1>|<br ?/?>`, "i");
/** A "<" of a headline that opens no element of HTML: "a<b" without an end, "<ACME.N>" as some wires write tickers. */
const plainLess = new RegExp(`<(?!/?(?:${names})(?:[\\s/][^<>]*)?>|!--)`, "gi");

/** As much markup is looked at; what a title or body keeps of it is a fraction. */
const mostMarkup = { title: 100_000, body: 4_000_000 };

/** A headline: one line of plain text; null when nothing is left of it. */
export function cleanTitle(markup: string): string | null {
  const text = foldSpace(plainText(markup.slice(0, mostMarkup.title).replaceAll(plainLess, "&lt;")));
  return text === "" ? null : cut(text, textLimits.title);
}

/** A body: plain text on one line; empty when nothing is left of it. */
export function cleanBody(markup: string): string {
  return cut(foldSpace(plainText(markup.slice(0, mostMarkup.body))), textLimits.body);
}

/**
 * Text of a fragment that may be HTML, HTML escaped once more, or plain: markup stripped, entities decoded twice
 * (the Federal Register sends `&amp;#39;`), then made safe for storage.
 */
function plainText(markup: string): string {
  const once = stripMarkup(markup);
  // Tags that were escaped twice show only now.
  const again = escapedTwice.test(once) ? stripMarkup(once) : once;
  return safeText(again.includes("&") ? decodeHTML(again) : again);
}

/** Tokens only: a parser looks through its open elements at each end tag, quadratic in a fragment made to be that. */
function stripMarkup(markup: string): string {
  if (!markup.includes("<") && !markup.includes("&")) return markup;
  const parts: string[] = [];
  let hidden = 0;
  const tag = (start: number, end: number, silence: 1 | -1) => {
    const name = markup.slice(start, end).toLowerCase();
    if (silent.has(name)) hidden = Math.max(0, hidden + silence);
    else if (blocks.has(name)) parts.push(" ");
  };
  const text = (part: string) => {
    if (hidden === 0) parts.push(part);
  };
  const tokenizer = new Tokenizer(
    {},
    {
      ...ignored,
      onopentagname: (start, end) => tag(start, end, 1),
      onclosetag: (start, end) => tag(start, end, -1),
      ontext: (start, end) => text(markup.slice(start, end)),
      ontextentity: (codepoint) => text(String.fromCodePoint(codepoint)),
    },
  );
  tokenizer.write(markup);
  tokenizer.end();
  return parts.join("");
}

const ignored = {
  onattribdata: () => {},
  onattribentity: () => {},
  onattribend: () => {},
  onattribname: () => {},
  oncdata: () => {},
  oncomment: () => {},
  ondeclaration: () => {},
  onend: () => {},
  onopentagend: () => {},
  onprocessinginstruction: () => {},
  onselfclosingtag: () => {},
};

/**
 * Marks on one letter beyond what any language writes, as in the Stream-Safe Text Format (UAX 15): to put a run of them
 * in order takes quadratic time.
 */
const markPile = /(\p{M}{30})\p{M}+/gu;

/** NFC, without control characters (NUL has no place in PostgreSQL) and lone surrogates (nor in its JSON). */
export function safeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u200b\u2060\ufeff\ufffe\uffff]/gu, (char) => (/[\t\n\r]/.test(char) ? char : ""))
    .replaceAll(markPile, "$1")
    .normalize("NFC");
}

export function foldSpace(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Never in the middle of a surrogate pair. */
function cut(text: string, length: number): string {
  return text.length <= length
    ? text
    : text
        .slice(0, length)
        .toWellFormed()
        .replace(/\ufffd$/, "");
}
