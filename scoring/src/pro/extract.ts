import type { Span, Token } from "../text.ts";
import type { Reading } from "./reading/reading.ts";

const most = 3;
const shortest = 40;
const longest = 400;

/** Headlines And Titles Of Items are written like this. */
function isHeading(tokens: readonly Token[]): boolean {
  const long = tokens.filter(({ raw }) => raw.length > 3);
  return 10 * long.filter(({ raw }) => /^\p{Ll}/u.test(raw)).length < 4 * long.length;
}

/** The first sentences after the cover, for a text without prominent ones. */
function opening({ sentences }: Reading): readonly Span[] {
  return sentences
    .filter(
      ({ index, part, start, end, tokens }) =>
        index > 0 &&
        !isHeading(tokens) &&
        /^(?:item|exhibit|management)/.test(part) &&
        end - start >= 2 * shortest &&
        end - start <= longest,
    )
    .slice(0, most);
}

/**
 * The most informative sentences of the body as one text.
 * @returns null when there is only a cover, tables and lists
 */
export function extract(reading: Reading): string | null {
  const told = tellingSentences(reading);
  return told.length === 0 ? null : told.map(({ start, end }) => reading.text.slice(start, end)).join(" ");
}

/** The most informative sentences of the body, in the order of the text; none: there is only a cover, tables and lists. */
export function tellingSentences(reading: Reading): readonly Span[] {
  const score = new Map<number, number>();
  const add = (sentence: number, points: number) => score.set(sentence, (score.get(sentence) ?? 0) + points);
  for (const { signal, force } of reading.signals) add(signal.sentence, Math.abs(force));
  for (const { sentence } of reading.facts) add(sentence, 0.5);
  const fit = [...score].filter(([index]) => {
    const found = reading.sentences[index];
    if (found === undefined || index === 0 || found.part === "risk factors") return false;
    const length = found.end - found.start;
    return (
      length >= shortest && length <= longest && !reading.text.slice(found.start, found.end).includes("\t")
    );
  });
  const best = fit
    .toSorted(([a, x], [b, y]) => y - x || a - b)
    .slice(0, most)
    .map(([index]) => index)
    .toSorted((a, b) => a - b);
  const told = best.flatMap((index) => reading.sentences[index] ?? []);
  return told.length === 0 ? opening(reading) : told;
}
