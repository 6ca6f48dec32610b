/** Comments that people read: one plain sentence that names the event, the words that prove it, and for whom. */
import { quote, quoteClause, quoteFirst } from "../quote.ts";
import type { Cue } from "./cues/types.ts";
import type { EventKind, FoundEvent } from "./events/events.ts";

const lower = (label: string): string =>
  /^[A-Z][a-z]/.test(label) ? `${label.charAt(0).toLowerCase()}${label.slice(1)}` : label;

/** What an event or a cue says, with its words. */
export const saidByEvent = ({ kind, start, end }: FoundEvent, text: string): string =>
  `${kind.label} (${quote(text, { start, end })})`;
const saidByCue = (cue: Cue, text: string): string =>
  `${cue.label.includes(":") ? "Change of a figure" : cue.label} (${quote(text, cue)})`;

export interface Reasons {
  /** -5..5. */
  readonly direction: number;
  /** What speaks for the direction; for 0, what was found at all. */
  readonly event: FoundEvent | null;
  readonly cue: Cue | null;
  /** What speaks against it; wording alone is told only where it leaves no direction. */
  readonly against: FoundEvent | Cue | null;
  /** Whom the direction is about: "UPS", "the company", "the market". */
  readonly whom: string;
  readonly title: string;
  /** The event that the text tells, where none speaks for the direction. */
  readonly beside?: FoundEvent | null;
  /** The text tells some event. */
  readonly isKnown?: boolean;
}

const said = (found: FoundEvent | Cue, text: string): string =>
  "kind" in found ? saidByEvent(found, text) : saidByCue(found, text);

/** @param direction not 0 */
export const whichWay = (direction: number): string => (direction > 0 ? "bullish" : "bearish");

/** What is known beside a wording. */
export interface Wording {
  /** The words, in quotes; null: none stand for it. */
  readonly words: string | null;
  /** An event without a direction: "Product launched ('...')"; null: there is none. */
  readonly beside: string | null;
  /** An event that speaks against it. */
  readonly against: string | null;
  /** The text tells some event, if not of this company. */
  readonly isKnown: boolean;
}

/** No event speaks for a direction: the words do. */
export function wordingComment(direction: number, whom: string, found: Wording): string {
  const { words, beside, against, isKnown } = found;
  const quoted = words === null || beside !== null ? "" : ` (${words})`;
  const kind = direction === 0 ? "neither good nor bad" : direction > 0 ? "good" : "bad";
  const reads = `wording reads as ${kind} news for ${whom}${quoted}`;
  if (beside !== null) return `${beside}; the ${reads}`;
  if (against !== null) return `The ${reads}, in spite of ${lower(against)}`;
  return isKnown ? `The ${reads}` : `No known kind of event; the ${reads}`;
}

/** Words that weighed for a direction but tell of nothing by themselves: "NASA to", "green", the "up" of "scoops up". */
const isWording = ({ feature, label, start, end }: Cue, text: string): boolean =>
  feature === "wording" ||
  /^(?:Unf|F)avourable wording$/.test(label) ||
  (label.includes(":") && !/\d/.test(quote(text, { start, end })));

/** Why the direction is what it is, in one sentence. @param text title + newline + body */
export function sentimentComment(reasons: Reasons, text: string): string {
  const { direction, event, cue, against, whom, title } = reasons;
  const reason = event ?? cue;
  const beside = reasons.beside == null ? null : saidByEvent(reasons.beside, text);
  if (reason === null && beside !== null && direction !== 0)
    return wordingComment(direction, whom, { words: null, beside, against: null, isKnown: true });
  if (reason === null)
    return title.trim() === ""
      ? "Nothing to read: the title is empty"
      : `No known kind of event, and no wording for or against ${whom}: ${quoteFirst(title)}`;
  const lead = said(reason, text);
  if (direction === 0)
    return against === null
      ? `${lead}: no clear direction for ${whom}`
      : `${lead} against ${lower(said(against, text))}: no clear direction for ${whom}`;
  // A word with a second meaning, told as the other side, makes a right verdict look wrong: only what happened is told.
  const contrary = against !== null && "kind" in against ? saidByEvent(against, text) : null;
  const but = contrary === null ? "" : `, in spite of ${lower(contrary)}`;
  if ("kind" in reason || !isWording(reason, text))
    return `${lead}: ${whichWay(direction)} for ${whom}${but}`;
  const inTitle = reason.end <= title.length && text.startsWith(title);
  const words = inTitle ? quoteClause(title, reason) : quote(text, reason);
  return wordingComment(direction, whom, {
    words,
    beside,
    against: contrary,
    isKnown: reasons.isKnown === true,
  });
}

