/** The reasons of the longer analysis add up to the verdict that stands beside them. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { detailedAnalysis } from "@tapewire/contract/score.ts";
import fc from "fast-check";
import { z } from "zod";
import { Encoder } from "../../src/pro/encoder/encoder.ts";
import { pro, proByRules } from "../../src/pro/pro.ts";
import type { ProVerdict } from "../../src/pro/types.ts";
import { artifact, filing } from "../fixtures.ts";
import { assertProven, both, brackwell, halvorn, release, textOf } from "./pro-fixtures.ts";

const sumOf = (factors: readonly { readonly weight: number }[]) =>
  factors.reduce((sum, { weight }) => sum + weight, 0);

function assertAddsUp({ actionability, sentiment, detailedAnalysis: given }: ProVerdict, text: string) {
  const detail = detailedAnalysis.parse(given);
  assert.equal(sumOf(detail.actionability.factors), actionability.score, text);
  assert.equal(sumOf(detail.sentiment.factors), 20 * sentiment.shortDirection, text);
}

const statements = [
  "Halvorn raised its full-year guidance to $4.1 billion from $3.6 billion.",
  "Revenue rose 31% to $120.4 million, above analysts' estimates of $112 million.",
  "Diluted EPS was $0.42 versus $0.37 in the same quarter last year.",
  "There is substantial doubt about the company's ability to continue as a going concern.",
  "Halvorn defaulted on its notes and suspended its dividend.",
  "The chief executive was dismissed after an accounting fraud.",
  "Halvorn won a record contract worth $900 million.",
  "Brackwell agreed to acquire Halvorn for $31 a share in cash.",
  "Margins fell sharply, and the outlook is weak.",
  "Shares rose 4%.",
  "The annual meeting is in May.",
  "Item 4.02 Non-Reliance on Previously Issued Financial Statements\n",
  "Exhibit 99.1\n",
];
const titles = [
  "Halvorn raises outlook",
  "Halvorn cuts its dividend and warns on margins",
  "Halvorn files for Chapter 11 bankruptcy",
  "Halvorn to be acquired by Brackwell for $31 a share in cash",
  "Why did Halvorn fall today?",
  "Halvorn names a new chief financial officer",
  "8-K: Halvorn Corp.",
  "",
];
const anyText = fc.record({
  type: fc.constantFrom("news", "filing", "research", "ugc"),
  title: fc.constantFrom(...titles),
  body: fc.array(fc.constantFrom(...statements), { maxLength: 14 }),
  count: fc.integer({ min: 0, max: 2 }),
});

test("whatever the text, the rules' reasons add up to the score and to the direction", () => {
  fc.assert(
    fc.property(anyText, ({ type, title, body, count }) => {
      const item = artifact(title, body.join(" "), { type });
      const verdict = proByRules(item, both.slice(0, count));
      assertAddsUp(verdict, `${title}\n${body.join(" ")}`);
      assertProven(verdict, textOf(item));
    }),
    { numRuns: 400 },
  );
});

const encoder = await Encoder.load();
const line = z.object({ title: z.string(), body: z.string().optional() });
const sample = readFileSync(new URL("encoder-sample.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((text) => line.parse(JSON.parse(text)));

test("so do those of a text read in context, where it turns the sign or takes it away too", async () => {
  let turned = 0;
  const more = titles.flatMap((title, at) => [
    { title, body: statements.slice(at, at + 5).join(" ") },
    { title, body: "" },
  ]);
  for (const { title, body = "" } of [...sample, ...more]) {
    const item = artifact(title, body);
    const [joint, ruled] = [await pro(encoder, item, [halvorn, brackwell]), proByRules(item, [halvorn])];
    assertAddsUp(joint, title);
    if (Math.sign(joint.sentiment.shortDirection) !== Math.sign(ruled.sentiment.shortDirection)) turned += 1;
  }
  assert.ok(turned > 0, "none of the texts is read otherwise than by the rules");
});

test("a filing's statements name their part, and what takes part beside them has a line of its own", () => {
  const item = filing("8-K", ["2.02"], "8-K: Halvorn Corp.", `Item 2.02. Results\nExhibit 99.1\n${release}`);
  assertAddsUp(proByRules(item, [halvorn]), item.title);
  const weak = artifact("Halvorn to hold its annual meeting", "Costs may rise slightly. Sales grew.");
  const names = proByRules(weak, [halvorn]).detailedAnalysis.sentiment.factors.map(({ name }) => name);
  assert.ok(names.includes("Headline and lead"), names.join("; "));
});
