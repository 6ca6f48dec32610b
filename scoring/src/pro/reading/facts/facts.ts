import type { Token } from "../../../text.ts";
import type { NumberFact } from "../../types.ts";
import type { Sentence } from "../sentence.ts";
import { type Amount, amountsOf } from "./amounts.ts";
import { dealDrafts } from "./deals.ts";
import { addFigure, type Draft } from "./fact-draft.ts";
import { expectedByOthers, forwardLooking } from "./forward-looking.ts";
import { type MetricMention, metricsOf } from "./metrics.ts";
import { periodOf } from "./periods.ts";
import { type Role, roleOf, statedOutcome } from "./roles.ts";

/** A bracket right before a figure is the minus of "$(0.22)". */
const breaking = /[,;:–—]|\((?!\d)/;
const percentMetrics = new Set(["gross_margin", "operating_margin", "net_margin"]);

/** What is computed once per sentence. */
interface View {
  readonly text: string;
  readonly sentence: Sentence;
  readonly tokens: readonly Token[];
  readonly amounts: readonly Amount[];
  readonly forwardLooking: readonly boolean[];
  readonly period: string | null;
  /** The sentence is about parts of a figure. */
  readonly partial: boolean;
  /** Whether punctuation precedes a token. */
  readonly broken: (at: number) => boolean;
}

const wordsOf = (tokens: readonly Token[], from: number, to: number): readonly string[] =>
  tokens.slice(Math.max(0, from), Math.max(0, to)).map(({ word }) => word);

function lastBreak(view: View, from: number, to: number): number {
  for (let at = to; at > from; at -= 1) if (view.broken(at)) return at;
  return from;
}

/** Words after a figure up to the next break or figure, four at most. */
function behindOf(view: View, amount: Amount, next: Amount | undefined, most: number): readonly string[] {
  const stop = Math.min(view.tokens.length, next?.first ?? view.tokens.length, amount.after + most);
  let end = amount.after;
  while (end < stop && !(most <= 4 && view.broken(end))) end += 1;
  return wordsOf(view.tokens, amount.after, end);
}

/** The unit in which a figure counts for a metric; null when it is none of its figures. */
function unitFor(mention: MetricMention, amount: Amount): NumberFact["unit"] | "change" | null {
  const { metric, loose } = mention;
  const size = Math.abs(amount.value);
  if (amount.unit === "points") return null;
  if (percentMetrics.has(metric)) return amount.unit === "percent" ? "percent" : null;
  if (amount.unit === "percent") return "change";
  const isShare = amount.unit === "per_share" || (!amount.scaled && amount.unit !== "plain" && size < 1_000);
  // A bare whole number after "per share" is a day, a note or a page.
  const isBare = amount.unit === "plain" && Number.isInteger(amount.value);
  if (metric === "eps") return !amount.scaled && !isBare && size < 10_000 ? "per_share" : null;
  if (metric === "net_income" && (amount.unit === "per_share" || (loose && isShare))) return "per_share";
  if (amount.unit !== "currency") return null;
  // The lower end of "$1.3 to 1.4 billion" has no scale of its own.
  return amount.scaled || size >= 10_000 || amount.currency !== null ? "currency" : null;
}

function newDraft(view: View, mention: MetricMention, unit: NumberFact["unit"], guidance: boolean): Draft {
  const metric = unit === "per_share" ? "eps" : mention.metric;
  return {
    metric,
    kind: guidance ? "guidance" : "reported",
    unit,
    sign: mention.sign,
    adjusted: mention.adjusted,
    sentence: view.sentence.index,
    period: view.period,
    currency: null,
    low: null,
    high: null,
    yearAgo: null,
    previous: null,
    consensus: null,
    changePct: null,
    outcome: null,
    start: view.tokens[mention.first]?.start ?? view.sentence.start,
    end: view.tokens[mention.after - 1]?.end ?? view.sentence.end,
    last: null,
  };
}

/** "recognized $3 billion of revenue that was deferred" is a part of the revenue. */
const partial = /^(?:recognized|recognised|recognize|deferred|unearned|acquired)$/;

/** "$5.2 billion in revenue": the figure precedes its metric. */
function figureBefore(view: View, mention: MetricMention, from: number): number | null {
  const link = view.tokens[mention.first - 1]?.word ?? "";
  if (view.partial) return null;
  const skipped = /^(?:total|net|quarterly|annual|adjusted|diluted|record)$/.test(link) ? 1 : 0;
  const word = view.tokens[mention.first - 1 - skipped]?.word ?? "";
  const at = view.amounts.findIndex(({ after, first }) => {
    if (first < from) return false;
    return /^(?:in|of|as)$/.test(word)
      ? after === mention.first - 1 - skipped
      : after === mention.first - skipped;
  });
  const amount = view.amounts[at];
  return amount === undefined || amount.unit === "percent" || amount.unit === "plain" ? null : at;
}

interface Segment {
  readonly mention: MetricMention;
  readonly amounts: readonly Amount[];
  /** First token that may belong to a lead. */
  readonly from: number;
  readonly to: number;
}

/** Each metric with the figures between it and the next. */
function segmentsOf(view: View, mentions: readonly MetricMention[]): readonly Segment[] {
  let used = 0;
  let from = 0;
  return mentions.map((mention, index) => {
    const next = mentions[index + 1];
    const lead = figureBefore(view, mention, from);
    const following = next === undefined ? null : figureBefore(view, next, mention.after);
    const limit =
      following === null ? (next?.first ?? Number.POSITIVE_INFINITY) : (view.amounts[following]?.first ?? 0);
    const amounts = view.amounts.filter(
      ({ first }, at) => (at === lead || first >= mention.after) && first < limit && at >= used,
    );
    used += amounts.length;
    const segment = { mention, amounts, from, to: Math.min(limit, view.tokens.length) };
    from = Math.min(limit, view.tokens.length);
    return segment;
  });
}

function roleIn(
  view: View,
  segment: Segment,
  at: number,
  draft: Draft,
  inherited: boolean,
): { role: Role; lead: readonly string[]; around: string } {
  const { tokens } = view;
  const { mention, amounts } = segment;
  const amount = amounts[at];
  if (amount === undefined) return { role: "other", lead: [], around: "" };
  const before = amounts[at - 1];
  const isLeading = amount.first < mention.first;
  const leadFrom = before?.after ?? (isLeading ? segment.from : mention.after);
  const lead = wordsOf(tokens, leadFrom, amount.first);
  const near = wordsOf(tokens, lastBreak(view, leadFrom, amount.first), amount.first);
  const behind = behindOf(view, amount, amounts[at + 1], 4);
  const first = draft.low === null;
  const governs =
    first &&
    before === undefined &&
    expectedByOthers(tokens, isLeading ? amount.first : mention.first, segment.from);
  const around = `${lead.join(" ")} ${behind.slice(0, 2).join(" ")}`;
  const percent = amount.unit === "percent";
  const percentMetric = draft.unit === "percent";
  if ((governs || (inherited && first && at === 0)) && (!percent || percentMetric))
    return { role: "consensus", lead, around };
  const role = roleOf({
    lead,
    near,
    behind,
    tail: behindOf(view, amount, amounts[at + 1], 30),
    first,
    guidance: draft.kind === "guidance",
    percent,
    percentMetric,
    last: draft.last,
  });
  return { role, lead, around };
}

/** "plus or minus 2%" after a figure makes a range around it. */
function spread(draft: Draft, amount: Amount, lead: readonly string[]): boolean {
  if (lead.at(-1) !== "minus" || draft.low === null) return false;
  const half = amount.unit === "percent" ? Math.abs(draft.low * amount.value) / 100 : Math.abs(amount.value);
  [draft.low, draft.high] = [draft.low - half, draft.low + half];
  return true;
}

function readSegment(view: View, segment: Segment, inherited: boolean): readonly Draft[] {
  const { mention, amounts } = segment;
  const drafts = new Map<NumberFact["unit"], Draft>();
  let current: Draft | null = null;
  for (const [at, amount] of amounts.entries()) {
    const unit = unitFor(mention, amount);
    if (unit === null) continue;
    const own: NumberFact["unit"] = mention.metric === "eps" ? "per_share" : "currency";
    const wanted: NumberFact["unit"] = unit === "change" ? (current?.unit ?? own) : unit;
    const guidance = view.forwardLooking[amount.first] ?? false;
    const draft: Draft = drafts.get(wanted) ?? newDraft(view, mention, wanted, guidance);
    drafts.set(wanted, draft);
    const { role, lead, around } = roleIn(view, segment, at, draft, inherited);
    if (spread(draft, amount, lead)) continue;
    // "or $1.80 per share" has the role of the figure before it.
    const paired: Role =
      current !== null &&
      current !== draft &&
      (lead.join(" ") === "or" || lead.length === 0) &&
      current.last !== null &&
      role !== "consensus"
        ? current.last
        : role;
    const marginOver = role === "margin_over" && draft.low !== null;
    if (marginOver) {
      const isMiss = /\b(?:missed|short|below)\b/.test(around);
      draft.consensus ??= (draft.low ?? 0) + (isMiss ? 1 : -1) * Math.abs(amount.value);
    }
    addFigure(draft, amount, paired, lead, around);
    if (amount.unit !== "percent" || wanted === "percent") current = draft;
  }
  const outcome = statedOutcome(wordsOf(view.tokens, segment.from, segment.to));
  return [...drafts.values()].map((draft) => (draft.low === null ? draft : { ...draft, outcome }));
}

/** A row of a table that lost its tabs: its columns cannot be identified. */
function isRow(tokens: readonly Token[]): boolean {
  const numbers = tokens.filter(({ word }) => /^\d/.test(word)).length;
  return numbers >= 3 && 2 * numbers >= tokens.length;
}

const comparing = /^(?:from|versus|vs|against|than)$/;

/** "from net sales of $303 million", "from a net loss of $6 million": the repeated metric is only compared with. */
function isCompared(tokens: readonly Token[], { first }: MetricMention): boolean {
  const at = /^(?:a|an|the)$/.test(tokens[first - 1]?.word ?? "") ? first - 2 : first - 1;
  const before = tokens[at]?.word ?? "";
  return (
    comparing.test(before) ||
    (/^(?:to|with)$/.test(before) && /^(?:compared|comparison|relative)$/.test(tokens[at - 1]?.word ?? ""))
  );
}

/** Metrics whose figures are read: a repeated metric leaves its figures to the first. */
function toldMetrics(tokens: readonly Token[]): readonly MetricMention[] {
  const isDeferred = tokens.some(({ word }) => word === "deferred" || word === "unearned");
  return metricsOf(tokens).filter(
    (mention) => !isCompared(tokens, mention) && !(isDeferred && mention.metric === "revenue"),
  );
}

/**
 * The figures of results, of guidance and of deals that a sentence states. A draft without a value has only the expectation
 * for an earlier figure.
 * @param carried the period of the sentences before
 */
export function factsOf(text: string, sentence: Sentence, carried: string | null): readonly Draft[] {
  const { tokens, start } = sentence;
  const amounts = amountsOf(text, tokens, start);
  if (amounts.length === 0 || isRow(tokens)) return [];
  const deals = dealDrafts(sentence, amounts);
  if (deals.length > 0) return deals;
  const mentions = toldMetrics(tokens);
  if (mentions.length === 0) return [];
  const view: View = {
    text,
    sentence,
    tokens,
    amounts,
    forwardLooking: forwardLooking(tokens),
    period: periodOf(tokens) ?? carried,
    partial: tokens.some(({ word }) => partial.test(word)),
    broken: (at) => breaking.test(text.slice(tokens[at - 1]?.end ?? start, (tokens[at]?.start ?? start) + 1)),
  };
  const drafts: Draft[] = [];
  let inherited = false;
  for (const segment of segmentsOf(view, mentions)) {
    const read = readSegment(view, segment, inherited);
    inherited = read.length > 0 && read.every(({ low, consensus }) => low === null && consensus !== null);
    drafts.push(...read);
  }
  return drafts;
}
