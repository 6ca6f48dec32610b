import { decodeHTML } from "entities";
import { blocks, silent, stripMarkup } from "./markup.ts";
import { safeLine } from "./safe-text.ts";

export { foldSpace, safeText, withoutC1 } from "./safe-text.ts";

/** Longest texts kept of an item; the rest is cut. */
export const textLimits = { title: 1_000, body: 200_000 } as const;

/** The other elements that a headline or summary may contain. */
const inline =
  "a abbr b bdi bdo big cite code del dfn em font i img ins kbd mark q s samp small span strike strong sub sup tt u var wbr";

const names = [...blocks, ...silent, ...inline.split(" ")].join("|");
/** A start or end tag of HTML. */
const htmlTag = new RegExp(`<(/?)(${names})(?:\\s[^<>]{0,300})?>`, "gi");
const lineBreak = /<br ?\/?>/i;
/** Longest content of an element that counts as escaped twice. */
const longestElement = 500;
/** A "<" of a headline that begins no HTML tag: "a<b" without an end, "<ACME.N>" as some wires write tickers. */
const plainLess = new RegExp(`<(?!/?(?:${names})(?:[\\s/][^<>]*)?>|!--)`, "gi");

/** How much markup is examined; a title or body keeps a fraction of it. */
const mostMarkup = { title: 100_000, body: 1_000_000 };

/** A headline: one line of plain text; null when nothing is left of it. */
export function cleanTitle(markup: string): string | null {
  const bounded = markup.slice(0, mostMarkup.title);
  const known = bounded.includes("<") ? bounded.replaceAll(plainLess, "&lt;") : bounded;
  const text = plainLine(known);
  return text === "" ? null : cut(text, textLimits.title);
}

/** A body: plain text on one line; empty when nothing is left of it. */
export function cleanBody(markup: string): string {
  return cut(plainLine(markup.slice(0, mostMarkup.body)), textLimits.body);
}

/**
 * Text of a fragment that may be HTML, HTML escaped once more, or plain: markup stripped, entities decoded twice
 * (the Federal Register sends `&amp;#39;`), then made safe for storage and folded to one line.
 */
function plainLine(markup: string): string {
  const once = stripMarkup(markup);
  // Tags that were escaped twice appear only now.
  const again = once.includes("<") && isEscapedTwice(once) ? stripMarkup(once) : once;
  return safeLine(decodeHTML(again));
}

/**
 * Whether the text certainly is markup: it has an HTML element with an end tag, since a lone "<b>" may be meant. Each tag
 * is visited once: searching the end tag of each "<b>" would take quadratic time.
 */
function isEscapedTwice(text: string): boolean {
  if (lineBreak.test(text)) return true;
  const begun = new Map<string, number>();
  for (const { index, 0: tag, 1: slash, 2: name = "" } of text.matchAll(htmlTag)) {
    const key = name.toLowerCase();
    if (slash === "") begun.set(key, index + tag.length);
    else if (index - (begun.get(key) ?? Number.NEGATIVE_INFINITY) <= longestElement) return true;
  }
  return false;
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
