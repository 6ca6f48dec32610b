import { countryCodes } from "@tapewire/contract/countries.ts";
import type { TagSet } from "@tapewire/contract/tags.ts";
import type { Artifact, LinkedSymbol } from "../types.ts";
import { type Context, contextOf, mainClause, moveWords, opensWithGood, withoutNames } from "./context.ts";
import { corporatePhrases } from "./corporate.ts";
import { debtMarkets, isOfEconomy, isStateRating, stateBorrows } from "./debt.ts";
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
  "dividends",
  "share_buybacks",
  "ipo",
]);
/** What can be said of a fund or a token as of a company; a currency, an index or a commodity does nothing. */
const eventsOf: Readonly<Record<string, readonly string[]>> = {
  etf: ["dividends", "management", "strategy_business_products", "mergers_and_acquisitions", "esg"],
  crypto: ["strategy_business_products", "esg"],
};
/** Markets that the news of one company is not about, though it names them: "raises forecast on weak yen". */
const otherMarkets: ReadonlySet<string> = new Set(["forex", "futures"]);
/** Categories that a figure alone does not prove: votes, cases and strikes are counted everywhere. */
const needEconomy: ReadonlySet<string> = new Set(["government", "health", "labor"]);
/** Names of indices that mean nothing else. */
const onlyIndex = /^(?:sensex|nifty|kospi|topix|ibovespa|taiex|s&p)$/;
const membership =
  /^(?:joins?|joining|added|adds|index|indices|inclusion|included|relegated|promoted|demoted|removed|dropped|constituent|rebalancing|reconstitution|enters|leaves|replaces?)$/;
/** A purchase of a commodity by the ton is about its market, and no matter of policy. */
const tonnage = /^(?:tons?|tonnes?|bushels|tenders?)$/;

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
  /** Markets that the title names. */
  readonly markets: readonly Found[];
}

/** Markets that a headline names; of those in its reason only the shares that move with it. */
function marketsOf(title: readonly Token[]): readonly Found[] {
  const all = marketIn(title);
  if (all.length < 2) return all;
  const main = mainClause(title);
  const first = main.length < title.length ? values(marketIn(main)) : [];
  return first.length === 0 ? all : all.filter(({ value }) => value === "stock" || first.includes(value));
}

function readingOf({ title, body, filing }: Artifact): Reading {
  const head = withoutNames(tokensOf(title.slice(0, titleRead)));
  let lead: readonly Token[] | null = null;
  return {
    title: head,
    markets: filing === null ? marketsOf(head) : [],
    lead: () => {
      lead ??= body === "" ? [] : tokensOf(body.slice(0, leadRead));
      return lead;
    },
  };
}

/** A filing's title is its form and its filer's name, which must not tag it ("Thornbury Acquisition Corp"). */
function corporateTags(
  { filing }: Artifact,
  { title, lead }: Reading,
  { business, leisure }: Context,
  symbols: readonly LinkedSymbol[],
): readonly string[] {
  if (filing !== null) {
    const fromForm = filingTags(filing);
    return fromForm.length > 0 ? fromForm : values(corporateIn(lead()));
  }
  if (leisure) return [];
  const head = corporateIn(title);
  if (!business) return values(head.filter(({ strong }) => strong));
  const found = values(head.length > 0 ? head : corporateIn(lead()));
  if (symbols.some(isStock)) return found;
  if (symbols.length === 0) return isOfEconomy(title) ? found.filter((value) => value !== "earnings") : found;
  const kept = new Set(symbols.flatMap(({ type }) => eventsOf[type] ?? []));
  return found.filter((value) => kept.has(value));
}

/** Of what a company does, a macro item keeps what no state and no central bank does. */
function withoutShared(
  corporate: readonly string[],
  economic: readonly string[],
  companies: boolean,
): readonly string[] {
  return economic.length > 0 && !companies
    ? corporate.filter((value) => !sharedWording.has(value))
    : corporate;
}

/** Of a market's report the words before its reason: "Gold rises on Fed hopes" is about gold. */
function subject(title: readonly Token[], markets: readonly Found[]): readonly Token[] {
  if (markets.length === 0) return title;
  const main = mainClause(title);
  return main.length < title.length && marketIn(main).length > 0 ? main : title;
}

/**
 * With a company's symbol only macro wording counts, and only beside a move of its shares: "Orbitex sales rise" is no retail
 * sales figure, and "Orbitex raises profit forecast as tariffs end" is about Orbitex.
 */
