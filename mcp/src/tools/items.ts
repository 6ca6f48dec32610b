import type { FeedItemDetail, FilingFacts } from "tapewire";
import { z } from "zod";
import { cut, line, lines, most, quoted } from "../wording/clean.ts";
import { briefItem, itemLine, itemOf, present, signed } from "../wording/item.ts";
import { bytesOf, limits, type Shown } from "../wording/results.ts";
import { tool } from "./define.ts";

const partMax = 8_000;
const itemId = z.string().min(1).max(100).describe("id of an item");

const entries = z.array(z.looseObject({}));

export const getItem = tool({
  name: "get_item",
  title: "Read an item",
  description:
    "One item: companies, events, summary, facts of a filing; its text where the source allows it.",
  input: z.strictObject({
    id: itemId,
    as_of: z.string().optional().describe("RFC 3339: the version of that time"),
    include_text: z.boolean().default(false),
    text_offset: z.int().min(0).default(0),
  }),
  output: z.object({
    item: briefItem.describe("as in search_feed, with type, provider_id, story_id"),
    summary: z.string().optional(),
    events: entries.describe("name, role, symbol"),
    companies: entries.describe("symbol, primary, relevance, sentiment"),
    tags: z.record(z.string(), z.array(z.string())),
    filing: z.looseObject({}).optional(),
    text: z.string().optional(),
    text_length: z.number().optional(),
    truncated: z.boolean().describe("text goes on: pass text_offset"),
  }),
  run: async ({ id, as_of: asOf, include_text, text_offset: offset }, { tapewire }, signal) => {
    const [item, whole] = await Promise.all([
      tapewire.feeds.get(id, { asOf, signal }),
      include_text ? tapewire.feeds.text(id, { signal }) : null,
    ]);
    const known = detailOf(item);
    if (whole === null) return show(known, null);
    const text = lines(whole.body === "" ? whole.title : `${whole.title}\n${whole.body}`);
    // What fits beside the other members: bytes, not characters, since a character may take three.
    for (let length = partMax; ; length = Math.floor(length / 2)) {
      const shown = show(known, { text, offset, length });
      if (bytesOf(shown) <= limits.bytes || length <= 100) return shown;
    }
  },
});

function detailOf(item: FeedItemDetail) {
  return {
    item: {
      ...itemOf(item),
      type: item.type,
      provider_id: line(item.provider_id, most.name),
      story_id: item.story_id,
      ...present({ copy_of: item.copy_of, sentiment_long: item.scoring.sentiment_long }),
    },
    ...present({ summary: item.summary === null ? null : line(item.summary, most.summary) }),
    events: item.events
      .slice(0, 10)
      .map(({ name, role, symbol }) => ({ name, role, ...present({ symbol }) })),
    companies: item.analysis.slice(0, 10).map((company) => companyOf(company)),
    tags: Object.fromEntries(Object.entries(item.tags).map(([name, values]) => [name, values.slice(0, 20)])),
    ...(item.filing === null ? {} : { filing: filingOf(item.filing) }),
  };
}

type Company = FeedItemDetail["analysis"][number];

function companyOf({
  symbol,
  primary,
  relevance,
  sentiment_short,
  sentiment_long,
  sentiment_conviction,
}: Company) {
  return {
    symbol: line(symbol, most.name),
    primary,
    relevance,
    ...present({ sentiment_short, sentiment_long, sentiment_conviction }),
  };
}

const listMax = 8;

/** The facts with short lists, and with the texts of filers as lines. */
function filingOf(filing: FilingFacts): Record<string, unknown> {
  const short = (value: unknown): unknown => {
    if (typeof value === "string") return line(value, most.title);
    if (Array.isArray(value)) return value.slice(0, listMax).map(short);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, short(part)]));
  };
  return Object.fromEntries(Object.entries(filing).map(([name, part]) => [name, short(part)]));
}

interface Part {
  readonly text: string;
  readonly offset: number;
  readonly length: number;
}

