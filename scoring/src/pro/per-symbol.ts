import { type SymbolAnalysis, sentimentScore } from "@tapewire/contract/feeds.ts";
import type { ActRange, PlainFact, Told, Why } from "../flash/flash.ts";
import { isBeside, noFact, spokenName, whichWay } from "../flash/flash.ts";
import { quote } from "../quote.ts";
import type { LinkedSymbol, Verdict } from "../types.ts";
import { type Balance, balanceOf, directionOf, percent, sumOf, type WeighedSignal } from "./balance.ts";
import type { Said } from "./encoder/encoder.ts";
import type { InContext } from "./encoder/in-context.ts";
import { joinedCompany } from "./encoder/joint.ts";
import { isTold, sizedBy, turnedComment } from "./in-context-verdict.ts";
import type { Reading } from "./reading/reading.ts";
import type { WholeSentiment } from "./sentiment.ts";
import { type EventsOfOne, eventsOfOne } from "./text-events.ts";
import { evidenceOf, labelled } from "./wording.ts";

const mostEvidence = 5;
/** Flash judges one of several companies by few words; the whole text is better evidence. */
const flashShare = 0.25;
const ownShare = 0.85;
/** For a lone headline flash is as good. */
const evenShare = 0.6;

type Scores = Pick<
  SymbolAnalysis,
  "sentiment_short" | "sentiment_long" | "sentiment_conviction" | "sentiment_comment" | "evidence"
>;

const spans = (text: string, evidence: readonly WeighedSignal[]): SymbolAnalysis["evidence"] =>
  evidence.slice(0, mostEvidence).map(({ signal }) => evidenceOf(text, signal));

function ofWhole(reading: Reading, whole: WholeSentiment, base: SymbolAnalysis | undefined): Scores {
  const fitting = whole.body.evidence.filter(({ force }) => force * whole.short > 0);
  const proof = whole.inContext?.proof ?? null;
  return {
    sentiment_short: whole.short,
    sentiment_long: whole.long,
    sentiment_conviction: whole.conviction,
    sentiment_comment: whole.comment,
    evidence:
      fitting.length > 0 ? spans(reading.text, fitting) : proof !== null ? [proof] : (base?.evidence ?? []),
  };
}

/** @param whom the company, in words */
function ownComment(text: string, own: Balance, short: number, whom: string): string {
  const [first, second] = own.evidence;
  if (first === undefined) return "";
  if (short === 0 && own.against !== null)
    return `For and against cancel out: ${quote(text, first.signal)} and ${quote(text, own.against.signal)}`;
  // A buyer is told of its deal, which says little for or against it.
  if (short === 0 && first.signal.label === "Takeover")
    return `${labelled(text, first.signal)}: no clear direction for ${whom}`;
  if (short === 0) return `Too weak for a direction: ${quote(text, first.signal)}`;
  const way = `: ${whichWay(short)} for ${whom}`;
  if (own.against !== null && Math.abs(own.against.force) > 0.6)
    return `${labelled(text, first.signal)}${way}; against it ${quote(text, own.against.signal)}`;
  return second === undefined
    ? `${labelled(text, first.signal)}${way}`
    : `${labelled(text, first.signal)}; also ${quote(text, second.signal)}${way}`;
}

function ofOwn(text: string, own: Balance, base: SymbolAnalysis | undefined, whom: string): Scores {
  const flash = sumOf(base?.sentiment_short ?? 0);
  const isHeadline = own.evidence.every(({ signal }) => signal.sentence === 0);
  // A sign that flash took from words about another company must not outvote the body's statements on this one.
  const kept = Math.sign(flash) === Math.sign(own.sum) ? flashShare * flash : 0;
  const short = directionOf(isHeadline ? evenShare * (flash + own.sum) : ownShare * own.sum + kept);
  const [lasting, byEvent] = [directionOf(ownShare * own.lastingSum), base?.sentiment_long ?? 0];
  return {
    sentiment_short: short,
    // "Sues to block the takeover of Norvik": what a takeover does in the long run is not to come.
    sentiment_long: lasting * short < 0 && byEvent * short > 0 ? byEvent : lasting,
    sentiment_conviction: percent(short === 0 ? Math.min(20, 0.3 * own.certainty) : own.certainty),
    // Where flash's sign outvotes the statements, its reason is told.
    ...(short * own.sum < 0
      ? { sentiment_comment: base?.sentiment_comment ?? null, evidence: base?.evidence ?? [] }
      : { sentiment_comment: ownComment(text, own, short, whom), evidence: spans(text, own.evidence) }),
  };
}

const isMove = (comment: string | null | undefined): boolean => /^(?:Price|Share price) /.test(comment ?? "");

/** Where the one reason is that the price moved and flash names the event behind it, the event leads. */
const withEvent = (scores: Scores, flash: SymbolAnalysis | undefined): Scores =>
  isMove(scores.sentiment_comment) &&
  !isMove(flash?.sentiment_comment) &&
  flash !== undefined &&
  Math.sign(flash.sentiment_short ?? 0) === Math.sign(scores.sentiment_short ?? 0)
    ? { ...scores, sentiment_comment: flash.sentiment_comment }
    : scores;

/**
 * The share of flash's verdict on the item for a company on which the text has no statement: 1 for the subject and for
 * companies that the headline lists with it; 0 for others that the text names, mostly as the object of a sentence ("buys 5%
 * of Brackwell", "in talks with Brackwell"), which is neutral in nine of ten labelled headlines.
 */
