import type { Token } from "../../text.ts";
import type { Section } from "../section.ts";
import type { AliasMatch } from "../types.ts";
import { isOfCompany, isWordName, wordInNews } from "./name-senses.ts";
import { list } from "./word-list.ts";

/** Nouns that follow only the names of companies. */
const companyNouns = list(
  "shares stock ceo cfo coo chairman inc corp corporation co company plc ltd group holdings earnings results",
  "profit revenue sales q1 q2 q3 q4 quarterly investors shareholders stores board bonds executives employees",
  "eps guidance dividend analyst analysts unit subsidiary stake rating workers buyback valuation ipo debut",
  "employee worker engineer engineers designer pilots flight flights drivers dealers suppliers supplier plant plants",
  "factory factories store lawsuit customers shareholder investor spokesperson spokesman spokeswoman rival rivals",
  "takeover buyout merger comparable antitrust",
);
/** Verbs that begin a headline about a company: "Apple unveils", "Target raises". */
const companyVerbs = list(
  "unveils launches announces reports posts beats misses raises cuts slashes lowers hikes lifts boosts agrees buys",
  "acquires sells plans expects sees names appoints hires fires sues settles wins loses files warns says said",
  "declares completes signs partners expands opens closes recalls delays halts suspends resumes invests seeks",
  "jumps surges soars rallies gains rises climbs falls drops slides slips sinks tumbles plunges to will reaffirms",
  "prices faces ends swings joins unveiled announced reported posted raised cut agreed bought acquired upgraded",
  "downgraded introduces reveals receives secures nears considers explores ousts taps forecasts adds trims pulls",
  "is has bets builds offers pays owes delivers tops weighs approves writes tests restarts idles exits spins",
  "leads lags selects awards extends doubles pauses scraps rolls ships teams taps issues redeems refinances",
  "set reinstates restores withdraws denies confirms rejects discloses lifts swings guides",
  "fined sued ordered told accused probed investigated recalled appeals",
);
/** "Devon and Coterra agree": verbs of two subjects. */
const jointVerbs = list(
  "agree merge sign settle gain fall rise slide drop jump form partner team unveil announce launch plan report raise cut",
  "face end complete sell buy seek join expand extend win lose vie reach drop to will lead weigh explore say are have",
);
/** Legal forms that are also plain words, unless capitalised. */
const largeOnly = list("group holdings company co unit board");
/** Before "of Ford", "at Ford". */
const holders = list(
  "shares stock shareholders investors ceo cfo chief chairman head owner parent maker customers workers employees",
  "supplier suppliers vendor vendors lender lenders rival rivals sale merger deal talks contract",
  "acquisition takeover purchase buyout",
);
/** Before a sports team or a state these describe another contest. */
const contestVerbs = list("beats tops wins loses faces joins");
const articles = list("the a an this that every each his her its their our your some any no");
/** Words that begin a headline before its subject. */
const openers = list(
  "why how what is are should will can does did when where exclusive report watch analysis",
);

/** Also places, universities and surnames: for them a lone capital is no proof, only words of companies are. */
const sharedNames = list(
  "dover columbia jackson duke aspen phoenix austin arlington cleveland lexington madison franklin lincoln houston",
  "dallas denver columbus albany richmond charlotte orlando monterey princeton stanford berkeley cambridge oxford",
  "chester preston hamilton newport brighton windsor york lancaster fulton marion warren monroe pierce sterling",
  "regions republic dominion unity liberty freedom independence heritage pioneer",
);
const sharedPhrases = new Set(["main street", "wall street", "park avenue", "first lady", "old dominion"]);

/** Descriptions before a company's name: "retailer Target", "oil giant Shell". */
const trades = list(
  "retailer automaker carmaker chipmaker lender airline carrier drugmaker insurer miner giant maker startup brokerage",
  "utility homebuilder refiner broadcaster grocer restaurant steelmaker biotech conglomerate owner operator parent",
);

/** Nouns before "in Shell" that imply a company. Otherwise "in Dover" is a place. */
const holdings = list(
  "stake stakes shares stock stocks invest invests invested investing investment investments interest position holding",
  "holdings bet bets confidence ownership upside fall falls drop rise gain gains jump slump surge plunge rally selloff",
);
const insidePrepositions = list("in near outside across around through");
/** Titles before a surname. */
const titles = list(
  "executive president minister senator judge coach actor actress singer governor mayor secretary professor economist",
  "strategist veteran founder banker researcher author director officer attorney lawyer congressman representative",
);
/** Words after which the name is no modifier; another lower-case noun makes it one ("an Apple pie"). */
const followers = list(
  "to over for in on at by with and or as after amid from is was has had will would could may says said than",
  "of about into while despite because that which who before during since until via vs versus it against not",
);
/** Verbs with a company as object. */
const objectVerbs = list(
  "fines fine sues sue accuses orders order probes investigates backs urges tells asks blames overtakes beats",
  "buys acquires rejects warns hits hurts upgrades downgrades joins leaves quits expect expects",
);

