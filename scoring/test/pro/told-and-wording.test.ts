/** How a told event and the reading in context come to one verdict, and the sentences that say so. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { flash, noFact } from "../../src/flash/flash.ts";
import { Encoder } from "../../src/pro/encoder/encoder.ts";
import { joinedWhole } from "../../src/pro/encoder/joint.ts";
import { pro } from "../../src/pro/pro.ts";
import { artifact } from "../fixtures.ts";
import { both, brackwell, halvorn } from "./pro-fixtures.ts";

const encoder = await Encoder.load();
const judge = (title: string, symbols = [halvorn], body = "") => pro(encoder, artifact(title, body), symbols);

test("a plainly told event keeps its sign against praise in the clause that explains it", async () => {
  for (const title of [
    "Halvorn trims first-quarter sales forecast, citing design-win upgrades pushed into next quarter",
    "Halvorn to cut 9,000 jobs and pare profit forecast",
  ]) {
    const { sentiment, actionability } = await judge(title);
    assert.ok(sentiment.shortDirection < 0, `${title}: ${sentiment.comment}`);
    assert.match(sentiment.comment, /^Guidance cut \(/);
    assert.match(actionability.comment, /^Guidance cut \(/);
    assert.doesNotMatch(sentiment.comment, /in spite of/);
  }
});

test("without any event the encoder gives small directions alone, and none where it doubts", () => {
  const rules = { short: 0, long: 0, conviction: 60, fact: noFact, hasEvent: false };
  const said = (sign: readonly [number, number, number]) => ({
    sign,
    short: 4,
    long: 4,
    action: 0,
    groups: new Map<string, number>(),
  });
  assert.equal(joinedWhole(said([-1, -0.5, 0.6]), rules).short, 0);
  assert.equal(joinedWhole(said([-4, -4, 4]), rules).short, 2);
  const known = { ...rules, short: 2, hasEvent: true };
  assert.ok(joinedWhole(said([-4, -4, 4]), known).short > 2);
  const told = { ...rules, fact: { ...noFact, sign: -1 } };
  const aside = { ...rules, fact: { ...noFact, sign: -1, aside: true } };
  const [none, side, main] = [rules, aside, told].map(
    (one) => joinedWhole(said([-2, -2, 2]), one).conviction,
  );
  assert.ok((none ?? 0) > (side ?? 0) && (side ?? 0) > (main ?? 0));
});

test("where the wording alone decides, the comments say so and quote a whole clause", async () => {
  const { sentiment, actionability } = await judge(
    "Halvorn board signs off on additional $5 billion of savings for shoppers",
  );
  for (const comment of [sentiment.comment, actionability.comment])
    assert.doesNotMatch(comment, /Read in context|No event|Worded like news that moves prices:/);
});

test("an event that the comment names is not told again from the body, nor turned against by its own words", async () => {
  const { sentiment, actionability } = await judge(
    "Halvorn Announces Phase 2 Results of HV-993",
    [halvorn],
    "The study did not meet its primary endpoint; the effect versus placebo was not statistically significant.",
  );
  assert.match(sentiment.comment, /^Trial failed \('did not meet its primary endpoint'\)/);
  assert.doesNotMatch(actionability.comment, /in the text/);
  const closed = flash(artifact("Justice Department drops probe of Halvorn's pay app controls"), [halvorn]);
  assert.doesNotMatch(closed.sentiment.comment, /in spite of/);
});

test("an unlinked company that opens a headline is called by its name", () => {
  const told = (title: string) => flash(artifact(title), []).sentiment.comment;
  assert.match(told("Norvik recalls 1.4 million trucks over transmission fault"), /bearish for Norvik$/);
  assert.match(told("Judge denies Norvik bid to dismiss suit"), /for the (?:company named|market)/);
});

test("of two companies the one that the event favours has that sign", async () => {
  const { symbols } = await judge("Halvorn loses out to Brackwell on airline's 150-jet order", both);
  const rival = symbols.find(({ symbol }) => symbol === brackwell.symbol);
  assert.ok((rival?.sentiment_short ?? 0) >= 0, rival?.sentiment_comment ?? "");
});

test("news of a group that tells none of its kinds is led by the group, and the comments name it", async () => {
  for (const [title, kind, label] of [
    [
      "Halvorn told to hand over its internal emails on the pump defect by the presiding magistrate",
      "other_legal",
      "Courts and disputes",
    ],
    [
      "Halvorn's cholesterol pill does no better than sugar in a study of 4,000 people",
      "other_medicine",
      "Medicines and devices",
    ],
  ] as const) {
    const { event, events, sentiment, symbols } = await judge(title);
    const mention = { name: kind, role: "subject", symbol: halvorn.symbol, evidence: null };
    assert.deepEqual([event, events], [kind, [mention]], title);
    for (const comment of [sentiment.comment, symbols[0]?.sentiment_comment])
      assert.ok(
        comment?.startsWith(`${label}, other news; the wording reads as bad news for Halvorn`),
        `${comment}`,
      );
  }
  // Words that prove a kind say more than its group.
  const { events } = await judge("Halvorn raises its full-year revenue guidance");
  assert.deepEqual(
    events.map(({ name }) => name),
    ["guidance_raised"],
  );
  // Neither is known.
  const { event, sentiment } = await judge("Halvorn opens its doors to visitors at the Arkton plant");
  assert.equal(event, null);
  assert.match(sentiment.comment, /^No known kind of event/);
});
