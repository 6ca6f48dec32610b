import type { Token } from "../../text.ts";
import type { Section } from "../section.ts";
import type { AliasMatch } from "../types.ts";
import { isCompanyNoun, isOfCompany, isOwnNoun, isResult, isShare, nounPhrase } from "./company-words.ts";
import { kindOfName, type NameKind } from "./name-kinds.ts";
import { finiteVerb, isAdverb, plainVerb } from "./verbs.ts";
import { list } from "./word-list.ts";

/**
 * Whether a name that is also a word, a place or a person's means the company. Its place in the sentence gives a clue of some
 * weight; words of companies elsewhere in the sentence add to it, and the kind of the name says how much is needed.
 */

const needed: Readonly<Record<NameKind, number>> = { proper: 2, shared: 4, noun: 3, strict: 4 };
/** Single words that name small companies are words, places and persons more often than news. */
const neededOfSmall = 3;
const weights = {
  /** "Ford shares", "retailer Target", "Whirlpool 3Q Adj EPS": only companies stand there. */
  proof: 4,
  /** "Strategy scoops up", "shares of Ford": persons and bodies stand there, companies most often. */
  deed: 3,
  /** "Ford rises", "Apple's", "urges Meta to": things stand there too. */
  sign: 2,
  /** "Vertex pain drug gets wider cover": the name only tells whose the subject is. */
  hint: 1,
  none: 0,
} as const;
const ofMatter = 2;

/** Before "of Ford", "at Ford". */
const holders = list(
  "shares stock shareholders investors ceo cfo chief chairman head owner parent maker customers workers employees",
  "supplier suppliers vendor vendors lender lenders rival rivals sale merger deal talks contract",
  "acquisition takeover purchase buyout suit lawsuit probe stake pact partnership",
);
const heldBy = list("of at in to with against by");
const articles = list("the a an this that every each his her its their your our some any no");
/** Words that begin a headline before its subject. */
const openers = list(
  "why how what is are should will can does did when where exclusive report watch analysis breaking corrected update",
);
/** Descriptions before a company's name: "retailer Target", "oil giant Shell". */
const trades = list(
  "retailer automaker carmaker chipmaker lender airline carrier drugmaker insurer miner giant maker startup brokerage",
  "utility homebuilder refiner broadcaster grocer restaurant steelmaker biotech conglomerate owner operator parent",
);
/** Nouns before "in Shell" that imply a company. Otherwise "in Dover" is a place. */
const holdings = list(
  "stake stakes shares share stock stocks invest invests invested investing investment investments interest position holding",
  "holdings bet bets confidence ownership upside fall falls drop rise gain gains jump slump surge plunge rally selloff",
);
const insidePrepositions = list("in near outside across around through");
/** Titles before a surname. */
const titles = list(
  "executive president minister senator judge coach actor actress singer governor mayor secretary professor economist",
  "strategist veteran founder banker researcher author director officer attorney lawyer congressman representative premier",
);
/** Words after which the name is no modifier; another lower-case noun makes it one ("an Apple pie"). */
const followers = list(
  "to over for in on at by with and or as after amid from is was has had will would could may says said than",
  "of about into while through under if when but despite because that which who before during since until via vs versus it against not up down a an",
);
/** Before a sports team or a state these describe another contest. */
const contestVerbs = list("beats tops wins loses faces joins");
const modals = list("to will would may could can must should");

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

/** "R." */
const isInitial = ({ text }: Section, token: Token | undefined): boolean =>
  token?.raw.length === 1 && startsUpper(token) && text.charAt(token.end) === ".";

/** A name and its neighbours. */
interface Place {
  readonly section: Section;
  readonly match: AliasMatch;
  readonly kind: NameKind;
  readonly isKnown: boolean;
  readonly before: Token | undefined;
  readonly after: Token | undefined;
  readonly joinedBefore: boolean;
  readonly joinedAfter: boolean;
  /** At the start of a headline, of a clause after punctuation, or after "Why" and the like. */
  readonly atHead: boolean;
  /** What follows the name. */
  readonly rest: string;
}

function nameOf({ tokens }: Section, { first, last }: AliasMatch): string {
  let words = tokens[first]?.word ?? "";
  for (let index = first + 1; index < last; index += 1) words += ` ${tokens[index]?.word ?? ""}`;
  return words.endsWith("'s") ? words.slice(0, -2) : words;
}