const startsUpper = (token: Token | undefined): boolean =>
  token !== undefined && /^\p{Lu}/u.test(token.raw) && !/^(?:I|A|CEO|CFO|Q[1-4])$/.test(token.raw);
const startsDigit = (token: Token | undefined): boolean => token !== undefined && /^\d/.test(token.raw);

/** Only spaces between the two: after a comma or bracket the next capital begins another name. */
export function touches(text: string, left: Token | undefined, right: Token | undefined): boolean {
  return left !== undefined && right !== undefined && text.slice(left.end, right.start).trim() === "";
}

/** "G.E. to split": the dot belongs to the initials. */
function afterInitials(text: string, left: Token | undefined, right: Token | undefined): boolean {
  if (left === undefined || right === undefined || !/^\p{Lu}(?:\.\p{Lu})+$/u.test(left.raw)) return false;
  return text.slice(left.end, right.start).trim() === ".";
}

/** A name and its neighbours. */
interface Surroundings {
  readonly before: Token | undefined;
  readonly after: Token | undefined;
  readonly joinedBefore: boolean;
  readonly joinedAfter: boolean;
  /** At the start of a headline, of a clause after punctuation, or after "Why" and the like. */
  readonly atHead: boolean;
}

function surroundings({ text, tokens }: Section, { first, last }: AliasMatch): Surroundings {
  const before = tokens[first - 1];
  const after = tokens[last];
  const joinedBefore = touches(text, before, tokens[first]);
  const opened = first === 1 && joinedBefore && openers.has(before?.word ?? "");
  return {
    before,
    after,
    joinedBefore,
    joinedAfter: touches(text, tokens[last - 1], after) || afterInitials(text, tokens[last - 1], after),
    atHead: first === 0 || !joinedBefore || opened,
  };
}

const nameOf = ({ tokens }: Section, { first, last }: AliasMatch): string =>
  last - first === 1
    ? (tokens[first]?.word ?? "")
    : tokens
        .slice(first, last)
        .map(({ word }) => word)
        .join(" ");

/** "Duke beats North Carolina" is another contest than "Duke beats estimates". */
function verbAtHead(
  section: Section,
  match: AliasMatch,
  { after, joinedAfter, atHead }: Surroundings,
): boolean {
  const object = section.tokens[match.last + 1];
  // "Apple hit with fine": alone the word is a song's.
  const isHit = /^(?:hit|slapped|stung)$/.test(after?.word ?? "") && /^with$/.test(object?.word ?? "");
  if (!atHead || !joinedAfter || !(isHit || companyVerbs.has(after?.word ?? ""))) return false;
  // "Toast to the new year"
  if (after?.word === "to" && articles.has(object?.word ?? "")) return false;
  const rival = contestVerbs.has(after?.word ?? "") && startsUpper(object) && section.sentenceCase;
  return !(rival && isShared(section, match));
}

