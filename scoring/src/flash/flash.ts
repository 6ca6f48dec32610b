import { summarize } from "../summary.ts";
import type { Span } from "../text.ts";
import type { Artifact, LinkedSymbol, Verdict } from "../types.ts";
import { judgeActionability } from "./actionability.ts";
import { analysesOf } from "./analyses.ts";
import { goodNamed, namesPower, opensWithPower, subjectNamed } from "./comments.ts";
import { type Company, companiesOf, pricedFirst } from "./companies.ts";
import { bodyRead, type ReadText, readText } from "./cues/cues.ts";
import { mentionsIn } from "./event-mentions.ts";
import { type FoundEvent, isOfGoods, marketGroups, worthOf } from "./events/events.ts";
import { filingPrior } from "./filing-priors.ts";
import { type HeadInput, headInputOf } from "./heads/head-input.ts";
import { groupProbabilities, Opinions } from "./heads/heads.ts";
import { judgeSentiment, type Sentiment } from "./heads/judge.ts";
import { modelVersion, shippedHeads } from "./heads/model.ts";
import { isOwnRival } from "./named-parts.ts";
import { isInName, ownNames, spokenName, touchesName } from "./own-names.ts";
import { towardsZero } from "./sentiment.ts";
import { subScores } from "./subscores.ts";
import { actRange, anyScore, type Told, toldBy } from "./told.ts";

export { scoreOf } from "./action-score.ts";
export { noEvent, outcome, unnamed, whichWay } from "./comments.ts";
export { noFact, type PlainFact } from "./heads/judge.ts";
export { spokenName } from "./own-names.ts";
export {
  type ActRange,
  isBeside,
  isTelling,
  mostFor,
  signOf,
  sizeOfFall,
  type Told,
  type Why,
  within,
} from "./told.ts";
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
  return {
    ...read,
    cues: read.cues.filter((cue) => !touchesName(names, cue)),
    events: read.events.filter((event) => !isInName(names, event)),
    names,
  };
}

/** A group counts this much even where the head gives it no chance. */
const leastShare = 0.3;

/** Where a text tells several events, the one of the likelier group leads. */
function ranked(events: readonly FoundEvent[], input: HeadInput): readonly FoundEvent[] {
  if (events.length < 2) return events;
  const likely = groupProbabilities(shippedHeads, input);
  const weighed = events.map((event) => ({
    event,
    weight: event.weight * (leastShare + (likely[shippedHeads.groupNames.indexOf(event.kind.group)] ?? 0)),
  }));
  return weighed.sort((a, b) => b.weight - a.weight).map(({ event }) => event);
}

/** Where no company is linked, what happens to a good is the news, whatever the same words would tell of a company. */
function goodsFirst(events: readonly FoundEvent[], symbols: readonly LinkedSymbol[]): readonly FoundEvent[] {
  const ofGoods = events.find(
    ({ kind, inTitle, strength }) => inTitle && strength >= 1 && kind.sure && isOfGoods(kind),
  );
  if (ofGoods === undefined || !symbols.every(({ type }) => type === "commodity")) return events;
  return [ofGoods, ...events.filter((event) => event !== ofGoods)];
}

/** Whom a direction is about, in words. */
function whomOf(symbols: readonly LinkedSymbol[], events: readonly FoundEvent[], title: string): string {
  const [leading] = events;
  const [primary] = symbols;
  if (primary !== undefined) return spokenName(primary.name);
  const priced = pricedFirst(events);
  if (priced !== undefined) return goodOf(priced, title);
  const isMarket = leading !== undefined && marketGroups.has(leading.kind.group);
  const moved = isMarket ? leading : events.find(({ kind, inTitle }) => inTitle && tellsOfGoods(kind));
  if (moved !== undefined && tellsOfGoods(moved.kind)) return goodOf(moved, title);
  if (leading !== undefined && ofState.test(leading.kind.name)) return "the country";
  if (moved !== undefined && currencyMoved.test(moved.kind.name)) return "the currency";
  if (isMarket) return "the market";
  // Where no event says what the text tells of, its words do: of a good, of a state, else of a company that is not known.
  const isOfPower = leading === undefined ? namesPower(title) : opensWithPower(title);
  if (isOfPower) return goodNamed(title) ?? "the market";
  const isOfCompany = leading?.inTitle === true && leading.kind.before === "subject" && !leading.turned;
  return (isOfCompany ? subjectNamed(title) : null) ?? "the company named";
}
const goodOf = ({ kind }: FoundEvent, title: string): string =>
  goodsNames.find(([prefix]) => kind.name.startsWith(prefix))?.[1] ?? goodNamed(title) ?? "the commodity";
const goodsNames = [
  ["oil_", "crude oil"],
  ["gold_", "gold"],
  ["crypto_", "crypto"],
] as const;
/** What happens to the price of a good, which is no share. */
const tellsOfGoods = (kind: FoundEvent["kind"]): boolean => isOfGoods(kind) || kind.name === "commodity_flat";
const ofState = /^sovereign_/;
const currencyMoved = /^fx_(?:up|down)$/;

/** What the feed knows beside the item itself. */
export interface FlashContext {
  /** Other items on the primary symbol so far today: important news comes in bursts. */
  readonly itemsOnSymbolToday?: number;
}

