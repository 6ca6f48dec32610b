import type { Evidence, SymbolAnalysis } from "@tapewire/contract/feeds.ts";
import { summarize } from "../summary.ts";
import { type Span, tokenize } from "../text.ts";
import type { Artifact, LinkedSymbol, Verdict } from "../types.ts";
import { judgeActionability } from "./actionability.ts";
import { bodyRead, type ReadText, readText } from "./cues/cues.ts";
import type { Cue } from "./cues/types.ts";
import { type DealRole, dealRole } from "./deal-roles.ts";
import { knownKinds } from "./events/events.ts";
import { mentionsIn } from "./events/mentions.ts";
import { filingPrior } from "./filing-priors.ts";
import { judgeSentiment } from "./heads/judge.ts";
import { modelVersion, shippedHeads } from "./heads/model.ts";
import { ownNames, touchesName } from "./own-names.ts";
import { type Sentiment, towardsZero, weigh } from "./sentiment.ts";
import { subScores } from "./subscores.ts";

export { modelVersion };

/** A form with a meaning of its own counts as one more sentence of the headline. */
function withFiling(artifact: Artifact, sentiment: Sentiment): Sentiment {
  const { filing } = artifact;
  if (filing === null) return sentiment;
  const { prior, item } = filingPrior(filing, `${artifact.title} ${artifact.body.slice(0, 1000)}`);
  if (prior.direction === 0 || Math.abs(sentiment.shortDirection) > Math.abs(prior.direction))
    return sentiment;
  const what = item === null ? filing.form : `${filing.form} item ${item}`;
  return {
    ...sentiment,
    shortDirection: prior.direction,
    longDirection: towardsZero(prior.direction * 0.8),
    conviction: Math.max(sentiment.conviction, 35 + 10 * Math.abs(prior.direction)),
    intensity: Math.max(sentiment.intensity, 20 * Math.abs(prior.direction)),
    comment: `${what}: ${prior.meaning}`,
  };
}

function withoutNames(read: ReadText, names: readonly Span[]): ReadText {
  if (names.length === 0) return read;
  return { ...read, cues: read.cues.filter((cue) => !touchesName(names, cue)), names };
}

const evidenceOf = (cues: readonly Span[], text: string): Evidence[] =>
  cues.map(({ start, end }) => ({ text: text.slice(start, end), start, end }));

/** Mentions of the company in a text: by its ticker and by the first word of its name. */
function mentionsOf(symbol: LinkedSymbol, text: string): readonly number[] {
  const name = tokenize(symbol.name)[0]?.raw ?? "";
  const needles = [name.length > 2 ? name : symbol.name, symbol.short_symbol ?? ""].filter(
    (needle) => needle.length > 1,
  );
  return needles.flatMap((needle) => {
    const found: number[] = [];
    for (let at = text.indexOf(needle); at >= 0 && found.length < 20; at = text.indexOf(needle, at + 1))
      found.push(at);
    return found;
  });
}

