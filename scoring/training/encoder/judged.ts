/**
 * Writes what pro says of lines without the encoder: `node scoring/training/encoder/judged.ts FILE AUTHOR...`. One JSON object a
 * line: {author, kind, text, body, label, actionable, pair, short, conviction, score, fact, companies: [{name, direction, short,
 * conviction, fact}]}. Meant for authors of whom the heads have learnt nothing: ../train.ts --without.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { artifactOf, line as labelledLine, symbolsOf } from "../../eval/lines.ts";
import { report } from "../../src/flash/flash.ts";
import { proByRules } from "../../src/pro/pro.ts";

const [target, ...authors] = process.argv.slice(2);
if (target === undefined) throw new Error("usage: node scoring/training/encoder/judged.ts FILE AUTHOR...");

function judged(author: string, found: unknown): object {
  const line = labelledLine.parse(found);
  const [artifact, linked] = [artifactOf(line), symbolsOf(line)];
  const { sentiment, actionability, symbols } = proByRules(artifact, linked);
  const told = report({ ...artifact, body: "" }, linked).told();
  const companies = line.companies.map(({ name, direction }, at) => {
    const place = symbols.findIndex(({ symbol }) => symbol === `TEST:C${at}`);
    const { sentiment_short: short, sentiment_conviction: conviction } = symbols[place] ?? {};
    return { name, direction, short: short ?? 0, conviction: conviction ?? 0, fact: told.facts[place] };
  });
  const { kind, text, body, label, actionable, pair } = line;
  const said = {
    short: sentiment.shortDirection,
    conviction: sentiment.conviction,
    score: actionability.score,
    fact: told.fact,
  };
  return { author, kind, text, body: body ?? "", label, actionable, pair: pair ?? null, ...said, companies };
}

const rows = authors.flatMap((author) =>
  readFileSync(fileURLToPath(new URL(`../lines/${author}.jsonl`, import.meta.url)), "utf8")
    .split("\n")
    .filter((text) => text !== "")
    .map((text) => judged(author, JSON.parse(text))),
);
writeFileSync(target, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
