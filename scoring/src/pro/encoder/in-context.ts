import { spokenName } from "../../flash/flash.ts";
import type { Span } from "../../text.ts";
import type { Artifact, LinkedSymbol } from "../../types.ts";
import { tellingSentences } from "../extract.ts";
import type { Reading } from "../reading/reading.ts";
import type { Encoder, Marked, Said } from "./encoder.ts";
import { shareOf } from "./joint.ts";

/** What the encoder says of a text. */
export interface InContext {
  /** Of whom the text is chiefly about. */
  readonly whole: Said;
  /** Of each company where there are several; keys are those of Reading.company. */
  readonly companies: ReadonlyMap<number, Said>;
}

/** Bodies up to this length are read from their beginning, longer ones by their most informative sentences. */
const shortBody = 2_000;
/** Further companies are judged by rules alone. */
const mostCompanies = 4;
/** Parts of a title that are left out in turn. */
const mostParts = 6;

/** Reads a text as a whole and, where it has several companies, once for each of them. */
export async function readInContext(
  encoder: Encoder,
  artifact: Artifact,
  symbols: readonly LinkedSymbol[],
  reading: Reading,
): Promise<InContext> {
  const stretches = stretchesOf(artifact, reading);
  const companies = reading.companies <= 1 ? [] : [...new Set(reading.company)].slice(0, mostCompanies);
  const [whole, ...own] = await encoder.read([
    { about: [], text: textIn(reading.text, stretches, []) },
    ...companies.map((company) => {
      const mentions = reading.mentions.filter((mention) => mention.company === company);
      const text = textIn(reading.text, stretches, mentions);
      return { about: text.includes(null) ? [null] : [spokenName(symbols[company]?.name ?? "")], text };
    }),
  ]);
  if (whole === undefined) throw new Error("the encoder gave no reading");
  return { whole, companies: new Map(own.map((said, at) => [companies[at] ?? 0, said])) };
}

/** Parts of title + newline + body that the encoder reads. */
function stretchesOf({ title, body }: Artifact, reading: Reading): readonly Span[] {
  const whole = { start: 0, end: reading.text.length };
  if (body.length <= shortBody) return [whole];
  const told = tellingSentences(reading);
  return told.length === 0 ? [whole] : [{ start: 0, end: title.length + 1 }, ...told];
}

/** The stretches as one text, in which each of the mentions is marked. */
function textIn(text: string, stretches: readonly Span[], mentions: readonly Span[]): Marked {
  return stretches.flatMap((stretch, index) => {
    const parts: (string | null)[] = index > 1 ? [" "] : [];
    let at = stretch.start;
    for (const { start, end } of mentions) {
      if (start < at || end > stretch.end) continue;
      parts.push(text.slice(at, start), null);
      at = end;
    }
    return [...parts, text.slice(at, stretch.end)];
  });
}

/**
 * The words of the title that speak most for a sign: those without which the encoder would be least sure of it (occlusion).
 * @param sign -1 or 1
 * @returns null: the title is a name alone
 */
export async function proofInTitle(
  encoder: Encoder,
  artifact: Artifact,
  reading: Reading,
  sign: number,
): Promise<Span | null> {
  const parts = partsOf(reading);
  if (parts.length === 0) return null;
  const [first = { start: 0, end: 0 }, ...rest] = stretchesOf(artifact, reading);
  const texts = parts.map(({ start, end }) => {
    const without = [{ start: first.start, end: start }, { start: end, end: first.end }, ...rest];
    return { about: [], text: textIn(reading.text, without, []) };
  });
  const left = (await encoder.read(texts)).map(({ sign: scores }) => shareOf(scores, sign));
  return parts[left.indexOf(Math.min(...left))] ?? null;
}

/** Neighbouring words of the title, in parts of about equal length. A company's own name proves nothing: it is in no part. */
function partsOf({ text, sentences, mentions }: Reading): readonly Span[] {
  const tokens = sentences[0]?.tokens ?? [];
  const each = Math.max(1, Math.ceil(tokens.length / mostParts));
  const parts: (Span & { readonly size: number })[] = [];
  let isApart = true;
  for (const { start, end } of tokens) {
    const last = parts.at(-1);
    // What stands on both sides of a semicolon or a dash is of two clauses.
    const isNext = last !== undefined && /[;:—]|\.\s|\s-\s/.test(text.slice(last.end, start));
    const isName = mentions.some((mention) => start < mention.end && end > mention.start);
    if (!isName && last !== undefined && !isApart && !isNext && last.size < each)
      parts[parts.length - 1] = { start: last.start, end, size: last.size + 1 };
    else if (!isName) parts.push({ start, end, size: 1 });
    isApart = isName;
  }
  return parts;
}
