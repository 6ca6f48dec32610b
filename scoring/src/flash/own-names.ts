import { type Span, tokenize } from "../text.ts";
import type { LinkedSymbol } from "../types.ts";

const legalForm =
  /(?:,?\s+(?:incorporated|inc|corporation|corp|company|companies|co|cos|limited|ltd|plc|group|holdings?|ag|aktiengesellschaft|se|sa|nv|spa|ab|asa|oyj|lp|llc|a\/s|n\.v|p\.l\.c|s\.a|s\.p\.a))\.?$/i;
const mostSpans = 40;

/** The name as headlines use it: "Best Buy" for "Best Buy Co., Inc.". */
export function spokenName(name: string): string {
  let spoken = name.replace(/^The |^(?:Public |Open )?Joint[ -]Stock Company | (?:Sponsored|NY)$/g, "");
  for (
    let shorter = spoken.replace(legalForm, "");
    shorter !== spoken;
    shorter = spoken.replace(legalForm, "")
  ) {
    if (shorter === "") break;
    spoken = shorter;
  }
  // "Eli Lilly and Company" is Eli Lilly.
  return spoken.replace(/\s+and$|[\s,&]+$/, "");
}

const isLetter = /[\p{L}\p{N}]/u;

/**
 * Spans of linked companies' names. "Best" in Best Buy, "Advance" in Advance Auto Parts and "Rocket" in Rocket
 * Pharmaceuticals say nothing for or against, whatever the rules know of the words.
 */
export function ownNames(symbols: readonly LinkedSymbol[], text: string): readonly Span[] {
  const found: Span[] = [];
  for (const name of new Set(symbols.map((symbol) => spokenName(symbol.name)))) {
    if (name.length < 2) continue;
    for (let at = text.indexOf(name); at >= 0 && found.length < mostSpans; at = text.indexOf(name, at + 1)) {
      const end = at + name.length;
      if (!isLetter.test(text.charAt(at - 1)) && !isLetter.test(text.charAt(end)))
        found.push({ start: at, end });
    }
  }
  return found;
}

/** Whether a passage begins or ends inside a name. */
export const touchesName = (names: readonly Span[], { start, end }: Span): boolean =>
  names.some((name) => (start >= name.start && start < name.end) || (end > name.start && end <= name.end));

/** Whether a passage is nothing but words of a name: "Circle" is no suitor that circles. */
export const isInName = (names: readonly Span[], { start, end }: Span): boolean =>
  names.some((name) => start >= name.start && end <= name.end);

const mostMentions = 20;

/** Shorter ones are found inside too many words. */
const shortestJoined = 5;

/** "exxon" of ExxonMobil. */
const joinedFirst = (name: string): string => (/^\p{Lu}\p{Ll}{3,}/u.exec(name)?.[0] ?? name).toLowerCase();

/** "Nvidia" for NVIDIA, "JPMorgan" for JP Morgan Chase: names as papers write them, where the registered spelling stands nowhere. */
function otherSpellings(symbol: LinkedSymbol, text: string): readonly number[] {
  const words = tokenize(spokenName(symbol.name)).map(({ word }) => word);
  const joined = words.slice(0, 2).join("");
  const needles = [words[0] ?? "", joined].filter(({ length }) => length >= shortestJoined);
  const lower = text.toLowerCase();
  // Another length means that offsets differ: seldom enough to leave such a text alone.
  if (lower.length !== text.length) return [];
  const found: number[] = [];
  // "Exxon" for ExxonMobil.
  if (/^\p{Lu}\p{Ll}+\p{Lu}/u.test(symbol.name)) needles.push(joinedFirst(symbol.name));
  for (const needle of new Set(needles))
    for (
      let at = lower.indexOf(needle);
      at >= 0 && found.length < mostMentions;
      at = lower.indexOf(needle, at + 1)
    )
      if (text.charAt(at) !== lower.charAt(at) && !isLetter.test(text.charAt(at - 1))) found.push(at);
  return found;
}

/** Names of which the registered one says nothing, by its first word. */
const pressNames: ReadonlyMap<string, string> = new Map([
  ["Alphabet", "Google"],
  ["Hon", "Foxconn"],
  ["Meta", "Facebook"],
]);
/** "Amazon" of Amazon.com. */
const domain = /\.(?:com|net|org|ai|io)$/i;

const capitalised = /\p{Lu}[\p{L}\p{N}&.-]{0,40} $/u;

/** "Waste Connections' takeover of Casella Waste": where a text has two words of a name, one of them behind a name is another's. */
function isAnothers(at: number, firstTwo: string, text: string): boolean {
  if (text.startsWith(firstTwo, at) || !text.includes(firstTwo)) return false;
  return capitalised.test(text.slice(Math.max(0, at - 42), at));
}

/** Where a text names a company: by its ticker and by the first word of its name. */
export function mentionsOf(symbol: LinkedSymbol, text: string): readonly number[] {
  const [first, second] = tokenize(symbol.name);
  const name = (first?.raw ?? "").replace(domain, "");
  const own = name.length > 2 ? name : symbol.name;
  const needles = [own, symbol.short_symbol ?? "", pressNames.get(name) ?? ""].filter(
    (needle) => needle.length > 1,
  );
  const exact = needles.flatMap((needle) => {
    const found: number[] = [];
    for (
      let at = text.indexOf(needle);
      at >= 0 && found.length < mostMentions;
      at = text.indexOf(needle, at + 1)
    )
      found.push(at);
    return found;
  });
  if (exact.length === 0) return otherSpellings(symbol, text);
  if (second === undefined) return exact;
  const firstTwo = symbol.name.slice(first?.start, second.end);
  return exact.filter((at) => !isAnothers(at, firstTwo, text));
}
