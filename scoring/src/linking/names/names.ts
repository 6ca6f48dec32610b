import type { Token } from "../../text.ts";
import type { Candidate } from "../candidates.ts";
import { candidateOf, laterBy, relevanceOf } from "../candidates.ts";
import type { Section } from "../section.ts";
import type { SymbolTable } from "../table/symbol-table.ts";
import type { AliasMatch, SymbolEntry } from "../types.ts";
import { aliasInContext, listedWith } from "./name-context.ts";
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
  table: SymbolTable,
  section: Section,
  match: AliasMatch,
  on: string,
): SymbolEntry | undefined {
  const entry = match.ended ? table.getOn(match.symbol, on) : table.get(match.symbol);
  if (entry?.symbol !== "NYSE:DOW" || wordsOf(section, match) !== "dow") return entry;
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
  return /^ ?:/.test(text.slice(end, end + 2)) && table.exchangeNamed(text.slice(start, end)) !== null;
}

function mentions(table: SymbolTable, section: Section, on: string): readonly Mention[] {
  const found: Mention[] = [];
  for (const match of table.aliases.find(section.tokens, on)) {
    if (match.safety === "never" || centralBank(section.tokens, match) || isLawFirm(section, match)) continue;
    if (isWrittenTicker(table, section, match) || isPlace(section, match)) continue;
    if (hasOtherSense(section, match) || isOnPlatform(section, match)) continue;
    const entry = entryOf(table, section, match, on);
    if (entry !== undefined) found.push({ match, entry });
  }
  return found;
}

/** Names that are proven, first by themselves and then by a proven company in the same list. */
function proven(section: Section, all: readonly Mention[]): readonly Mention[] {
  const good = all.map(
    ({ match }) => match.safety === "safe" || (match.safety === "context" && aliasInContext(section, match)),
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
function asFullyNamed(section: Section, names: FullNames, mention: Mention): readonly Mention[] {
  const { match, entry } = mention;
  const full = match.last - match.first === 1 ? names.get(wordsOf(section, match)) : undefined;
  if (full === undefined || full?.primary === entry.primary) return [mention];
  return full === null ? [] : [{ match, entry: full }];
}

/**
 * Companies, coins and indices named in the sections of a text, without those that only have a role in another's story.
 * @param ticked whether a section has tickers too @param on YYYY-MM-DD of the text
 */
export function candidatesByName(
  table: SymbolTable,
  sections: readonly Section[],
  ticked: boolean,
  on: string,
): readonly Candidate[] {
  const all = sections.map((section) => mentions(table, section, on));
  const names = fullNames(sections, all);
  return sections.flatMap((section, index) =>
    candidatesIn(
      section,
      (all[index] ?? []).flatMap((mention) => asFullyNamed(section, names, mention)),
      ticked,
    ),
  );
}

/** An investor of note is less than the company whose shares it buys, and whose rival a company is less than that company. */
const ofHolder = 15;

function candidatesIn(section: Section, named: readonly Mention[], ticked: boolean): readonly Candidate[] {
  const companies = proven(section, named);
  const brokers = companies.map(({ match, entry }) => isBroker(entry, wordsOf(section, match)));
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
