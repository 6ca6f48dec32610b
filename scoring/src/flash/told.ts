/** What a headline tells as a plain fact, as far as its row of the table says it all: no reading of the wording changes that. */
import { tells } from "./comments.ts";
import { type Company, leadingPart, othersSign, ownParts, type Part } from "./companies.ts";
import {
  directionFor,
  type EventKind,
  type EventRole,
  type FoundEvent,
  kindByName,
} from "./events/events.ts";
import {
  figureSign,
  isModest,
  type Judged,
  ofEconomies,
  type PlainFact,
  partBesideGood,
  plainFact,
  plainFactOf,
  shareMove,
  sureSign,
  whyByEvent,
  whyByWording,
} from "./heads/judge.ts";
import { isNamedBeside } from "./named-parts.ts";
import { spokenName } from "./own-names.ts";

/** Least and most score of actionability. */
export type ActRange = readonly [number, number];

/** Sentences for a direction of a company. */
export interface Why {
  /** That names an event; null: none speaks for the direction. */
  readonly byEvent: (direction: number) => string | null;
  /** That the wording gives it. @param words in quotes @param isKnown the body tells an event */
  readonly byWording: (direction: number, words: string | null, isKnown: boolean) => string;
}

export interface Told {
  /** -1 or 1 where the row is sure of the item's direction; 0: the wording decides. */
  readonly sign: number;
  /** The same where the wording may make it nothing, but not its opposite. */
  readonly figure: number;
  /** Another party of the event has much the better part: what the text says of that is not said of the item's own company. */
  readonly isOthers: boolean;
  /** Direction of each company in the event, -5..5, in the order of the symbols; 0: the wording decides. */
  readonly companies: readonly number[];
  /** The same where the row need not be sure: the direction that it gives to the company's part. */
  readonly parts: readonly number[];
  /** By company the sign that the headline's deal has for another party alone; 0: none. */
  readonly barred: readonly number[];
  /** By company whether the headline only names it to tell who another one is. */
  readonly apposed: readonly boolean[];
  /** The headline's row is sure of another party and says nothing of the item's own: nor does what the body tells of that party. */
  readonly silent: boolean;
  readonly act: ActRange;
  /** The headline reports how a market closed, which is over, whatever moved it. */
  readonly closed: boolean;
  /** Least and most size of a direction of the item's: a buyer of another firm has little of it, a market much of a war. */
  readonly size: readonly [number, number];
  /** The price of a good opens the headline, and what it tells of the company is another matter. */
  readonly besideGood: boolean;
  /** What the headline tells as plain facts of the item's own company, whose rows need not be sure. */
  readonly fact: PlainFact;
  /** The same of each company. */
  readonly facts: readonly PlainFact[];
  /** Whom the direction is about, in words. */
  readonly whom: string;
  /** Why a direction of the item's, or of one company's, is what it is, as far as the headline tells. */
  readonly own: Why;
  readonly others: readonly Why[];
}

export const anyScore: ActRange = [0, 100];
const anySize = [1, 5] as const;

/** An event of little account caps the score only where the text tells no other. */
const mostOf = (caps: readonly number[]): number => (caps.length === 0 ? 100 : Math.max(...caps));

/** A kind that stands beside another caps that one, too: a settlement that was provided for. */
const capsOf = (kinds: readonly EventKind[]): readonly number[] =>
  kinds.map(({ name, act }) =>
    Math.min(act[1], ...kinds.filter(({ beside }) => beside.has(name)).map((other) => other.act[1])),
  );

/** Whether a kind tells a detail of another one, and is sure of it. */
export const isBeside = (name: string): boolean => {
  const kind = kindByName.get(name);
  return kind?.sure === true && kind.beside.size > 0;
};

/** -1, 0 or 1: what a kind of event is for a company in a role. */
export const signOf = (name: string, role: EventRole): number =>
  Math.sign(kindByName.get(name)?.directions.get(role)?.[0] ?? 0);

/** Whether a kind of event says what happened, and not only that somebody spoke. */
export function isTelling(name: string): boolean {
  const kind = kindByName.get(name);
  return kind !== undefined && tells(kind);
}

/** Most score of a text that tells these kinds of event. */
export const mostFor = (names: readonly string[]): number =>
  mostOf(capsOf(names.map((name) => kindByName.get(name)).filter((kind) => kind !== undefined)));

const isPlain = ({ inTitle, strength, kind }: FoundEvent): boolean => inTitle && strength >= 1 && !kind.echo;

export function actRange(events: readonly FoundEvent[]): ActRange {
  const least = Math.max(0, ...events.filter(isPlain).map(({ kind }) => kind.act[0]));
  return [least, mostOf(capsOf(events.map(({ kind }) => kind)))];
}

export const within = (score: number, [least, most]: ActRange): number =>
  Math.min(most, Math.max(least, score));

const ofMarkets = /^(?:index_(?:up|down|flat)|market_wrap)$/;
const closing = /\b(?:end|clos|finish|settl)/i;

