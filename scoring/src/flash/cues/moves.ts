import { joined } from "../../kept-strings.ts";
import type { NounKind } from "../words/lexicon.ts";
import type { Word } from "../words/scan.ts";
import type { RawCue } from "./types.ts";

/** Words of motion that precede what moved: "lower costs", "rising demand". */
const adjectives = new Set(
  (
    "lower higher rising falling increasing declining decreasing growing shrinking soaring improved improving increased reduced " +
    "weaker weakening slowing surging decreased strengthening softer narrowing wider dwindling accelerating slower widening fewer"
  ).split(" "),
);
const beforeNoun = new Set(["in", "of"]);
const afterVerb = new Set(["to", "by", "from", "at", "in", "after", "of", "on"]);

/** Bounds of the clause around `at`; a comma does not end a clause. */
function clauseAround(words: readonly Word[], at: number, reach: number): readonly [number, number] {
  let from = at;
  while (from > 0 && at - from < reach) {
    if ((words[from]?.gap ?? 0) >= 2 || words[from]?.info?.clauseBreak === true) break;
    from -= 1;
  }
  let to = at + 1;
  while (to < words.length && to - at <= reach) {
    if ((words[to]?.gap ?? 0) >= 2 || words[to]?.info?.clauseBreak === true) break;
    to += 1;
  }
  return [from, to];
}

interface Moved {
  readonly sign: number;
  readonly kind: NounKind;
  readonly index: number;
}

const rivals = new Set(["rival", "rivals", "competitor", "competitors", "peer", "peers"]);
const setApart = new Set(["before", "after", "excluding", "including", "ex", "without", "per"]);
/** Loans that are not repaid. */
const soured = new Set(["bad", "performing", "impaired", "overdue", "problem", "doubtful", "nonperforming"]);
/** What is set aside for what may have to be paid. */
const setAside = new Set(["legal", "litigation", "claims", "asbestos", "loss", "losses", "bad"]);
const inputs = new Set(["energy", "material", "materials", "fuel", "input", "feed", "ingredient"]);

/** "profit before taxes", "excluding provisions": the noun only qualifies the one before it. */
export const isSetApart = (words: readonly Word[], index: number): boolean =>
  words[index]?.gap === 0 &&
  (setApart.has(words[index - 1]?.word ?? "") ||
    (words[index - 2]?.word === "before" && words[index]?.word === "taxes"));

function nounAt(words: readonly Word[], index: number): Moved | null {
  const { word = "", info } = words[index] ?? {};
  if (info === undefined || info.noun === 0 || isSetApart(words, index)) return null;
  const before = words[index - 1]?.word ?? "";
  if (word === "loans" && soured.has(before)) return { sign: -1, kind: "debt", index };
  if (word === "reserves" && setAside.has(before)) return { sign: -1, kind: "cost", index };
  // An input's price is a cost to its buyer.
  if (info.kind === "price" && inputs.has(before)) return { sign: -1, kind: "cost", index };
  return { sign: info.noun, kind: info.kind, index };
}

function firstNoun(words: readonly Word[], from: number, to: number): Moved | null {
  for (let index = from; index < to; index += 1) {
    const noun = nounAt(words, index);
    if (noun !== null) return noun;
  }
  return null;
}

/** What moved: the noun that the word qualifies, else its subject before it, else its object after it. */
function movedNoun(words: readonly Word[], at: number): Moved | null {
  const [from, to] = clauseAround(words, at, 9);
  const word = words[at]?.word ?? "";
  const next = words[at + 1]?.word ?? "";
  if (adjectives.has(word)) {
    const own = firstNoun(words, at + 1, Math.min(to, at + 4));
    if (own !== null) return own;
  }
  if (beforeNoun.has(next)) {
    const own = firstNoun(words, at + 2, Math.min(to, at + 6));
    if (own !== null) return own;
  }
  for (let index = at - 1; index >= from; index -= 1) {
    const noun = nounAt(words, index);
    if (noun !== null) return noun;
  }
  for (let index = at + 1; index < Math.min(to, at + 5); index += 1) {
    if (afterVerb.has(words[index]?.word ?? "")) return null;
    const noun = nounAt(words, index);
    if (noun !== null) return noun;
  }
  return null;
}

const kindStrength: Readonly<Record<NounKind, number>> = {
  profit: 1.2,
  sales: 1,
  demand: 0.9,
  payout: 1,
  price: 1,
  macro: 0.9,
  loss: 1.2,
  cost: 0.8,
  debt: 0.9,
  harm: 1,
  "": 0.75,
};

/** "set up", "gear up": no motion. */
const particles = new Set(
  (
    "set sets gear gears geared sign signs team teams back backs follow start starts started starting build make makes open opens " +
    "scale ramp line wake bulk put puts give gives gave given giving tied wound sum summed " +
    "tie ties follow lock write check break mop mops scoop scoops scooped scooping snap snaps snapped snapping size sizes sizing " +
    "gobble gobbles hook link links shore shores prop props own owns hang hangs free frees buy buys bought end ends ended wind winds"
  ).split(" "),
);

