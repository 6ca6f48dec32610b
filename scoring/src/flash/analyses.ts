/** The direction of each linked company of an item. */
import type { Evidence, SymbolAnalysis } from "@tapewire/contract/feeds.ts";
import type { Span } from "../text.ts";
import { sentimentComment, whichWay } from "./comments.ts";
import type { Company, Part } from "./companies.ts";
import type { Cue } from "./cues/types.ts";
import type { Sentiment } from "./heads/judge.ts";
import { isNamedBeside } from "./named-parts.ts";
import { spokenName } from "./own-names.ts";
import { towardsZero, weigh } from "./sentiment.ts";

type Direction = Pick<Sentiment, "shortDirection" | "longDirection" | "conviction" | "comment" | "evidence">;

/** Two cues may be the same words, an event and the tone of it: these are shown once. */
const evidenceOf = (cues: readonly Span[], text: string): Evidence[] =>
  cues
    .filter(({ start, end }, at) => cues.findIndex((cue) => cue.start === start && cue.end === end) === at)
    .map(({ start, end }) => ({ text: text.slice(start, end), start, end }));

/** Cues of the sentences that name the company; between two names a cue belongs to the nearer, preferably the one before it. */
function cuesFor(company: Company, companies: readonly Company[], cues: readonly Cue[]): readonly Cue[] {
  const others = companies
    .filter(({ symbol }) => symbol.name !== company.symbol.name)
    .flatMap(({ mentions }) => mentions);
  return cues.filter((cue) => {
    const inside = (at: number): boolean => at >= cue.sentenceStart && at < cue.sentenceEnd;
    const mine = company.mentions.filter(inside);
    if (mine.length === 0) return false;
    const rivals = others.filter(inside);
    if (rivals.length === 0) return true;
    const nearest = (mentions: readonly number[]): number =>
      Math.min(
        ...mentions.map((at) =>
          // "Cuts Snowflake to underweight" is about the company between its words.
          at >= cue.start && at < cue.end ? 0 : at < cue.start ? cue.start - at : 1.5 * (at - cue.start) + 10,
        ),
      );
    return nearest(mine) <= nearest(rivals);
  });
}

/** A part of another company than the item's own says less surely what it means. */
const partConviction = 60;

function byPart({ event, direction }: Part, whom: string, whole: Sentiment, text: string): Direction {
  const short = Math.round(direction[0]);
  const reasons = { direction: short, event, cue: null, against: null, whom, title: text };
  return {
    shortDirection: short || 0,
    longDirection: Math.round(direction[1]) || 0,
    conviction: Math.min(partConviction, whole.conviction),
    comment: sentimentComment(reasons, text),
    evidence: [event],
  };
}

/** The part in the weightiest event in which the company has one that means something. */
const ownPart = (parts: readonly Part[]): Part | undefined =>
  parts.find(({ role, direction }) => role !== "other" || direction[0] !== 0) ?? parts[0];

/** Share of the item's direction for a company of which the text says nothing by itself; a rival has none in it. */
const besides = 0.5;

const rivalBefore = /\b(?:rivals?|competitors?|peers?) (?:the )?$/i;
const isNamedAsRival = ({ mentions }: Company, text: string): boolean =>
  mentions.length > 0 && mentions.every((at) => rivalBefore.test(text.slice(Math.max(0, at - 16), at)));

/** Why a company has a share in what is told of the item's own. */
function besideComment(
  direction: number,
  whom: string,
  { told }: Sentiment,
  own: string,
  text: string,
): string {
  if (told !== null)
    return sentimentComment({ direction, event: told, cue: null, against: null, whom, title: text }, text);
  return direction === 0
    ? `No known kind of event, and no wording for or against ${whom}`
    : `Told beside ${own}: ${whichWay(direction)} for ${whom}`;
}

function besidesOthers(
  company: Company,
  own: Company,
  companies: readonly Company[],
  cues: readonly Cue[],
  whole: Sentiment,
  text: string,
): Direction {
  const whom = spokenName(company.symbol.name);
  const part = ownPart(company.parts);
  if (part !== undefined) return byPart(part, whom, whole, text);
  const onlyTells = isNamedBeside(company.mentions, text);
  const weighed = weigh(cuesFor(company, companies, cues));
  const [cue] = weighed.evidence;
  if (cue !== undefined && !onlyTells) {
    const reasons = {
      direction: weighed.shortDirection,
      event: null,
      cue,
      against: weighed.against,
      whom,
      title: text,
    };
    return { ...weighed, comment: sentimentComment(reasons, text) };
  }
  const share = onlyTells || isNamedAsRival(company, text) ? 0 : besides;
  const shortDirection = towardsZero(whole.shortDirection * share);
  return {
    ...whole,
    shortDirection,
    longDirection: towardsZero(whole.longDirection * share),
    conviction: Math.round(whole.conviction * besides),
    comment: besideComment(shortDirection, whom, whole, spokenName(own.symbol.name), text),
  };
}

/** One analysis for each company, in their order; that of the item's own company is the item's direction. */
export function analysesOf(
  companies: readonly Company[],
  cues: readonly Cue[],
  whole: Sentiment,
  text: string,
): readonly SymbolAnalysis[] {
  const own = companies.find(({ symbol }) => symbol.primary) ?? companies[0];
  const names = new Set(companies.map(({ symbol }) => symbol.name));
  return companies.map((company): SymbolAnalysis => {
    const { symbol } = company;
    const isOwn = own === undefined || names.size === 1 || symbol.name === own.symbol.name;
    const found = isOwn ? whole : besidesOthers(company, own, companies, cues, whole, text);
    return {
      symbol: symbol.symbol,
      exchange: symbol.exchange,
      short_symbol: symbol.short_symbol,
      logoid: symbol.logoid,
      primary: symbol.primary,
      relevance: symbol.relevance,
      sentiment_short: found.shortDirection,
      sentiment_long: found.longDirection,
      sentiment_conviction: found.conviction,
      sentiment_score: 5 + found.shortDirection,
      sentiment_comment: found.comment,
      evidence: evidenceOf(found.evidence, text),
    };
  });
}
