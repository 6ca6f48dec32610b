import { actionableFrom } from "../../actionable-threshold.ts";
import type { Span } from "../../text.ts";
import { loudMove, scoreOf } from "../action-score.ts";
import { type Reasons, sentimentComment, tells } from "../comments.ts";
import { leadingPart, othersSign, ownCompany, ownParts, type Part } from "../companies.ts";
import type { Cue } from "../cues/types.ts";
import type { FoundEvent } from "../events/events.ts";
import { touchesName } from "../own-names.ts";
import { type Balance, percent, towardsZero, weigh } from "../sentiment.ts";
import { gramEvidence } from "./gram-evidence.ts";
import type { Heads, Probabilities } from "./heads.ts";
import { againstOf, reasonsForNone, sized, strongest, toldOf } from "./reasons.ts";
import { shareMove } from "./share-move.ts";
import { type Judged, toldSign } from "./sure.ts";

export { noFact, type PlainFact, plainFact, plainFactOf } from "./plain-fact.ts";
export { whyByEvent, whyByWording } from "./reasons.ts";
export { shareMove } from "./share-move.ts";
export { figureSign, type Judged, ofEconomies, partBesideGood, sureSign } from "./sure.ts";

/** The direction of an item, with what speaks for it. */
export interface Sentiment {
  /** -5..+5. */
  readonly shortDirection: number;
  readonly longDirection: number;
  /** 0..100: probability that the sign is right. */
  readonly conviction: number;
  readonly intensity: number;
  readonly agreement: number;
  readonly certainty: number;
  readonly comment: string;
  /** The event that the comment names. */
  readonly told: FoundEvent | null;
  /** Strongest first, at most three. */
  readonly evidence: readonly Span[];
}

const signOf = ([down, flat, up]: Probabilities): number =>
  flat >= down && flat >= up ? 0 : up > down ? 1 : -1;

/** From this probability on, wording alone, without a rule's evidence, gives more than the smallest direction. */
const plainly = 0.75;
/** Conviction where the part of the company in a deal, not the wording, gives the sign: 60 of 100. */
const byPart = 0.6;

/** Least conviction of an event whose kind is sure. */
const surely = 0.75;

/** Of a short headline the heads know little; where they all but doubt, the fact that it tells decides. */
const nearTie = 0.8;

const isNearTie = (probabilities: Probabilities, told: number): boolean =>
  told !== 0 && (probabilities[told + 1] ?? 0) >= nearTie * Math.max(...probabilities);

/**
 * Whether all that the text tells is what nobody acts on, and what its rows give no direction. A report of a market's move has the
 * direction of its wording.
 */
const isOfNoAccount = ({ read }: Judged, parts: readonly Part[]): boolean =>
  read.events[0]?.inTitle === true &&
  !read.events[0].kind.echo &&
  read.events.every(({ kind }) => kind.act[1] < actionableFrom) &&
  parts.every(({ direction }) => direction[0] === 0);

/** A row that is sure of the other party and gives this one nothing leaves it no sign at all. */
const isTheirs = ({ event, direction }: Part, sign: number, others: number): boolean =>
  others === sign || (others !== 0 && event.kind.sure && direction[0] === 0);

/** What the headline's deal is for another party, where it tells nothing else for that sign of the own company. */
const isOthersAlone = (
  { artifact, companies, read }: Judged,
  parts: readonly Part[],
  own: Part,
  sign: number,
): boolean =>
  companies.length > 0 &&
  own.event === read.events[0] &&
  own.event.inTitle &&
  shareMove(artifact.title, ownCompany(companies)?.mentions ?? [])?.isOwn !== true &&
  isTheirs(own, sign, othersSign(own, { title: artifact.title, names: read.names })) &&
  sign !== 0 &&
  !parts.some(({ event, direction }) => event.inTitle && Math.sign(direction[0]) === sign);

/** "Metsera soars as Pfizer raises bid": the share that moves is the target's, whether it is known or not. */
const isOthersMove = ({ artifact, companies }: Judged, { event, role }: Part): boolean =>
  role === "acquirer" &&
  event.inTitle &&
  shareMove(
    artifact.title,
    companies.flatMap(({ mentions }) => mentions.slice(0, 1)),
  )?.isOwn === false;

/** The move of the own company's share, where the headline begins with it. */
const ownMove = ({ artifact, companies }: Judged): number => {
  const found = shareMove(artifact.title, ownCompany(companies)?.mentions ?? []);
  return found?.isOwn === true ? found.sign : 0;
};