/** Why an item is or is not likely to move the price, in one sentence. */
export function actionabilityComment(
  circumstances: {
    readonly actionable: boolean;
    readonly event: FoundEvent | null;
    /** The event that the comment on the direction names: two comments on one item name one. */
    readonly told: FoundEvent | null;
    readonly isQuestion: boolean;
    readonly title: string;
  },
  text: string,
): string {
  const { actionable, event, told, isQuestion, title } = circumstances;
  if (title.trim() === "") return "Nothing to act on: the title is empty";
  if (event?.kind.echo === true) return `Reports a move that has already happened (${quote(text, event)})`;
  if (isQuestion && !actionable) return `A question or list, not an event: ${quoteFirst(title)}`;
  const named = told ?? event;
  return named === null ? unnamed(actionable, title) : `${saidByEvent(named, text)}: ${outcome(actionable)}`;
}

export const outcome = (actionable: boolean): string =>
  actionable ? "likely to move the price" : "seldom moves the price";

/** How the comment on an item begins that tells no event. */
export const noEvent = "No known kind of event";

/** @param isKnown the text tells an event, but none that is a reason */
export function unnamed(actionable: boolean, title: string, isKnown = false): string {
  const worded = `orded like news that ${actionable ? "moves" : "seldom moves"} the price`;
  return isKnown ? `W${worded}: ${quoteFirst(title)}` : `${noEvent} in ${quoteFirst(title)}; w${worded}`;
}

/** Kinds below this share of moved prices say that somebody spoke, not what happened. */
const leastMove = 0.06;
export const tells = ({ move }: Pick<EventKind, "move">): boolean => move >= leastMove;

