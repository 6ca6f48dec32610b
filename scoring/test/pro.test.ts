import assert from "node:assert/strict";
import { test } from "node:test";
import { symbolAnalysis } from "@tapewire/contract/feeds.ts";
import { detailedAnalysis } from "@tapewire/contract/score.ts";
import fc from "fast-check";
import { flash } from "../src/flash.ts";
import { type ProVerdict, pro } from "../src/pro/pro.ts";
import type { Artifact, LinkedSymbol } from "../src/types.ts";
import { artifact, filing } from "./fixtures.ts";

const symbol = (name: string, ticker: string, primary = false): LinkedSymbol => ({
  symbol: `DEMO:${ticker}`,
  exchange: "DEMO",
  short_symbol: ticker,
  logoid: null,
  name,
  country: "US",
  type: "stock",
  method: "alias",
  relevance: primary ? 90 : 60,
  primary,
});
const halvorn = symbol("Halvorn Corp.", "HALV", true);
const brackwell = symbol("Brackwell Inc.", "BRKW");
const both = [halvorn, brackwell];

const directions = (verdict: ProVerdict) =>
  verdict.symbols.map(({ sentiment_short: short }) => Math.sign(short ?? 0));
const textOf = ({ title, body }: Artifact) => `${title}\n${body}`;

/** Every passage of a verdict stands in the text, where it says. */
function assertProven(verdict: ProVerdict, text: string): void {
  const { actionability, sentiment } = verdict.detailedAnalysis;
  const all = [
    ...verdict.symbols.flatMap(({ evidence }) => evidence),
    ...verdict.facts.map(({ evidence }) => evidence),
    ...[...actionability.factors, ...sentiment.factors].flatMap(({ evidence }) => evidence),
    ...(verdict.contradiction === null ? [] : [verdict.contradiction.headline, verdict.contradiction.body]),
  ];
  for (const { text: words, start, end } of all) assert.equal(text.slice(start, end), words);
}

const twoCompanies: readonly (readonly [title: string, body: string, halvorn: number, brackwell: number])[] =
  [
    [
      "Instrument makers report",
      "Halvorn raised its full-year guidance. Brackwell cut its full-year guidance.",
      1,
      -1,
    ],
    [
      "Instrument makers report",
      "Halvorn's revenue fell sharply while Brackwell's profit jumped 30%.",
      -1,
      1,
    ],
    ["Halvorn to acquire Brackwell for $3.2 billion", "Halvorn will pay $45 a share in cash.", 0, 1],
    ["Brackwell to be bought", "Brackwell will be acquired by Halvorn, the companies said.", 0, 1],
    ["Court papers filed", "Halvorn sued Brackwell over the design of a pump.", 0, -1],
    ["Orders change hands", "Halvorn lost the contract to Brackwell last week.", -1, 1],
    [
      "Two trials",
      "Halvorn said its drug did not meet its primary endpoint. Brackwell's drug met its primary endpoint.",
      -1,
      1,
    ],
    ["Results day", "Brackwell missed analysts' estimates. Halvorn exceeded analysts' estimates.", 1, -1],
    [
      "Half-year reports",
      "Halvorn returned to profitability. Margins improved. Brackwell filed for bankruptcy.",
      1,
      -1,
    ],
    ["Suppliers", "Revenue at Halvorn rose 20 percent, but Brackwell's sales declined 12 percent.", 1, -1],
    [
      "Results",
      "Halvorn reported revenue of $90 million, above estimates of $80 million. Brackwell reported revenue of $50 million, below estimates of $60 million.",
      1,
      -1,
    ],
    ["Halvorn grows faster", "Halvorn's sales rose faster than Brackwell's.", 1, 0],
  ];
for (const [title, body, first, second] of twoCompanies)
  test(`each of two companies gets its own direction: ${body}`, () => {
    const item = artifact(title, body);
    const verdict = pro(item, both);
    assert.deepEqual(directions(verdict), [first, second], JSON.stringify(verdict.symbols, null, 1));
    assertProven(verdict, textOf(item));
    for (const one of verdict.symbols) assert.equal(one.sentiment_score, 5 + (one.sentiment_short ?? 0));
  });