interface Sign {
  readonly sign: number;
  readonly probability: number;
}

/**
 * The heads' sign, which is that of the text's first company; turned where the item's own company has another part in what
 * happened: a takeover is one thing for the target and another for the acquirer, and a rival's profit warning is not its own.
 */
function signFor(judged: Judged, parts: readonly Part[], isCompanyNews: boolean): Sign {
  const probabilities = judged.opinions.direction(isCompanyNews);
  const sign = signOf(probabilities);
  const [leading] = judged.read.events;
  const [own] = parts;
  if (isOfNoAccount(judged, parts)) return { sign: 0, probability: Math.max(surely, probabilities[1]) };
  if (leading !== undefined && own !== undefined) {
    // "Norvik slides after its pill meets its goal": the market has judged what the row calls good.
    const move = leading.inTitle ? ownMove(judged) : 0;
    if (move * own.direction[0] < 0) return { sign: move, probability: byPart };
    const told = toldSign(judged, own, leading);
    if (told !== 0) return { sign: told, probability: Math.max(surely, probabilities[told + 1] ?? 0) };
    if (isOthersAlone(judged, parts, own, sign) || isOthersMove(judged, own))
      return { sign: Math.sign(own.direction[0]), probability: byPart };
    const first = leadingPart(leading, ownCompany(judged.companies)?.symbol);
    const turned = Math.sign(own.direction[0]);
    const isOther = own.event !== leading || own.role !== first.role;
    if (isOther && turned !== sign && own.direction[0] !== first.direction[0])
      return { sign: turned, probability: byPart };
    // Markets like some job cuts: without a word that says so the row's caution stands.
    if (sign > 0 && isLayoffsAlone(own, parts) && !judged.read.cues.some(({ weight }) => weight > 0))
      return { sign: turned, probability: byPart };
    if (sign !== turned && isNearTie(probabilities, turned) && leading.inTitle && leading.strength >= 1)
      return { sign: turned, probability: probabilities[turned + 1] ?? 0 };
  }
  return { sign, probability: probabilities[sign + 1] ?? 0 };
}

/** Whether the event means most for this part: what is large for the target may be little for its buyer. */
const isMost = (part: Part | undefined): boolean =>
  part === undefined ||
  [...part.event.kind.directions.values()].every(
    ([short]) => Math.abs(short) * part.event.strength <= Math.abs(part.direction[0]),
  );

/** From this score of the head of actionability on a reader sees more than the smallest direction. */
const clearlyActed = 75;

/**
 * What nobody acts on is small news, whatever it tells: readers gave such items 1.1 on average, those of the next step 2 and more
 * even where no event was found.
 */
function sizeOf(
  part: Part | undefined,
  balance: Balance,
  { sign, probability }: Sign,
  actScore: number,
): number {
  const byCues = balance.shortDirection * sign > 0 ? Math.abs(balance.shortDirection) : 0;
  const byWording = probability >= plainly ? 2 : 1;
  const size = part === undefined ? byCues || byWording : Math.max(1, Math.round(sized(part)));
  const isLoud = part?.event.inTitle === true && part.event.kind.move * part.event.strength >= loudMove;
  if (actScore < actionableFrom && !isLoud) return 1;
  if (actScore >= clearlyActed) return Math.min(5, Math.max(2, size));
  return probability < 0.5 ? Math.max(1, size - 1) : Math.min(5, size);
}

/** Job cuts save money and tell of weak business: by themselves they are slight. */
const isLayoffsAlone = (own: Part, parts: readonly Part[]): boolean =>
  own.event.kind.name === "layoffs" &&
  parts.every(({ event, direction }) => event === own.event || direction[0] === 0);

/** Whether what the headline tells is little for its own company, as a deal is for who buys another firm: what the wording adds is slight. */
export function isModest(parts: readonly Part[]): boolean {
  const [own] = parts;
  if (own?.event.inTitle !== true) return false;
  const isBuyer = own.event.kind.group === "takeovers" && own.role === "acquirer" && own.direction[0] === 0;
  return isBuyer || isLayoffsAlone(own, parts);
}

function longOf(part: Part | undefined, size: number, sign: number): number {
  if (part === undefined || part.direction[0] === 0) return towardsZero(sign * size * 0.6);
  return towardsZero(Math.round((part.direction[1] / Math.abs(part.direction[0])) * size));
}

