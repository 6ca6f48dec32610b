import { countryCodes } from "@tapewire/contract/countries.ts";
import type { TagSet } from "@tapewire/contract/tags.ts";
import type { Artifact, LinkedSymbol } from "../types.ts";
import { corporatePhrases } from "./corporate.ts";
import { economicPhrases } from "./economic.ts";
import { economiesIn } from "./economies.ts";
import { filingMarket, filingTags } from "./filings.ts";
import { marketPhrases } from "./market.ts";
import { type Found, phraseMatcher, type Token, tokensOf } from "./matcher.ts";

/** How much is read: the headline, and the lead if the headline names nothing, since later paragraphs are boilerplate. */
const titleRead = 400;
const leadRead = 400;

const corporateIn = phraseMatcher(corporatePhrases);
const marketIn = phraseMatcher(marketPhrases);
const economicIn = phraseMatcher(economicPhrases);

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

/** Events of listed equity: an item about one is about stocks even without a symbol. */
const equityEvents: ReadonlySet<string> = new Set([
  "ipo",
  "earnings",
  "earnings_calls",
  "dividends",
  "share_buybacks",
  "insider_trading",
  "ownership_changes",
  "recommendation",
]);
/** Wording that governments and central banks share with companies; a macro item keeps only the other values. */
const sharedWording: ReadonlySet<string> = new Set([
  "earnings",
  "strategy_business_products",
  "mergers_and_acquisitions",
  "management",
]);

interface Tags {
  readonly corporate: readonly string[];
  readonly market: readonly string[];
  readonly economic: readonly string[];
}

const isStock = ({ type }: LinkedSymbol): boolean => type === "stock" || type === "dr";
const values = (found: readonly Found[]): readonly string[] => found.map(({ value }) => value);

/** The words of the item, read once: the title's, and the lead's on demand. */
interface Reading {
  readonly title: readonly Token[];
  readonly lead: () => readonly Token[];
}

function readingOf({ title, body }: Artifact): Reading {
  const head = tokensOf(title.slice(0, titleRead));
  let lead: readonly Token[] | null = null;
  return {
    title: head,
    lead: () => {
      lead ??= body === "" ? [] : tokensOf(body.slice(0, leadRead));
      return lead;
    },
  };
}

/** A filing's title is its form and its filer's name, which must not tag it ("Thornbury Acquisition Corp"). */
function corporateTags({ filing }: Artifact, { title, lead }: Reading, macro: boolean): readonly string[] {
  const fromForm = filing === null ? [] : filingTags(filing);
  if (fromForm.length > 0) return fromForm;
  const head = filing === null ? values(corporateIn(title)) : [];
  if (macro) return head.filter((value) => !sharedWording.has(value));
  return head.length > 0 ? head : values(corporateIn(lead()));
}

/** With a company's symbol only macro wording counts: "Orbitex sales rise" is no retail sales figure. */
function economicTags(artifact: Artifact, { title, lead }: Reading, companies: boolean): readonly string[] {
  if (artifact.filing !== null) return [];
  const head = economicIn(title);
  if (companies) return head.some(({ strong }) => strong) ? values(head) : [];
  return values(head.length > 0 ? head : economicIn(lead()));
}

function marketTags(
  { filing }: Artifact,
  { title, lead }: Reading,
  symbols: readonly LinkedSymbol[],
  tags: Omit<Tags, "market">,
): readonly string[] {
  const typed = symbols.map(({ type }) => marketOfType[type]).filter((value) => value !== undefined);
  const head = filing === null ? values(marketIn(title)) : [];
  const worded =
    head.length > 0 || typed.length > 0 || filing !== null || tags.corporate.length > 0
      ? head
      : values(marketIn(lead()));
  const macro = tags.economic.length > 0 ? ["economic"] : [];
  const found = new Set([...typed, ...worded, ...macro]);
  const implied = tags.economic.length === 0 && tags.corporate.some((value) => equityEvents.has(value));
  if (found.size === 0 && implied) found.add("stock");
  if (found.size === 0 && filing !== null) {
    const market = filingMarket(filing);
    if (market !== null) found.add(market);
  }
  return [...found];
}

/** Where economies are searched: nowhere, where a headline states its subject, or everywhere. */
type Naming = "none" | "subject" | "all";
const subjectWords = 3;

/** Countries of the main lines' listings; for macro items, and for market reports without a symbol, also named economies. */
function countryTags(
  { title, lead }: Reading,
  symbols: readonly LinkedSymbol[],
  naming: Naming,
): readonly string[] {
  if (naming === "subject") return economiesIn(title.slice(0, subjectWords + 1));
  const listed = symbols
    .filter(({ relevance, primary }) => primary || relevance >= 50)
    .map(({ country }) => country)
    .filter((country) => country !== null);
  const head = naming === "all" ? economiesIn(title) : [];
  const economies = naming === "all" && head.length === 0 && listed.length === 0 ? economiesIn(lead()) : head;
  return [...new Set([...listed, ...economies])].filter((code) => countryCodes.has(code)).toSorted();
}

/** A company's news names countries that it is not about: its home, its plants, its customers. */
function namingOf({ filing }: Artifact, symbols: readonly LinkedSymbol[], tags: Tags): Naming {
  if (filing !== null) return "none";
  if (tags.economic.length > 0) return "all";
  if (symbols.length > 0 || tags.corporate.length > 0 || tags.market.includes("corp_bond")) return "none";
  return tags.market.length > 0 ? "all" : "subject";
}

/** Leaves out dimensions without values. */
function nonEmpty(sets: Readonly<Record<string, readonly string[]>>): TagSet {
  return Object.fromEntries(
    Object.entries(sets)
      .filter(([, found]) => found.length > 0)
      .map(([dimension, found]) => [dimension, [...found]]),
  );
}

/**
 * Tags of an item in the four dimensions of config/tags.json, from its headline, its lead, its form and its symbols. The
 * countries are those of the symbols' listings and, for macro items, of the named economies; never a company's domicile.
 */
export function tagItem(artifact: Artifact, symbols: readonly LinkedSymbol[]): TagSet {
  const reading = readingOf(artifact);
  const companies = symbols.some((symbol) => isStock(symbol) && symbol.relevance >= 70);
  const economic = economicTags(artifact, reading, companies);
  const corporate = corporateTags(artifact, reading, economic.length > 0 && !companies);
  const market = marketTags(artifact, reading, symbols, { corporate, economic });
  return nonEmpty({
    corp_activity: corporate,
    market,
    market_country: countryTags(
      reading,
      symbols,
      namingOf(artifact, symbols, { corporate, market, economic }),
    ),
    economic_category: economic,
  });
}