const bids = new Set(["price", "bid", "offer", "proposal"]);

/** "Open to higher price", "holds out for a better offer": nothing has risen. */
const isWished = (words: readonly Word[], at: number): boolean =>
  bids.has(words[at + 1]?.word ?? "") &&
  [1, 2].some((by) => words[at - by]?.word === "to" || words[at - by]?.word === "for");

/** "Fined up to $30 million", "up to nine metres": a bound, unless what moved stands right before: "sales up to 95 million". */
const isBound = (words: readonly Word[], at: number): boolean =>
  words[at + 1]?.word === "to" &&
  (movedNoun(words, at) === null || (words[at + 2]?.digits === true && nounAt(words, at - 1) === null));

/** The share of a rival moves, not that of the company: "shares of rival Veldric slide". */
const isRivals = (words: readonly Word[], index: number): boolean =>
  (words[index + 1]?.word === "of" || words[index + 1]?.word === "in") &&
  [2, 3].some((by) => rivals.has(words[index + by]?.word ?? ""));

const commodities = new Set(
  "oil crude brent wti gold silver copper gas commodities bitcoin dollar yields".split(" "),
);
const besides = new Set(["as", "while", "amid"]);

/** "Airlines climb as oil slips": what explains the move that is told before it is no second one. */
const isExplanation = (words: readonly Word[], { index }: Moved): boolean =>
  commodities.has(words[index]?.word ?? "") &&
  [1, 2].some((by) => besides.has(words[index - by]?.word ?? "")) &&
  words.slice(0, index).some(({ info }) => (info?.move ?? 0) !== 0);

/** Whether a word of motion means none here: "set up", "up or down", "up to nine metres", "an outside firm". */
function isNoMotion(words: readonly Word[], at: number): boolean {
  const { word = "" } = words[at] ?? {};
  const before = words[at - 1]?.word ?? "";
  if (word === "up" || word === "down") {
    const other = words[at + 1]?.word === "or" ? words[at + 2] : before === "or" ? words[at - 2] : undefined;
    if (other?.word === "up" || other?.word === "down") return true;
  }
  if (word === "up") return particles.has(before) || isBound(words, at);
  if (word === "higher" || word === "lower") return isWished(words, at);
  // "Gold firms" is a motion; every other firm is a company.
  return (word === "firm" || word === "firms") && words[at - 1]?.info?.kind !== "price";
}

/** A word of motion with what moved: "profit rises" is good, "costs rise" is bad; nouns like "increase" count as verbs. */
export function moveCue(text: string, words: readonly Word[], at: number): RawCue | null {
  const word = words[at];
  if (isNoMotion(words, at)) return null;
  const info = word?.info;
  if (word === undefined || info === undefined || info.move === 0) return null;
  const noun = movedNoun(words, at);
  if (noun !== null && noun.kind === "price" && (isRivals(words, noun.index) || isExplanation(words, noun)))
    return null;
  const other = noun === null ? word : (words[noun.index] ?? word);
  const start = Math.min(word.start, other.start);
  const end = Math.max(word.end, other.end);
  const kind = noun?.kind ?? "";
  const up = info.move > 0;
  const label = end - start > 80 ? "Direction" : `${up ? "Up" : "Down"}: ${text.slice(start, end)}`;
  const strength = Math.abs(info.move) > 1.5 ? ":far" : ":some";
  return {
    start,
    end,
    weight: info.move * (noun?.sign ?? 1) * kindStrength[kind],
    label,
    feature: joined(joined(up ? "up:" : "down:", kind), strength),
    at,
    first: Math.min(at, noun?.index ?? at),
  };
}

/**
 * Whether a sentence tells a statistic: "+0.5% m/m", "+3.1% YoY". The signs of its figures are no moves of a price; whether more
 * is good depends on what is measured.
 */
export const isStatistic = (words: readonly Word[]): boolean =>
  words.some(({ percent }, at) => {
    const next = words[at + 1]?.word ?? "";
    if (!percent) return false;
    if (next === "mom" || next === "yoy" || next === "qoq") return true;
    return (next === "m" || next === "y" || next === "q") && words[at + 2]?.word === next;
  });

/** "+3.2%" and "-3%" as tickers are quoted. */
export function signedPercentCue(text: string, word: Word, at: number): RawCue | null {
  if (!word.percent) return null;
  const sign = text.charAt(word.start - 1);
  const before = word.start > 1 ? text.charAt(word.start - 2) : " ";
  if ((sign !== "+" && sign !== "-") || !/[\s(]/.test(before)) return null;
  const weight = sign === "+" ? 1.3 : -1.3;
  const feature = sign === "+" ? "signed:up" : "signed:down";
  return { start: word.start - 1, end: word.end, weight, label: "Signed figure", feature, at, first: at };
}
