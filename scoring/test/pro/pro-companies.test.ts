import assert from "node:assert/strict";
import { test } from "node:test";
import { flash } from "../../src/flash/flash.ts";
import { proByRules } from "../../src/pro/pro.ts";
import { artifact } from "../fixtures.ts";
import { assertProven, both, brackwell, directions, halvorn, textOf } from "./pro-fixtures.ts";

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
    const verdict = proByRules(item, both);
    assert.deepEqual(directions(verdict), [first, second], JSON.stringify(verdict.symbols, null, 1));
    assertProven(verdict, textOf(item));
    for (const one of verdict.symbols) assert.equal(one.sentiment_score, 5 + (one.sentiment_short ?? 0));
  });

test("the evidence of a company is of its own sentences", () => {
  const verdict = proByRules(
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
  const [, second] = proByRules(artifact("Halvorn raises outlook", body), both).symbols;
  assert.equal(second?.sentiment_short, 0);
  assert.match(second?.sentiment_comment ?? "", /BRKW is named, but nothing/);
});

test("figures belong to the company whose sentence states them", () => {
  const body =
    "Halvorn reported revenue of $90 million. Its net income was $9 million. Brackwell posted a net loss of $4 million.";
  const { facts } = proByRules(artifact("Reports", body), both);
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
  const [a, b] = proByRules(
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
    const [mine, base] = [proByRules(item, [halvorn]), flash(item, [halvorn])];
    assert.deepEqual(mine.sentiment, base.sentiment);
    assert.deepEqual(mine.actionability, base.actionability);
    assert.deepEqual(mine.symbols, base.symbols);
  });
