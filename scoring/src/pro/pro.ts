import { sentimentScore } from "@tapewire/contract/feeds.ts";
import { actionableFrom } from "../actionable-threshold.ts";
import { type ActRange, flash, mostFor, report, type Told } from "../flash/flash.ts";
import { withForm } from "../form-from-text.ts";
import type { Artifact, LinkedSymbol, Verdict } from "../types.ts";
import { judgeActionability } from "./actionability.ts";
import { percent, type WeighedSignal } from "./balance.ts";
import { detailOf } from "./detail.ts";
import type { Encoder } from "./encoder/encoder.ts";
import { proofInTitle, readInContext } from "./encoder/in-context.ts";
import { joinedWhole } from "./encoder/joint.ts";
import { extract } from "./extract.ts";
import {
  actionabilityInContext,
  isTold,
  type JudgedInContext,
  sentimentInContext,
} from "./in-context-verdict.ts";
import { leadingFirst } from "./leading-events.ts";
import { analysesOf } from "./per-symbol.ts";
import { type Reading, readText } from "./reading/reading.ts";
import { judgeSentiment, type WholeSentiment } from "./sentiment.ts";
import { agreeingComment, type EventsOfOne, eventsOfOne, namedIn, withGroupOf } from "./text-events.ts";
import type { ProVerdict } from "./types.ts";

/** Changes with every change of a rule, so that old stored verdicts can be recognised. */
export const proVersion = "0.10.0";

/** Characters of the body that are read: the most that POST /v1/score takes. */
const mostRead = 200_000;

/** Bodies up to this length are summarised by their first sentences. */
const shortBody = 2_000;

/** Share of the lead, which flash has counted as well. */
const leadShare = 0.6;

/** Statements about the item's subject: its primary company, or an unknown owner. */
function ofSubject({ signals, sentences, companies }: Reading): readonly WeighedSignal[] {
  const own =
    companies <= 1 ? signals : signals.filter(({ signal }) => signal.owner === null || signal.owner === 0);
  return own.map(({ signal, force }) => {
    const isLead = sentences[signal.sentence]?.part === "lead";
    return { signal, force: isLead ? leadShare * force : force };
  });
}

function subScoresOf(
  base: Verdict,
  whole: WholeSentiment,
  score: number,
  facts: number,
): Verdict["subScores"] {
  const { actionability } = base.subScores;
  const size = percent(Math.abs(whole.sum) * 20);
  const certainty = percent(
    whole.body.total === 0 ? (base.subScores.sentiment?.certainty ?? 0) : whole.conviction,
  );
  const agreement =
    whole.body.total === 0 ? (base.subScores.sentiment?.agreement ?? 0) : percent(100 * whole.body.agreement);
  const clearer = (facts > 0 ? 8 : 0) - (whole.contradiction === null ? 0 : 20);
  return {
    ...base.subScores,
    actionability: {
      ...actionability,
      materiality: Math.max(actionability.materiality, percent(0.7 * score + 0.3 * size)),
      clarity: percent(actionability.clarity + clearer),
    },
    sentiment: { intensity: size, agreement, certainty },
  };
}

/** What the rules read of a text, before it is judged. */
interface Read {
  readonly artifact: Artifact;
  readonly symbols: readonly LinkedSymbol[];
  /** Flash's verdict. */
  readonly base: Verdict;
  readonly reading: Reading;
  readonly subject: readonly WeighedSignal[];
  readonly sentiment: WholeSentiment;
  /** What the headline tells as a plain fact. */
  readonly told: Told;
  /** The events of the item's own company. */
  readonly own: EventsOfOne;
  /** Flash's verdict on the headline alone. */
  readonly headline: Verdict;
}

/**
 * What the deal in the headline is for another party is not said of the item's own, whatever the body adds; and where the headline tells
 * a plain fact of a sure kind, that is the reason.
 */
function byHeadline(
  whole: WholeSentiment,
  { barred, sign, silent }: Told,
  headline: Verdict["sentiment"],
): WholeSentiment {
  const { shortDirection, longDirection, conviction, comment } = headline;
  const own = Math.sign(whole.short);
  if (own !== 0 && (own === barred[0] || silent) && Math.sign(shortDirection) !== own)
    return { ...whole, short: shortDirection, long: longDirection, conviction, comment, contradiction: null };
  return own !== 0 && own === sign && whole.contradiction === null ? { ...whole, comment } : whole;
}

function readByRules(artifact: Artifact, symbols: readonly LinkedSymbol[], flashVerdict?: Verdict): Read {
  const whole = withForm({ ...artifact, body: artifact.body.slice(0, mostRead) });
  const base = flashVerdict ?? flash(whole, symbols);
  const reading = readText(whole, symbols, `${whole.title}\n${whole.body}`);
  const headline = report({ ...whole, body: "", filing: null }, symbols);
  const subject = ofSubject(reading);
  const told = headline.told();
  const direction = headline.verdict.sentiment.shortDirection;
  const symbol = symbols[0]?.symbol ?? null;
  const own = eventsOfOne(base, reading.text, { whom: told.whom, symbol });
  const why = (short: number): string | null => told.own.byEvent(short) ?? own.why(short);
  const sentiment = judgeSentiment(reading, base.sentiment, { direction, whom: told.whom, why }, subject);
  return {
    artifact: whole,
    symbols,
    base,
    reading,
    subject,
    sentiment: byHeadline(sentiment, told, headline.verdict.sentiment),
    told,
    own,
    headline: headline.verdict,
  };
}

