import assert from "node:assert/strict";
import { test } from "node:test";
import { flash } from "../../src/flash/flash.ts";
import { proByRules } from "../../src/pro/pro.ts";
import { artifact, filing } from "../fixtures.ts";
import { assertProven, halvorn, periodic, release } from "./pro-fixtures.ts";

const filler =
  "The board met in the usual place and went through the agenda of the day with the usual care. ".repeat(30);

test("what stands deep in the body changes the verdict of flash, which does not read that far", () => {
  const item = artifact(
    "Halvorn publishes its report",
    `${filler}The company filed for bankruptcy under chapter 11.`,
  );
  assert.equal(Math.sign(flash(item, [halvorn]).sentiment.shortDirection), 0);
  const verdict = proByRules(item, [halvorn]);
  assert.ok(verdict.sentiment.shortDirection <= -2, JSON.stringify(verdict.sentiment));
  assert.match(verdict.sentiment.comment, /filed for bankruptcy/);
  assert.ok(verdict.actionability.score > flash(item, [halvorn]).actionability.score);
});

test("a headline that its body contradicts is noted, and lowers conviction", () => {
  const title = "Halvorn posts record revenue and raises dividend";
  const bad = `${filler}Halvorn also cut its full-year guidance. It received a subpoena, and disclosed a material weakness. Net income fell 40% to $6 million, below analysts' estimates of $12 million.`;
  const good = `${filler}Halvorn also raised its full-year guidance.`;
  const against = proByRules(artifact(title, bad), [halvorn]);
  const along = proByRules(artifact(title, good), [halvorn]);
  assert.ok(against.contradiction !== null);
  assert.match(against.sentiment.comment, /Headline positive, body negative: 'Halvorn posts record/);
  assertProven(against, `${title}\n${bad}`);
  assert.equal(along.contradiction, null);
  assert.ok(against.sentiment.conviction < along.sentiment.conviction);
  const plain = proByRules(artifact("Halvorn publishes its report", bad), [halvorn]);
  assert.ok(
    against.sentiment.conviction <= 0.6 * plain.sentiment.conviction,
    `${against.sentiment.conviction} against ${plain.sentiment.conviction}`,
  );
  assert.ok(against.subScores.actionability.clarity < along.subScores.actionability.clarity);
});

const cover = "FORM 8-K\nCurrent report\nRecord profit jumped 90% on this cover.";

test("an 8-K is read by its items; exhibit 99.1 follows the signatures, and what is no news is left out", () => {
  const body = [
    "Item 2.02. Results of Operations and Financial Condition",
    "On May 5, 2026, Halvorn issued a press release, which is furnished as Exhibit 99.1.",
    "Item 5.07. Submission of Matters to a Vote of Security Holders",
    "The votes for the increase of the dividend were counted.",
    "Item 9.01. Financial Statements and Exhibits",
    "Press release: revenue plunged 70% and profit declined sharply",
    "SIGNATURES",
    "Halvorn Corp.",
    "Exhibit 99.1",
    release,
  ].join("\n");
  const verdict = proByRules(filing("8-K", ["2.02", "5.07", "9.01"], "8-K: Halvorn Corp.", body), [halvorn]);
  assert.ok(verdict.sentiment.shortDirection > 0, JSON.stringify(verdict.sentiment));
  const [revenue, eps] = verdict.facts;
  assert.deepEqual(
    [revenue?.metric, revenue?.value, revenue?.outcome, revenue?.period],
    ["revenue", 120.4e6, "beat", "Q1 2026"],
  );
  assert.deepEqual([eps?.metric, eps?.value, eps?.yearAgo], ["eps", 0.42, 0.37]);
  const names = verdict.detailedAnalysis.sentiment.factors.map(({ name }) => name);
  assert.ok(
    names.some((name) => name.startsWith("Exhibit 99.1: ")),
    names.join("; "),
  );
  const said = verdict.detailedAnalysis.sentiment.factors
    .flatMap(({ evidence }) => evidence.map(({ text }) => text))
    .join(" | ");
  assert.ok(!/plunged|many times|record profit/i.test(said), said);
});

test("items and form are found in the text of a filing that comes without facts of its own", () => {
  const body = `${cover}\nItem 4.02 Non-Reliance on Previously Issued Financial Statements\nThe audit committee concluded that the statements for 2025 should no longer be relied upon.`;
  const verdict = proByRules(artifact("Halvorn Corp. current report", body, { type: "filing" }), [halvorn]);
  assert.ok(verdict.sentiment.shortDirection <= -3, JSON.stringify(verdict.sentiment));
  assert.equal(verdict.actionability.actionable, true);
});

test("doubt of going on in a 10-Q makes it actionable and bearish; the risk that it might come does not", () => {
  const now = proByRules(
    periodic(
      "Our costs may rise.",
      "These conditions raise substantial doubt about our ability to continue as a going concern.",
    ),
    [halvorn],
  );
  const maybe = proByRules(
    periodic(
      "If sales fell, there could be substantial doubt about our ability to continue as a going concern.",
      "Revenue was stable.",
    ),
    [halvorn],
  );
  assert.ok(now.sentiment.shortDirection <= -2 && now.sentiment.longDirection <= -2);
  assert.equal(now.actionability.actionable, true);
  assert.match(now.actionability.comment, /substantial doubt/);
  assert.ok(Math.abs(maybe.sentiment.shortDirection) <= 1, JSON.stringify(maybe.sentiment));
  assert.equal(maybe.actionability.actionable, false, maybe.actionability.comment);
});

const over: readonly string[] = [
  "There is no substantial doubt about our ability to continue.",
  "The conditions that had raised substantial doubt were alleviated.",
  "The material weakness was remediated in March.",
  "We regained compliance with the minimum bid price rule.",
  "We are not in default on any of our notes.",
];
for (const sentence of over)
  test(`an alarm that is denied or over is none: ${sentence}`, () => {
    const { sentiment } = proByRules(periodic("Our costs may rise.", sentence), [halvorn]);
    assert.ok(sentiment.shortDirection >= 0, sentiment.comment);
  });

test("rows of a statement of income give figures with their scale, the older column first or last", () => {
  const table = (years: string, revenue: string, eps: string) =>
    filing(
      "8-K",
      ["2.02"],
      "8-K: Halvorn Corp.",
      `Exhibit 99.1\nConsolidated Statements of Income\n(in thousands, except per share)\n\t${years}\n${revenue}\nCost of revenue\t40,000\t38,000\n${eps}`,
    );
  const newest = proByRules(
    table(
      "2026\t2025",
      "Total revenues\t$\t120,400\t$\t107,500",
      "Diluted earnings per share\t$\t0.42\t$\t0.37",
    ),
    [halvorn],
  ).facts;
  const oldest = proByRules(
    table(
      "2025\t2026",
      "Total revenues\t$\t107,500\t$\t120,400",
      "Diluted earnings per share\t$\t0.37\t$\t0.42",
    ),
    [halvorn],
  ).facts;
  for (const facts of [newest, oldest])
    assert.deepEqual(
      facts.map(({ metric, value, yearAgo }) => [metric, value, yearAgo]),
      [
        ["revenue", 120.4e6, 107.5e6],
        ["eps", 0.42, 0.37],
      ],
    );
});
