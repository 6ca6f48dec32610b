/**
 * Measures a model on labelled JSONL files: `node scoring/eval/run.ts [--model flash|pro] [--json] FILE...`.
 * A line is {id, text, label: positive|neutral|negative}, judged by the sign of the short direction, or
 * {id, text, lead, label: 0|1}, judged by the rank of the actionability score; `lead` is the body.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { moveProbability } from "../src/flash/actionability.ts";
import { flash } from "../src/flash/flash.ts";
import { pro } from "../src/pro/pro.ts";
import type { Artifact, Verdict } from "../src/types.ts";
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
  readonly rows: readonly { readonly row: Line; readonly verdict: ReturnType<Judge> }[];
  readonly perSecond: number;
}

/** The part of a model that the measures use. */
type Judge = (artifact: Artifact) => Pick<Verdict, "sentiment" | "actionability">;
const models: Readonly<Record<string, Judge>> = {
  flash: (artifact) => flash(artifact, []),
  pro: (artifact) => pro(artifact, []),
};

function judgeAll(rows: readonly Line[], judge: Judge): Timed {
  // Warms up: the first thousands run before the compiler has optimised the hot code.
  for (let done = 0; rows.length > 0 && done < 4000; done += rows.length)
    for (const row of rows.slice(0, 4000)) judge(artifactOf(row));
  const began = performance.now();
  const judged = rows.map((row) => ({ row, verdict: judge(artifactOf(row)) }));
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
    ranked.map(({ score, positive }) => ({ p: moveProbability(score), hit: positive })),
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

function evaluate(path: string, judge: Judge): { report: Report; text: string } {
  const rows = readFileSync(path, "utf8")
    .split("\n")
    .filter((text) => text.trim() !== "")
    .map((text) => line.parse(JSON.parse(text)));
  const set = basename(path).replace(/\.jsonl$/, "");
  const ranked = rows.filter(({ label }) => Number(label) === 0 || Number(label) === 1);
  if (ranked.length > 0) return actionabilityReport(set, judgeAll(ranked, judge));
  return sentimentReport(
    set,
    judgeAll(
      rows.filter(({ label }) => isLabel(label)),
      judge,
    ),
  );
}

const { values, positionals } = parseArgs({
  options: { model: { type: "string", default: "flash" }, json: { type: "boolean", default: false } },
  allowPositionals: true,
});
const judge = models[values.model];
if (positionals.length === 0 || judge === undefined) {
  process.stderr.write("usage: node scoring/eval/run.ts [--model flash|pro] [--json] FILE...\n");
  process.exitCode = 2;
} else
  for (const path of positionals) {
    const { report, text } = evaluate(path, judge);
    process.stdout.write(`${values.json ? JSON.stringify(report) : text}\n`);
  }
