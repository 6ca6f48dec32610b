import type { Token } from "../../text.ts";
import type { Section } from "../section.ts";
import type { AliasMatch, SymbolEntry } from "../types.ts";
import { list } from "./word-list.ts";

/**
 * Companies that are named for what they do to others: brokers that rate, banks that underwrite, exchanges that list,
 * agencies that grade, indices that others join.
 */

const brokerNames = new Set(
  [
    "jpmorgan,jp morgan,jpmorgan chase,goldman sachs,goldman,morgan stanley,barclays,citigroup,citi,ubs,hsbc,bofa",
    "bank of america,wells fargo,deutsche bank,jefferies,raymond james,piper sandler,stifel,rbc,royal bank of canada",
    "bmo,nomura,mizuho,macquarie,oppenheimer,credit suisse,bernstein,evercore,needham,keycorp,truist,bnp paribas",
    "societe generale,berenberg,lazard,cowen,td securities,scotiabank,national bank of canada,clsa,icici securities",
    "motilal oswal,kotak mahindra bank,daiwa,alliancebernstein,b. riley,roth,houlihan lokey,moelis,stifel financial",
    "toronto-dominion,abn amro,ing,santander,deutsche,evercore isi,citizens,keybanc,jefferies financial,bank of montreal",
    "bank of new york mellon,bny mellon,bny,u.s. bancorp,us bancorp,truist financial,citizens financial,northland,canaccord genuity,stonex,perella weinberg,pjt partners",
  ].flatMap((line) => line.split(",")),
);

const grades =
  "buy|sell|hold|neutral|outperform|underperform|overweight|underweight|reduce|accumulate|add|equal[- ]weight|in[- ]line|market perform|sector perform|peer perform|positive|negative";
const ratingLine = new RegExp(
  `\\b(?:upgrad|downgrad|initiat|reiterat|price targets?|target price|overweight|underweight|outperform|underperform|(?:buy|sell|hold|neutral) rating|coverage|equal[- ]weight|market perform|sector perform|pt\\b|analysts?\\b|target to|(?:to|at|with) (?:an? )?(?:${grades})\\b|conviction list|top picks?|(?:top|best) ideas?|focus list|buy list|catalyst watch|tactical ideas?|call of the day|favou?rite|reels in|points to)`,
  "i",
);
/** Counts only right after a broker's name, since any company may have a target. */
const targetLine = /\b(?:targets?|estimates?|ratings?|list)\b/i;
const ratingVerbs = list(
  "upgrades downgrades raises cuts lifts initiates reiterates maintains starts resumes says sees recommends boosts",
  "lowers trims keeps names adds analyst analysts reels points expects warns calls picks reaffirms hikes sets stays",
  "begins assumes bullish bearish slashes ups securities launches opens places puts assigns reinstates likes prefers",
);
const rated = list("upgraded downgraded price pt target stock shares rated initiated reiterated cut raised");
const underwriterLine =
  /book-?running|bookrunner|financial advis|underwriters?\b|placement agent|legal (?:counsel|advis)|trustee|transfer agent|paying agent|depositary|custodian/i;
const hirers = list(
  "taps tapped hires hired picks picked selects selected mandates mandated engages engaged retains retained appoints with",
);

/** A bank's researchers, and what they say about a market rather than a company. */
const researchers = list(
  "economist economists strategist strategists analyst analysts research survey poll note",
);
const opinions = list(
  "thinks believes estimates warns notes reckons calls doubts questions defends likes flags",
);
/** What a bank does to the shares of another company. */
const judgements = list(
  "adds puts sees turns says moves bumps cuts names raises lifts lowers trims starts initiates resumes reiterates maintains",
  "upgrades downgrades reaffirms double doubles likes prefers picks calls warns expects thinks flags highlights favors sticks",
  "stays remains more less grows gets boosts hikes slashes keeps opens assumes assigns rates reinstates defends take view",
);
const ownDeals =
  /\b(?:stakes?|deals?|loans?|ipo|funds?|cards?|jobs?|staff|bankers?|units?|business|mergers?|acqui\w+|sues?|hires?|settle\w*|partner\w*|takeover|lawsuit|invests?|financing|branch\w*|ceo|cfo|chief|head|veteran|profits?|revenues?|earnings|dividend|buyback|copilot|platform|clients?|contract|offering|notes|bonds?)\b/i;
