import { normalizeWord } from "../../text.ts";

/** Interchangeable spellings of legal forms. */
const forms: readonly (readonly string[])[] = [
  ["Inc", "Incorporated"],
  ["Corp", "Corporation"],
  ["Co", "Company"],
  ["Cos", "Companies"],
  ["Ltd", "Limited"],
  ["plc", "PLC"],
  ["AG"],
  ["SE"],
  ["SA"],
  ["NV"],
  ["SpA"],
  ["AB"],
  ["ASA"],
  ["Oyj"],
  ["LP"],
  ["LLC"],
];
const formsOf = new Map(forms.flatMap((group) => group.map((form) => [normalizeWord(form), group] as const)));
const mostWords = 5;

export const withoutArticle = (name: string): string => (name.startsWith("The ") ? name.slice(4) : name);

/**
 * The spellings of a name with its legal form: `Dow Inc.` gives `Dow Inc` and `Dow Incorporated`. With the form even a
 * plain word means the company ("Gap Inc", "Block, Inc."). Their first word is that of the name without its article.
 * @returns none when the name ends in no legal form, or is long enough to be an alias of its own
 */
export function legalNames(name: string): readonly string[] {
  const words = withoutArticle(name)
    .split(/[\s,]+/)
    .filter((word) => word !== "");
  if (words.length < 2 || words.length > mostWords) return [];
  const group = formsOf.get(normalizeWord((words.at(-1) ?? "").replaceAll(".", "")));
  if (group === undefined) return [];
  const base = words.slice(0, -1).join(" ");
  // "Williams Companies, Inc." is also written "Williams Cos".
  return [...group.map((form) => `${base} ${form}`), ...legalNames(base)];
}