function shareOf(symbol: LinkedSymbol, reading: Reading, company: number): number {
  if (symbol.primary || reading.listed.has(company)) return 1;
  if ((reading.named[company] ?? 0) > 0) return 0;
  return reading.signals.some(({ signal }) => signal.owner !== null) ? 0.5 : 1;
}

/** The analysis of a company beside others about which nothing is said. */
function withoutStatements(symbol: LinkedSymbol, base: SymbolAnalysis | undefined, share: number): Scores {
  const part = (value: number | null | undefined): number => Math.trunc(share * (value ?? 0)) || 0;
  const short = part(base?.sentiment_short);
  const note = `${symbol.short_symbol ?? symbol.symbol} is ${share === 0 ? "named" : "linked"}, but nothing is said for or against it`;
  return {
    sentiment_short: short,
    sentiment_long: part(base?.sentiment_long),
    sentiment_conviction: part(base?.sentiment_conviction),
    sentiment_comment: short === 0 && share < 1 ? note : (base?.sentiment_comment ?? note),
    evidence: share < 1 && short === 0 ? [] : (base?.evidence ?? []),
  };
}

/** What is known of the companies beside the rules' scores. */
export interface CompaniesInContext extends InContext {
  readonly told: Told;
  readonly range: ActRange;
  /** Flash's verdict on the headline alone. */
  readonly headline: Verdict;
}

/** What the deal in the headline is for another party is not said of this one: the headline's own reading stands. */
function ofOwnPart(scores: Scores, index: number, { told, headline }: CompaniesInContext): Scores {
  const sure = told.companies[index] ?? 0;
  const barred = sure === 0 ? (told.barred[index] ?? 0) : -Math.sign(sure);
  const own = headline.symbols[index];
  const sign = Math.sign(scores.sentiment_short ?? 0);
  const isOthers =
    sign !== 0 && (sign === barred || told.apposed[index] === true || (index === 0 && told.silent));
  if (!isOthers || own === undefined) return scores;
  return Math.sign(own.sentiment_short ?? 0) === sign
    ? scores
    : {
        sentiment_short: own.sentiment_short,
        sentiment_long: own.sentiment_long,
        sentiment_conviction: own.sentiment_conviction,
        sentiment_comment: own.sentiment_comment,
        evidence: own.evidence,
      };
}

/** What the rules have found of one company. */
interface OfCompany {
  /** The sign that is told of it for sure, or 0. */
  readonly sign: number;
  readonly range: ActRange;
  readonly why: Why | undefined;
  readonly fact: PlainFact;
  readonly events: EventsOfOne;
}

/** The rules' scores of a company joined with what the encoder says of it. */
function inContext(scores: Scores, said: Said, { sign, range, why, fact, events }: OfCompany): Scores {
  const [short, long] = [scores.sentiment_short ?? 0, scores.sentiment_long ?? 0];
  const conviction = scores.sentiment_conviction ?? 0;
  const joint = joinedCompany(said, { short, long, conviction, fact, hasEvent: events.hasDirection });
  const sized = sizedBy(joint.short, short, range);
  const isTurned = Math.sign(sized) !== Math.sign(short);
  if (isTurned && isTold(sign, { short })) return scores;
  return {
    sentiment_short: sized,
    sentiment_long: sizedBy(joint.long, long, range),
    sentiment_conviction: joint.conviction,
    sentiment_comment:
      isTurned && why !== undefined ? turnedComment(sized, why, null, events) : scores.sentiment_comment,
    evidence: isTurned ? [] : scores.evidence,
  };
}

/** The analysis of each symbol, in their order. @param context null: the rules alone judge */
export function analysesOf(
  reading: Reading,
  symbols: readonly LinkedSymbol[],
  base: Verdict,
  whole: WholeSentiment,
  context: CompaniesInContext | null,
): readonly SymbolAnalysis[] {
  // "A discloses a stake in B": the row says what it is for B.
  const hasPart = (index: number): boolean =>
    (context?.told.parts[index] ?? 0) !== 0 || toldBeside(index) !== 0;
  /** The sign of a detail that the body tells of a company beside the headline's event: "It replaces B". */
  const toldBeside = (index: number): number =>
    base.events.some(({ name, symbol }) => symbol === symbols[index]?.symbol && isBeside(name))
      ? Math.sign(base.symbols[index]?.sentiment_short ?? 0)
      : 0;
  return symbols.map((symbol, index) => {
    const flash = base.symbols[index];
    const company = reading.company[index] ?? index;
    const balance = balanceOf(reading.signals.filter(({ signal }) => signal.owner === company));
    const ruled =
      reading.companies <= 1
        ? ofWhole(reading, whole, flash)
        : balance.total > 0
          ? withEvent(ofOwn(reading.text, balance, flash, spokenName(symbol.name)), flash)
          : withoutStatements(symbol, flash, hasPart(index) ? 1 : shareOf(symbol, reading, company));
    const said = context?.companies.get(company);
    const scores =
      context === null || said === undefined
        ? ruled
        : inContext(ruled, said, {
            sign: Math.sign(context.told.companies[index] ?? 0) || toldBeside(index),
            range: context.range,
            why: context.told.others[index],
            fact: context.told.facts[index] ?? noFact,
            events: eventsOfOne(base, reading.text, {
              whom: spokenName(symbol.name),
              symbol: symbol.symbol,
            }),
          });
    const own = context === null ? scores : ofOwnPart(scores, index, context);
    return {
      ...flash,
      symbol: symbol.symbol,
      exchange: symbol.exchange,
      short_symbol: symbol.short_symbol,
      logoid: symbol.logoid,
      primary: symbol.primary,
      relevance: symbol.relevance,
      ...own,
      sentiment_score: sentimentScore(own.sentiment_short ?? 0),
    };
  });
}
