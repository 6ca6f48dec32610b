/** Most characters of texts by others, as they are shown. */
export const most = { title: 300, evidence: 200, comment: 300, summary: 900, name: 120, link: 500 } as const;

/**
 * Characters that can hide text from people or change how it is read: controls, marks of direction, invisible and tag
 * characters (all of Unicode's Cf but the two joiners that scripts and emoji need), variation selectors that can carry data.
 */
const hidden = /(?![\u200c\u200d])[\p{Cc}\p{Cf}]|[\u{e0100}-\u{e01ef}]/gu;
const blanks = /[\s\u2028\u2029]+/g;

/** A text by others as one line without hidden characters, at most so long. */
export function line(text: string, length: number): string {
  return cut(text.toWellFormed().replaceAll(blanks, " ").replaceAll(hidden, "").trim(), length);
}

/** A text by others that keeps its lines. */
export function lines(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?|[\u2028\u2029]/g, "\n")
    .split("\n")
    .map((one) => one.replaceAll("\t", " ").replaceAll(hidden, ""))
    .join("\n");
}

/** Never splits a character that has two code units. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** In quotes, so that its end is clear: what looks like another line of the result is part of the text. */
export function quoted(text: string): string {
  return `"${text.replaceAll('"', "'")}"`;
}