test("the evidence of a company is of its own sentences", () => {
  const verdict = pro(
    artifact("Two makers", "Halvorn raised its outlook. Brackwell withdrew its outlook."),
    both,
  );
  assert.deepEqual(
    verdict.symbols.map(({ evidence }) => evidence.map(({ text }) => text)),
    [["raised its outlook"], ["withdrew its outlook"]],
  );
});

test("a company that is only named gets no direction, and the comment says so", () => {
  const body = "Halvorn raised its full-year guidance. It shares a building with Brackwell.";
  const [, second] = pro(artifact("Halvorn raises outlook", body), both).symbols;
  assert.equal(second?.sentiment_short, 0);
  assert.match(second?.sentiment_comment ?? "", /BRKW is named, but nothing/);
});

test("figures belong to the company whose sentence states them", () => {
  const body =
    "Halvorn reported revenue of $90 million. Its net income was $9 million. Brackwell posted a net loss of $4 million.";
  const { facts } = pro(artifact("Reports", body), both);
  assert.deepEqual(
    facts.map(({ metric, value, symbol: about }) => [metric, value, about]),
    [
      ["revenue", 90e6, "DEMO:HALV"],
      ["net_income", 9e6, "DEMO:HALV"],
      ["net_income", -4e6, "DEMO:BRKW"],
    ],
  );
});

test("two lines of one company say the same", () => {
  const lines = [
    halvorn,
    { ...halvorn, symbol: "DEMO:HALVB", short_symbol: "HALVB", primary: false },
    brackwell,
  ];
  const [a, b] = pro(
    artifact("Reports", "Halvorn cut its dividend. Brackwell raised its dividend."),
    lines,
  ).symbols;
  assert.ok((a?.sentiment_short ?? 0) < 0);
  assert.deepEqual([b?.sentiment_short, b?.evidence], [a?.sentiment_short, a?.evidence]);
});

for (const title of [
  "Halvorn raises its outlook",
  "Halvorn cuts dividend after profit falls 40%",
  "Halvorn opens an office",
  "Halvorn shares fall 12%",
])
  test(`without a body pro says what flash says: ${title}`, () => {
    const item = artifact(title);
    const [mine, base] = [pro(item, [halvorn]), flash(item, [halvorn])];
    assert.deepEqual(mine.sentiment, base.sentiment);
    assert.deepEqual(mine.actionability, base.actionability);
    assert.deepEqual(mine.symbols, base.symbols);
  });

const filler =
  "The board met in the usual place and went through the agenda of the day with the usual care. ".repeat(30);

test("what stands deep in the body changes the verdict of flash, which does not read that far", () => {
  const item = artifact(
    "Halvorn publishes its report",
    `${filler}The company filed for bankruptcy under chapter 11.`,
  );
  assert.equal(Math.sign(flash(item, [halvorn]).sentiment.shortDirection), 0);
  const verdict = pro(item, [halvorn]);
  assert.ok(verdict.sentiment.shortDirection <= -2, JSON.stringify(verdict.sentiment));
  assert.match(verdict.sentiment.comment, /filed for bankruptcy/);
  assert.ok(verdict.actionability.score > flash(item, [halvorn]).actionability.score);
});

