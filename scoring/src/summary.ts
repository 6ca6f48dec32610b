import { sentences } from "./text.ts";

const bodyRead = 2000;
const most = 3;
const longest = 400;
/** Sentences about the document itself, not the news. */
const boilerplate =
  /forward-looking statements?|safe harbor|all rights reserved|click here|subscribe|©|for more information/i;

/** Nearly always enough to find those that are shown. */
const firstLook = most + 1;

function picked(read: string, among: number): readonly string[] {
  return sentences(read, 0, read.length, among)
    .map(({ start, end }) => read.slice(start, end))
    .filter((sentence) => sentence.length > 25 && !boilerplate.test(sentence))
    .slice(0, most)
    .map((sentence) =>
      sentence.length > longest ? `${sentence.slice(0, longest - 1).trimEnd()}…` : sentence,
    );
}

/** The first sentences of the body, verbatim, at most three; null when there is no body. */
export function summarize(body: string): string | null {
  const read = body.slice(0, bodyRead);
  if (read.trim() === "") return null;
  const first = picked(read, firstLook);
  const chosen = first.length === most ? first : picked(read, Number.POSITIVE_INFINITY);
  return chosen.length > 0 ? chosen.join(" ") : read.slice(0, longest).trim() || null;
}
