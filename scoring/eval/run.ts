/**
 * Measures a model on labelled JSONL files: `node scoring/eval/run.ts [--model flash|pro|rules] [--json] FILE...`.
 * A line is {id, text, label: positive|neutral|negative}, judged by the sign of the short direction, or
 * {id, text, lead, label: 0|1}, judged by the rank of the actionability score; `lead` is the body; or a line with kind,
 * actionable, event, companies and pair (lines.ts), judged by all of them. `rules` is pro without the encoder.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { actionProbabilityOf } from "../src/flash/actionability.ts";
import { flash } from "../src/flash/flash.ts";
import { shippedHeads } from "../src/flash/heads/model.ts";
import { Encoder } from "../src/pro/encoder/encoder.ts";
import { pro, proByRules } from "../src/pro/pro.ts";
import type { Artifact, LinkedSymbol, Verdict } from "../src/types.ts";
import {
  artifactOf as artifactOfLine,
  type Line as LabelledLine,
  type LineMeasures,
  line as labelledLine,
  measureLines,
  symbolsOf,
} from "./lines.ts";
import {
  areaUnderCurve,
  calibrationBins,
  calibrationError,
  classMeasures,
  type Judged,
  precisionAtTenth,
  type SentimentLabel,
  sentimentLabels,
  wilson,
} from "./metrics.ts";

const line = z.object({
  text: z.string(),
  lead: z.string().optional(),
  label: z.union([z.string(), z.number()]),
});
type Line = z.infer<typeof line>;

interface Report {
  readonly set: string;
  readonly n: number;
  readonly accuracy: number | null;
  readonly macro_f1: number | null;
  readonly auc: number | null;
  readonly p_at_10: number | null;
  readonly ece: number | null;
  readonly items_per_s: number;
}

/** What lines add to a report. */
type LinesReport = Report & LineMeasures;

const artifactOf = ({ text, lead }: Line): Artifact => ({
  type: "news",
  title: text,
  body: lead ?? "",
  publishedAt: new Date(0),
  filing: null,
  categories: [],
});

const signLabel = (direction: number): SentimentLabel =>
  direction > 0 ? "positive" : direction < 0 ? "negative" : "neutral";

const isLabel = (value: unknown): value is SentimentLabel => sentimentLabels.some((label) => label === value);

const round = (value: number): number => Math.round(value * 1e4) / 1e4;
const percentOf = (value: number): string => (100 * value).toFixed(1);

interface Timed {
  readonly rows: readonly { readonly row: Line; readonly verdict: JudgedVerdict }[];
  readonly perSecond: number;
}

type Judge = (
  artifact: Artifact,
  symbols?: readonly LinkedSymbol[],
) => JudgedVerdict | Promise<JudgedVerdict>;
type JudgedVerdict = Omit<Verdict, "model">;
const models: Readonly<Record<string, () => Judge | Promise<Judge>>> = {
  flash:
    () =>
    (artifact, symbols = []) =>
      flash(artifact, symbols),
  rules:
    () =>
    (artifact, symbols = []) =>
      proByRules(artifact, symbols),
  pro: async () => {
    const encoder = await Encoder.load();
    return (artifact, symbols = []) => pro(encoder, artifact, symbols);
  },
};

const mostWarmingMs = 2_000;

async function judgeAll(rows: readonly Line[], judge: Judge): Promise<Timed> {
  // Warms up: the first thousands run before the compiler has optimised the hot code.
  const warmUntil = performance.now() + mostWarmingMs;
  for (let done = 0; rows.length > 0 && done < 4000 && performance.now() < warmUntil; done += 1)
    await judge(artifactOf(rows[done % rows.length] ?? { text: "", label: 0 }));
  const began = performance.now();
  const judged: { row: Line; verdict: JudgedVerdict }[] = [];
  for (const row of rows) judged.push({ row, verdict: await judge(artifactOf(row)) });
  return { rows: judged, perSecond: Math.round((1000 * rows.length) / (performance.now() - began)) };
}

/** "60-70: said 65.5, was 52.4 (21)" for each tenth of stated probability. */
const reliability = (judged: readonly Judged[]): string =>
  calibrationBins(judged.map(({ label, guess, confidence }) => ({ p: confidence, hit: label === guess })))
    .map(
      ({ from, to, n, stated, observed }) =>
        `${(100 * from).toFixed(0)}-${(100 * to).toFixed(0)}: said ${percentOf(stated)}, was ${percentOf(observed)} (${n})`,
    )
    .join("; ");

