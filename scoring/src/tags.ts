import { countryCodes } from "@tapewire/contract/countries.ts";
import type { TagSet } from "@tapewire/contract/tags.ts";
import { economiesIn } from "./economies.ts";
import {
  corporateRules,
  economicRules,
  filingTags,
  macroContext,
  marketRules,
  type TagRule,
} from "./tag-rules.ts";
import type { Artifact, LinkedSymbol } from "./types.ts";

/** Headline, and the lead where the headline names nothing: later paragraphs hold boilerplate. */
const titleRead = 400;
const leadRead = 400;

const matched = (rules: readonly TagRule[], text: string): string[] =>
  rules
    .filter(({ pattern, unless }) => pattern.test(text) && !(unless?.test(text) ?? false))
    .map(({ value }) => value);

const marketOfType: Readonly<Record<string, string>> = {
  stock: "stock",
  dr: "stock",
  etf: "etf",
  crypto: "crypto",
  forex: "forex",
  index: "index",
  commodity: "futures",
  yield: "bond",
};

function corporateTags({ filing, title, body }: Artifact, macro: boolean): readonly string[] {
  const fromForm = filing === null ? [] : filingTags(filing);
  const head = matched(corporateRules, title.slice(0, titleRead));
  const lead =
    head.length > 0 || fromForm.length > 0 || macro ? [] : matched(corporateRules, body.slice(0, leadRead));
  return [...new Set([...fromForm, ...head, ...lead])];
}

function marketTags(
  artifact: Artifact,
  text: string,
  symbols: readonly LinkedSymbol[],
  economic: readonly string[],
): readonly string[] {
  const types = symbols.map(({ type }) => marketOfType[type]).filter((value) => value !== undefined);
  const worded = matched(marketRules, text);
  const macro = economic.length > 0 && !types.includes("stock") ? ["economic"] : [];
  const plain = artifact.filing !== null && types.length === 0 && worded.length === 0 ? ["stock"] : [];
  return [...new Set([...types, ...worded, ...macro, ...plain])];
}

/** Where the main lines trade; for macro items also the economies named. */
function countryTags(text: string, symbols: readonly LinkedSymbol[], economic: boolean): readonly string[] {
  const listed = symbols
    .filter(({ relevance, primary }) => primary || relevance >= 50)
    .map(({ country }) => country)
    .filter((country) => country !== null);
  const named = economic || symbols.length === 0 ? economiesIn(text) : [];
  return [...new Set([...listed, ...named])].filter((code) => countryCodes.has(code)).toSorted();
}

/** A dimension without values is left out of the set. */
function nonEmpty(sets: Readonly<Record<string, readonly string[]>>): TagSet {
  return Object.fromEntries(
    Object.entries(sets)
      .filter(([, values]) => values.length > 0)
      .map(([dimension, values]) => [dimension, [...values]]),
  );
}

/**
 * Tags of an item in the four dimensions of config/tags.json, from its headline, its lead, its form and its symbols.
 * An item about companies gets no economic category: "Orbitex sales rise" is no retail sales figure.
 */
export function tagItem(artifact: Artifact, symbols: readonly LinkedSymbol[]): TagSet {
  const title = artifact.title.slice(0, titleRead);
  const text = `${title}\n${artifact.body.slice(0, leadRead)}`;
  const companies = symbols.some(
    ({ type, relevance }) => (type === "stock" || type === "dr") && relevance >= 70,
  );
  const isMacro = artifact.filing === null && (!companies || macroContext.test(title));
  const economic = isMacro ? economicTags(title, text) : [];
  const corporate = corporateTags(artifact, economic.length > 0 && !companies);
  return nonEmpty({
    corp_activity: corporate,
    market: marketTags(artifact, text, symbols, economic),
    market_country: countryTags(text, symbols, economic.length > 0),
    economic_category: economic,
  });
}

function economicTags(title: string, text: string): readonly string[] {
  const head = matched(economicRules, title);
  return head.length > 0 ? head : matched(economicRules, text);
}