/** Cues on one side, strongest first. */
const onSide = (cues: readonly Cue[], sign: number): readonly Cue[] =>
  cues
    .filter(({ weight }) => weight * sign > 0)
    .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || a.start - b.start);

/** Whether a cue may be of the item's company: "Teck shares rose" is none of Glencore's, whatever the headline tells of it. */
function isOfOwn({ companies }: Judged, { sentenceStart, sentenceEnd }: Cue): boolean {
  const own = ownCompany(companies)?.symbol.name;
  const named = companies.filter(({ mentions }) =>
    mentions.some((at) => at >= sentenceStart && at < sentenceEnd),
  );
  return named.length === 0 || named.some(({ symbol }) => symbol.name === own);
}

/** The words that made the heads choose a sign, when neither an event nor a cue says so. */
function wordingFor(heads: Heads, sign: number, { read, text }: Judged): readonly Cue[] {
  const unnamed = read.titleWords.filter((word) => !touchesName(read.names, word));
  const cue = gramEvidence(heads, sign, unnamed, text);
  return cue === null ? [] : [cue];
}

const spanOf = ({ start, end }: Span): Span => ({ start, end });

/** A direction of 0: what was found, and what cancels it. */
function neutral(judged: Judged, parts: readonly Part[], balance: Balance, probability: number): Sentiment {
  const { text, whom, artifact } = judged;
  const leading = parts[0]?.event;
  const cue = balance.evidence[0] ?? null;
  const none = reasonsForNone(parts);
  const against = leading === undefined ? balance.against : none.against;
  const reasons: Reasons = { ...none, cue, against, whom, title: artifact.title };
  return {
    ...balance,
    shortDirection: 0,
    longDirection: 0,
    conviction: percent(100 * probability),
    comment: sentimentComment(reasons, text),
    told: reasons.event,
    evidence: [...(leading === undefined ? [] : [leading]), ...balance.evidence].slice(0, 3).map(spanOf),
  };
}

/**
 * Direction of an item with the probability that its sign is right.
 * @param isCompanyNews the item is about a known symbol and no user's post, or it is a filing
 */
export function judgeSentiment(heads: Heads, judged: Judged, isCompanyNews: boolean): Sentiment {
  const { read, text, whom, artifact } = judged;
  const balance = weigh(read.cues);
  const parts = ownParts(judged.companies, read.events);
  const found = signFor(judged, parts, isCompanyNews);
  const { sign, probability } = found;
  if (sign === 0) return neutral(judged, parts, balance, probability);
  const part = strongest(parts, sign);
  const acted = scoreOf(judged.opinions.action, heads.actionFrom);
  const ofSide = onSide(
    read.cues.filter((cue) => isOfOwn(judged, cue)),
    sign,
  );
  const cues = part === undefined && ofSide.length === 0 ? wordingFor(heads, sign, judged) : ofSide;
  // Where only bare words weighed, the event that is told is the reason: the row may say nothing of a price that the heads find high.
  const isSilent = ofSide.length === 0 && (cues.length === 0 || parts[0]?.direction[0] === 0);
  const told = toldOf(parts, sign, part) ?? (isSilent ? parts[0] : undefined);
  // "-----" gets some sign from its dashes alone: a direction without any wording is none.
  if (told === undefined && cues.length === 0) return neutral(judged, parts, balance, 1 - probability);
  const size = isModest(parts)
    ? 1
    : sizeOf(part, balance, found, isMost(part ?? parts[0]) ? acted : Math.min(acted, clearlyActed - 1));
  const shortDirection = sign * size;
  const isReason = told !== undefined && told.direction[0] * sign > 0;
  const reason = isReason ? told.event : (cues[0] ?? null);
  const reasons: Reasons = {
    direction: shortDirection,
    event: isReason ? told.event : null,
    cue: cues[0] ?? null,
    against: againstOf(judged, parts, sign, reason),
    whom,
    title: artifact.title,
    isKnown: parts.length > 0,
    beside: parts.find(({ event, direction }) => direction[0] === 0 && tells(event.kind))?.event ?? null,
  };
  return {
    ...balance,
    shortDirection,
    longDirection: longOf(part, size, sign),
    conviction: percent(100 * probability),
    intensity: Math.max(balance.intensity, part === undefined ? 0 : percent(20 * sized(part))),
    comment: sentimentComment(reasons, text),
    told: told?.event ?? null,
    evidence: [...(told === undefined ? [] : [told.event]), ...cues].slice(0, 3).map(spanOf),
  };
}