function placeOf(section: Section, match: AliasMatch, isKnown: boolean): Place {
  const { text, tokens } = section;
  const { first, last } = match;
  const before = tokens[first - 1];
  const after = tokens[last];
  const joinedBefore = touches(text, before, tokens[first]);
  const opened = first === 1 && joinedBefore && openers.has(before?.word ?? "");
  // "Saylor's Strategy scoops up": whose company it is.
  const owned = first === 1 && joinedBefore && /['’]s$/.test(before?.raw ?? "");
  return {
    section,
    match,
    kind: kindOfName(nameOf(section, match)),
    isKnown,
    before,
    after,
    joinedBefore,
    joinedAfter: touches(text, tokens[last - 1], after) || afterInitials(text, tokens[last - 1], after),
    atHead: first === 0 || !joinedBefore || opened || owned,
    rest: text.slice(tokens[last - 1]?.end ?? 0, (tokens[last - 1]?.end ?? 0) + 240),
  };
}

/** "Ford now sees": the place of the verb after the name. */
const verbAt = ({ match: { last }, section: { tokens } }: Place): number =>
  isAdverb(tokens[last]?.word ?? "") ? last + 1 : last;

/** Words that can begin a state. */
const stateWords = list("back in near nears nearing on among under up down at hit slapped stung");
const states =
  /^ (?:(?:back )?in (?:(?:early |late |advanced |exclusive )?(?:talks|deal|pact|bid|line)|focus)|near(?:ing|s)? (?:a )?(?:deal|sale|\$)|on track|among|under (?:fire|probe|pressure|investigation|scrutiny)|(?:up|down) \d|[+-]\d|at (?:record|52-week|all-time)|(?:hit|slapped|stung) (?:with|by)\b)/i;

/** "Apple unveils" acts; "Duke beats North Carolina" is another contest than "Duke beats estimates". */
function verbWeight(place: Place): number {
  const { section, match, atHead, joinedAfter, kind, rest, after } = place;
  if (!atHead) return weights.none;
  const next = after?.word ?? "";
  if ((stateWords.has(next) || startsDigit(after)) && states.test(rest)) return weights.sign;
  if (!joinedAfter) return weights.none;
  const at = verbAt(place);
  const verb = section.tokens[at]?.word ?? "";
  const strength = finiteVerb(verb);
  if (strength === null) return weights.none;
  const object = section.tokens[at + 1];
  // "Toast to the new year", "Apple hit song": the word.
  if (verb === "to" && articles.has(object?.word ?? "")) return weights.none;
  if (verb === "hit" && match.last === at) return weights.none;
  const rival = contestVerbs.has(verb) && startsUpper(object) && section.sentenceCase;
  if (rival && kind === "shared") return weights.none;
  // "gains 5%": of a price.
  const moves = object !== undefined && /^\d/.test(object.raw) && section.text.charAt(object.end) === "%";
  return strength === "deed" || moves ? weights.deed : weights.sign;
}

/** A lone capital inside an ordinary sentence, "Regulators fine Meta over data"; in a headline's style the object of a verb. */
function capitalWeight({
  section,
  match,
  before,
  after,
  joinedBefore,
  joinedAfter,
  kind,
  isKnown,
}: Place): number {
  if (!joinedBefore || match.first === 0 || kind === "shared") return weights.none;
  const { tokens, sentenceCase } = section;
  const word = before?.word ?? "";
  const follows = !joinedAfter || followers.has(after?.word ?? "") || startsDigit(after);
  const isPlain = modals.has(tokens[match.first - 2]?.word ?? "");
  const acts = modals.has(word) ? null : isPlain ? plainVerb(word) : finiteVerb(word);
  if (!sentenceCase) {
    const isObject = kind === "proper" && match.first > 1 && follows && acts !== null;
    return isObject ? weights.sign : weights.none;
  }
  if (startsUpper(before) || titles.has(word)) return weights.none;
  if (insidePrepositions.has(word) && !holdings.has(tokens[match.first - 2]?.word ?? "")) return weights.none;
  if (follows && acts === "deed") return weights.deed;
  if (follows || finiteVerb(after?.word ?? "") !== null) return weights.sign;
  return kind === "proper" && isKnown && !startsUpper(after) ? weights.sign : weights.none;
}

const longestSubject = 5;
/** "Vale iron ore output rises": words in lower case between the name and the verb. */
function leadsSubject({ section, match: { last }, joinedAfter, atHead, kind, isKnown }: Place): boolean {
  if (!atHead || !joinedAfter || !isKnown || kind !== "proper" || !section.sentenceCase) return false;
  for (let index = last; index < last + longestSubject; index += 1) {
    const token = section.tokens[index];
    if (token === undefined || (startsUpper(token) && index === last)) return false;
    if (index > last && finiteVerb(token.word) !== null) return true;
  }
  return false;
}

/** "Shares of Ford fall", "workers at Target", "suppliers to Apple". */
const isHeld = ({ section: { tokens }, match: { first } }: Place): boolean =>
  holders.has(tokens[first - 2]?.word ?? "") && heldBy.has(tokens[first - 1]?.word ?? "");

const owning = list("takeover acquisition purchase buyout shares stake merger");
/** "Takeover of Capri": a place is not bought. */
const isOwned = ({ section: { tokens }, match: { first } }: Place): boolean =>
  owning.has(tokens[first - 2]?.word ?? "") && /^(?:of|in|with)$/.test(tokens[first - 1]?.word ?? "");

/** "Devon and Coterra agree": the other name need not be known. */
function isJoint({ section, match: { last }, after, joinedAfter, atHead, rest }: Place): boolean {
  const { tokens, text } = section;
  if (!atHead || (joinedAfter && !/^(?:and|&)$/.test(after?.word ?? "and"))) return false;
  if (!joinedAfter && !rest.startsWith(", ")) return false;
  const other = joinedAfter ? last + 1 : last;
  const verb = tokens[other + 1]?.word ?? "";
  const named = tokens[other];
  if (named === undefined || !startsUpper(named)) return false;
  if (plainVerb(verb) !== null || finiteVerb(verb) !== null) return true;
  return stateWords.has(verb) && states.test(text.slice(named.end, named.end + 40));
}

/** What a noun of business after the name weighs. */
function nounWeight(place: Place): number {
  const { section, match, after, joinedAfter, kind } = place;
  if (isResult(after, place.rest)) return weights.proof;
  if (!joinedAfter) return weights.none;
  const phrase = nounPhrase(section, match.last);
  if (kind === "strict" && match.first <= 1) return isOwnNoun(after) || phrase ? weights.proof : weights.none;
  // "As Next CEO": capitals of a headline prove nothing.
  if (kind === "strict" && !section.sentenceCase) return isShare(after) ? weights.proof : weights.none;
  return isCompanyNoun(after) || phrase ? weights.proof : weights.none;
}

/** The weight of the name's place, before what the rest of the sentence says. */
function placeWeight(place: Place): number {
  const { section, match, before, joinedBefore, kind, rest } = place;
  const noun = nounWeight(place);
  if (noun > 0) return noun;
  const word = joinedBefore ? (before?.word ?? "") : "";
  if (articles.has(word)) return weights.none;
  if (trades.has(word)) return weights.proof;
  if (section.sentenceCase && joinedBefore && startsUpper(before) && match.first > 1) return weights.none;
  if (isHeld(place)) return kind === "shared" && !isOwned(place) ? weights.none : weights.deed;
  // "USS Gerald R. Ford enters": a person's name.
  if (isInitial(section, before)) return weights.none;
  const heading = match.first === 0 && place.isKnown && rest.startsWith(":");
  const sign = match.possessive || heading ? weights.sign : weights.none;
  const weight = Math.max(sign, verbWeight(place), capitalWeight(place));
  if (weight > weights.none) return weight;
  if (kind !== "shared" && isJoint(place)) return weights.sign;
  return leadsSubject(place) ? weights.hint : weights.none;
}

/**
 * Whether a name that is also something else means the company here: because of a noun that only companies have, a verb at the
 * start of a headline, a possessive, or a lone capital inside an ordinary sentence.
 * @param isKnown whether the company is so large that its short name alone is news
 */
export function aliasInContext(section: Section, match: AliasMatch, isKnown: boolean): boolean {
  const place = placeOf(section, match, isKnown);
  const weight = placeWeight(place);
  const need = Math.max(needed[place.kind], isKnown || match.last - match.first > 1 ? 0 : neededOfSmall);
  if (weight === weights.none || weight >= need) return weight >= need;
  if (weight + ofMatter < need) return false;
  const first = section.tokens[match.first];
  const sentence = first === undefined ? "" : section.sentenceAt(first);
  const end = sentence.indexOf(first?.raw ?? "") + (first?.raw.length ?? 0);
  return isOfCompany(match.first === 0 ? sentence.slice(end) : sentence);
}

const isShared = (section: Section, match: AliasMatch): boolean =>
  kindOfName(nameOf(section, match)) === "shared";

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