const opinionOf = /^(?:bullish|bearish|cautious|upbeat|positive|negative|neutral|constructive|wary)$/;

/** "Wells Fargo adds Datadog to signature picks", "Truist: traffic at Home Depot improves": a view of the company after it. */
function judgesNext(section: Section, { first, last }: AliasMatch, sentence: string): boolean {
  const { tokens, text } = section;
  if (first > 1 || ownDeals.test(sentence)) return false;
  const after = tokens[last]?.word ?? "";
  const end = tokens[last - 1]?.end ?? 0;
  if (text.charAt(end) === ":" || judgements.has(after)) return true;
  return after === "is" && opinionOf.test(tokens[last + 1]?.word ?? "");
}

/** "Nike a buy, says Jefferies", "Intel loses order, Citi says": the source closes the sentence. */
function closesQuote({ tokens }: Section, { first, last }: AliasMatch): boolean {
  const before = tokens[first - 1]?.word ?? "";
  const after = tokens[last]?.word ?? "";
  if (first > 2 && last === tokens.length && /^(?:says|said|warns|argues)$/.test(before)) return true;
  return first > 2 && last + 1 === tokens.length && /^(?:says|said|warns|argues)$/.test(after);
}

const judged =
  /\b(?:cut|raised|lifted|lowered|trimmed|boosted|rated|started|initiated|upgraded|downgraded|reiterated)\b/i;

const views = list("sees expects forecasts predicts says recommends prefers favors favours");
const changesOfView = list("lifts cuts raises lowers hikes trims boosts slashes");
const viewNouns = /\b(?:forecasts?|targets?|views?|calls?|estimates?|odds|probability|outlook)\b/i;
const marketMatters =
  /\b(?:ftse|stoxx|dax|nikkei|topix|kospi|nifty|sensex|hang seng|csi 300|emerging markets|euro ?zone|gold|oil|brent|crude|bitcoin|dollar|yen|euro|stocks|equities|yields?|treasur\w+|rates?|inflation|gdp|growth|recession|fed|s&p|nasdaq|copper|silver|tariffs?|economy|bonds?)\b/i;
const ownMoney = /\b(?:profits?|revenues?|earnings|results|dividend|buyback|jobs|its)\b/i;

/** "JPMorgan sees gold at $5,000", "Goldman economists cut GDP view": the bank speaks of a market, not of itself. */
function speaksOfMarket({ tokens }: Section, { last }: AliasMatch, sentence: string): boolean {
  const after = tokens[last]?.word ?? "";
  if (researchers.has(after)) return true;
  if (!marketMatters.test(sentence) || ownMoney.test(sentence)) return false;
  return views.has(after) || (changesOfView.has(after) && viewNouns.test(sentence));
}

/** "according to Morgan Stanley", "analysts at UBS": whose view it is. */
function isQuoted({ tokens }: Section, { first }: AliasMatch): boolean {
  const before = tokens[first - 1]?.word ?? "";
  const earlier = tokens[first - 2]?.word ?? "";
  return (before === "to" && earlier === "according") || (before === "at" && researchers.has(earlier));
}

/** "Morgan Stanley says Apple's demand is weak": a bank speaks about the company named next. */
function speaksOfNext(section: Section, { last }: AliasMatch, next: Mentioned | undefined): boolean {
  const verb = section.tokens[last]?.word ?? "";
  return next !== undefined && next.match.first === last + 1 && (opinions.has(verb) || views.has(verb));
}

const brokerLines = new WeakMap<SymbolEntry, boolean>();

/** @param matched the name in the text, in lower case */
export function isBroker(entry: SymbolEntry, matched: string): boolean {
  let known = brokerLines.get(entry);
  if (known === undefined) {
    known = brokerNames.has(entry.name.toLowerCase());
    brokerLines.set(entry, known);
  }
  return known || brokerNames.has(matched);
}

/** "Takeover likely - Evercore": the source at the end, after a dash. */
function isSource({ text, tokens, offset }: Section, { first, last }: AliasMatch): boolean {
  if (offset !== 0 || last !== tokens.length || first === 0) return false;
  return /[-–—:]\s*$/.test(text.slice(Math.max(0, (tokens[first]?.start ?? 0) - 3), tokens[first]?.start));
}