test("a headline that its body contradicts is noted, and lowers conviction", () => {
  const title = "Halvorn posts record revenue and raises dividend";
  const bad = `${filler}Halvorn also cut its full-year guidance. It received a subpoena, and disclosed a material weakness. Net income fell 40% to $6 million, below analysts' estimates of $12 million.`;
  const good = `${filler}Halvorn also raised its full-year guidance.`;
  const against = pro(artifact(title, bad), [halvorn]);
  const along = pro(artifact(title, good), [halvorn]);
  assert.ok(against.contradiction !== null);
  assert.match(against.sentiment.comment, /Headline positive, body negative: 'Halvorn posts record/);
  assertProven(against, `${title}\n${bad}`);
  assert.equal(along.contradiction, null);
  assert.ok(against.sentiment.conviction < along.sentiment.conviction);
  const plain = pro(artifact("Halvorn publishes its report", bad), [halvorn]);
  assert.ok(
    against.sentiment.conviction <= 0.6 * plain.sentiment.conviction,
    `${against.sentiment.conviction} against ${plain.sentiment.conviction}`,
  );
  assert.ok(against.subScores.actionability.clarity < along.subScores.actionability.clarity);
});

const release = [
  "Halvorn Reports First Quarter 2026 Results",
  "Investor Contact: A. Person, 555-0100",
  "Halvorn Corp. today reported results for the first quarter of 2026, its fourth in the new plant, and its first since the sale of the pumps business to a group of private buyers in the winter.",
  "Revenue rose 12% to $120.4 million from $107.5 million in the prior year period, above analysts' estimates of $112 million.",
  "Diluted EPS was $0.42 versus $0.37 in the same quarter last year.",
  "About Halvorn",
  "Halvorn has strong growth and record sales and record profit and raised its guidance many times.",
].join("\n");
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
  const verdict = pro(filing("8-K", ["2.02", "5.07", "9.01"], "8-K: Halvorn Corp.", body), [halvorn]);
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
  const verdict = pro(artifact("Halvorn Corp. current report", body, { type: "filing" }), [halvorn]);
  assert.ok(verdict.sentiment.shortDirection <= -3, JSON.stringify(verdict.sentiment));
  assert.equal(verdict.actionability.actionable, true);
});

const periodic = (risk: string, report: string): Artifact =>
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

test("doubt of going on in a 10-Q makes it actionable and bearish; the risk that it might come does not", () => {
  const now = pro(
    periodic(
      "Our costs may rise.",
      "These conditions raise substantial doubt about our ability to continue as a going concern.",
    ),
    [halvorn],
  );
  const maybe = pro(
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
  assert.equal(maybe.actionability.actionable, false);
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
    assert.ok(pro(periodic("Our costs may rise.", sentence), [halvorn]).sentiment.shortDirection >= 0);
  });

test("rows of a statement of income give figures with their scale, the older column first or last", () => {
  const table = (years: string, revenue: string, eps: string) =>
    filing(
      "8-K",
      ["2.02"],
      "8-K: Halvorn Corp.",
      `Exhibit 99.1\nConsolidated Statements of Income\n(in thousands, except per share)\n\t${years}\n${revenue}\nCost of revenue\t40,000\t38,000\n${eps}`,
    );
  const newest = pro(
    table(
      "2026\t2025",
      "Total revenues\t$\t120,400\t$\t107,500",
      "Diluted earnings per share\t$\t0.42\t$\t0.37",
    ),
    [halvorn],
  ).facts;
  const oldest = pro(
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

test("the longer analysis is what the contract says, and names the figures", () => {
  const verdict = pro(
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
  const verdict = pro(item, [halvorn]);
  assert.deepEqual([verdict.model, verdict.modelVersion], ["pro", "0.1.0"]);
  assert.deepEqual(pro(item, [halvorn], flash(item, [halvorn])), verdict);
  const base = flash(item, [halvorn]);
  const marked = { ...base, actionability: { ...base.actionability, score: 77 } };
  assert.equal(pro(item, [halvorn], marked).actionability.score, 77);
});

test("the same artifact gives the same verdict, byte for byte, whatever was judged in between", () => {
  const item = filing("8-K", ["2.02"], "8-K: Halvorn Corp.", release);
  const first = JSON.stringify(pro(item, both));
  pro(periodic("Fraud.", "Profit rose."), [brackwell]);
  assert.equal(JSON.stringify(pro(item, both)), first);
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
      const verdict = pro(item, both.slice(0, count));
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