function economicTags(
  { filing }: Artifact,
  { title, lead, markets }: Reading,
  { economy, figures, moving, leisure }: Context,
  company: { readonly linked: boolean; readonly acts: boolean },
): readonly string[] {
  if (filing !== null || leisure) return [];
  const head = economicIn(company.linked ? title : subject(title, markets));
  if (company.linked) return !company.acts && head.some(({ strong }) => strong) ? values(head) : [];
  const found = head.length > 0 ? head : economicIn(lead());
  if (economy || (moving && found.some(({ strong }) => strong))) return values(found);
  return figures ? values(found).filter((value) => !needEconomy.has(value)) : [];
}

/** What a state does with its debt is a matter of its government, and so is its rating. */
function withStateDebt(
  { title, markets }: Reading,
  corporate: readonly string[],
  economic: readonly string[],
): readonly string[] {
  if (economic.includes("government")) return economic;
  const rated = corporate.includes("credit_ratings") && isStateRating(title);
  const borrows = stateBorrows(title) && markets.some(({ value }) => value.endsWith("bond"));
  return rated || borrows ? [...economic, "government"] : economic;
}

const isNote = ({ word }: Token): boolean => /^(?:notes?|bonds?)$/.test(word);

/**
 * Whether a market that a headline names is what it is about. A company is about an index that it joins or leaves, and about
 * other markets when it does nothing itself; a fund is about what it holds in its name only.
 */
function isMeant(
  market: string,
  title: readonly Token[],
  symbols: readonly LinkedSymbol[],
  acts: boolean,
): boolean {
  if (symbols.some(isStock)) {
    if (market === "index") return title.some(({ word }) => membership.test(word));
    return !otherMarkets.has(market) && (market !== "bond" || !acts || title.some(isNote));
  }
  if (symbols.some(({ type }) => type === "etf")) return market === "etf" || market === "crypto";
  if (market === "index" && symbols.length === 0)
    return title.some(({ word }) => moveWords.has(word) || membership.test(word) || onlyIndex.test(word));
  return true;
}

function marketTags(
  { filing }: Artifact,
  { title, lead, markets }: Reading,
  symbols: readonly LinkedSymbol[],
  { leisure, trading }: Context,
  tags: Omit<Tags, "market">,
): readonly string[] {
  if (leisure) return [];
  const typed = symbols.map(({ type }) => marketOfType[type]).filter((value) => value !== undefined);
  const companies = symbols.some(isStock);
  const head = values(trading ? markets : markets.filter(({ strong }) => strong)).filter((value) =>
    isMeant(value, title, symbols, tags.corporate.length > 0),
  );
  const worded =
    head.length > 0 || typed.length > 0 || filing !== null || tags.corporate.length > 0
      ? head
      : values(marketIn(lead()));
  const equity = tags.corporate.some((value) => equityEvents.has(value));
  const rating = tags.corporate.includes("credit_ratings");
  const found = new Set(debtMarkets(title, new Set([...typed, ...worded]), { rating, equity, companies }));
  if (companies && opensWithGood(title)) found.add("futures");
  const traded = found.has("futures") && title.some(({ word }) => tonnage.test(word));
  const implied = new Set([found.has("bond") ? "government" : "", traded ? "trade" : ""]);
  if (tags.economic.some((value) => !implied.has(value))) found.add("economic");
  if (found.size === 0 && tags.economic.length === 0 && equity) found.add("stock");
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
function namingOf(
  { filing }: Artifact,
  symbols: readonly LinkedSymbol[],
  { leisure, states }: Context,
  tags: Tags,
): Naming {
  if (filing !== null || leisure) return "none";
  if (tags.economic.length > 0) return "all";
  if (symbols.length > 0 || tags.corporate.length > 0 || tags.market.includes("corp_bond")) return "none";
  if (tags.market.length > 0) return "all";
  return states ? "subject" : "none";
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
  const context = contextOf(artifact, reading.title, reading.lead, symbols);
  const acts = corporateTags(artifact, reading, context, symbols);
  const named = economicTags(artifact, reading, context, { linked: companies, acts: acts.length > 0 });
  const economic = symbols.length > 0 || context.leisure ? named : withStateDebt(reading, acts, named);
  const corporate = withoutShared(acts, economic, companies);
  const market = marketTags(artifact, reading, symbols, context, { corporate, economic });
  return nonEmpty({
    corp_activity: corporate,
    market,
    market_country: countryTags(
      reading,
      symbols,
      namingOf(artifact, symbols, context, { corporate, market, economic }),
    ),
    economic_category: economic,
  });
}
