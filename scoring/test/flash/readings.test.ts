import assert from "node:assert/strict";
import test from "node:test";
import { flash } from "../../src/flash/flash.ts";
import { proByRules } from "../../src/pro/pro.ts";
import { artifact, link, linkedNames } from "../fixtures.ts";

const judge = (title: string, body = "") => flash(artifact(title, body), link(title, body));

const bearings: readonly (readonly [string, number])[] = [
  ["US consumer prices rise 0.6% in January, more than expected", -1],
  ["Inflation slows to 2.9%, below forecasts", 1],
  ["Jobless claims rise more than expected", -1],
  ["Deere posts smaller loss than expected", 1],
  ["Netflix loses fewer subscribers than feared", 1],
  ["Target's profit falls less than expected", 1],
  ["Orbitex Robotics recalls laid-off workers as orders rebound", 1],
  ["Quantara Semiconductors and Orbitex Robotics call off merger talks", -1],
  ["Wells Fargo freed from Fed's asset cap", 1],
  ["Orbitex Robotics cuts quarterly dividend by 40% to pay down debt", -1],
  ["Orbitex Robotics CFO Mara Lindqvist to step down", -1],
  ["Orbitex Robotics signs $640 million launch agreement with satellite operator, its largest ever", 1],
  ["Quantara reports revenue of $57.0 billion, up 22% from Q2 and up 62% from a year ago.", 1],
];
for (const [title, sign] of bearings)
  test(`${sign > 0 ? "good" : "bad"} news: ${title}`, () => {
    const { sentiment } = judge(title);
    assert.equal(Math.sign(sentiment.shortDirection), sign, sentiment.comment);
  });

test("the words of a company's own name say nothing for or against it", () => {
  for (const name of ["Best Buy", "Advance Auto Parts", "Rocket Pharmaceuticals"]) {
    const { sentiment, symbols } = judge(`${name} names new auditor`);
    assert.equal(symbols.length, 1);
    assert.equal(sentiment.shortDirection, 0, sentiment.comment);
    assert.ok(!/'(?:Best|Advance|Rocket)'/.test(sentiment.comment), sentiment.comment);
  }
  assert.match(
    judge("FDA rejects Rocket Pharmaceuticals' gene therapy").sentiment.comment,
    /^[A-Z][^:]*\('[^']*rejects[^']*'[^:]*\): bearish for Rocket Pharmaceuticals$/,
  );
});

test("only an event is told as the other side of a direction", () => {
  for (const [title, body] of [
    [
      "Jury orders Orbitex Robotics to pay $310 million in patent trial",
      "The jury found the company liable for copying a rival's gripper.",
    ],
    ["US consumer prices rise 0.4% in November, more than expected", "The consumer price index rose 0.4%."],
    [
      "Moody's downgrades Orbitex Robotics to junk",
      "It cut the rating to Ba1 from Baa3, citing high leverage.",
    ],
    [
      "Orbitex Robotics machinists vote to strike, halting production",
      "Workers voted by 94%, rejecting the latest offer.",
    ],
  ] as const) {
    const { sentiment } = judge(title, body);
    assert.ok(sentiment.shortDirection < 0, sentiment.comment);
    assert.ok(!sentiment.comment.includes("in spite of"), sentiment.comment);
  }
  assert.match(
    judge("Orbitex Robotics profit beats forecasts, but it cuts full-year guidance").sentiment.comment,
    /in spite of/,
  );
});

test("a comment does not say the same words twice, as headline and body do", () => {
  const { sentiment } = judge(
    "Orbitex Robotics beats revenue estimates",
    "Orbitex Robotics beats revenue estimates.",
  );
  assert.equal(
    sentiment.comment,
    "Sales above expectations ('beats revenue estimates'): bullish for Orbitex Robotics",
  );
});

test("a direction that no wording carries is none, and no direction is -0", () => {
  for (const title of [
    "-".repeat(900),
    "http://".repeat(100),
    "Target exits market in Europe",
    "Best Buy to lay off 26 workers",
  ]) {
    const { sentiment, symbols } = judge(title, title);
    for (const value of [
      sentiment.shortDirection,
      sentiment.longDirection,
      ...symbols.flatMap((entry) => [entry.sentiment_short, entry.sentiment_long]),
    ])
      assert.ok(!Object.is(value, -0), title);
    if (sentiment.comment.startsWith("Nothing for or against"))
      assert.equal(sentiment.shortDirection, 0, title);
  }
  assert.equal(judge("-".repeat(900)).sentiment.shortDirection, 0);
});

