import { withPlainAmounts } from "./figures.ts";

/** Marks that agencies put before a headline: for a version, a kind of story, or themselves. */
const leadingMark =
  /^\s*(?:\*+|(?:updated?|wrapup|refile|rpt|repeat|brief|corrected|correction|breaking|alert|urgent|flash|exclusive|press release|news release|eqs-\w+|dgap-\w+|pta-\w+|gnw-\w+)(?:\s\d{1,2})?\s*[-:\u2013\u2014]|DJ\s)\s*/i;
const trailingMark = /\s*[([](?:updated?|corrected|correction|refile|repeat)[^)\]]{0,12}[)\]]\s*$/i;
const ticker = /\s?\([A-Z][A-Za-z ]{1,20}:\s?[A-Z0-9.]{1,8}\)/g;
const mostMarks = 3;

/** The headline without version and agency marks, tickers, and the outlet's name at its end. */
export function plainHeadline(title: string): string {
  let headline = title.slice(0, 1_000);
  for (let n = 0; n < mostMarks; n++) headline = headline.replace(leadingMark, "").replace(trailingMark, "");
  headline = headline.replaceAll(ticker, "");
  const [, before, outlet] = /^(.{25,}) [-\u2013|] ([^-\u2013|]{2,40})$/su.exec(headline) ?? [];
  return before === undefined || outlet === undefined || outlet.split(" ").length > 4 ? headline : before;
}

const currencies: readonly (readonly [RegExp, string])[] = [
  [/(?:US)?\$|\bUSD\b/g, "usd"],
  [/\u20ac|\bEUR\b/g, "eur"],
  [/\u00a3|\bGBP\b/g, "gbp"],
  [/\u00a5|\bJPY\b/g, "jpy"],
];
/** "-5%" and "+5%", "BBB-" and "BBB". */
const sign = /(?<![\p{L}\p{N}])[-+\u2212](?=\p{Sc}?\d)|(?<=\p{Lu})[-+\u2212](?=[\s,.;]|$)/gu;

/** Letters, figures and signs of a plain headline: equal for two wires that carry one release. */
export function headlineKey(headline: string): string {
  let text = headline.replaceAll(sign, (found) => (found === "+" ? " plus " : " minus "));
  for (const [currency, name] of currencies) text = text.replaceAll(currency, `${name} `);
  return withPlainAmounts(text)
    .toLowerCase()
    .replaceAll(/\b(?:an?|the)\s/g, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")
    .slice(0, 300);
}

/** Removes what the outlet adds: "LINDMOOR, March 2 (Wireline) - " before the text, and tickers in it. */
export function withoutDateline(body: string): string {
  return body
    .replace(
      /^\s*\p{Lu}[^.!?\n]{0,60}?(?:\([^)\n]{2,40}\)|\/[^/\n]{2,40}\/)\s*(?:--?|[\u2013\u2014:])\s*/u,
      "",
    )
    .replaceAll(ticker, "");
}

