import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { z } from "zod";
import { proByRules } from "../../src/pro/pro.ts";
import type { NumberFact } from "../../src/pro/types.ts";
import type { Artifact, LinkedSymbol } from "../../src/types.ts";
import { artifact, filing } from "../fixtures.ts";
import { linkedSymbol } from "../linked-symbol.ts";

const wantedFact = z.object({
  metric: z.string(),
  kind: z.string().optional(),
  value: z.number().optional(),
  range: z.array(z.number()).optional(),
  currency: z.string().optional(),
  yearAgo: z.number().optional(),
  consensus: z.number().optional(),
  previous: z.number().optional(),
  outcome: z.string().optional(),
  adjusted: z.boolean().optional(),
  symbol: z.string().optional(),
});
const golden = z.object({
  id: z.string(),
  kind: z.string(),
  type: z.enum(["news", "filing"]),
  form: z.string().optional(),
  items: z.array(z.string()).default([]),
  title: z.string(),
  body: z.string(),
  symbols: z.array(z.object({ name: z.string(), ticker: z.string() })),
  /** Least and most of each symbol's short direction. */
  directions: z.record(z.string(), z.tuple([z.int(), z.int()])),
  /** Figures that must be found, by what is told of them here. */
  facts: z.array(wantedFact),
  /** Least and most of the score. */
  actionability: z.tuple([z.int(), z.int()]),
  contradiction: z.boolean().optional(),
});
type Golden = z.infer<typeof golden>;

/** Invented bodies with what a reader takes from them. */
const lines = readFileSync(new URL("../../eval/pro-golden.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => golden.parse(JSON.parse(line)));

const artifactOf = ({ form, items, title, body }: Golden): Artifact =>
  form === undefined ? artifact(title, body) : filing(form, items, title, body);

const symbolsOf = ({ symbols }: Golden): readonly LinkedSymbol[] =>
  symbols.map(({ name, ticker }, at) => linkedSymbol(name, ticker, at === 0));

const isFound = (wanted: z.infer<typeof wantedFact>, facts: readonly NumberFact[]): boolean =>
  facts.some((fact) => {
    const stated = new Map<string, unknown>(Object.entries(fact));
    return Object.entries(wanted).every(([name, value]) =>
      typeof value === "number"
        ? Math.abs(Number(stated.get(name)) - value) <= 1e-9 * Math.abs(value)
        : JSON.stringify(stated.get(name)) === JSON.stringify(value),
    );
  });

test("the labelled bodies are of many kinds", () => {
  assert.ok(lines.length >= 25 && new Set(lines.map(({ kind }) => kind)).size >= 25);
});

for (const line of lines)
  test(`${line.id} ${line.kind}: ${line.body.slice(0, 60).replaceAll(/\s+/g, " ")}`, () => {
    const { symbols, facts, actionability, contradiction } = proByRules(artifactOf(line), symbolsOf(line));
    for (const { short_symbol: ticker, sentiment_short: short, sentiment_comment: comment } of symbols) {
      const [least, most] = line.directions[ticker ?? ""] ?? [-5, 5];
      assert.ok(
        short !== null && short >= least && short <= most,
        `${ticker}: ${least} <= ${short} <= ${most}: ${comment}`,
      );
    }
    for (const wanted of line.facts)
      assert.ok(isFound(wanted, facts), `${JSON.stringify(wanted)} in ${JSON.stringify(facts)}`);
    const [least, most] = line.actionability;
    const { score, comment } = actionability;
    assert.ok(score >= least && score <= most, `${least} <= ${score} <= ${most}: ${comment}`);
    if (line.contradiction !== undefined) assert.equal(contradiction !== null, line.contradiction);
  });
