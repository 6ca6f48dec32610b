/** What a headline tells as a plain fact of a sure kind, no reading in context changes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Encoder } from "../../src/pro/encoder/encoder.ts";
import { pro } from "../../src/pro/pro.ts";
import { artifact } from "../fixtures.ts";
import { linkedSymbol } from "../linked-symbol.ts";
import { both, brackwell, directions, halvorn } from "./pro-fixtures.ts";

const encoder = await Encoder.load();
const judge = (title: string, symbols = [halvorn], body = "") => pro(encoder, artifact(title, body), symbols);

test("the bidder of talks and the issuer of convertible notes are not praised for them", async () => {
  for (const title of [
    "Halvorn in advanced talks to acquire Calder Freight, sources say",
    "Halvorn nears deal to buy Calder Freight for about $18 billion",
    "Halvorn announces proposed private offering of $1.0 billion of convertible senior notes",
    "Halvorn upsizes convertible notes offering to $975 million",
    "Halvorn sets aside 1.2 billion euros for asbestos claims",
  ]) {
    const { sentiment, actionability } = await judge(title);
    assert.ok(sentiment.shortDirection < 0, `${title}: ${sentiment.comment}`);
    assert.ok(!actionability.comment.includes("Change of a figure"), title);
  }
});

test("a figure above its estimate is not read as bad news, and a target's gain is not its buyer's", async () => {
  const beat = await judge("Halvorn guides December-quarter revenue to $5.6 billion, Street at $5.2 billion");
  assert.ok(beat.sentiment.shortDirection > 0, beat.sentiment.comment);
  for (const title of [
    "Calder Freight to be bought by Halvorn for up to $5.2 billion",
    "Calder Freight agrees to $7.4 billion sale to Halvorn",
  ]) {
    const { sentiment } = await judge(title);
    assert.ok(sentiment.shortDirection < 0, `${title}: ${sentiment.comment}`);
  }
});

test("a buyer is told of the deal, and what it may pay later speaks neither for nor against it", async () => {
  const { sentiment } = await judge(
    "Halvorn agrees to buy Calder Freight for $47.50 a share in cash",
    [halvorn],
    "Halvorn will also pay up to $22.50 a share in contingent payments.",
  );
  assert.ok(sentiment.shortDirection === 0 || sentiment.shortDirection === -1, sentiment.comment);
  assert.match(sentiment.comment, /^Takeover agreed/);
});

test("a buyer without a direction is told of its deal, not of a weak statement", async () => {
  const { symbols } = await judge("Halvorn to buy Brackwell for $30 billion", both);
  assert.ok(symbols.every(({ sentiment_comment: comment }) => !comment?.startsWith("Too weak")));
});

test("shares that are added to a holding are no takeover, in the comment of the company either", async () => {
  const { symbols } = await judge("Halvorn buys additional 5 million Brackwell shares", both);
  assert.ok(symbols.every(({ sentiment_comment: comment }) => !/takeover/i.test(comment ?? "")));
});

test("where an outlook outweighs the profit beside it, the event is the outlook", async () => {
  for (const title of [
    "Halvorn profit beats, but outlook trails estimates",
    "Halvorn swings to profit, forecasts fourth-quarter earnings below estimates",
  ]) {
    const { event, sentiment } = await judge(title);
    assert.deepEqual([event, Math.sign(sentiment.shortDirection)], ["guidance_below_consensus", -1], title);
  }
});

test("news of no account has neither a direction nor a score that asks to act", async () => {
  for (const title of [
    "Halvorn recalls 58,000 lb of chicken products",
    "Halvorn to cut 40 jobs at one site",
  ]) {
    const { sentiment, actionability } = await judge(title);
    assert.deepEqual([sentiment.shortDirection, actionability.actionable], [0, false], title);
  }
});

test("the item and its primary company have one direction, also where several companies fare differently", async () => {
  for (const title of [
    "Halvorn to buy Brackwell in $48.7 billion deal",
    "Halvorn loses contract to Brackwell",
    "Brackwell surges as Halvorn cuts guidance",
    "Halvorn discloses new 5% stake in Brackwell",
  ]) {
    const verdict = await judge(title, both);
    assert.equal(directions(verdict)[0], Math.sign(verdict.sentiment.shortDirection), title);
    assert.equal(verdict.symbols[0]?.sentiment_comment, verdict.sentiment.comment, title);
  }
});

test("without a company the direction of news on the supply of oil is that of oil", async () => {
  const { sentiment } = await judge("Crude prices rise after OPEC+ announces deeper supply cuts", []);
  assert.ok(sentiment.shortDirection > 0);
  assert.match(sentiment.comment, /for crude oil/);
});

test("a name is found as papers write it", async () => {
  const nvidia = linkedSymbol("HALVORN Corp.", "HLVN", true);
  const { symbols } = await judge("Halvorn cleared by US to sell chips to China; Brackwell cut to hold", [
    nvidia,
    brackwell,
  ]);
  assert.match(symbols[0]?.sentiment_comment ?? "", /HALVORN/);
});

test("the reason of a figure of the economy is the figure and its estimate, no detail of the body", async () => {
  const { actionability, sentiment } = await judge(
    "US nonfarm payrolls rise 272,000 in May, well above 185,000 forecast",
    [],
    "Average hourly earnings rose 0.4%, against 0.3% expected.",
  );
  assert.ok(actionability.actionable && sentiment.shortDirection > 0);
  assert.match(
    sentiment.comment,
    /^Payrolls above forecast \('payrolls rise 272,000 in May, well above 185,000/,
  );
});

test("supply lost is good for the price of the good, a larger draw than expected too", async () => {
  for (const [title, good] of [
    ["Copper hits three-month high as Codelco halts El Teniente mine after accident", "copper"],
    ["Peru copper output drops 12% in May as protests block Las Bambas mine", "copper"],
    ["US gasoline stocks drop 5.4 million barrels vs 0.5 million draw expected", "gasoline"],
    ["India bans sugar exports as rains fail", "sugar"],
    ["OPEC+ agrees to raise December output by 137,000 bpd, pause hikes in first quarter", "crude oil"],
  ] as const) {
    const { actionability, sentiment } = await judge(title, []);
    assert.ok(actionability.actionable && sentiment.shortDirection > 0, title);
    assert.ok(sentiment.comment.includes(`bullish for ${good}`), sentiment.comment);
  }
  const { sentiment } = await judge("Oil falls 5% after Israel and Iran agree ceasefire", []);
  assert.ok(sentiment.shortDirection < 0);
});

test("a central banker who names a cut or a hike says where rates go", async () => {
  for (const [title, sign] of [
    ["Fed's Waller says he could support a July rate cut", 1],
    ["Fed's Kashkari says rate hike possible if inflation stays high", -1],
    ["Fed's Hammack says she sees no reason to cut rates now", -1],
    ["Fed's Daly: time for rate cuts is nearing", 1],
  ] as const) {
    const { actionability, sentiment } = await judge(title, []);
    assert.equal(Math.sign(sentiment.shortDirection), sign, title);
    assert.ok(actionability.actionable, title);
  }
});

test("what a deal is for one party is not said of the other, and no comment gainsays itself", async () => {
  const signs: readonly (readonly [string, string, readonly number[]])[] = [
    ["Halvorn denies it is considering a bid for Brackwell", "Brackwell shares had risen 14%.", [0, -1]],
    ["FTC sues to block Halvorn's acquisition of Brackwell", "", [0, -1]],
    ["Halvorn to join S&P 500", "The share replaces Brackwell on Monday.", [1, -1]],
    ["Halvorn to join S&P 500", "Halvorn will replace Brackwell in the S&P 500.", [1, -1]],
  ];
  for (const [title, body, wanted] of signs) {
    const verdict = await pro(encoder, artifact(title, body), both);
    assert.deepEqual(directions(verdict), wanted, title);
    assert.ok(!verdict.sentiment.comment.includes("in spite of"), verdict.sentiment.comment);
    for (const { sentiment_comment: comment } of verdict.symbols)
      assert.doesNotMatch(comment ?? "", /lost to a rival/);
  }
});

test("a settlement that was provided for, and holders' approval, are nothing to act on; a proposed share sale is", async () => {
  const items: readonly (readonly [string, string, boolean])[] = [
    ["Halvorn to pay $700 million to settle lawsuits", "The amount had been reserved for.", false],
    ["Halvorn holders approve sale to Calder Freight", "", false],
    ["Halvorn announces proposed public offering of common stock", "", true],
    ["Halvorn May comparable sales rise 4.3%, below 5.2% estimate", "", true],
  ];
  for (const [title, body, wanted] of items) {
    const { actionability, sentiment } = await pro(encoder, artifact(title, body), [halvorn]);
    assert.equal(actionability.actionable, wanted, `${title}: ${actionability.comment}`);
    assert.ok(wanted ? sentiment.shortDirection < 0 : sentiment.shortDirection >= -1, title);
  }
});

test("two figures above their estimates are a beat, whatever wording stands between them", async () => {
  const { sentiment } = await pro(
    encoder,
    artifact(
      "Halvorn Q4 EPS $0.14 vs. $0.12 estimate; revenue $11.10B vs. $10.72B expected",
      "Halvorn said it expects first-quarter revenue to decline in the mid-single digits. Gross margin fell 440 basis points to 40.3%.",
    ),
    [halvorn],
  );
  assert.ok(sentiment.shortDirection > 0, sentiment.comment);
});

test("what a sure row says of a market is as large as the row, whatever the wording; of a count that is far off, larger", async () => {
  for (const [title, least, most] of [
    ["Iran closes Strait of Hormuz", -5, -3],
    ["Trump announces 100% tariff on Chinese imports from November 1", -4, -3],
    ["US imposes 10% tariff on Norwegian salmon", -1, -1],
    ["US nonfarm payrolls rise by 22,000, far below 75,000 forecast", -3, -2],
  ] as const) {
    const { sentiment } = await judge(title, []);
    const { shortDirection: short } = sentiment;
    assert.ok(short >= least && short <= most, `${title}: ${short}`);
  }
});

test("a headline that the price of a good opens tells a company only what happens to that company", async () => {
  const norvik = linkedSymbol("Norvik", "NRVK", true);
  for (const [title, least, most] of [
    [
      "Copper climbs to record high as Grasberg force majeure tightens supply; Norvik shares fell 17%",
      -4,
      -4,
    ],
    ["Nickel rallies after Norvik halts Onca Puma mine", -4, -1],
    ["Iron ore climbs as Norvik suspends Port Hedland operations on cyclone", -4, -2],
    ["Oil jumps 5% as US sanctions Norvik", -5, -3],
    ["Oil rises as Norvik beats profit estimates", 1, 5],
    ["Gold climbs as Norvik cuts output guidance after mine flood", -5, -1],
    ["Silver falls as Norvik workers end strike at mine", 1, 5],
  ] as const) {
    const { sentiment } = await judge(title, [norvik]);
    const { shortDirection: short, comment } = sentiment;
    assert.ok(short >= least && short <= most, `${title}: ${short}`);
    assert.match(comment, /for Norvik$/);
  }
  const { sentiment } = await judge(
    "Copper climbs to record high as Norvik's Grasberg mine force majeure tightens supply",
    [norvik],
    "Shares in Norvik fell 17% on Wednesday.",
  );
  assert.equal(sentiment.shortDirection, -4);
});

test("the close of a market, flows of a week and a decision that was expected are nothing to act on", async () => {
  for (const title of [
    "US STOCKS-Wall Street ends lower as tech shares slide, Nasdaq falls 1.2%",
    "Stocks close lower as Fed's Powell tempers rate cut hopes",
    "Wall Street closes higher after Fed cuts rates",
    "Bitcoin ETFs record $1.2 billion weekly inflows",
    "Bank of Canada cuts key rate to 2.25% in widely expected move",
  ]) {
    const { actionability } = await judge(title, []);
    assert.ok(!actionability.actionable, title);
  }
});

test("a comment on an item without a company or an event speaks of the market or the good", async () => {
  for (const title of ["North Korea shells border post", "OPEC+ surprises again"]) {
    const { sentiment } = await judge(title, []);
    assert.doesNotMatch(sentiment.comment, /for the company/, title);
  }
});
