/**
 * Writes what pro says of lines without the encoder: `node scoring/training/encoder/judged.ts FILE AUTHOR...`. One JSON object a
 * line: {author, kind, text, body, label, actionable, pair, short, conviction, score, companies: [{name, direction, short,
 * conviction}]}. Meant for authors of whom the heads have learnt nothing: ../train.ts --without.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { artifactOf, line as labelledLine, symbolsOf } from "../../eval/lines.ts";
import { proByRules } from "../../src/pro/pro.ts";

const [target, ...authors] = process.argv.slice(2);
if (target === undefined) throw new Error("usage: node scoring/training/encoder/judged.ts FILE AUTHOR...");

function judged(author: string, found: unknown): object {
  const line = labelledLine.parse(found);
  const { sentiment, actionability, symbols } = proByRules(artifactOf(line), symbolsOf(line));
  const companies = line.companies.map(({ name, direction }, at) => {
    const own = symbols.find(({ symbol }) => symbol === `TEST:C${at}`);
    return { name, direction, short: own?.sentiment_short ?? 0, conviction: own?.sentiment_conviction ?? 0 };
  });
  const { kind, text, body, label, actionable, pair } = line;
  const said = {
    short: sentiment.shortDirection,
    conviction: sentiment.conviction,
    score: actionability.score,
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