/** What the headline tells has a least score; a most has the text where none of its events is of account, or the session is over. */
function rangeOf({ told, base, reading }: Read): ActRange {
  if (told.closed) return [0, actionableFrom - 1];
  const hasFacts = reading.facts.some(({ fact }) => fact.metric !== "deal_value");
  return [told.act[0], hasFacts ? 100 : mostFor(base.events.map(({ name }) => name))];
}

/** Of several companies each has its own reading; where the text is good for another party, that of its own company is the item's. */
function ofPrimary(whole: WholeSentiment, companies: ProVerdict["symbols"]): WholeSentiment {
  const primary = companies.find((company) => company.primary);
  if (primary === undefined) return whole;
  const short = primary.sentiment_short ?? 0;
  const isKept = Math.sign(short) === Math.sign(whole.short);
  return {
    ...whole,
    short,
    long: primary.sentiment_long ?? 0,
    conviction: primary.sentiment_conviction ?? 0,
    comment: primary.sentiment_comment ?? whole.comment,
    inContext: whole.inContext === null || isKept ? whole.inContext : { ...whole.inContext, proof: null },
  };
}

/** The primary company has the item's direction. */
const withWhole = (
  company: ProVerdict["symbols"][number],
  { short, long, conviction, comment }: WholeSentiment,
): ProVerdict["symbols"][number] =>
  company.primary && Math.sign(company.sentiment_short ?? 0) !== Math.sign(short)
    ? {
        ...company,
        sentiment_short: short,
        sentiment_long: long,
        sentiment_conviction: conviction,
        sentiment_score: sentimentScore(short),
        sentiment_comment: comment,
        evidence: [],
      }
    : company;

/** @param context null: the rules alone judge */
function verdictOn(read: Read, context: JudgedInContext | null): ProVerdict {
  const { artifact, symbols, base, reading, subject } = read;
  const range = rangeOf(read);
  const ruled = judgeActionability(artifact, reading, base, read.sentiment, subject);
  const reasoned = context === null ? ruled : actionabilityInContext(ruled, context.whole, artifact, range);
  const sentiment =
    context === null
      ? read.sentiment
      : sentimentInContext(read.sentiment, context, { reading, told: read.told, range, events: read.own });
  const companies = analysesOf(
    reading,
    symbols,
    base,
    sentiment,
    context === null ? null : { ...context, told: read.told, range, headline: read.headline },
  );
  const isApart = reading.companies > 1 && (read.told.isOthers || read.told.barred[0] !== 0);
  const own = isApart ? ofPrimary(sentiment, companies) : sentiment;
  const shown = isApart || context === null ? companies : companies.map((company) => withWhole(company, own));
  const events = leadingFirst(base.events, context?.whole ?? null, {
    own,
    symbol: symbols[0]?.symbol ?? null,
  });
  const { actionable } = reasoned.actionability;
  const comment = agreeingComment(
    reasoned.actionability.comment,
    { named: namedIn(events, own.comment), events, isTurned: actionable !== ruled.actionability.actionable },
    { actionable, artifact, text: reading.text },
  );
  const summary = artifact.body.length > shortBody ? (extract(reading) ?? base.summary) : base.summary;
  return {
    ...base,
    model: "pro",
    modelVersion: proVersion,
    actionability: { ...reasoned.actionability, comment },
    sentiment: {
      ...base.sentiment,
      shortDirection: own.short,
      longDirection: own.long,
      conviction: own.conviction,
      comment: withGroupOf(events[0], own.comment),
    },
    subScores: subScoresOf(base, own, reasoned.actionability.score, reading.facts.length),
    symbols: shown.map((company) => ({
      ...company,
      sentiment_comment: company.sentiment_comment && withGroupOf(events[0], company.sentiment_comment),
    })),
    event: events[0]?.name ?? null,
    events,
    summary,
    facts: reading.facts.map(({ fact }) => fact),
    contradiction: own.contradiction,
    detailedAnalysis: detailOf(reading, base, { text: sentiment, item: own }, reasoned),
  };
}

/**
 * The judgement of a whole text by rules: flash's verdict on title and lead, refined by every sentence of the body, with each
 * symbol's own direction and the figures of results. Pure and deterministic; time grows with the length, of which at most
 * 200,000 characters of the body are read.
 * @param symbols from linkSymbols, the primary one first; the verdict has one analysis for each, in their order
 * @param flashVerdict flash's verdict on the same artifact and symbols, if available
 */
export const proByRules = (
  artifact: Artifact,
  symbols: readonly LinkedSymbol[],
  flashVerdict?: Verdict,
): ProVerdict => verdictOn(readByRules(artifact, symbols, flashVerdict), null);

/** The same judgement joined with that of the encoder: what `pro` is. */
export async function pro(
  encoder: Encoder,
  artifact: Artifact,
  symbols: readonly LinkedSymbol[],
  flashVerdict?: Verdict,
): Promise<ProVerdict> {
  const read = readByRules(artifact, symbols, flashVerdict);
  if (artifact.title.trim() === "") return verdictOn(read, null);
  const context = await readInContext(encoder, read.artifact, symbols, read.reading);
  const { fact, own } = read.told;
  const hasEvent = read.own.hasDirection || own.byEvent(1) !== null || own.byEvent(-1) !== null;
  const joint = joinedWhole(context.whole, { ...read.sentiment, fact, hasEvent });
  const sign = Math.sign(joint.short);
  const isProven =
    sign === 0 || sign === Math.sign(read.sentiment.short) || isTold(read.told.sign, read.sentiment);
  const proof = isProven ? null : await proofInTitle(encoder, read.artifact, read.reading, sign);
  return verdictOn(read, { ...context, joint, proof });
}
