/**
 * How often pro, and flash, give each of several companies of a headline its own direction:
 * `node scoring/eval/pro-entities.ts [FILE]`, FILE default sentfin.jsonl of the training sets, whose lines carry a label
 * for each company named. Exits with a note when the file is missing. Headlines of one company are left out.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { flash } from "../src/flash/flash.ts";
import { proByRules } from "../src/pro/pro.ts";
import type { LinkedSymbol } from "../src/types.ts";

const labels = ["negative", "neutral", "positive"] as const;
const row = z.object({ text: z.string(), entities: z.record(z.string(), z.string()) });

const symbolOf = (name: string, index: number): LinkedSymbol => ({
  symbol: `DEMO:E${index}`,
  exchange: "DEMO",
  short_symbol: `E${index}`,
  logoid: null,
  name,
  country: null,
  type: "stock",
  method: "alias",
  relevance: 90 - index,
  primary: index === 0,
});

interface Pair {
  readonly label: string;
  readonly guess: string;
}

const guessOf = (direction: number | null | undefined): string =>
  labels[Math.sign(direction ?? 0) + 1] ?? "neutral";

function figures(name: string, pairs: readonly Pair[]): string {
  const right = pairs.filter(({ label, guess }) => label === guess).length;
  const f1 = labels.map((wanted) => {
    const hit = pairs.filter(({ label, guess }) => label === wanted && guess === wanted).length;
    const either =
      pairs.filter(({ label }) => label === wanted).length +
      pairs.filter(({ guess }) => guess === wanted).length;
    return (2 * hit) / Math.max(1, either);
  });
  const macro = f1.reduce((sum, value) => sum + value, 0) / f1.length;
  const show = (value: number): string => (100 * value).toFixed(1);
  return `${name}: ${pairs.length} companies, accuracy ${show(right / pairs.length)}, macro-F1 ${show(macro)}`;
}

const path =
  process.argv[2] ??
  fileURLToPath(new URL("../../../shared/data/scoring/train/sentfin.jsonl", import.meta.url));
if (!existsSync(path)) process.stdout.write(`no labelled companies at ${path}: nothing to measure\n`);
else {
  const rows = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => row.parse(JSON.parse(line)));
  const several = rows.filter(({ entities }) => Object.keys(entities).length > 1);
  const read = several.flatMap(({ text, entities }) => {
    const symbols = Object.keys(entities).map((name, index) => symbolOf(name, index));
    const artifact = {
      type: "news",
      title: text,
      body: "",
      publishedAt: new Date(0),
      filing: null,
      categories: [],
    } as const;
    const quick = flash(artifact, symbols);
    const whole = proByRules(artifact, symbols, quick);
    const isMixed = new Set(Object.values(entities)).size > 1;
    return Object.values(entities).map((label, index) => ({
      isMixed,
      label,
      flash: guessOf(quick.symbols[index]?.sentiment_short),
      pro: guessOf(whole.symbols[index]?.sentiment_short),
    }));
  });
  for (const [name, some] of [
    ["all", read],
    ["of different directions", read.filter(({ isMixed }) => isMixed)],
  ] as const)
    for (const model of ["flash", "pro"] as const)
      process.stdout.write(
        `${figures(
          `${model}, ${name}`,
          some.map((one) => ({ label: one.label, guess: one[model] })),
        )}\n`,
      );
}
