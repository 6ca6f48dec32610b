/** The sign of what a headline tells as plain facts, for a reader who weighs it against the wording. */
import type { Company, Part } from "../companies.ts";

export interface PlainFact {
  /** -1 or 1; 0: nothing is told, or facts of both signs are. */
  readonly sign: number;
  /** The fact stands behind words that open a subordinate clause: "rises as it wins an order". */
  readonly aside: boolean;
  /** The rest of the headline gives its reason: "trims forecast, citing orders pushed into next quarter". */
  readonly explained: boolean;
}

export const noFact: PlainFact = { sign: 0, aside: false, explained: false };

/** What parts the main statement from what is told beside it. */
const opensAside =
  /,? (?:citing|after|as|amid|despite|following|because|blaming|due to|in spite of|while|though|although|even as|on|but|with)\b|[;—]|,\s| - /i;
/** Of 113 labelled facts with such a clause behind them 9 have the other sign, of others one in eight. */
const explains = /\b(?:citing|blaming|due to|because|owing to|thanks to)\b/i;
/** "Raises guidance but warns of": what follows may weigh more than the fact. */
const contrast = /\b(?:but|even as|though|although|despite|yet|however|while)\b/i;

const isTold = ({ event, direction }: Part): boolean =>
  event.inTitle && event.strength >= 1 && !event.kind.echo && direction[0] !== 0;

/** @param parts of one company, in the order of the events */
export function plainFact(parts: readonly Part[], title: string): PlainFact {
  const told = parts.filter(isTold);
  const [first] = told;
  if (first === undefined || contrast.test(title.slice(first.event.end))) return noFact;
  const isAside = ({ event }: Part): boolean => opensAside.test(title.slice(0, event.start));
  const sign = Math.sign(first.direction[0]);
  const aside = isAside(first);
  const isMixed = told.some((part) => Math.sign(part.direction[0]) !== sign && (aside || !isAside(part)));
  const explained = !aside && explains.test(title.slice(first.event.end));
  return isMixed ? noFact : { sign, aside, explained };
}

/** A company beside the item's own that is read as the subject of the same event seldom is: another part is surer. */
export function plainFactOf({ symbol, parts }: Company, title: string): PlainFact {
  const first = parts.find(isTold);
  return symbol.primary || first?.role !== "subject" ? plainFact(parts, title) : noFact;
}
