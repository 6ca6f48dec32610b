import { spokenName } from "../../flash/flash.ts";
import type { Span, Token } from "../../text.ts";
import type { Artifact, LinkedSymbol } from "../../types.ts";
import { extract } from "../extract.ts";
import type { Reading } from "../reading/reading.ts";
import type { Encoder, Said } from "./encoder.ts";
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

/** The text as the encoder reads it. */
const told = (title: string, body: string): string => (body === "" ? title : `${title}\n${body}`);

const bodyFor = ({ body }: Artifact, reading: Reading): string =>
  body.length <= shortBody ? body : (extract(reading) ?? body);

/** Reads a text as a whole and, where it has several companies, once for each of them. */
export async function readInContext(
  encoder: Encoder,
  artifact: Artifact,
  symbols: readonly LinkedSymbol[],
  reading: Reading,
): Promise<InContext> {
  const companies = companiesOf(symbols, reading);
  const text = told(artifact.title, bodyFor(artifact, reading));
  const [whole, ...own] = await encoder.read([text], [null, ...companies.map(({ name }) => name)]);
  if (whole === undefined) throw new Error("the encoder gave no reading");
  return { whole, companies: new Map(own.map((said, at) => [companies[at]?.company ?? 0, said])) };
}

/** Companies by the name that the text gives them, where there are several. */
function companiesOf(symbols: readonly LinkedSymbol[], { company, companies, spoken }: Reading) {
  if (companies <= 1) return [];
  return [...new Set(company)].slice(0, mostCompanies).map((at) => ({
    company: at,
    name: spoken[at] ?? spokenName(symbols[at]?.name ?? ""),
  }));
}

/**
 * The words of the title that speak most for a sign: those without which the encoder would be least sure of it (occlusion).
 * @param sign -1 or 1
 */
export async function proofInTitle(
  encoder: Encoder,
  artifact: Artifact,
  reading: Reading,
  sign: number,
): Promise<Span> {
  const { title } = artifact;
  const body = bodyFor(artifact, reading);
  const parts = partsOf(reading.sentences[0]?.tokens ?? []);
  const texts = parts.map(({ start, end }) => told(`${title.slice(0, start)}${title.slice(end)}`, body));
  const left = (await encoder.read(texts, [null])).map(({ sign: scores }) => shareOf(scores, sign));
  return parts[left.indexOf(Math.min(...left))] ?? { start: 0, end: title.length };
}

/** Neighbouring words, in parts of about equal length. */
function partsOf(tokens: readonly Token[]): readonly Span[] {
  const each = Math.max(1, Math.ceil(tokens.length / mostParts));
  const count = Math.ceil(tokens.length / each);
  return Array.from({ length: count }, (_, at) => {
    const part = tokens.slice(at * each, (at + 1) * each);
    return { start: part[0]?.start ?? 0, end: part.at(-1)?.end ?? 0 };
  });
}
