import { sentences } from "./text.ts";

const bodyRead = 2000;
const most = 3;
const longest = 400;
/** Sentences about the document itself, not the news. */
const boilerplate =
  /forward-looking statements?|safe harbor|all rights reserved|click here|subscribe|©|for more information/i;

/** The first sentences of the body, verbatim, at most three; null when there is no body. */
export function summarize(body: string): string | null {
  const read = body.slice(0, bodyRead);
  const picked = sentences(read)
    .map(({ start, end }) => read.slice(start, end))
    .filter((sentence) => sentence.length > 25 && !boilerplate.test(sentence))
    .slice(0, most)
    .map((sentence) =>
      sentence.length > longest ? `${sentence.slice(0, longest - 1).trimEnd()}…` : sentence,
    );
  if (picked.length > 0) return picked.join(" ");
  const rest = read.slice(0, longest).trim();
  return rest === "" ? null : rest;
}