/** "Wall Street ends lower after": the report of a market's session opens the headline. */
function isClosed({ read, text }: Judged): boolean {
  const titled = read.events.filter(({ inTitle }) => inTitle);
  const first = Math.min(...titled.map(({ start }) => start));
  return titled.some(
    ({ kind, start, end }) =>
      start === first && ofMarkets.test(kind.name) && closing.test(text.slice(start, end)),
  );
}

/** Directions of the companies that have a part in a sure event. */
function directionsIn(event: FoundEvent, companies: readonly Company[]): readonly number[] {
  return companies.map(({ parts }) => {
    const part = parts.find((one) => one.event === event);
    return part === undefined ? 0 : Math.round(directionFor(event, part.role)[0]);
  });
}

/** A target's gain less what its buyer has of it. */
const muchBetter = 3;

function isOthersNews({ companies, read }: Judged): boolean {
  const [leading] = read.events;
  const [own] = ownParts(companies, read.events);
  if (leading === undefined || own?.event !== leading || !isPlain(leading) || companies.length === 0)
    return false;
  const best = Math.max(...[...leading.kind.directions.values()].map(([short]) => short));
  return own.direction[0] <= 0 && best - own.direction[0] >= muchBetter;
}

/** Signs that are another party's; none where the headline tells the company something else of that sign. */
const barredIn = (event: FoundEvent, { artifact, companies, read }: Judged): readonly number[] =>
  companies.map(({ parts, mentions }) => {
    const part = parts.find((one) => one.event === event);
    if (shareMove(artifact.title, mentions)?.isOwn === true) return 0;
    if (part?.apposed === true) return Math.sign(leadingPart(event).direction[0]);
    const sign = part === undefined ? 0 : othersSign(part, { title: artifact.title, names: read.names });
    return parts.some(({ direction }) => Math.sign(direction[0]) === sign) ? 0 : sign;
  });

/**
 * The size of what a row is sure of for a market or a good: readers of single headlines give a tariff on salmon as much as one on all
 * that China sells. Of a company its news is read beside others, so the wording decides.
 */
function sizeTold(judged: Judged, sign: number): readonly [number, number] {
  const parts = ownParts(judged.companies, judged.read.events);
  const [own] = parts;
  if (isModest(parts)) return [1, 1];
  if (
    own === undefined ||
    sign === 0 ||
    judged.companies.length > 0 ||
    !ofEconomies.has(own.event.kind.group)
  )
    return anySize;
  const size = Math.min(5, Math.round(Math.abs(own.direction[0])));
  return [Math.max(1, size - 1), size <= 1 ? 1 : 5];
}

/** Falls of a share in percent from which a direction has the sizes 2 to 5. */
const fallSteps = [2, 6, 15, 30] as const;
const fallRead = 1000;
const fallen =
  /\b[Ss]hares?(?: (?:of|in))?(?: \p{Lu}[\p{L}.&'’-]{0,30}){0,4} (?:fell|falls?|dropped|drops?|slid|slides?|slipped|slips?|plunged|plunges?|sank|sinks?|tumbled|tumbles?|slumped|slumps?|down|lost)(?: by| as much as| more than| nearly| about)? (\d{1,2}(?:\.\d{1,2})?) ?(?:%|percent)/u;

/** "Norvik's shares fell 17%" beside what stopped its mine says how large that was; null: no fall is told. */
export function sizeOfFall(text: string): number | null {
  const percent = fallen.exec(text.slice(0, fallRead))?.[1];
  return percent === undefined ? null : 1 + fallSteps.filter((step) => Number(percent) >= step).length;
}

const whyOf = (judged: Judged, parts: readonly Part[], whom: string): Why => ({
  byEvent: (direction) => whyByEvent(judged, parts, direction, whom),
  byWording: (direction, words, isKnown) => whyByWording(judged, parts, { direction, whom, words, isKnown }),
});

export function toldBy(judged: Judged, act: ActRange): Told {
  const sign = sureSign(judged);
  const own = ownParts(judged.companies, judged.read.events);
  const fact = plainFact(own, judged.artifact.title);
  const [leading] = judged.read.events;
  const nothing = judged.companies.map(() => 0);
  const isTold = leading !== undefined && isPlain(leading);
  const parts = isTold ? directionsIn(leading, judged.companies) : nothing;
  // The row may say nothing of the item's own company and yet be sure of the other: "A denies that it wants B".
  const barred = isTold ? barredIn(leading, judged) : nothing;
  const isSilent = isTold && leading.kind.sure && parts[0] === 0;
  return {
    sign,
    figure: figureSign(judged) || (fact.explained ? fact.sign : 0),
    isOthers: isOthersNews(judged),
    companies: sign === 0 && !isSilent ? nothing : parts,
    parts,
    barred,
    apposed: judged.companies.map(({ mentions }) => isNamedBeside(mentions, judged.artifact.title)),
    silent: isSilent && (barred[0] ?? 0) !== 0,
    act,
    closed: isClosed(judged),
    size: sizeTold(judged, sign),
    besideGood: partBesideGood(judged) !== null,
    fact,
    facts: judged.companies.map((company) => plainFactOf(company, judged.artifact.title)),
    whom: judged.whom,
    own: whyOf(judged, own, judged.whom),
    others: judged.companies.map((company) => whyOf(judged, company.parts, spokenName(company.symbol.name))),
  };
}
