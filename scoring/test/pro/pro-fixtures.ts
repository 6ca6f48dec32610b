import assert from "node:assert/strict";
import type { ProVerdict } from "../../src/pro/types.ts";
import type { Artifact } from "../../src/types.ts";
import { filing } from "../fixtures.ts";
import { linkedSymbol } from "../linked-symbol.ts";

export const halvorn = linkedSymbol("Halvorn Corp.", "HALV", true);
export const brackwell = linkedSymbol("Brackwell Inc.", "BRKW");
export const both = [halvorn, brackwell];

export const directions = (verdict: ProVerdict) =>
  verdict.symbols.map(({ sentiment_short: short }) => Math.sign(short ?? 0));
export const textOf = ({ title, body }: Artifact) => `${title}\n${body}`;

/** Every passage of a verdict stands in the text, where it says. */
export function assertProven(verdict: ProVerdict, text: string): void {
  const { actionability, sentiment } = verdict.detailedAnalysis;
  const all = [
    ...verdict.symbols.flatMap(({ evidence }) => evidence),
    ...verdict.facts.map(({ evidence }) => evidence),
    ...[...actionability.factors, ...sentiment.factors].flatMap(({ evidence }) => evidence),
    ...(verdict.contradiction === null ? [] : [verdict.contradiction.headline, verdict.contradiction.body]),
  ];
  for (const { text: words, start, end } of all) assert.equal(text.slice(start, end), words);
}

export const release = [
  "Halvorn Reports First Quarter 2026 Results",
  "Investor Contact: A. Person, 555-0100",
  "Halvorn Corp. today reported results for the first quarter of 2026, its fourth in the new plant, and its first since the sale of the pumps business to a group of private buyers in the winter.",
  "Revenue rose 12% to $120.4 million from $107.5 million in the prior year period, above analysts' estimates of $112 million.",
  "Diluted EPS was $0.42 versus $0.37 in the same quarter last year.",
  "About Halvorn",
  "Halvorn has strong growth and record sales and record profit and raised its guidance many times.",
].join("\n");

export const periodic = (risk: string, report: string): Artifact =>
  filing(
    "10-Q",
    [],
    "10-Q: Halvorn Corp.",
    [
      "PART I",
      "Item 2. Management's Discussion and Analysis of Financial Condition",
      report,
      "PART II",
      "Item 1A. Risk Factors",
      risk,
      "Item 6. Exhibits",
      "Bankruptcy, fraud and a wells notice stand in this list.",
    ].join("\n"),
  );
