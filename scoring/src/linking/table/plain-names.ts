/** The press writes "Bank Mandiri" for "PT Bank Mandiri (Persero) Tbk", and "United Utilities" for "United Utilities Group PLC". */
import { normalizeWord } from "../../text.ts";
import type { SymbolEntry } from "../types.ts";
import { isShare } from "./symbol-lines.ts";

const receipt = /\s*\/\s*(?:ADR|GDR)\b.*$/i;
const bracketed = /\s*\([^)]*\)\s*/g;
/** The Indonesian form stands in front. */
const formBefore = /^(?:PT|The) /;
const formBehind =
  /[\s,]+(?:(?:&|and) Co|Group|Groep|Holdings?|Incorporated|Inc|Corporation|Corp|Public Company|Company|Co|Limited|Ltd|PLC|Tbk|ASA|AB|Oyj|AG|SE|KGaA|S\.?p\.?A|S\.?A\.?\/N\.?V|N\.?V|S\.?A|Berhad|Bhd)\.?$/i;
/** What such a name lacks of the legal one says more than its form: only these are worth a look. */
const isAsked = (entry: SymbolEntry): boolean =>
  entry.primary === entry.symbol &&
  isShare(entry) &&
  (/^PT |\/\s*[AG]DR\b/i.test(entry.name) || /\(|\b(?:Group|Holdings?)\b/.test(entry.name));

/** Words that begin or end the names of many, so that two of them are no company's own. */
const plain = new Set(
  [
    "first new american national united general international global great north south east west central northern southern",
    "eastern western royal british canadian australian chinese china japanese german european pacific atlantic federal state",
    "energy financial finance bank banking health healthcare capital partners resources technologies technology systems",
    "digital growth income value research power solar medical life home media network gold silver mining oil gas real city",
    "estate land data cloud green blue red black white golden star old big smart advanced applied universal security water",
    "insurance industrial industries investment investments services entertainment property properties retail super moon",
    "lithium copper uranium nickel natural resource open house diamond air london rock of the and life time",
  ].flatMap((line) => line.split(" ")),
);

/** The name without its legal form, as far as two words of it or more remain; undefined where it is no company's own. */
export function plainName({ name }: Pick<SymbolEntry, "name">): string | undefined {
  let short = name.replace(receipt, "").replaceAll(bracketed, " ").trim().replace(formBefore, "");
  for (let before = ""; before !== short; ) {
    before = short;
    short = short.replace(formBehind, "").trim();
  }
  const words = short.split(/[\s,]+/);
  if (short === name || words.length < 2 || words.length > 5) return undefined;
  return words.every((word) => plain.has(normalizeWord(word))) ? undefined : short;
}

/** By company the plain name; it needs context. */
export const plainNames = (entries: readonly SymbolEntry[]): readonly (readonly [string, SymbolEntry])[] =>
  entries.filter(isAsked).flatMap((entry): readonly (readonly [string, SymbolEntry])[] => {
    const short = plainName(entry);
    return short === undefined ? [] : [[`~${short}`, entry]];
  });
