import type { AliasMatch } from "./alias-index.ts";
import type { SymbolEntry } from "./symbol-table.ts";
import type { Token } from "./text.ts";

const list = (...lines: readonly string[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => line.split(" ")));

/** Words after a name that only companies have. */
const companyNouns = list(
  "shares stock ceo cfo coo chairman inc corp corporation co company plc ltd group holdings earnings results",
  "profit revenue sales q1 q2 q3 q4 quarterly investors shareholders stores board bonds executives employees",
  "eps guidance dividend analyst analysts unit subsidiary cuts beats misses",
);
/** Verbs that open a headline about a company: "Apple unveils", "Target raises". */
const companyVerbs = list(
  "unveils launches announces reports posts beats misses raises cuts slashes lowers hikes lifts boosts agrees buys",
  "acquires sells plans expects sees names appoints hires fires sues settles wins loses files warns says said",
  "declares completes signs partners expands opens closes recalls delays halts suspends resumes invests seeks",
  "jumps surges soars rallies gains rises climbs falls drops slides slips sinks tumbles plunges to will reaffirms",
  "prices faces ends swings joins unveiled announced reported posted raised cut agreed bought acquired upgraded",
  "downgraded introduces reveals receives secures introduces nears considers explores introduces ousts taps",
  "is has stock shares earnings q1 q2 q3 q4 ceo bets adds builds offers pays owes delivers tops trims weighs",
);
const articles = list("the a an this that every each his her its their our your some any no");

const startsUpper = (token: Token | undefined): boolean =>
  token !== undefined && /^\p{Lu}/u.test(token.raw) && !/^(?:I|A|CEO|CFO|Q[1-4])$/.test(token.raw);

/** Headline Style Puts Capitals Everywhere: there a capital says nothing. */
export function isSentenceCase(tokens: readonly Token[]): boolean {
  const long = tokens.slice(1).filter(({ raw }) => raw.length > 3 && /^\p{L}/u.test(raw));
  return long.filter(({ raw }) => /^\p{Ll}/u.test(raw)).length * 2 >= long.length && long.length > 0;
}

/** Nothing but spaces between the two: a comma or bracket makes the capital next to it another name. */
function touches(text: string, left: Token | undefined, right: Token | undefined): boolean {
  return left !== undefined && right !== undefined && /^\s*$/.test(text.slice(left.end, right.start));
}

/**
 * Whether a name that is also a word ("Apple", "Target") is the company here: a possessive, a word that only
 * companies have after it, a company verb at the head of a headline, or a lone capital inside an ordinary sentence.
 */
export function aliasInContext(
  text: string,
  tokens: readonly Token[],
  match: AliasMatch,
  sentenceCase: boolean,
): boolean {
  const before = tokens[match.first - 1];
  const after = tokens[match.last];
  const joinedBefore = touches(text, before, tokens[match.first]);
  const joinedAfter = touches(text, tokens[match.last - 1], after);
  if (joinedBefore && articles.has(before?.word ?? "")) return false;
  if (sentenceCase && joinedBefore && startsUpper(before) && match.first > 1) return false;
  if (match.possessive) return true;
  if (joinedAfter && after !== undefined && companyNouns.has(after.word)) return true;
  const atHead = match.first === 0 || !joinedBefore;
  if (atHead && joinedAfter && companyVerbs.has(after?.word ?? "")) return true;
  if (!sentenceCase || atHead || (joinedAfter && startsUpper(after))) return false;
  return joinedBefore && !startsUpper(before) && (!joinedAfter || followsName(after));
}

/** A lower-case noun right after makes it a modifier ("an Apple pie"); a verb or a small word does not. */
const followers = list(
  "to over for in on at by with and or as after amid from is was has had will would could may says said than",
  "of about into while despite because that which who before during since until via vs versus it",
);
const followsName = (after: Token | undefined): boolean =>
  after !== undefined && (followers.has(after.word) || companyVerbs.has(after.word));

const brokerNames = new Set(
  [
    "jpmorgan,jp morgan,jpmorgan chase,goldman sachs,goldman,morgan stanley,barclays,citigroup,citi,ubs,hsbc,bofa",
    "bank of america,wells fargo,deutsche bank,jefferies,raymond james,piper sandler,stifel,rbc,royal bank of canada",
    "bmo,nomura,mizuho,macquarie,oppenheimer,credit suisse,bernstein,evercore,needham,keycorp,truist,bnp paribas",
    "societe generale,berenberg,lazard,cowen,td securities,scotiabank,national bank of canada,clsa,icici securities",
    "motilal oswal,kotak mahindra bank,daiwa,alliancebernstein,b. riley,roth,houlihan lokey,moelis,stifel financial",
    "toronto-dominion,abn amro,ing,santander,deutsche,evercore isi,citizens,keybanc,jefferies financial",
  ].flatMap((line) => line.split(",")),
);
const ratingLine =
  /\b(?:upgrad|downgrad|initiat|reiterat|price targets?|target price|overweight|underweight|outperform|underperform|buy rating|sell rating|hold rating|neutral rating|coverage|equal[- ]weight|market perform|sector perform|\bpt\b|analysts?\b|target to|to (?:buy|sell|hold|neutral) |to (?:buy|sell|hold|neutral)$|conviction list|top picks?|reels in|points to)/i;
const ratingVerbs = list(
  "upgrades downgrades raises cuts lifts initiates reiterates maintains starts resumes says sees recommends boosts",
  "lowers trims keeps names adds analyst analysts reels points expects warns calls picks reaffirms hikes sets stays",
  "begins assumes bullish bearish slashes ups",
);
const underwriterLine =
  /book-?running|bookrunner|financial advis|underwriters?\b|placement agent|legal (?:counsel|advis)/i;

export const isBroker = (entry: SymbolEntry, matched: string): boolean =>
  brokerNames.has(matched.toLowerCase()) || brokerNames.has(entry.name.toLowerCase());

/**
 * Whether a bank is the one who judges or sells, not the one written about: "JPMorgan upgrades X", "X cut to sell
 * at Barclays". "Bernstein upgrades JPMorgan" and "JPMorgan upgraded at UBS" keep JPMorgan as the subject.
 * @param sentence the sentence around the match; @param others whether the text names a company that is no broker
 */
export function inBrokerRole(
  sentence: string,
  tokens: readonly Token[],
  match: AliasMatch,
  others: boolean,
): boolean {
  if (underwriterLine.test(sentence)) return true;
  if (!ratingLine.test(sentence)) return false;
  const before = tokens[match.first - 1]?.word ?? "";
  const after = tokens[match.last]?.word ?? "";
  if (/^(?:upgrades|downgrades|on|of|for)$/.test(before)) return false;
  if (/^(?:upgraded|downgraded|price|pt|target|stock|shares|rated|initiated|reiterated)$/.test(after))
    return false;
  if (/^(?:at|by|from)$/.test(before)) return true;
  return ratingVerbs.has(after) || others;
}