/** Sides of a matter; two texts on opposite sides tell different stories. */
const sides: readonly (readonly string[])[] = [
  [
    "raise|lift|boost|hike|increase|up|rise|rose|gain|grow|grew|climb|jump|surge|soar|higher|advance|more|above|widen|strong",
    "cut|lower|reduce|decrease|slash|trim|down|fall|fell|drop|decline|slide|slid|plunge|sink|sank|slump|tumble|less|below|narrow|weak",
    "keep|kept|hold|held|leave|left|maintain|reaffirm|reiterate|unchanged",
  ],
  [
    "approve|clear|accept|grant|allow|uphold|upheld|lawful",
    "reject|deny|denies|denied|refuse|block|veto|revoke|overturn|unlawful",
  ],
  ["confirm", "deny|denies|denied"],
  ["beat|top|exceed", "miss|lag"],
  ["meet|met|succeed|success|hit|reach", "miss|fail"],
  ["profit", "loss"],
  ["overweight|outperform|positive", "underweight|underperform|negative"],
  ["pass|adopt", "fail|defeat"],
  ["guilty|convict", "acquit|clear"],
  ["enter", "exit"],
  ["accelerate", "slow"],
  ["settle", "sue"],
  ["upgrade", "downgrade"],
  ["buy|bought|acquire|purchase", "sell|sold|divest|dispose"],
  [
    "open|start|begin|began|launch|resume|reopen|restart|plan|declare|reinstate|extend",
    "close|shut|halt|stop|suspend|end|pause|cancel|scrap|terminate|abandon|drop|withdraw|withdrew|lapse",
  ],
  ["win|won|secure|land", "lose|lost"],
  [
    "appoint|hire|name|join|promote|elect",
    "resign|dismiss|fire|oust|quit|depart|retire|leave|left|remove|sack",
  ],
  ["for", "against"],
  ["", "not|no|never|without|cannot|won't|doesn't|didn't|n't"],
];
/** Word to the sides it stands on, "axis+side". */
const stanceOf: ReadonlyMap<string, readonly string[]> = stances();

function stances(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [axis, ends] of sides.entries())
    for (const [side, words] of ends.entries())
      for (const word of words.split("|").filter((one) => one !== ""))
        found.set(word, [...(found.get(word) ?? []), `${axis}+${side}`]);
  return found;
}

/** "raises", "raised", "raising" as "raise". */
function stemsOf(word: string): string[] {
  const cut = word.replace(/(?:es|s|ed|d|ing)$/, "");
  const short = word.replace(/(?:s|d)$/, "");
  const undoubled = cut.replace(/(.)\1$/, "$1");
  return [word, short, cut, `${cut}e`, undoubled];
}

/** The sides that a headline or a sentence takes. */
export function stancesOf(text: string): string[] {
  const found = new Set<string>();
  for (const [word] of text.toLowerCase().matchAll(/\p{L}+(?:['\u2019]t)?/gu))
    for (const stem of stemsOf(word.replace("\u2019", "'")))
      for (const stance of stanceOf.get(stem) ?? []) found.add(stance);
  return [...found].sort();
}

const negation = `${sides.length - 1}+1`;

/** Whether two texts take opposite sides: in a matter that both mention they share none. */
export function takeSides(some: readonly string[], others: readonly string[]): boolean {
  if (some.includes(negation) !== others.includes(negation)) return true;
  return some.some((stance) => {
    const axis = stance.slice(0, stance.indexOf("+") + 1);
    const theirs = others.filter((other) => other.startsWith(axis));
    return theirs.length > 0 && !some.some((own) => theirs.includes(own));
  });
}

const filler = new Set(
  "the and for with from that this its his her their says said will has have are was were been new over after into about than".split(
    " ",
  ),
);

/** Whether a text covers its headline: it has half of the headline's words. An outlet's boilerplate has none. */
export function isToldBy(headline: string, bodyWords: readonly string[]): boolean {
  const starts = new Set(bodyWords.map((word) => word.slice(0, 5)));
  const said = (headline.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter((word) => !filler.has(word));
  return said.length > 0 && said.filter((word) => starts.has(word.slice(0, 5))).length * 2 >= said.length;
}

const capitalised = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}&]+/gu;
const leadChars = 250;
const mostNames = 96;

/** Capitalised words of a text as numbers of 16 bits. */
export function namesOf(text: string, hashOf: (word: string) => number): number[] {
  const found = new Set<number>();
  for (const [name] of text.matchAll(capitalised)) {
    found.add(hashOf(name.toLowerCase()) & 0xffff);
    if (found.size >= mostNames) break;
  }
  return [...found];
}

/** The part of a text that says what it is about: its first sentences. */
export const leadOf = (body: string): string => {
  const start = body.slice(0, leadChars);
  const end = start.search(/[.!?]["\u201d]?\s+\p{Lu}/u);
  return end === -1 ? start : start.slice(0, end + 1);
};