function show(known: ReturnType<typeof detailOf>, part: Part | null): Shown {
  const text = part?.text.slice(part.offset, part.offset + part.length).toWellFormed();
  const truncated = part !== null && part.offset + part.length < part.text.length;
  const { summary, companies, events } = known;
  return {
    data: {
      ...known,
      ...(part === null ? {} : { text, text_length: part.text.length }),
      truncated,
    },
    lines: [
      itemLine(known.item),
      ...(summary === undefined ? [] : [`Summary: ${quoted(summary)}`]),
      ...companies.map((one) => `${one.symbol}: relevance ${one.relevance}, ${directionText(one)}`),
      ...events.map(({ name, role, symbol }) => `Event ${name}: ${symbol ?? "-"} as ${role}`),
      // Marked line by line: no line of the text can pass for one of the result.
      ...(text === undefined ? [] : ["Text by a third party:", ...text.split("\n").map((one) => `> ${one}`)]),
      ...(truncated ? [`The text goes on: text_offset ${(part?.offset ?? 0) + (part?.length ?? 0)}.`] : []),
    ],
  };
}

function directionText(scores: {
  readonly sentiment_short?: number;
  readonly sentiment_conviction?: number;
}): string {
  const { sentiment_short: short, sentiment_conviction: conviction } = scores;
  return short === undefined ? "no sentiment" : `sentiment ${signed(short)} conviction ${conviction ?? "-"}`;
}

const reasons = z.looseObject({}).describe("score, comment, sub_scores");

export const explainItem = tool({
  name: "explain_item",
  title: "Explain the scores of an item",
  description: "Why an item has its scores: sub-scores, comments, the quoted evidence, and earlier scores.",
  input: z.strictObject({ id: itemId }),
  output: z.object({
    item: briefItem,
    actionability_why: reasons,
    sentiment_why: reasons,
    events: entries,
    companies: entries,
    model: z.string().optional(),
    history: entries.describe("earlier scores"),
  }),
  run: async ({ id }, { tapewire }, signal) => {
    const [item, scores] = await Promise.all([
      tapewire.feeds.get(id, { signal }),
      tapewire.feeds.scores(id, { signal }),
    ]);
    return explained(item, scores.data.slice(-5).map(historyOf));
  },
});

type Score = {
  readonly model: string;
  readonly scored_at: string;
  readonly scoring: FeedItemDetail["scoring"];
};

const historyOf = ({ model, scored_at, scoring }: Score) => ({
  scored_at,
  model,
  ...present({
    actionability_score: scoring.actionability_score,
    sentiment_short: scoring.sentiment_short,
    sentiment_conviction: scoring.sentiment_conviction,
  }),
});

function explained(item: FeedItemDetail, history: readonly ReturnType<typeof historyOf>[]): Shown {
  const { scoring, sub_scores: parts } = item;
  const why = (score: number | null, comment: string | null, sub_scores: object | null | undefined) =>
    present({ score, comment: comment === null ? null : line(comment, most.comment), sub_scores });
  const actionability = why(scoring.actionability_score, scoring.actionability_comment, parts?.actionability);
  const sentiment = why(scoring.sentiment_score, scoring.sentiment_comment, parts?.sentiment);
  const events = item.events.slice(0, 8).map(({ name, role, symbol, evidence }) => ({
    name,
    role,
    ...present({ symbol, evidence: evidence === null ? null : line(evidence.text, most.evidence) }),
  }));
  const companies = item.analysis.slice(0, 8).map((company) => ({
    ...companyOf(company),
    ...present({
      comment: company.sentiment_comment === null ? null : line(company.sentiment_comment, most.comment),
    }),
    evidence: company.evidence.slice(0, 3).map(({ text }) => line(text, most.evidence)),
  }));
  const shown = itemOf(item);
  return {
    data: {
      item: shown,
      actionability_why: actionability,
      sentiment_why: sentiment,
      events,
      companies,
      ...present({ model: scoring.model }),
      history,
    },
    lines: [
      itemLine(shown),
      `Actionability: ${quoted(actionability.comment ?? "")} ${partsText(parts?.actionability)}`,
      `Sentiment: ${quoted(sentiment.comment ?? "")} ${partsText(parts?.sentiment)}`,
      ...events.map(({ name, evidence }) => `Event ${name}: ${quoted(evidence ?? "")}`),
      ...companies.map((one) => `${one.symbol}: ${directionText(one)} ${one.evidence.map(quoted).join(" ")}`),
    ],
  };
}

const partsText = (parts: object | null | undefined): string =>
  cut(
    Object.entries(parts ?? {})
      .map(([name, value]) => `${name} ${value}`)
      .join(", "),
    200,
  );
