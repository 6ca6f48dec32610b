import { Readability } from "@mozilla/readability";
import { DOMParser } from "linkedom";
import { decodeText } from "../decode/decode.ts";
import { cleanBody, cleanTitle, foldSpace } from "../text/text.ts";
import { pagePublishedAt } from "./article-date.ts";
import { essentialPage } from "./article-page.ts";

/** The article of a page: plain text on one line, within textLimits. */
export interface Article {
  readonly title: string | null;
  readonly text: string;
  /** The author, as the page names it. */
  readonly byline: string | null;
  /** Publication time by the page, ISO 8601; null when it gives none, or names no zone. */
  readonly publishedAt: string | null;
}

/** A page as it was received. */
export interface Page {
  readonly html: Uint8Array | string;
  /** Value of Content-Type; empty when unknown. */
  readonly contentType: string;
}

/** A shorter text is a teaser, a caption or an error, not an article. */
const shortestText = 250;
/** A longer text that mentions a pay wall is still an article. */
const longestWall = 1_200;
const bylineLength = 200;

const wallTitle =
  /^(?:sign in|log ?in|subscribe|register|access (?:to this page has been )?denied|just a moment|attention required|are you a robot|page not found|not found|error|403|404)\b/i;
const wallText =
  /\b(?:subscribe (?:now|today)|subscribe to (?:continue|keep|read|unlock)|to continue reading|already (?:a|have a|have an) (?:subscriber|member|subscription|account)|(?:sign|log) in to (?:continue|read)|create (?:a free|an|your) account|verify (?:that )?you are (?:a )?human|enable javascript and cookies)\b/i;

/**
 * The article of a page; null when the page has no readable one: a login or pay wall, a teaser, a list of links.
 * Uses only the given bytes: nothing that the page names is loaded, none of its scripts run. The size of a page does not
 * bound the time, so hostile pages belong in a thread that can be ended.
 */
export function articleOf({ html, contentType }: Page): Article | null {
  const source = typeof html === "string" ? html : decodeText(html, withMetaCharset(html, contentType));
  const essential = essentialPage(source);
  if (essential === null) return null;
  const document = new DOMParser().parseFromString(essential, "text/html");
  // Before Readability, which takes the document apart.
  const publishedAt = pagePublishedAt(document);
  const headline = mainHeading(document.querySelectorAll("h1"));
  const found = new Readability(document).parse();
  const title = headlineOf(cleanTitle(found?.title ?? ""), headline);
  const byline = bylineOf(found?.byline ?? "");
  const text = withoutHead(cleanBody(found?.content ?? ""), title, byline);
  if (text.length < shortestText || isWall(title ?? "", text)) return null;
  return {
    title,
    text,
    byline,
    publishedAt,
  };
}

/** Adds the charset of the page's meta element when HTTP does not name one. */
function withMetaCharset(html: Uint8Array, contentType: string): string {
  if (/charset\s*=/i.test(contentType)) return contentType;
  const head = new TextDecoder("latin1").decode(html.subarray(0, 2_048));
  const charset = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(head)?.[1];
  return charset === undefined ? contentType : `text/html; charset=${charset}`;
}

/** Text of the only h1; null where there are several, since one of them may be the site's name. */
function mainHeading(headings: Iterable<{ innerHTML: string }>): string | null {
  const [first, ...others] = headings;
  return first === undefined || others.length > 0 ? null : cleanTitle(first.innerHTML);
}

/** The page's own heading if it words the same title differently: page titles are often made for search engines. */
function headlineOf(title: string | null, heading: string | null): string | null {
  if (title === null || heading === null) return title ?? heading;
  const inTitle = new Set(wordsOf(title));
  const words = wordsOf(heading);
  const shared = words.filter((word) => inTitle.has(word)).length;
  return words.length >= 3 && shared * 2 >= words.length ? heading : title;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Removes the title and the author, which many pages repeat above the text. */
function withoutHead(text: string, title: string | null, byline: string | null): string {
  let rest = text;
  for (const part of [title, `By ${byline}`, byline])
    if (part !== null && rest.startsWith(`${part} `)) rest = rest.slice(part.length + 1);
  return rest;
}

function isWall(title: string, text: string): boolean {
  return text.length < longestWall && (wallTitle.test(title) || wallText.test(text));
}

/** Removes "By", and account names and dates after the name. */
function bylineOf(text: string): string | null {
  const name = foldSpace(
    cleanTitle(text)
      ?.replace(/^by[\s:]+/i, "")
      .split("@")[0] ?? "",
  );
  return name === "" || name.length > bylineLength ? null : name;
}
