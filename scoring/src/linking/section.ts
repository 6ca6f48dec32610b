import type { Span, Token } from "../text.ts";
import { sentences, tokenize } from "../text.ts";

/** The title or body of an item, with what is needed to find names in it. */
export interface Section {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Its offset in title + newline + body. */
  readonly offset: number;
  /** How much less a mention here counts than one in the title. */
  readonly discount: number;
  /** Ordinary sentences, in which a capital is informative; in headline style it is not. */
  readonly sentenceCase: boolean;
  /** The sentence around a token, split on demand; a title is one. */
  readonly sentenceAt: (token: Token) => string;
}

/** Words that headline style does not capitalise. */
const smallWords = new Set(
  "with from over amid into than that after upon onto under until near versus".split(" "),
);

/** Of the first character; ASCII is decided by its code, since every word of a text is asked. */
function kindOf(raw: string): "small" | "other" | "none" {
  const code = raw.charCodeAt(0);
  if (code >= 97 && code <= 122) return "small";
  if (code >= 65 && code <= 90) return "other";
  if (code < 128) return "none";
  if (/^\p{Ll}/u.test(raw)) return "small";
  return /^\p{L}/u.test(raw) ? "other" : "none";
}

/** Headline Style Capitalises Most Words; with a quarter of its longer words in lower case a text is in sentence case. */
export function isSentenceCase(tokens: readonly Token[]): boolean {
  let long = 0;
  let small = 0;
  for (let index = 1; index < tokens.length; index += 1) {
    const { raw, word } = tokens[index] ?? { raw: "", word: "" };
    if (raw.length <= 3) continue;
    const kind = kindOf(raw);
    if (kind === "none") continue;
    if (kind === "small" && raw === word) {
      if (smallWords.has(word)) continue;
      small += 1;
    }
    long += 1;
  }
  return small * 4 >= long && small > 0;
}

export function sectionOf(text: string, offset: number, discount: number): Section {
  const tokens = tokenize(text);
  let spans: readonly Span[] | null = null;
  return {
    text,
    tokens,
    offset,
    discount,
    sentenceCase: isSentenceCase(tokens),
    sentenceAt: (token) => {
      if (offset === 0) return text;
      spans ??= sentences(text);
      const span = spans.find(({ start, end }) => start <= token.start && token.start < end);
      return span === undefined ? text : text.slice(span.start, span.end);
    },
  };
}