/** A name further on in the section. */
export interface Mentioned {
  readonly match: AliasMatch;
  readonly isBroker: boolean;
}

/** Hired for an offering or a sale: "taps Goldman, Morgan Stanley for IPO". */
function isHired(tokens: readonly Token[], { first }: AliasMatch, sentence: string): boolean {
  if (!/\b(?:ipo|offering|advis[eo]r|sale|listing|stake sale)\b/i.test(sentence)) return false;
  return tokens.slice(Math.max(0, first - 6), first).some(({ word }) => hirers.has(word));
}

/**
 * Whether a bank judges or sells and is not the subject: "JPMorgan upgrades X", "X cut to sell at Barclays". In "Bernstein
 * upgrades JPMorgan" and "JPMorgan upgraded at UBS" the subject is JPMorgan.
 * @param others whether the text names a company that is no broker @param next the name after this one
 */
export function inBrokerRole(
  section: Section,
  match: AliasMatch,
  sentence: string,
  { others, next }: { readonly others: boolean; readonly next: Mentioned | undefined },
): boolean {
  const { tokens } = section;
  if (isQuoted(section, match) || speaksOfNext(section, match, next)) return true;
  if (others && next?.isBroker === false && judgesNext(section, match, sentence)) return true;
  if (others && closesQuote(section, match)) return true;
  if ((others || section.offset > 0) && underwriterLine.test(sentence)) return true;
  if (others && isHired(tokens, match, sentence)) return true;
  if (isSource(section, match) || speaksOfMarket(section, match, sentence)) return true;
  const before = tokens[match.first - 1]?.word ?? "";
  const after = tokens[match.last]?.word ?? "";
  if (others && before === "at" && judged.test(sentence)) return true;
  const targets = others && ratingVerbs.has(after) && targetLine.test(sentence);
  if (!targets && !ratingLine.test(sentence)) return false;
  if (/^(?:upgrades|downgrades|on|of|for)$/.test(before)) return false;
  if (rated.has(after)) return false;
  if (/^(?:at|by|from)$/.test(before)) return true;
  if (!others && ownMoney.test(sentence)) return false;
  return ratingVerbs.has(after) || others;
}

/** Words on a company that do not apply to an exchange, index or rating. */
const ownMatters =
  /\b(?:profits?|revenues?|earnings|results|dividend|eps|ceo|cfo|chief|quarter|quarterly|first-quarter|second-quarter|third-quarter|fourth-quarter|q[1-4]|guidance|outlook for|forecast|buyback|acquir\w+|spin off|to buy|stake|layoffs?|jobs|shareholders|headquarters|average daily volume|full-year|seeks? .{0,20}approval|seek sec)\b/i;
/** "Exchange operator Nasdaq", "index provider MSCI": the company. */
const describes = list("operator provider owner parent compiler agency firm");
/** Words on an agency's ratings, an index's changes, or an exchange as a place. */
const atWork =
  /\b(?:ratings?|rates|notch|junk|downgrad\w+|upgrad\w+|affirm\w*|outlook (?:to|on)|credit|index|indices|indexes|rebalanc\w+|pmi|composite|(?:lists?|listed|listing|debuts?|trading|traded) on|points?|stocks|closes?|ends|opens|futures)\b/i;

/**
 * Whether a venue, index maker or agency is itself the subject: "Nasdaq profit rises", "MSCI quarterly revenue up";
 * not "Nasdaq closes higher", "on the Nasdaq", "Moody's cuts Boeing's rating", "MSCI China".
 */
export function isSubject({ tokens, text }: Section, match: AliasMatch, sentence: string): boolean {
  const before = tokens[match.first - 1];
  const after = tokens[match.last];
  if (/^(?:on|the|at|from|to|by|via)$/.test(before?.word ?? "")) return false;
  if (describes.has(before?.word ?? "")) return true;
  if (atWork.test(sentence)) return false;
  // The full name ("Cboe Global Markets") means the company; the short one usually means the place or the list.
  if (match.last - match.first === 1 && !ownMatters.test(sentence)) return false;
  const gap = after === undefined ? "" : text.slice(tokens[match.last - 1]?.end ?? 0, after.start);
  const otherName = after !== undefined && gap.trim() === "" && /^\p{Lu}\p{Ll}/u.test(after.raw);
  return !otherName || match.first === 0;
}

