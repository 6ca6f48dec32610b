import type { Evidence } from "@tapewire/contract/feeds.ts";
import { whichWay } from "../flash/flash.ts";
import { quote } from "../quote.ts";
import type { Span } from "../text.ts";
import type { Verdict } from "../types.ts";
import { type Balance, balanceOf, directionOf, percent, sumOf, type WeighedSignal } from "./balance.ts";
import type { Reading } from "./reading/reading.ts";
import type { Contradiction } from "./types.ts";
import { evidenceOf, labelled } from "./wording.ts";

/** Flash's verdict and the body's statements combined. */
export interface WholeSentiment {
  readonly short: number;
  readonly long: number;
  /** 0..100. */
  readonly conviction: number;
  readonly comment: string;
  readonly body: Balance;
  /** Sum behind the short direction. */
  readonly sum: number;
  /** The short direction by the rules alone. */
  readonly ruled: number;
  readonly contradiction: Contradiction | null;
  /** What the encoder says; null: it was not asked. */
  readonly inContext: ReadInContext | null;
}

/** The encoder's part in a sentiment. */
export interface ReadInContext {
  /** The words that turned the sign; null: the rules have the same one. */
  readonly proof: Evidence | null;
}

type Sentiment = Verdict["sentiment"];

/** Below the first, a body is too weak to contradict its headline; below the second, it is mixed. */
const clearSum = 1.2;
const clearAgreement = 0.5;
/** Share of headline and body each, where the body says something. */
export const eachShare = 0.6;
/** Added conviction when headline and body agree. */
const agreed = 8;

const titleOf = ({ sentences }: Reading): Span => ({ start: 0, end: sentences[0]?.end ?? 0 });

/** @param headline short direction of the title read alone */
function contradictionOf(reading: Reading, headline: number, body: Balance): Contradiction | null {
  const [strongest] = body.evidence;
  const isClear = Math.abs(body.sum) >= clearSum && body.agreement >= clearAgreement;
  if (headline === 0 || strongest === undefined || !isClear || Math.sign(body.sum) === Math.sign(headline))
    return null;
  const title = evidenceOf(reading.text, titleOf(reading));
  const found = evidenceOf(reading.text, strongest.signal);
  const [headlineTone, bodyTone] = headline > 0 ? ["positive", "negative"] : ["negative", "positive"];
  const comment = `Headline ${headlineTone}, body ${bodyTone}: ${quote(reading.text, title)} but ${quote(reading.text, found)}`;
  return { headline: title, body: found, comment };
}

function convictionOf(base: Sentiment, body: Balance, sum: number): number {
  const direction = directionOf(sum);
  if (body.total === 0) return base.conviction;
  if (direction === 0) {
    const isQuiet = base.shortDirection === 0 && body.total < clearSum;
    return percent(
      isQuiet ? 0.8 * base.conviction : Math.min(20, 0.3 * Math.max(base.conviction, body.certainty)),
    );
  }
  const [flash, whole] = [Math.sign(base.shortDirection), Math.sign(directionOf(body.sum))];
  if (flash !== 0 && whole !== 0 && flash !== whole)
    return percent(0.5 * Math.max(base.conviction, body.certainty));
  if (flash === whole) return percent(Math.min(95, Math.max(base.conviction, body.certainty) + agreed));
  return percent(flash === 0 ? 0.8 * body.certainty : base.conviction);
}

function commentOf(
  reading: Reading,
  base: Sentiment,
  body: Balance,
  direction: number,
  { whom, why }: Headline,
): string {
  const { text } = reading;
  const fitting = body.evidence.filter(({ force }) => force * direction > 0);
  const [first, second] = fitting;
  if (direction === 0) {
    const [lead] = body.evidence;
    if (lead !== undefined && body.against === null && base.shortDirection !== 0)
      return `For and against cancel out: ${quote(text, titleOf(reading))} and ${quote(text, lead.signal)}`;
    if (lead === undefined || body.against === null) return base.comment;
    return `For and against cancel out: ${quote(text, lead.signal)} and ${quote(text, body.against.signal)}`;
  }
  const event = why(direction);
  if (event !== null) return event;
  // That the price moved is no reason where the headline's event is one.
  const isMove = first?.signal.label.startsWith("Price ") === true;
  if (first === undefined || (isMove && Math.sign(base.shortDirection) === Math.sign(direction)))
    return base.comment;
  const way = `: ${whichWay(direction)} for ${whom}`;
  if (body.against !== null && Math.abs(body.against.force) > 0.6)
    return `${labelled(text, first.signal)}${way}; against it ${quote(text, body.against.signal)}`;
  return second === undefined
    ? `${labelled(text, first.signal)}${way}`
    : `${labelled(text, first.signal)}; also ${labelled(text, second.signal)}${way}`;
}

/** What the headline says by itself. */
interface Headline {
  /** -5..+5. */
  readonly direction: number;
  /** Whom a direction is about, in words. */
  readonly whom: string;
  /** The sentence that names an event as the reason for a direction; null: none speaks for it. */
  readonly why: (direction: number) => string | null;
}

/** Refines flash's sentiment with the body's statements on the item's subject. */
export function judgeSentiment(
  reading: Reading,
  base: Sentiment,
  headline: Headline,
  signals: readonly WeighedSignal[],
): WholeSentiment {
  const body = balanceOf(signals.filter(({ signal }) => signal.sentence > 0));
  const contradiction = contradictionOf(reading, headline.direction, body);
  const sum =
    body.total === 0 ? sumOf(base.shortDirection) : eachShare * (sumOf(base.shortDirection) + body.sum);
  const longSum =
    body.total === 0
      ? sumOf(base.longDirection)
      : eachShare * (sumOf(base.longDirection) + 0.9 * body.lastingSum);
  const plain = directionOf(sum);
  // A text that contradicts itself moves the price less than one clear statement.
  const short = contradiction === null ? plain : plain - Math.sign(plain);
  const conviction = convictionOf(base, body, sum);
  return {
    short,
    long: directionOf(longSum),
    conviction: contradiction === null ? conviction : percent(0.6 * conviction),
    comment: contradiction?.comment ?? commentOf(reading, base, body, short, headline),
    body,
    sum,
    ruled: short,
    contradiction,
    inContext: null,
  };
}