function sentimentReport(set: string, { rows, perSecond }: Timed): { report: Report; text: string } {
  const judged: Judged[] = rows.flatMap(({ row, verdict: { sentiment } }) =>
    isLabel(row.label)
      ? [
          {
            label: row.label,
            guess: signLabel(sentiment.shortDirection),
            confidence: sentiment.conviction / 100,
          },
        ]
      : [],
  );
  const { accuracy, macroF1, f1, confusion, ece } = classMeasures(judged);
  const [low, high] = wilson(accuracy, judged.length);
  const table = confusion.map(
    (counts, index) =>
      `  ${(sentimentLabels[index] ?? "").padEnd(9)}${counts.map((n) => `${n}`.padStart(9)).join("")}`,
  );
  const text = [
    `${set}: ${judged.length} texts, accuracy ${percentOf(accuracy)} (95% ${percentOf(low)}..${percentOf(high)}), macro-F1 ${percentOf(macroF1)}, ECE ${percentOf(ece)}, ${perSecond} items/s`,
    `  F1 negative ${percentOf(f1[0] ?? 0)}, neutral ${percentOf(f1[1] ?? 0)}, positive ${percentOf(f1[2] ?? 0)}; label by row, guess by column:`,
    `           ${sentimentLabels.map((label) => label.padStart(9)).join("")}`,
    ...table,
    `  ${reliability(judged)}`,
  ].join("\n");
  const report = {
    set,
    n: judged.length,
    accuracy: round(accuracy),
    macro_f1: round(macroF1),
    auc: null,
    p_at_10: null,
    ece: round(ece),
    items_per_s: perSecond,
  };
  return { report, text };
}

function actionabilityReport(set: string, { rows, perSecond }: Timed): { report: Report; text: string } {
  const ranked = rows.map(({ row, verdict }) => ({
    score: verdict.actionability.score,
    positive: Number(row.label) === 1,
  }));
  const auc = areaUnderCurve(ranked);
  const top = precisionAtTenth(ranked);
  const base = ranked.filter(({ positive }) => positive).length / Math.max(1, ranked.length);
  const [low, high] = wilson(top, Math.round(ranked.length / 10));
  const called = rows.map(({ row, verdict }) => ({
    label: Number(row.label) === 1,
    guess: verdict.actionability.actionable,
  }));
  const accuracy = called.filter(({ label, guess }) => label === guess).length / Math.max(1, called.length);
  const ece = calibrationError(
    ranked.map(({ score, positive }) => ({
      p: actionProbabilityOf(score, shippedHeads.actionFrom),
      hit: positive,
    })),
  );
  const text = `${set}: ${ranked.length} texts, base rate ${percentOf(base)}, AUC ${auc.toFixed(3)}, precision at the top 10% ${percentOf(top)} (95% ${percentOf(low)}..${percentOf(high)}), called right ${percentOf(accuracy)}, ${perSecond} items/s`;
  const report = {
    set,
    n: ranked.length,
    accuracy: round(accuracy),
    macro_f1: null,
    auc: round(auc),
    p_at_10: round(top),
    ece: round(ece),
    items_per_s: perSecond,
  };
  return { report, text };
}

const percentOrNone = (value: number | null): string => (value === null ? "none" : percentOf(value));

async function linesReport(
  set: string,
  lines: readonly LabelledLine[],
  judge: Judge,
): Promise<{ report: LinesReport; text: string }> {
  const began = performance.now();
  const judged: { line: LabelledLine; verdict: JudgedVerdict }[] = [];
  for (const one of lines)
    judged.push({ line: one, verdict: await judge(artifactOfLine(one), symbolsOf(one)) });
  const perSecond = Math.round((1000 * lines.length) / (performance.now() - began));
  const rows = judged.map(({ line: { text, label }, verdict }) => ({ row: { text, label }, verdict }));
  const sentiment = sentimentReport(set, { rows, perSecond });
  const measures = measureLines(judged);
  const text = [
    sentiment.text,
    `  actionable F1 ${percentOf(measures.actionable_f1)}; of the ${percentOf(measures.event_known)}% of lines with a known event: event ${percentOf(measures.event_accuracy)}, its group ${percentOf(measures.event_group_accuracy)}; pairs right ${percentOrNone(measures.pairs_right)}; companies' directions ${percentOrNone(measures.company_direction_accuracy)}`,
  ].join("\n");
  return { report: { ...sentiment.report, ...measures }, text };
}

async function evaluate(path: string, judge: Judge): Promise<{ report: Report; text: string }> {
  const set = basename(path).replace(/\.jsonl$/, "");
  const parsed: unknown[] = readFileSync(path, "utf8")
    .split("\n")
    .filter((text) => text.trim() !== "")
    .map((text) => JSON.parse(text));
  const lines = parsed.map((found) => labelledLine.safeParse(found));
  if (lines.length > 0 && lines.every(({ success }) => success))
    return linesReport(
      set,
      lines.flatMap(({ data }) => (data === undefined ? [] : [data])),
      judge,
    );
  const rows = parsed.map((found) => line.parse(found));
  const ranked = rows.filter(({ label }) => Number(label) === 0 || Number(label) === 1);
  if (ranked.length > 0) return actionabilityReport(set, await judgeAll(ranked, judge));
  return sentimentReport(
    set,
    await judgeAll(
      rows.filter(({ label }) => isLabel(label)),
      judge,
    ),
  );
}

const { values, positionals } = parseArgs({
  options: { model: { type: "string", default: "flash" }, json: { type: "boolean", default: false } },
  allowPositionals: true,
});
const open = models[values.model];
if (positionals.length === 0 || open === undefined) {
  process.stderr.write("usage: node scoring/eval/run.ts [--model flash|pro|rules] [--json] FILE...\n");
  process.exitCode = 2;
} else {
  const judge = await open();
  for (const path of positionals) {
    const { report, text } = await evaluate(path, judge);
    process.stdout.write(`${values.json ? JSON.stringify(report) : text}\n`);
  }
}
