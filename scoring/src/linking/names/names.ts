import type { Token } from "../../text.ts";
import type { Candidate } from "../candidates.ts";
import { candidateOf, laterBy, relevanceOf } from "../candidates.ts";
import type { Section } from "../section.ts";
import type { SymbolTable } from "../table/symbol-table.ts";
import type { AliasMatch, SymbolEntry } from "../types.ts";
import { aliasInContext, listedWith } from "./name-context.ts";
import { isDisputed, ownerIn } from "./name-owners.ts";
import { isCounter, isFormerEmployer } from "./name-passing.ts";
import { isEvent, isOnPlatform, isPlace } from "./name-places.ts";
import {
  inBrokerRole,
  isBroker,
  isHolderOfNext,
  isKinOfNext,
  isLawFirm,
  isMembership,
  isPaper,
  isSubject,
} from "./name-roles.ts";
import { hasOtherSense } from "./name-senses.ts";

/** A name in a text, with the line it stands for. */
interface Mention {
  readonly match: AliasMatch;
  readonly entry: SymbolEntry;
  /** As wordsOf. */
  readonly name: string;
}

/** What is known where the mentions of a text are looked for. */
interface Reading {
  readonly table: SymbolTable;
  /** YYYY-MM-DD of the text. */
  readonly on: string;
  /** The whole text, made when it is asked for. */
  readonly whole: () => string;
}

function wordsOf({ tokens }: Section, { first, last }: AliasMatch): string {
  let words = tokens[first]?.word ?? "";
  for (let index = first + 1; index < last; index += 1) words += ` ${tokens[index]?.word ?? ""}`;
  return words.endsWith("'s") ? words.slice(0, -2) : words;
}

