import type { Token } from "../../../text.ts";
import type { Metric } from "../../types.ts";

/** A metric's name in a sentence. Token indexes are into the sentence's tokens. */
export interface MetricMention {
  readonly metric: Metric;
  /** -1 for losses. */
  readonly sign: 1 | -1;
  readonly adjusted: boolean;
  /** "earnings", "profit" and "loss" may be in total or per share. */
  readonly loose: boolean;
  readonly first: number;
  readonly after: number;
}

interface Name {
  readonly words: readonly string[];
  readonly metric: Metric;
  readonly sign: 1 | -1;
  readonly loose: boolean;
}

const names = (metric: Metric, phrases: string, sign: 1 | -1 = 1, loose = false): readonly Name[] =>
  phrases.split("|").map((phrase) => ({ words: phrase.split(" "), metric, sign, loose }));

const all: readonly Name[] = [
  ...names(
    "eps",
    "earnings per share|earnings per diluted share|earnings per common share|earnings per ads|eps|diluted eps|net income per share|net income per diluted share|net income per common share|net earnings per share|net earnings per diluted share|profit per share|income per share|income per diluted share|net income per diluted common share|earnings per diluted common share",
  ),
  ...names(
    "eps",
    "loss per share|net loss per share|net loss per diluted share|net loss per common share|loss per diluted share|net loss per ads",
    -1,
  ),
  ...names(
    "revenue",
    "revenue|revenues|net revenue|net revenues|sales|net sales|turnover|total revenue|total revenues",
  ),
  ...names("net_income", "net income|net profit|net earnings|net income attributable"),
  ...names("net_income", "profit|profits|earnings|earned", 1, true),
  ...names("net_income", "net loss|net losses", -1),
  ...names("net_income", "loss", -1, true),
  ...names(
    "operating_income",
    "operating income|income from operations|operating profit|operating earnings|operating result|ebit",
  ),
  ...names("operating_income", "operating loss|loss from operations", -1),
  ...names("ebitda", "ebitda|adjusted ebitda"),
  ...names("gross_margin", "gross margin|gross margins|gross profit margin"),
  ...names("operating_margin", "operating margin|operating margins|operating profit margin|ebit margin"),
  ...names("net_margin", "net margin|net profit margin|profit margin"),
  ...names("free_cash_flow", "free cash flow"),
  ...names("bookings", "bookings|net bookings|orders|order intake"),
  ...names("backlog", "backlog|order backlog|order book"),
];

const byFirst: ReadonlyMap<string, readonly Name[]> = Map.groupBy(
  all.toSorted((a, b) => b.words.length - a.words.length),
  ({ words }) => words[0] ?? "",
);

/** Words before "revenue" or "profit" that make it a part of the business, or something else. */
const parts = new Set(
  `cloud services service product products subscription subscriptions license licensing hardware software segment
  advertising ad data center datacenter international domestic comparable store stores retail wholesale online digital
  deferred unearned recurring interest premium fee fees rental royalty collaboration grant gaming automotive
  impairment credit tax pretax gross actuarial exchange currency foreign weather stop capital loan investment trading
  unrealized realized comprehensive accumulated retained vehicle home existing same-store media streaming
  organic membership equipment parts maintenance aftermarket hearing memory weight`.split(/\s+/),
);
const adjustedWords = new Set([
  "adjusted",
  "adj",
  "core",
  "underlying",
  "non",
  "gaap",
  "normalized",
  "comparable",
]);

/** "cost of sales", "3% of revenue", "point of sales": sales without a figure of their own. */
function isPartOfOther(tokens: readonly Token[], first: number): boolean {
  if (tokens[first - 1]?.word !== "of") return false;
  const word = tokens[first - 2]?.word ?? "";
  return /^(?:cost|costs|percent|percentage|point|proceeds|\d.*)$/.test(word);
}

const ordering =
  /^(?:jury|court|judge|panel|tribunal|regulator|watchdog|commission|agency|arbitrator|authority)$/;

/** "Jury orders Norvik to pay $425 million": no order that was won. */
const isVerdict = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.word === "orders" &&
  (ordering.test(tokens[at - 1]?.word ?? "") ||
    tokens
      .slice(at + 2, at + 6)
      .some(({ word }, index, next) => word === "to" && next[index + 1]?.word === "pay"));

/** "profit margin", "loss ratio", "sales force", "loss of": the word belongs to the next one. */
const followers =
  /^(?:margin|margins|ratio|force|team|growth|warning|taking|tax|representative|volume|volumes|call|release|report|reports|season|per|before|price|prices|agreement|agents?|commissions?|channels?|carryforward|carryforwards|provision|provisions)$/;

function nameAt(tokens: readonly Token[], at: number): Name | null {
  const candidates = byFirst.get(tokens[at]?.word ?? "");
  if (candidates === undefined) return null;
  return (
    candidates.find(({ words }) => words.every((word, index) => tokens[at + index]?.word === word)) ?? null
  );
}

function isAdjusted(tokens: readonly Token[], first: number): boolean {
  for (let index = Math.max(0, first - 3); index < first; index += 1) {
    const word = tokens[index]?.word ?? "";
    if (word === "gaap" && tokens[index - 1]?.word !== "non") continue;
    if (adjustedWords.has(word)) return true;
  }
  return false;
}

/** The metrics that a sentence names, in order. */
export function metricsOf(tokens: readonly Token[]): readonly MetricMention[] {
  const found: MetricMention[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const name = nameAt(tokens, at);
    if (name === null) continue;
    const { words, metric, sign, loose } = name;
    const after = at + words.length;
    const isOther =
      parts.has(tokens[at - 1]?.word ?? "") ||
      isPartOfOther(tokens, at) ||
      isVerdict(tokens, at) ||
      (words.length === 1 && followers.test(tokens[after]?.word ?? ""));
    if (!isOther) {
      const adjusted = isAdjusted(tokens, at) || words[0] === "adjusted";
      found.push({ metric, sign, loose, adjusted, first: at, after });
    }
    at = after - 1;
  }
  return found;
}
