/** What a row says of a plain headline whatever its wording: its size, how much it is acted on, the words that both comments name. */
import assert from "node:assert/strict";
import test from "node:test";
import { readText } from "../../src/flash/cues/cues.ts";
import { sizeIn, smallSizesOf, worthOf } from "../../src/flash/events/sizes.ts";
import { flash } from "../../src/flash/flash.ts";
import { scan } from "../../src/flash/words/scan.ts";
import { artifact } from "../fixtures.ts";
import { linkedSymbol } from "../linked-symbol.ts";

const norvik = linkedSymbol("Norvik Corp.", "NRVK", true);
const judge = (title: string) => flash(artifact(title), [norvik]);
const eventOf = (title: string): string | undefined => readText(title, "").events[0]?.kind.name;

test("amounts and units are weighed as sizes: a small one makes another event of the same words", () => {
  for (const [title, kind] of [
    ["Norvik recalls 58,000 pounds of ground beef", "recall_small"],
    ["Norvik recalls 2,000 lbs of bacon", "recall_small"],
    ["Norvik recalls 312 older pickup trucks over seat bolts", "recall_small"],
    ["Norvik recalls 640,000 vehicles over seat bolts", "recall"],
    ["Norvik recalls 1.4 million SUVs over brake fault", "recall_serious"],
    ["Norvik fined $60,000 by OSHA", "fine_small"],
    ["Norvik fined $600 million by EPA", "fine_imposed"],
    ["Norvik to cut 40 jobs at Bremen site", "layoffs_small"],
    ["Norvik to cut 4,000 jobs", "layoffs"],
  ] as const)
    assert.equal(eventOf(title), kind, title);
});

test("the largest amount of a known unit counts, a year and a share do not", () => {
  const sizes = smallSizesOf("jobs|workers 100\n$ 5000000");
  const sizeOf = (text: string, worth = 0) => sizeIn(sizes, scan(text), 0, scan(text).length, worth);
  const small = (text: string) => sizeOf(text) === "small";
  assert.ok(small("cuts 40 jobs"));
  assert.ok(small("cuts 40 jobs, saving $2 million"));
  assert.ok(!small("cuts 40 jobs, saving $90 million"));
  assert.ok(!small("cuts 4% of jobs"));
  assert.ok(!small("cuts jobs in 2026"));
  assert.throws(() => smallSizesOf("jobs|workers"), RangeError);
  const giant = worthOf({ type: "stock", rank: 3 });
  assert.equal(sizeOf("to pay $425 million", giant), "small");
  assert.equal(sizeOf("to pay $2.4 billion", giant), "modest");
  assert.equal(sizeOf("to pay $12 billion", giant), null);
  assert.equal(sizeOf("to pay $425 million", worthOf({ type: "stock", rank: 800 })), null);
  assert.equal(sizeOf("to pay $425 million", worthOf({ type: "etf", rank: 3 })), null);
});

test("what a company pays is set against what it is worth", () => {
  const judged = (title: string, rank: number) => flash(artifact(title), [{ ...norvik, rank }]);
  for (const title of [
    "Jury orders Norvik to pay $425 million in privacy case",
    "Norvik to pay $300 million to settle privacy claims",
    "EU fines Norvik 240 million euros over cartel",
    "Norvik to pay $310 million in app store settlement",
  ]) {
    const giant = judged(title, 2);
    assert.ok(!giant.actionability.actionable, title);
    assert.equal(giant.sentiment.shortDirection, 0, title);
    const small = judged(title, 2_000);
    assert.notEqual(small.event, giant.event, title);
  }
  assert.equal(judged("Jury orders Norvik to pay $9 billion in privacy case", 2).event, "damages_awarded");
  assert.equal(eventOf("Norvik recalls 3,200 Corvias over fuel leak"), "recall_small");
  assert.equal(eventOf("Norvik recalls 820,000 Corvias over fuel leak"), "recall");
});

