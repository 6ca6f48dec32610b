import assert from "node:assert/strict";
import { test } from "node:test";
import { symbolAnalysis } from "@tapewire/contract/feeds.ts";
import { detailedAnalysis } from "@tapewire/contract/score.ts";
import fc from "fast-check";
import { flash } from "../../src/flash/flash.ts";
import { proByRules } from "../../src/pro/pro.ts";
import { artifact, filing } from "../fixtures.ts";
import { assertProven, both, brackwell, halvorn, periodic, release, textOf } from "./pro-fixtures.ts";

test("the longer analysis is what the contract says, and names the figures", () => {
  const verdict = proByRules(
    filing("8-K", ["2.02"], "8-K: Halvorn Corp.", `Item 2.02. Results of Operations\n${release}`),
    [halvorn],
  );
  detailedAnalysis.parse(verdict.detailedAnalysis);
  for (const one of verdict.symbols) symbolAnalysis.parse(one);
  assert.match(
    verdict.detailedAnalysis.actionability.summary,
    /Revenue for Q1 2026 USD 120\.4 m \(USD 107\.5 m the year before, USD 112 m expected\)/,
  );
  assert.ok(
    verdict.detailedAnalysis.actionability.factors.some(({ name }) => name === "Revenue above expectations"),
  );
});

test("the model says its name, and a verdict of flash that is handed over is the one refined", () => {
  const item = artifact("Halvorn raises outlook", "Nothing else.");
  const verdict = proByRules(item, [halvorn]);
  assert.deepEqual([verdict.model, verdict.modelVersion], ["pro", "0.10.0"]);
  assert.deepEqual(proByRules(item, [halvorn], flash(item, [halvorn])), verdict);
  const base = flash(item, [halvorn]);
  const marked = { ...base, actionability: { ...base.actionability, score: 77 } };
  assert.equal(proByRules(item, [halvorn], marked).actionability.score, 77);
});

test("the same artifact gives the same verdict, byte for byte, whatever was judged in between", () => {
  const item = filing("8-K", ["2.02"], "8-K: Halvorn Corp.", release);
  const first = JSON.stringify(proByRules(item, both));
  proByRules(periodic("Fraud.", "Profit rose."), [brackwell]);
  assert.equal(JSON.stringify(proByRules(item, both)), first);
});

const pieces = fc.constantFrom(
  "Halvorn ",
  "Brackwell's ",
  "revenue ",
  "rose ",
  "fell ",
  "12% ",
  "$5.2 billion ",
  "to ",
  "from ",
  "not ",
  "may ",
  "EPS ",
  "$(0.15) ",
  ". ",
  "\n",
  "\t",
  ", ",
  "Item 2.02 ",
  "Exhibit 99.1\n",
  "SIGNATURES\n",
  "substantial doubt ",
  "guidance ",
  "raised ",
  "analysts expected ",
  "per share ",
  "((((",
  "$$$ ",
  "-",
  "😀",
  "日本",
  "\ud800",
  "1e9 ",
  "9".repeat(30),
  "per ",
  "a ",
  "acquire ",
  "About X\n",
  "in thousands\n",
);
const anyArtifact = fc.record({
  type: fc.constantFrom("news", "filing", "research", "ugc"),
  title: fc.array(pieces, { maxLength: 12 }),
  body: fc.array(pieces, { maxLength: 120 }),
  count: fc.integer({ min: 0, max: 2 }),
});

test("whatever the text, the verdict is in range and every passage stands where it says", () => {
  fc.assert(
    fc.property(anyArtifact, ({ type, title, body, count }) => {
      const item = artifact(title.join(""), body.join(""), { type });
      const verdict = proByRules(item, both.slice(0, count));
      detailedAnalysis.parse(verdict.detailedAnalysis);
      for (const one of verdict.symbols) symbolAnalysis.parse(one);
      assertProven(verdict, textOf(item));
      const { shortDirection, longDirection, conviction } = verdict.sentiment;
      assert.ok(
        [shortDirection, longDirection].every((value) => Number.isInteger(value) && Math.abs(value) <= 5),
      );
      assert.ok(Number.isInteger(conviction) && conviction >= 0 && conviction <= 100);
      assert.ok(verdict.actionability.score >= 0 && verdict.actionability.score <= 100);
      assert.ok(verdict.facts.every(({ value }) => Number.isFinite(value)));
      assert.ok(!/[\n\t]/.test(verdict.sentiment.comment));
    }),
    { numRuns: 300 },
  );
});