function isShared(section: Section, match: AliasMatch): boolean {
  const name = nameOf(section, match).replace(/'s$/, "");
  return sharedNames.has(name) || sharedPhrases.has(name);
}

/** A lone capital inside an ordinary sentence: "Regulators fine Meta over data". */
function loneCapital(
  { tokens, sentenceCase }: Section,
  { first }: AliasMatch,
  around: Surroundings,
): boolean {
  const { before, after, joinedBefore, joinedAfter, atHead } = around;
  if (!joinedBefore || (atHead && first === 0)) return false;
  const word = before?.word ?? "";
  const follows = !joinedAfter || followers.has(after?.word ?? "") || startsDigit(after);
  if (!sentenceCase) return objectVerbs.has(word) && follows;
  if (startsUpper(before) || titles.has(word)) return false;
  if (insidePrepositions.has(word) && !holdings.has(tokens[first - 2]?.word ?? "")) return false;
  return follows || companyVerbs.has(after?.word ?? "");
}

/**
 * Whether a name that is also a word ("Apple", "Target") is the company here: because of a possessive, a word that follows
 * only companies, a company verb at the start of a headline, or a lone capital inside an ordinary sentence.
 */
export function aliasInContext(section: Section, match: AliasMatch): boolean {
  const around = surroundings(section, match);
  const { before, after, joinedBefore, joinedAfter } = around;
  const isNoun =
    joinedAfter &&
    (isCompanyNoun(after) ||
      isOfficer(section, match) ||
      isPriceTarget(section, match) ||
      isBody(section, match) ||
      isSameStore(section, after));
  if (isWordName(nameOf(section, match)) && !(joinedBefore && trades.has(before?.word ?? "")))
    return (
      wordInNews(section, match, verbAtHead(section, match, around) || isBody(section, match)) ||
      (match.first > 1 && isNoun)
    );
  if (joinedBefore && articles.has(before?.word ?? "")) return isNoun;
  if (joinedBefore && trades.has(before?.word ?? "")) return true;
  if (section.sentenceCase && joinedBefore && startsUpper(before) && match.first > 1) return false;
  if (match.possessive) return !isShared(section, match) || isNoun;
  if (isNoun || verbAtHead(section, match, around) || isHeading(section, match)) return true;
  if (isShared(section, match)) return false;
  return loneCapital(section, match, around) || isHeld(section, match) || isJoint(section, match, around);
}

const isCompanyNoun = (token: Token | undefined): boolean =>
  token !== undefined && companyNouns.has(token.word) && (startsUpper(token) || !largeOnly.has(token.word));

/** "Occidental: fund discloses purchase of shares": the name is the headline's first word, and what follows is of a company. */
const isHeading = (section: Section, { first, last }: AliasMatch): boolean =>
  first === 0 &&
  section.text.charAt(section.tokens[last - 1]?.end ?? 0) === ":" &&
  isOfCompany(section.text.slice(section.tokens[last - 1]?.end ?? 0));

/** "Tyson finance chief", "Apple AI chief". */
const isOfficer = ({ tokens }: Section, { last }: AliasMatch): boolean =>
  /^(?:finance|ai|design|software|retail|marketing|operations|technology|legal|research|chip|cloud)$/.test(
    tokens[last]?.word ?? "",
  ) && /^(?:chief|head|boss)$/.test(tokens[last + 1]?.word ?? "");

const boardVerbs = list(
  "authorizes authorized authorises approves approved declares okays votes elects appoints recommends backs urges clears",
);
/** "Meta board authorizes buyback", "Apple unit fined"; "Meta board games" are a toy. */
function isBody({ tokens }: Section, { last }: AliasMatch): boolean {
  const next = tokens[last + 1]?.word ?? "";
  return (
    /^(?:board|unit)$/.test(tokens[last]?.word ?? "") && (companyVerbs.has(next) || boardVerbs.has(next))
  );
}

const isSameStore = ({ text }: Section, after: Token | undefined): boolean =>
  after !== undefined && /^same[- ]stores? /i.test(text.slice(after.start, after.start + 12));

const ratingMoves = list("raised cut lifted lowered trimmed boosted hiked slashed upped to at by");

/** "Meta price target raised", "Apple target cut"; "target price" may be any company's. */
function isPriceTarget({ tokens }: Section, { last }: AliasMatch): boolean {
  const [noun = "", next = ""] = [tokens[last]?.word, tokens[last + 1]?.word];
  if (noun === "price") return /^targets?$/.test(next);
  return noun === "targets" || (/^(?:target|pt)$/.test(noun) && ratingMoves.has(next));
}

/** "Shares of Ford fall", "workers at Target", "suppliers to Apple". */
const isHeld = ({ tokens }: Section, { first }: AliasMatch): boolean =>
  /^(?:of|at|in|to|with)$/.test(tokens[first - 1]?.word ?? "") && holders.has(tokens[first - 2]?.word ?? "");

/** "Devon and Coterra agree": the other name need not be known. */
function isJoint(
  { tokens }: Section,
  { last }: AliasMatch,
  { after, joinedAfter, atHead }: Surroundings,
): boolean {
  if (!atHead || !joinedAfter || !/^(?:and|&)$/.test(after?.word ?? "and")) return false;
  return startsUpper(tokens[last + 1]) && jointVerbs.has(tokens[last + 2]?.word ?? "");
}

/** "Visa and Mastercard", "Apple, Google": a name listed with a company is a company. */
export function listedWith(section: Section, left: AliasMatch, right: AliasMatch): boolean {
  const leftEnd = section.tokens[left.last - 1]?.end ?? 0;
  const rightStart = section.tokens[right.first]?.start ?? 0;
  const between = section.text.slice(leftEnd, rightStart).trim();
  return (
    rightStart - leftEnd <= 7 &&
    /^(?:,|,? ?and|&|\/|or)$/.test(between) &&
    !isShared(section, left) &&
    !isShared(section, right)
  );
}