const symbolsOf = (title: string, body = "") =>
  new Map(judge(title, body).symbols.map((entry) => [entry.symbol, entry] as const));

test("who is bought gains, with the words that say so as evidence; a seller is not bought", () => {
  const title = "Pfizer to acquire Arm for $4.9 billion in cash";
  const bought = symbolsOf(title).get("NASDAQ:ARM");
  assert.ok((bought?.sentiment_short ?? 0) >= 3);
  assert.match(bought?.evidence[0]?.text ?? "", /^to acquire/);
  const sold = symbolsOf("Nvidia to buy Netflix from SoftBank");
  assert.ok((sold.get("NASDAQ:NFLX")?.sentiment_short ?? 0) >= 3);
  assert.ok((sold.get("TSE:9984")?.sentiment_short ?? 0) < 3);
  assert.ok(
    (symbolsOf("Nvidia drops plan to buy Netflix from SoftBank").get("NASDAQ:NFLX")?.sentiment_short ?? 0) <
      0,
  );
});

test("what an exchange has done that day is nothing left to act on", () => {
  for (const title of [
    "Demo exchange closes 0.6% higher, led by Veritarn Software",
    "Demo exchange slides 0.9% as banks fall",
  ])
    assert.equal(judge(title).actionability.actionable, false, title);
});

test("a listing that no table knows is found by the name before its bracket", () => {
  const bought = symbolsOf(
    "Pfizer to acquire Zyntheva for cash",
    "Pfizer agreed to buy Zyntheva (NASDAQ: ZYNV).",
  );
  assert.ok((bought.get("NASDAQ:ZYNV")?.sentiment_short ?? 0) >= 3);
});

test("what stands around a company's name is said of that company", () => {
  const rated = symbolsOf(
    "Morgan Stanley cuts Snowflake to underweight",
    "Morgan Stanley (NYSE: MS) lowered its view.",
  );
  assert.ok((rated.get("NYSE:SNOW")?.sentiment_short ?? 0) < 0);
});

test("($B) heads a column in billions, unless the text names the company", () => {
  assert.deepEqual(linkedNames(link("Orbitex Robotics results", "Revenue ($B) 13.7 14.3")), ["DEMO:OBTX"]);
  assert.ok(linkedNames(link("Macy's ($M) reports results")).includes("NYSE:M"));
});

test("pro takes a change on the quarter before for no change on the year", () => {
  const body =
    "Orbitex Robotics reported revenue of $57.0 billion, up 22% from Q2 and up 62% from a year ago.";
  const found = proByRules(
    artifact("Orbitex Robotics results", body),
    link("Orbitex Robotics results", body),
  );
  assert.deepEqual(
    found.facts.map(({ metric, changePct }) => [metric, changePct]),
    [["revenue", 62]],
  );
  assert.ok(found.sentiment.shortDirection > 0, found.sentiment.comment);
});

test("a filing's item counts where only the title tells it", () => {
  const item = artifact("8-K - Item 4.02 Non-Reliance on earlier statements", "Nothing else.", {
    type: "filing",
  });
  assert.match(proByRules(item, []).actionability.comment, /^8-K item 4\.02: /);
});

test("the plus sign of a statistic is no rise of a price: inflation above the forecast is not good for the market", () => {
  const directionOf = (title: string): number => flash(artifact(title, ""), []).sentiment.shortDirection;
  assert.ok(directionOf("US Oct CPI +0.5% M/M (Est +0.3%); Core +0.4% (Est +0.3%)") < 0);
  assert.ok(directionOf("US Nov PPI +0.6% M/M (Est +0.2%)") <= 0);
});

test("the words of an event that also have a tone are one piece of evidence", () => {
  const { symbols } = judge("Orbitex Robotics raises full-year guidance");
  assert.deepEqual(
    symbols.map(({ evidence }) => evidence),
    [[{ text: "raises full-year guidance", start: 17, end: 42 }]],
  );
});
