/** Comments that people read: one plain sentence that names the event, the words that prove it, and for whom. */
import type { Span } from "../text.ts";
import type { Cue } from "./cues/types.ts";
import type { FoundEvent } from "./events/events.ts";

const oneLine = (text: string, most: number): string => {
  const line = text.replaceAll(/[^\S ]\s*|\s{2,}/g, " ").trim();
  return line.length > most
    ? `${line
        .slice(0, most - 1)
        .toWellFormed()
        .trimEnd()}…`
    : line;
};

export const quote = ({ start, end }: Span, text: string): string =>
  `'${oneLine(text.slice(start, end), 80)}'`;

const shown = (title: string): string => `'${oneLine(title, 60)}'`;

const bare = (label: string): string => (label.includes(":") ? "Change of a figure" : label);
const lower = (label: string): string =>
  /^[A-Z][a-z]/.test(label) ? `${label.charAt(0).toLowerCase()}${label.slice(1)}` : label;

/** What an event or a cue says, with its words. */
const saidByEvent = ({ kind, start, end }: FoundEvent, text: string): string =>
  `${kind.label} (${quote({ start, end }, text)})`;
const saidByCue = (cue: Cue, text: string): string => `${bare(cue.label)} (${quote(cue, text)})`;

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
}

const said = (found: FoundEvent | Cue, text: string): string =>
  "kind" in found ? saidByEvent(found, text) : saidByCue(found, text);

/** Two words that weighed most explain nothing by themselves: "NASA to". */
const saidByWording = ({ label }: Cue, title: string): string => `${label} (${shown(title)})`;

/** @param direction not 0 */
export const whichWay = (direction: number): string => (direction > 0 ? "bullish" : "bearish");

/** Why the direction is what it is, in one sentence. @param text title + newline + body */
export function sentimentComment(
  { direction, event, cue, against, whom, title }: Reasons,
  text: string,
): string {
  const reason = event ?? cue;
  if (reason === null)
    return title.trim() === ""
      ? "Nothing to read: the title is empty"
      : `No event and no wording for or against in ${shown(title)}`;
  const isWording = !("kind" in reason) && reason.feature === "wording";
  const lead = isWording ? saidByWording(reason, title) : said(reason, text);
  if (direction === 0)
    return against === null
      ? `${lead}: no clear direction for ${whom}`
      : `${lead} against ${lower(said(against, text))}: no clear direction for ${whom}`;
  // A word with a second meaning, told as the other side, makes a right verdict look wrong: only what happened is told.
  const but = against !== null && "kind" in against ? `, in spite of ${lower(said(against, text))}` : "";
  return `${lead}: ${whichWay(direction)} for ${whom}${but}`;
}

/** Why an item is or is not likely to move the price, in one sentence. */
export function actionabilityComment(
  circumstances: {
    readonly actionable: boolean;
    readonly event: FoundEvent | null;
    /** The event that the comment on the direction names: two comments on one item name one. */
    readonly told: FoundEvent | null;
    readonly evidence: Span | null;
    readonly isQuestion: boolean;
    readonly title: string;
  },
  text: string,
): string {
  const { actionable, event, told, evidence, isQuestion, title } = circumstances;
  if (title.trim() === "") return "Nothing to act on: the title is empty";
  if (event?.kind.echo === true) return `Reports a move that has already happened (${quote(event, text)})`;
  if (isQuestion && !actionable) return `A question or list, not an event: ${shown(title)}`;
  const outcome = actionable ? "likely to move the price" : "seldom moves the price";
  const named = told ?? event;
  if (named !== null) return `${saidByEvent(named, text)}: ${outcome}`;
  if (actionable && evidence !== null) return `Worded like news that moves prices: ${shown(title)}`;
  return `No event that moves prices in ${shown(title)}`;
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