/** Cues of the sentences that name the symbol; between two names a cue belongs to the nearer, preferably the one before it. */
function cuesFor(symbol: LinkedSymbol, symbols: readonly LinkedSymbol[], cues: readonly Cue[], text: string) {
  const own = mentionsOf(symbol, text);
  const others = symbols
    .filter((other) => other.name !== symbol.name)
    .flatMap((other) => mentionsOf(other, text));
  return cues.filter((cue) => {
    const inside = (at: number): boolean => at >= cue.sentenceStart && at < cue.sentenceEnd;
    const mine = own.filter(inside);
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

function analysis(
  symbol: LinkedSymbol,
  sentiments: { whole: Sentiment; own: Sentiment; alone: boolean },
  role: DealRole | null,
  text: string,
): SymbolAnalysis {
  const { whole, own, alone } = sentiments;
  const useOwn = !alone && own.evidence.length > 0;
  const base = useOwn || alone ? (alone ? whole : own) : whole;
  const damped = !symbol.primary && !useOwn && !alone ? 0.5 : 1;
  const target = role?.part === "target" && !alone && Math.abs(base.shortDirection) < 3;
  // The heads' probability is for the whole text; for one company's cues alone it was never measured.
  const calibrated = symbol.primary && Math.sign(base.shortDirection) === Math.sign(whole.shortDirection);
  const short = target
    ? 3
    : role?.part === "buyer" && !alone
      ? Math.min(base.shortDirection, 1)
      : towardsZero(base.shortDirection * damped);
  return {
    symbol: symbol.symbol,
    exchange: symbol.exchange,
    short_symbol: symbol.short_symbol,
    logoid: symbol.logoid,
    primary: symbol.primary,
    relevance: symbol.relevance,
    sentiment_short: short,
    sentiment_long: target ? 2 : towardsZero(base.longDirection * damped),
    sentiment_conviction: target ? 60 : Math.round((calibrated ? whole : base).conviction * damped),
    sentiment_score: 5 + short,
    sentiment_comment: target
      ? `Named as the one to be bought: '${text.slice(role.start, role.end)}'`
      : base.comment,
    evidence: evidenceOf(target ? [role] : base.evidence, text),
  };
}

function analyses(
  artifact: Artifact,
  symbols: readonly LinkedSymbol[],
  cues: readonly Cue[],
  whole: Sentiment,
): readonly SymbolAnalysis[] {
  const text = `${artifact.title}\n${artifact.body.slice(0, bodyRead)}`;
  const companies = new Set(symbols.map(({ name }) => name)).size;
  return symbols.map((symbol) => {
    const own = companies > 1 ? weigh(cuesFor(symbol, symbols, cues, text), text) : whole;
    const title = artifact.title.slice(0, 400);
    const role = dealRole(mentionsOf(symbol, title), title);
    return analysis(symbol, { whole, own, alone: companies <= 1 }, role, text);
  });
}

/** What the feed knows beside the item itself. */
export interface FlashContext {
  /** Other items on the primary symbol so far today: important news comes in bursts. */
  readonly itemsOnSymbolToday?: number;
}

/** What was found in a text before the feed's memory is used. */
export interface Findings {
  /** Kinds of event in the title; empty when none is known. */
  readonly events: readonly string[];
  /** -5..+5, over hours to days. */
  readonly direction: number;
}

/**
 * The fast judgement of an item: rules and trained heads over its headline and the start of its body.
 * Pure and deterministic; reads at most 1,000 characters of the title and 2,000 of the body.
 * @param symbols from linkSymbols; the verdict has one analysis for each, in their order
 * @param contextOf called once
 */
export function flash(
  artifact: Artifact,
  symbols: readonly LinkedSymbol[],
  contextOf: (findings: Findings) => FlashContext = () => ({}),
): Verdict {
  const text = `${artifact.title}\n${artifact.body.slice(0, bodyRead)}`;
  const read = withoutNames(readText(artifact.title, artifact.body), ownNames(symbols, text));
  const sentiment = withFiling(
    artifact,
    judgeSentiment(shippedHeads, artifact, read, text, symbols.length > 0),
  );
  const context = contextOf({ events: knownKinds(read.events), direction: sentiment.shortDirection });
  const actionability = judgeActionability(
    artifact,
    symbols,
    sentiment,
    read.events,
    context.itemsOnSymbolToday ?? 0,
  );
  return {
    model: "flash",
    modelVersion,
    actionability,
    sentiment: {
      shortDirection: sentiment.shortDirection,
      longDirection: sentiment.longDirection,
      conviction: sentiment.conviction,
      comment: sentiment.comment,
    },
    subScores: subScores(artifact, symbols, actionability.score, sentiment, read.events),
    ...mentionsIn(artifact, symbols, read.events),
    symbols: analyses(artifact, symbols, read.cues, sentiment),
    summary: summarize(artifact.body),
  };
}