/** "Reserve Bank of India" is not Bank of India. */
const centralBank = (tokens: readonly Token[], { first }: AliasMatch): boolean =>
  tokens[first]?.word === "bank" &&
  /^(?:Reserve|Central|National|People's)$/.test(tokens[first - 1]?.raw ?? "");

/** If a word names both an index and a company, words on the day's market mean the index. */
const marketDay = /\b(?:points?|futures|s&p|nasdaq|stocks|wall street|record|closes?|ends|industrials)\b/i;

function entryOf(
  { table, on, whole }: Reading,
  section: Section,
  match: AliasMatch,
  name: string,
): SymbolEntry | undefined {
  if (isDisputed(name)) {
    const owner = ownerIn(name, whole());
    return owner === undefined ? undefined : table.getOn(owner, on);
  }
  const entry = match.ended ? table.getOn(match.symbol, on) : table.get(match.symbol);
  if (entry?.symbol !== "NYSE:DOW" || name !== "dow") return entry;
  const index = marketDay.test(section.text) || isMembership(section, match);
  return index ? table.get("DJ:DJI") : entry;
}

/** "$Apple" is some coin, and "B3:" in "(B3: PETR4)" the exchange. */
function isWrittenTicker(
  table: SymbolTable,
  { text, tokens }: Section,
  { first, last }: AliasMatch,
): boolean {
  const [start, end] = [tokens[first]?.start ?? 0, tokens[last - 1]?.end ?? 0];
  if (text.charAt(start - 1) === "$") return true;
  const colon = text.charAt(end) === " " ? end + 1 : end;
  return text.charAt(colon) === ":" && table.exchangeNamed(text.slice(start, end)) !== null;
}

/** Words of the market for coins: many coins have the names of things. */
const ofCoins =
  /\b(?:crypto\w*|coins?|tokens?|blockchain|bitcoin|btc|ether(?:eum)?|defi|stablecoins?|mainnet|protocol|altcoins?|staking|wallets?|airdrop|on-?chain|web3|solana|etfs?|binance|coinbase)\b/i;

/** Whether the text names the company or coin only in passing, or means another thing by the word. */
function isPassing(section: Section, match: AliasMatch, name: string, whole: () => string): boolean {
  if (match.safety === "context" && match.symbol.startsWith("CRYPTO:") && !ofCoins.test(whole())) return true;
  return (
    hasOtherSense(section, match) ||
    isOnPlatform(section, match) ||
    isFormerEmployer(section, match) ||
    isCounter(section, match, name)
  );
}

function mentions(reading: Reading, section: Section): readonly Mention[] {
  const { table, on, whole } = reading;
  const found: Mention[] = [];
  for (const match of table.aliases.find(section.tokens, on)) {
    if (match.safety === "never" || centralBank(section.tokens, match) || isLawFirm(section, match)) continue;
    if (isWrittenTicker(table, section, match) || isPlace(section, match)) continue;
    const name = wordsOf(section, match);
    if (isPassing(section, match, name, whole)) continue;
    const entry = entryOf(reading, section, match, name);
    if (entry !== undefined) found.push({ match, entry, name });
  }
  return found;
}

/** Ranks up to this one are of companies whose short names the press uses. */
const knownRank = 2500;
const isKnown = ({ type, rank }: SymbolEntry): boolean =>
  (type === "stock" || type === "dr") && rank <= knownRank;

/**
 * Names that are proven, first by themselves and then by a proven company in the same list.
 * @param told companies that another part of the text names beyond doubt
 */
function proven(section: Section, all: readonly Mention[], told: ReadonlySet<string>): readonly Mention[] {
  const good = all.map(
    ({ match, entry }) =>
      match.safety === "safe" ||
      (match.safety === "context" &&
        (told.has(entry.primary) || aliasInContext(section, match, isKnown(entry)))),
  );
  const spread = (from: number, to: number): void => {
    const [left, right] = [all[Math.min(from, to)], all[Math.max(from, to)]];
    if (good[from] !== true || good[to] !== false || left === undefined || right === undefined) return;
    if (all[to]?.match.safety === "context" && listedWith(section, left.match, right.match)) good[to] = true;
  };
  for (let index = 1; index < all.length; index += 1) spread(index - 1, index);
  for (let index = all.length - 1; index > 0; index -= 1) spread(index, index - 1);
  return all.filter(({ match }, index) => {
    if (match.safety !== "role") return good[index] === true;
    const first = section.tokens[match.first];
    return first !== undefined && isSubject(section, match, section.sentenceAt(first));
  });
}

/** Names of several words by their first one; null: those of two companies begin with it. */
type FullNames = ReadonlyMap<string, SymbolEntry | null>;

function fullNames(sections: readonly Section[], all: readonly (readonly Mention[])[]): FullNames {
  const found = new Map<string, SymbolEntry | null>();
  for (const [index, mentioned] of all.entries())
    for (const { match, entry } of mentioned) {
      if (match.last - match.first < 2) continue;
      const word = sections[index]?.tokens[match.first]?.word ?? "";
      const known = found.get(word);
      found.set(word, known === undefined || known?.primary === entry.primary ? entry : null);
    }
  return found;
}

/** "Viking shares" in a text on Viking Therapeutics is that company, not the one that is called Viking alone. */
function asFullyNamed(names: FullNames, mention: Mention): readonly Mention[] {
  const { match, entry, name } = mention;
  const full = match.last - match.first === 1 ? names.get(name) : undefined;
  if (full === undefined || full?.primary === entry.primary) return [mention];
  return full === null ? [] : [{ match, entry: full, name }];
}

/**
 * Companies, coins and indices named in the sections of a text, without those that only have a role in another's story.
 * @param tickers found in any section @param on YYYY-MM-DD of the text
 */
export function candidatesByName(
  table: SymbolTable,
  sections: readonly Section[],
  tickers: readonly Candidate[],
  on: string,
): readonly Candidate[] {
  const ticked = tickers.length > 0;
  let text: string | null = null;
  const whole = (): string => {
    text ??= sections.map((section) => section.text).join("\n");
    return text;
  };
  const all = sections.map((section) => mentions({ table, on, whole }, section));
  const names = fullNames(sections, all);
  const told = new Set<string>();
  for (const mentioned of all)
    for (const { match, entry } of mentioned) if (match.safety === "safe") told.add(entry.primary);
  for (const { entry } of tickers) if (entry !== null) told.add(entry.primary);
  return sections.flatMap((section, index) =>
    candidatesIn(
      section,
      (all[index] ?? []).flatMap((mention) => asFullyNamed(names, mention)),
      ticked,
      told,
    ),
  );
}

/** An investor of note is less than the company whose shares it buys, and whose rival a company is less than that company. */
const ofHolder = 15;

function candidatesIn(
  section: Section,
  named: readonly Mention[],
  ticked: boolean,
  told: ReadonlySet<string>,
): readonly Candidate[] {
  const companies = proven(section, named, told);
  const brokers = companies.map(({ entry, name }) => isBroker(entry, name));
  const others = ticked || brokers.includes(false);
  let order = 0;
  return companies.flatMap(({ match, entry }, index) => {
    const first = section.tokens[match.first];
    if (first === undefined) return [];
    const following = companies[index + 1];
    const next =
      following === undefined ? undefined : { match: following.match, isBroker: brokers[index + 1] === true };
    if (brokers[index] === true && inBrokerRole(section, match, section.sentenceAt(first), { others, next }))
      return [];
    if (isEvent(section, match, brokers[index] === true)) return [];
    if (entry.type === "index" && (isMembership(section, match) || isPaper(section, match))) return [];
    const method = match.safety === "safe" ? "alias" : "alias_in_context";
    const isBeside = isHolderOfNext(section, match, next) || isKinOfNext(section, match, next);
    const beside = isBeside ? ofHolder : 0;
    const relevance = relevanceOf[method] - laterBy(order) - section.discount - beside;
    order += 1;
    return [candidateOf(method, entry, relevance, section.offset + first.start)];
  });
}

/** Companies named in Japanese, Korean or Chinese script. */
export function candidatesByNativeName(table: SymbolTable, section: Section): readonly Candidate[] {
  return table.nativeNames.find(section.text).flatMap(({ symbol, start }, order) => {
    const entry = table.get(symbol);
    if (entry === undefined) return [];
    const relevance = relevanceOf.alias - laterBy(order) - section.discount;
    return [candidateOf("alias", entry, relevance, section.offset + start)];
  });
}