const joins = list("join joins joining joined enter enters entering entered exit exits leave leaves leaving");
const membership = list(
  "added add adds inclusion included include includes removed dropped deleted promoted relegated entry addition member left passed snubbed omitted excluded",
);
const members = list(
  "inclusion member members constituent component debut entry company companies addition stocks",
);
const changes = list("add drop include remove replace");
const exchanged = list("replace replaces replacing replaced");

/** "X joins the S&P 500", "S&P 500 to add X": the index is not the subject. */
export function isMembership({ tokens }: Section, { first, last }: AliasMatch): boolean {
  const place = tokens[first - 1]?.word === "the" ? first - 2 : first - 1;
  const before = tokens[place]?.word ?? "";
  if (joins.has(before)) return true;
  const earlier = tokens.slice(Math.max(0, place - 6), Math.max(0, place));
  if (/^(?:to|from|in|into|of|for)$/.test(before) && earlier.some(({ word }) => membership.has(word)))
    return true;
  if (before === "in" && tokens.slice(0, place).some(({ word }) => exchanged.has(word))) return true;
  const after = tokens[last]?.word ?? "";
  return members.has(after) || (after === "to" && changes.has(tokens[last + 1]?.word ?? ""));
}

const lawForms = new Set(["llp", "pllc", "lawyers", "law"]);

/** "Block & Leviton LLP", "Ross Law Firm" are not companies of the table. */
export function isLawFirm({ tokens }: Section, { last }: AliasMatch): boolean {
  for (let index = last; index < last + 4; index += 1) {
    const token = tokens[index];
    // As written is as in lower case for most words after a name: that is seen sooner than a pattern is tried.
    if (token === undefined || token.raw === token.word || !/^\p{Lu}/u.test(token.raw)) return false;
    if (lawForms.has(token.word)) return true;
  }
  return false;
}

/** "Nikkei reports Sony is to ...", "Sony in talks - Nikkei": the newspaper, not its index. */
export function isPaper(section: Section, match: AliasMatch): boolean {
  const { tokens, text } = section;
  if (tokens[match.first]?.word !== "nikkei") return false;
  const after = tokens[match.last]?.word ?? "";
  const end = tokens[match.last - 1]?.end ?? 0;
  const before = tokens[match.first - 1]?.word ?? "";
  const reports = /^(?:reports|reported|says|said|asia|newspaper|business|report|citing|survey|poll)$/.test(
    after,
  );
  return (
    reports || text.charAt(end) === ":" || before === "to" || before === "by" || isSource(section, match)
  );
}

const holders = /^(?:berkshire|icahn|pershing)$/;
const holding =
  /\b(?:discloses?|disclosed|reveals?|buys|bought|sells|sold|opens|opened|initiates|exits?|exited|cuts?|trims?|raises?|boosts?|adds?|takes?|builds?|dumps?|slashes|lifts?)\b.{0,60}\b(?:stakes?|holdings?|positions?|shares)\b/i;

/** "Berkshire raises Occidental stake": an investor that others follow; the news is that of the company behind it. */
export function isHolderOfNext(
  { tokens, text }: Section,
  { first, last }: AliasMatch,
  next: Mentioned | undefined,
): boolean {
  if (next === undefined || !holders.test(tokens[first]?.word ?? "")) return false;
  const from = tokens[last - 1]?.end ?? 0;
  return holding.test(text.slice(from, from + 160));
}

const kin = list("rival competitor challenger peer supplier partner backed owned controlled");
const sized = list(
  "main biggest largest top chief key smaller larger bigger chinese japanese european us u.s former long-time",
);

/** "Norvik rival Veldric", "Norvik's biggest supplier Veldric": the first name only tells who the second company is. */
export function isKinOfNext({ tokens }: Section, { last }: AliasMatch, next: Mentioned | undefined): boolean {
  const at = sized.has(tokens[last]?.word ?? "") ? last + 1 : last;
  return next?.match.first === at + 1 && kin.has(tokens[at]?.word ?? "");
}
