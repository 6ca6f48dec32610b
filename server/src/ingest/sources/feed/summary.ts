import { cleanBody } from "../../text/text.ts";

/**
 * Captions belong to a picture; an item's text does not begin with them. The line of a score in another Tapewire's feed is
 * not the publisher's text either.
 */
const caption =
  /<(?:(figcaption)(?=[\s>])[^<>]{0,500}|(p|div|span|dd)\s[^<>]{0,300}?class\s{0,9}=\s{0,9}["'][^"'<>]{0,200}(?:caption|credit|tapewire-verdict)[^<>]{0,300})>/gi;
const mostCaptions = 20;
const longestCaption = 2_000;

/** Length of the end of a text in which links to the page are removed. Only there: "Read more" may begin a sentence. */
const tailLength = 600;
const tails: readonly RegExp[] = [
  /\s*\bThe post .{1,300} (?:appeared first|first appeared) on .{1,200}$/i,
  /[\s[(]*(?<![\p{L}\p{N},;:] ?)(?:Continue reading|Keep reading|Read (?:more|on|the (?:full|whole|rest)[\w ]{0,30}|full [\w ]{1,20})|Full story|Click here (?:to read|for) more)(?:[\s.…:»→›>\])]*|\s[^.!?]{1,200}[…»→›\])]*)$/iu,
];

/** Scripts written without spaces between words, or with a character per word. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const leastWords = 2;

/** The first of an entry's texts with content, clean and without the link to the page at its end; "" when none has any. */
export function summaryOf(texts: readonly string[]): string {
  for (const markup of texts) {
    const text = withoutTail(cleanBody(withoutCaptions(markup)));
    if (saysSomething(text)) return text;
  }
  return "";
}

function withoutCaptions(markup: string): string {
  let kept = "";
  let from = 0;
  let count = 0;
  for (const { index, 0: tag, 1: figcaption, 2: other } of markup.matchAll(caption)) {
    count += 1;
    if (count > mostCaptions) break;
    if (index < from) continue;
    const start = index + tag.length;
    const end = markup
      .slice(start, start + longestCaption)
      .toLowerCase()
      .indexOf(`</${(figcaption ?? other ?? "").toLowerCase()}`);
    if (end === -1) continue;
    kept += `${markup.slice(from, index)} `;
    const behind = markup.indexOf(">", start + end);
    from = behind === -1 ? markup.length : behind + 1;
  }
  return kept + markup.slice(from);
}

function withoutTail(text: string): string {
  let rest = text;
  for (const tail of tails) {
    const start = Math.max(0, rest.length - tailLength);
    const end = rest.slice(start).replace(tail, "");
    if (end.length < rest.length - start) rest = rest.slice(0, start) + end;
  }
  return rest.trimEnd();
}

function saysSomething(text: string): boolean {
  return dense.test(text) || (text.match(/[\p{L}\p{N}][^\s]*/gu) ?? []).length >= leastWords;
}