test("small news is not acted on and has no direction of its own", () => {
  for (const title of ["Norvik recalls 58,000 lb of chicken", "Norvik fined $60,000 by OSHA"]) {
    const { actionability, sentiment } = judge(title);
    assert.ok(actionability.score <= 30 && !actionability.actionable, title);
    assert.equal(sentiment.shortDirection, 0, title);
  }
});

test("a change at the top is never next to nothing, and an abrupt one is acted on", () => {
  for (const [title, least] of [
    ["Norvik names Ida Moen CEO to succeed Per Lund", 35],
    ["Norvik CEO Per Lund to hand over to Ida Moen in January", 35],
    ["Norvik CEO Per Lund retires abruptly", 50],
    ["Norvik replaces CEO Per Lund with finance chief", 50],
  ] as const)
    assert.ok(judge(title).actionability.score >= least, title);
});

test("a cut of output makes oil dearer: without a company the direction is that of oil", () => {
  for (const title of [
    "Oil jumps 4% after OPEC+ agrees surprise output cut",
    "Crude rallies as OPEC+ delays output increase",
    "Oil up as producers agree to curb output",
    "Saudi Arabia to cut oil output by 1 million barrels a day",
  ]) {
    const { sentiment } = flash(artifact(title), []);
    assert.ok(sentiment.shortDirection > 0, title);
    assert.match(sentiment.comment, /bullish for crude oil/);
  }
  const raised = flash(artifact("OPEC+ agrees to raise output by 548,000 bpd, more than expected"), []);
  assert.ok(raised.sentiment.shortDirection < 0);
  assert.match(raised.sentiment.comment, /Oil output raised .* bearish for crude oil/);
  const brent = linkedSymbol("Brent crude oil", "UKOIL", true);
  const title = "Brent climbs to $85 as Saudi Arabia extends production cuts";
  assert.ok(flash(artifact(title), [{ ...brent, type: "commodity" }]).sentiment.shortDirection > 0);
});

test("only a lender's loans are credit losses", () => {
  for (const [title, kind] of [
    ["Norvik set aside $41m in the quarter", "provision_made"],
    ["Norvik sets aside $41 million for price-fixing settlement", "liability_grows"],
    ["Norvik sets aside $2.6 billion for bad loans", "credit_losses_up"],
  ] as const)
    assert.equal(eventOf(title), kind, title);
  assert.notEqual(eventOf("Court sets aside $40 million verdict against Norvik"), "liability_grows");
});

test("both comments of an item name one event", () => {
  for (const title of [
    "Norvik nears deal to buy Veldric for $18 billion",
    "Norvik raises quarterly dividend 10%, approves $60 billion buyback",
    "Norvik CEO steps down, 2026 outlook withdrawn",
    "Norvik cuts outlook and suspends dividend",
  ]) {
    const { actionability, sentiment } = judge(title);
    const named = /^[^(]+/.exec(sentiment.comment)?.[0] ?? "";
    assert.ok(actionability.comment.startsWith(named), `${sentiment.comment} / ${actionability.comment}`);
  }
});

test("statements behind but, names that are words, and prices of goods are not taken for news of a company", () => {
  const names = (title: string) => readText(title, "").events.map(({ kind }) => kind.name);
  assert.ok(!names("Norvik beats on revenue but stock slips").includes("sales_down"));
  assert.ok(!names("Circle jumps 168% in first day of trading").includes("takeover_talks"));
  const { sentiment } = flash(artifact("Wheat slides to five-year low on record Russian crop"), []);
  assert.match(sentiment.comment, /for wheat$/);
  const yields = { ...linkedSymbol("U.S. 10-year Treasury yield", "US10Y", true), type: "yield" };
  assert.doesNotMatch(
    flash(artifact("10-year Treasury yield climbs above 5%"), [yields]).sentiment.comment,
    /in spite of/,
  );
});
