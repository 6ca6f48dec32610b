/**
 * Accuracy and macro-F1 of flash's short direction on the labelled training sets:
 * `node scoring/eval/flash.ts [DIR]`, DIR default ../shared/data/scoring/train. Says so and ends where they are absent.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { flash } from "../src/flash.ts";

const labels = ["negative", "neutral", "positive"] as const;
const row = z.object({ text: z.string(), label: z.string() });

function predicted(text: string): (typeof labels)[number] {
  const publishedAt = new Date(0);
  const { sentiment } = flash(
    { type: "news", title: text, body: "", publishedAt, filing: null, categories: [] },
    [],
  );
  return sentiment.shortDirection > 0 ? "positive" : sentiment.shortDirection < 0 ? "negative" : "neutral";
}

function evaluate(path: string): string {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  const rows = lines.map((line) => row.parse(JSON.parse(line)));
  const three = rows.filter(({ label }) => labels.some((known) => known === label));
  const began = performance.now();
  const pairs = three.map(({ text, label }) => ({ label, guess: predicted(text), text }));
  const micros = ((performance.now() - began) * 1000) / pairs.length;
  const f1 = labels.map((label) => {
    const hit = pairs.filter((pair) => pair.label === label && pair.guess === label).length;
    const actual = pairs.filter((pair) => pair.label === label).length;
    const claimed = pairs.filter((pair) => pair.guess === label).length;
    return (2 * hit) / Math.max(1, actual + claimed);
  });
  const accuracy = pairs.filter(({ label, guess }) => label === guess).length / pairs.length;
  const macro = f1.reduce((sum, value) => sum + value, 0) / f1.length;
  const show = (value: number): string => (100 * value).toFixed(1);
  return `${pairs.length} texts, accuracy ${show(accuracy)}, macro-F1 ${show(macro)} (negative ${show(f1[0] ?? 0)}, neutral ${show(f1[1] ?? 0)}, positive ${show(f1[2] ?? 0)}), ${micros.toFixed(0)} µs each`;
}

const directory =
  process.argv[2] ?? fileURLToPath(new URL("../../../shared/data/scoring/train", import.meta.url));
if (!existsSync(directory)) process.stdout.write(`no labelled sets at ${directory}: nothing to measure\n`);
else
  for (const name of readdirSync(directory).filter((file) => file.endsWith(".jsonl")))
    process.stdout.write(`${name}: ${evaluate(`${directory}/${name}`)}\n`);
