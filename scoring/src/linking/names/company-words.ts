import type { Token } from "../../text.ts";
import type { Section } from "../section.ts";
import { finiteVerb } from "./verbs.ts";
import { list } from "./word-list.ts";

/** Words that only companies have, and words that tell of their business. */

const companyNouns = list(
  "share shares stock ceo cfo coo chairman inc corp corporation co company plc ltd group holdings earnings results",
  "profit revenue sales q1 q2 q3 q4 quarterly investors shareholders holders stores board bonds executives employees",
  "eps guidance dividend analyst analysts unit subsidiary stake rating workers buyback valuation ipo debut",
  "employee worker engineer engineers designer pilots flight flights drivers dealers suppliers supplier plant plants",
  "factory factories store lawsuit customers shareholder investor spokesperson spokesman spokeswoman rival rivals",
  "takeover buyout merger comparable antitrust bid approach offer credit",
);
/** Legal forms that are also plain words, unless capitalised. */
const largeOnly = list("group holdings company co unit board");
const ownNouns = list(
  "ipo shares stock stocks ceo cfo inc corp holders shareholders investors earnings profit revenue pilots flight",
);

const isCapital = ({ raw }: Token): boolean => /^\p{Lu}/u.test(raw);

/** "Ford shares", "Target Group". */
export const isCompanyNoun = (token: Token | undefined): boolean =>
  token !== undefined && companyNouns.has(token.word) && (isCapital(token) || !largeOnly.has(token.word));

const shareNouns = list("shares stock stocks inc corp shareholders ipo");

/** What only a listed company has. */
export const isShare = (token: Token | undefined): boolean =>
  token !== undefined && shareNouns.has(token.word);

/** Nouns of companies after a word that hardly ever means one: "Box shares". */
export const isOwnNoun = (token: Token | undefined): boolean =>
  token !== undefined && ownNouns.has(token.word);

const officerFields = list(
  "finance ai design software retail marketing operations technology legal research chip cloud",
);
const officers = list("chief head boss");
const boardVerbs = list("okays votes elects backs urges clears");
const ratingMoves = list("raised cut lifted lowered trimmed boosted hiked slashed upped to at by");

/** "Apple AI chief", "Meta price target", "Apple target cut", "Meta board authorizes": phrases of companies alone. @param from place of the first word */
export function nounPhrase({ tokens }: Section, from: number): boolean {
  const [noun = "", next = ""] = [tokens[from]?.word, tokens[from + 1]?.word];
  if (officerFields.has(noun) && officers.has(next)) return true;
  // "Meta board games" are a toy, "target price" may be any company's.
  if (noun === "board" || noun === "unit") return finiteVerb(next) !== null || boardVerbs.has(next);
  if (noun === "price") return next === "target" || next === "targets";
  return noun === "targets" || ((noun === "target" || noun === "pt") && ratingMoves.has(next));
}

/** "Whirlpool 3Q Adj EPS", "Ross comps", "Domino's same-store sales": how wires head a company's figures. */
const resultNotation =
  /^(?:'s|’s)?,? (?:adj(?:\.|usted)? |[1-4]q\b|q[1-4]\b|[1-4]h\b|h[12]\b|fy ?\d|f[1-4]q|(?:first|second|third|fourth)[- ]quarter|fiscal (?:\d|first|second|third|fourth|year)|full[- ]year|same[- ]stores? |comps?\b|comp sales|like-for-like|net (?:income|loss|profit|sales|revenue|premiums|interest income)|operating (?:income|profit|loss|margin)|organic (?:growth|sales)|ebitda?\b|eps\b|payment volume|credit losses|cat(?:astrophe)? losses|room nights|(?:january|february|march|april|may|june|july|august|september|october|november|december) (?:net|same|sales|revenue|deliveries|traffic|cat|comps|premiums|u\.s\. sales))/i;

/** Words that can begin such a head. */
const resultWords = list(
  "adj adjusted q1 q2 q3 q4 h1 h2 first second third fourth fiscal full same comps comp like-for-like net operating organic",
  "ebitda ebit eps payment credit cat catastrophe room january february march april may june july august september october",
  "november december like",
);

/** @param after the first word after the name @param rest the text after the name */
export const isResult = (after: Token | undefined, rest: string): boolean =>
  after !== undefined &&
  (resultWords.has(after.word) || /^(?:\d|fy|f\d)/.test(after.word)) &&
  resultNotation.test(rest);

const companyMatters =
  /\b(?:outlook|forecasts?|guidance|profits?|profitable|loss|losses|earnings|revenues?|sales|bookings?|dividend|buyback|shares?|stock|bankruptcy|merger|merge|merges|acquir\w+|acquisition|to buy|buys|rival|ipo|private|ceo|cfo|finance chief|chief executive|chairman|analysts?|estimates|expectations|results|quarter(?:ly)?|q[1-4]|[1-4]q|layoffs|lay(?:s|ing)? off|staff|jobs|workforce|employees|stores?|contracts?|fda|debt|notes|offering|spin off|stake|demand|users|customers|subscribers|margins?|backlog|deliveries|refinery|drilling budget|join s&p|production|tariffs|bid|buyout|takeover|purchase|comps|ebitda?|capex|premiums|volume|recalls?|pilots|flights?|flyers|jets?|plants?|factory|bitcoins?|investors|wind farm|reactor|streaming|doj|ftc|executives?|sued|sues|lawsuits?|catalyst|downside|upside|btc|units|offers?\b|roles|drugs?\b(?! (?:cartels?|wars?|lords?|traffick\w+|gangs?|abuse|smuggl\w+))|medicare|fees?\b|jury|verdict|patents?\b|casinos?|macau|growth view|views?\b|street\b)|\$\d/i;

/** Whether words tell of a company's business. */
export const isOfCompany = (text: string): boolean => companyMatters.test(text);