/** The name that opens a headline in sentence case, before its verb: "Vertex cuts", "Ford's sales fall". */
const opening =
  /^((?:\p{Lu}[\p{L}\d.&’-]{0,20}|\d?[A-Z]{2,6})(?: (?:\p{Lu}[\p{L}\d.&’-]{0,20}|&)){0,3})(?:['’]s?)? (?!(?:of|and|in|to|for)\b)\p{Ll}/u;
/** Words that open a headline with a capital and are nobody's name. */
const noName =
  /^(?:A|An|The|In|On|At|After|As|Why|How|What|When|Where|Is|Are|Can|Will|No|New|Exclusive|Update|Breaking|Judge|Court|Jury|Regulators?|Shares?|Stocks?|Unions?|Workers|Board|Analysts?|Sources?|Reports?|Investors?|Shareholders?|Police|Officials?|Government|Company|Firm|Group|Hackers|Customers?|Consumers?|Suppliers?|Startup|Maker|Former|Ex|Activist|Short|Drug|Chip|Oil|Gas|Retailer|Lawmakers?|Senators?|President|Minister|Mayor|CEO|CFO|Chief|Chair|Founder|Mr|Ms|Dr)\b/;
/** In title case every word is written like a name. */
const isTitleCase = (title: string): boolean => {
  const long = title.split(/\s+/).filter((word) => /^\p{L}{4}/u.test(word));
  return 2 * long.filter((word) => /^\p{Ll}/u.test(word)).length < long.length;
};

/** The company that a headline opens with, where nothing is linked; null: it is not sure that it opens with one. */
export function subjectNamed(title: string): string | null {
  const name = opening.exec(title)?.[1];
  return name === undefined || noName.test(name) || namesPower(name) || isTitleCase(title) ? null : name;
}

/** The first name that a headline has of a good, and how a comment calls it. */
const goods: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:natural gas|natgas|nat-gas|gas (?:storage|stocks|inventories|pipeline|prices|exports))\b/i,
    "natural gas",
  ],
  [/\bLNG\b/i, "liquefied natural gas"],
  [/\b(?:soybean|soy|palm) ?oil\b/i, "vegetable oil"],
  [/\b(?:gasoline|petrol)\b/i, "gasoline"],
  [/\b(?:diesel|distillates?|fuel oil)\b/i, "diesel"],
  [/\b(?:crude|oil|brent|wti|opec|oilfields?)\b/i, "crude oil"],
  [/\b(?:corn|maize)\b/i, "corn"],
  [/\bwheat\b/i, "wheat"],
  [/\bsoy(?:beans?)?\b/i, "soybeans"],
  [/\b(?:canola|rapeseed)\b/i, "canola"],
  [/\b(?:coffee|arabica|robusta)\b/i, "coffee"],
  [/\bcattle\b/i, "cattle"],
  [/\bhogs?\b/i, "hogs"],
  [/\biron ore\b/i, "iron ore"],
  [/\balumini?um\b/i, "aluminium"],
  [/\b(?:gold|bullion)\b/i, "gold"],
  [/\brare[- ]earths?\b/i, "rare earths"],
  [
    /\b(?:copper|zinc|nickel|tin|lithium|cobalt|uranium|palladium|platinum|silver|gallium|germanium|antimony|tungsten|graphite|bauxite|alumina|manganese|potash|coal|cocoa|sugar|cotton|rice|rubber|lumber|steel)\b/i,
    "",
  ],
];

/** The good that stands first in a title; null: it names none. */
export function goodNamed(title: string): string | null {
  let first = title.length;
  let name: string | null = null;
  for (const [pattern, called] of goods) {
    const found = pattern.exec(title);
    if (found === null || found.index >= first) continue;
    first = found.index;
    name = called === "" ? found[0].toLowerCase() : called;
  }
  return name;
}

/** Those who act on whole markets: what they do is about no company. */
const powers =
  /\b(?:OPEC\+?|Fed|ECB|BOJ|BoE|RBA|SNB|PBOC|USDA|IEA|EIA|NATO|UN|G7|G20|IMF|White House|Washington|Beijing|Moscow|Brussels|Tokyo|Kremlin|Pentagon|Congress|Senate|Trump|Putin|Xi|Iran|Israel|Russia|Ukraine|China|India|Pakistan|North Korea|South Korea|Taiwan|Turkey|Japan|Germany|France|Britain|Italy|Mexico|Canada|Brazil|Saudi Arabia|Egypt|Indonesia|Argentina|Australia|Qatar|Iraq|Kuwait|Libya|Nigeria|Chile|Peru|Congo|EU|US|U\.S\.|UK|Norway|Poland|Syria|Lebanon|Yemen|Venezuela|Houthis?|central bank|government|parliament|inflation|payrolls|GDP|CPI|stocks|shares|bonds|yields|markets?|Wall Street|economy)\b/;

/** Whether a title names a state, an authority or a market. */
export const namesPower = (title: string): boolean => powers.test(title);

/** Who opens a headline that is about no company, whatever its words would tell of one: "OPEC+ leaves output unchanged". */
const authority =
  /^(?:OPEC\+?|USDA|EIA|IEA|Fed|ECB|BOJ|BoE|RBA|SNB|NATO|IMF|White House|Conab|UNICA|Pentagon|Putin|(?:US|U\.S\.|EU|China|India|Trump|Washington|Brussels|Beijing)(?: Commerce(?: Department)?)? (?:exempts|sets|levies))(?![\p{L}\p{N}])/u;

export const opensWithPower = (title: string): boolean => authority.test(title);
