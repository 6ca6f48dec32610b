import { Readability } from "@mozilla/readability";
import { DOMParser } from "linkedom";
import { decodeText } from "../decode/decode.ts";
import { cleanBody, cleanTitle, foldSpace } from "../text/text.ts";
import { pagePublishedAt } from "./article-date.ts";
import { essentialPage } from "./article-page.ts";

/** What a page holds for a reader: plain text on one line, within textLimits. */
export interface Article {
  readonly title: string | null;
  readonly text: string;
  /** Who wrote it, as the page says. */
  readonly byline: string | null;
  /** When it says that it was published, ISO 8601; null when it does not, or names no zone. */
  readonly publishedAt: string | null;
}

/** A page as it came. */
export interface Page {
  readonly html: Uint8Array | string;
  /** Value of Content-Type; empty when unknown. */
  readonly contentType: string;
}

/** Shorter is a teaser, a caption or an error, not an article. */
const shortestText = 250;
/** A wall says little beyond that it is one. */
const longestWall = 1_200;
const bylineLength = 200;

const wallTitle =
  /^(?:sign in|log ?in|subscribe|register|access (?:to this page has been )?denied|just a moment|attention required|are you a robot|page not found|not found|error|403|404)\b/i;
const wallText =
  /\b(?:subscribe (?:now|today)|subscribe to (?:continue|keep|read|unlock)|to continue reading|already (?:a|have a|have an) (?:subscriber|member|subscription|account)|(?:sign|log) in to (?:continue|read)|create (?:a free|an|your) account|verify (?:that )?you are (?:a )?human|enable javascript and cookies)\b/i;

/**
 * The article of a page; null when it holds none that can be read: a login or pay wall, a teaser, a list of links.
 * Only the given bytes are looked at: nothing that the page names is loaded, none of its scripts run. Time is not
 * bounded by the size of the page alone, so hostile pages belong into a thread that can be ended.
 */
export function articleOf({ html, contentType }: Page): Article | null {
  const source = typeof html === "string" ? html : decodeText(html, withMetaCharset(html, contentType));
  const essential = essentialPage(source);
  if (essential === null) return null;
  const document = new DOMParser().parseFromString(essential, "text/html");
  // Readability takes the document apart.
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

/** The charset of an HTML page stands in a meta element when HTTP does not name one. */
function withMetaCharset(html: Uint8Array, contentType: string): string {
  if (/charset\s*=/i.test(contentType)) return contentType;
  const head = new TextDecoder("latin1").decode(html.subarray(0, 2_048));
  const charset = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(head)?.[1];
  return charset === undefined ? contentType : `text/html; charset=${charset}`;
}

/** Text of the only h1; null where there are several: one of them may be the site's name. */
function mainHeading(headings: Iterable<{ innerHTML: string }>): string | null {
  const [first, ...others] = headings;
  return first === undefined || others.length > 0 ? null : cleanTitle(first.innerHTML);
}

/** The page's own heading where it is another wording of the same title: the other is often made for search engines. */
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

/** Title and author again, as many a page has them above the text. */
function withoutHead(text: string, title: string | null, byline: string | null): string {
  let rest = text;
  for (const part of [title, `By ${byline}`, byline])
    if (part !== null && rest.startsWith(`${part} `)) rest = rest.slice(part.length + 1);
  return rest;
}

function isWall(title: string, text: string): boolean {
  return text.length < longestWall && (wallTitle.test(title) || wallText.test(text));
}

/** Without "By", and without the account names and dates that stand behind a name. */
function bylineOf(text: string): string | null {
  const name = foldSpace(
    cleanTitle(text)
      ?.replace(/^by[\s:]+/i, "")
      .split("@")[0] ?? "",
  );
  return name === "" || name.length > bylineLength ? null : name;
}