/** What was found in a text before the feed's memory is used. */
export interface Findings {
  /** Groups of the events in the title; empty when none is known. */
  readonly events: readonly string[];
  /** -5..+5, over hours to days. */
  readonly direction: number;
}

interface Reading {
  readonly read: ReadText;
  readonly input: HeadInput;
  readonly companies: readonly Company[];
  readonly text: string;
}

const exhibits = /\bitem (?:6|15|16)\.? {1,3}(?:exhibits|exhibit and)/i;

/** The list of exhibits at the end of a report names papers, not what has happened. */
function withoutExhibits({ filing, body }: Artifact): string {
  if (filing === null) return body;
  const at = body.slice(0, bodyRead).search(exhibits);
  return at < 0 ? body : body.slice(0, at);
}

/** "Strong Global Entertainment 8-K Item 1.01": who files is no news, known or not. */
const filer =
  /^(?:[\p{Lu}\d][\p{L}\p{N}.&'’-]{0,30},? ){1,6}(?=(?:files |filed |\(|- |Form )?(?:8-K|10-K|10-Q|6-K|20-F)\b)/u;

/** "6-K - Norvik ASA: its trial failed", "8-K - Item 8.01 Other Events - Norvik buys back shares": where a headline follows the form. */
const headlineAfter = /: | - Item \d\.\d{2}\b|(?<= - Item \d\.\d{2}[^-:]{0,120}) - /;

/** The title of a filing is its form and the issuer, as registers list it: neither says anything for or against. */
function listedTitle({ filing, title }: Artifact): readonly Span[] {
  if (filing !== null && title.startsWith(`${filing.form} - `)) {
    const at = title.search(headlineAfter);
    return [{ start: 0, end: at < 0 ? title.length : at }];
  }
  const named = filer.exec(title.slice(0, 200))?.[0];
  return named === undefined ? [] : [{ start: 0, end: named.length }];
}

function readingOf(artifact: Artifact, symbols: readonly LinkedSymbol[]): Reading {
  const body = withoutExhibits(artifact);
  const text = `${artifact.title}\n${body.slice(0, bodyRead)}`;
  const names = [...ownNames(symbols, text), ...listedTitle(artifact)];
  const worth = symbols.length === 0 ? 0 : Math.min(...symbols.map(worthOf));
  const plain = withoutNames(readText(artifact.title, body, worth), names);
  const input = headInputOf(artifact.title, plain);
  const events = plain.events.filter((event) => !isOwnRival(event, text));
  const read = { ...plain, events: goodsFirst(ranked(events, input), symbols) };
  return { read, input, companies: companiesOf(symbols, read.events, text), text };
}

const groupsInTitle = ({ events }: ReadText): readonly string[] => [
  ...new Set(events.filter(({ inTitle }) => inTitle).map(({ kind }) => kind.group)),
];

/** A verdict, and what the headline tells as a plain fact. */
export interface Reported {
  readonly verdict: Verdict;
  readonly told: () => Told;
}

/**
 * The fast judgement of an item: events, rules and trained heads over its headline and the start of its body.
 * Pure and deterministic; reads at most 1,000 characters of the title and 2,000 of the body.
 * @param symbols from linkSymbols; the verdict has one analysis for each, in their order
 * @param contextOf called once
 */
export const flash = (
  artifact: Artifact,
  symbols: readonly LinkedSymbol[],
  contextOf?: (findings: Findings) => FlashContext,
): Verdict => report(artifact, symbols, contextOf).verdict;

/** As flash, with what a second reader of the item has to keep. */
export function report(
  artifact: Artifact,
  symbols: readonly LinkedSymbol[],
  contextOf: (findings: Findings) => FlashContext = () => ({}),
): Reported {
  const { read, input, companies, text } = readingOf(artifact, symbols);
  const isCompanyNews = artifact.type === "filing" || (symbols.length > 0 && artifact.type !== "ugc");
  const whom = whomOf(symbols, read.events, artifact.title);
  const opinions = new Opinions(shippedHeads, input);
  const item = { artifact, read, opinions, text, companies, whom };
  const sentiment = withFiling(artifact, judgeSentiment(shippedHeads, item, isCompanyNews));
  const context = contextOf({ events: groupsInTitle(read), direction: sentiment.shortDirection });
  const event = read.events[0] ?? null;
  const isQuestion = input.features.has("question");
  const range = isQuestion ? anyScore : actRange(read.events);
  const actionability = judgeActionability({
    artifact,
    symbols,
    sentiment,
    event,
    probability: opinions.action,
    threshold: shippedHeads.actionFrom,
    isQuestion,
    range,
    itemsToday: context.itemsOnSymbolToday ?? 0,
    text,
  });
  const { shortDirection, longDirection, conviction, comment } = sentiment;
  const verdict: Verdict = {
    model: "flash",
    modelVersion,
    actionability,
    sentiment: { shortDirection, longDirection, conviction, comment },
    subScores: subScores(artifact, symbols, actionability.score, sentiment, event),
    ...mentionsIn(read.events, companies, text),
    symbols: analysesOf(companies, read.cues, sentiment, text),
    summary: summarize(artifact.body),
  };
  return { verdict, told: () => toldBy(item, range) };
}
