import {
  artifactType,
  eventMention,
  evidence,
  subScores,
  symbolAnalysis,
  symbolRef,
} from "@tapewire/contract/feeds.ts";
import { filingFacts } from "@tapewire/contract/filings.ts";
import { detailedAnalysis } from "@tapewire/contract/score.ts";
import { z } from "zod";
import type { ProAnswer } from "../pro-judge.ts";
import type { ProTask } from "../pro-worker.ts";

/** What scorers and the processes that ask them say. They may be of two versions while one is rolled out. */

/** What a verdict depends on beside the text: only a scorer with the same gives the same verdict. */
const models = z.object({
  tapewire: z.string(),
  pro: z.string(),
  /** Name and prompt of the language model; null: none is configured. */
  llm: z.string().nullable(),
});
export type Models = z.infer<typeof models>;

/** offer: a scorer may be asked. left: it ends. who: a process wants to hear the offers of all. */
const notice = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("offer"),
    scorer: z.string(),
    models,
    /** Texts that it judges, or that wait for it. */
    waiting: z.number(),
  }),
  z.object({ kind: z.literal("left"), scorer: z.string() }),
  z.object({ kind: z.literal("who") }),
]);
export type Notice = z.infer<typeof notice>;
export type Offer = Extract<Notice, { kind: "offer" }>;

const linkedSymbol = z.object({
  ...symbolRef.shape,
  name: z.string(),
  country: z.string().nullable(),
  type: z.string(),
  method: z.enum([
    "hint",
    "cik",
    "exchange_pattern",
    "cashtag",
    "isin",
    "ticker_and_name",
    "alias",
    "alias_in_context",
  ]),
  relevance: z.number(),
  primary: z.boolean(),
  rank: z.number().optional(),
});

const judged = {
  modelVersion: z.string(),
  actionability: z.object({ actionable: z.boolean(), score: z.number(), comment: z.string() }),
  sentiment: z.object({
    shortDirection: z.number(),
    longDirection: z.number(),
    conviction: z.number(),
    comment: z.string(),
  }),
  subScores,
  event: z.string().nullable(),
  events: z.array(eventMention),
  symbols: z.array(symbolAnalysis),
  summary: z.string().nullable(),
};

const amount = z.number().nullable();
const fact = z.object({
  metric: z.enum([
    "revenue",
    "eps",
    "net_income",
    "operating_income",
    "ebitda",
    "gross_margin",
    "operating_margin",
    "net_margin",
    "free_cash_flow",
    "bookings",
    "backlog",
    "deal_value",
  ]),
  kind: z.enum(["reported", "guidance", "deal"]),
  value: z.number(),
  range: z.tuple([z.number(), z.number()]).nullable(),
  unit: z.enum(["currency", "per_share", "percent"]),
  currency: z.string().nullable(),
  period: z.string().nullable(),
  yearAgo: amount,
  consensus: amount,
  previous: amount,
  changePct: amount,
  outcome: z.enum(["beat", "miss", "in_line"]).nullable(),
  adjusted: z.boolean(),
  symbol: z.string().nullable(),
  evidence,
});

const read = {
  ...judged,
  facts: z.array(fact),
  contradiction: z.object({ headline: evidence, body: evidence, comment: z.string() }).nullable(),
  detailedAnalysis,
};

const task = z.object({
  artifact: z.object({
    type: artifactType,
    title: z.string(),
    body: z.string(),
    publishedAt: z.iso.datetime().transform((text) => new Date(text)),
    filing: filingFacts.nullable(),
    categories: z.array(z.string()),
  }),
  symbols: z.array(linkedSymbol),
  flashVerdict: z.object({ model: z.literal("flash"), ...judged }).nullable(),
});

const question = z.object({
  task,
  owner: z.string(),
  models,
  /** After this time nobody waits for the answer any more. */
  deadlineMs: z.number(),
});
export type Question = z.infer<typeof question>;

/** refused: the scorer has too much to do. failed: it cannot judge this text, or not for this process. */
const answer = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("judged"),
    verdict: z.union([
      z.object({ model: z.literal("pro"), ...read }),
      z.object({ model: z.templateLiteral(["llm:", z.string()]), ...read }),
    ]),
    reason: z.string().nullable(),
  }),
  z.object({ kind: z.literal("refused") }),
  z.object({ kind: z.literal("failed") }),
]);

/** The reader of a kind of message, which returns null for what no version like this one has sent. */
const reader =
  <T>(schema: z.ZodType<T>) =>
  (body: Buffer): T | null => {
    try {
      return schema.parse(JSON.parse(body.toString()));
    } catch {
      return null;
    }
  };
export const noticeOf = reader(notice);
export const questionOf = reader(question);
export const answerOf = reader(answer);

export const encodeNotice = (told: Notice): Buffer => Buffer.from(JSON.stringify(told));
export const encodeQuestion = (asked: Omit<Question, "task"> & { readonly task: ProTask }): Buffer =>
  Buffer.from(JSON.stringify(asked));
export const encodeAnswer = (
  given: { kind: "refused" | "failed" } | ({ kind: "judged" } & ProAnswer),
): Buffer => Buffer.from(JSON.stringify(given));
