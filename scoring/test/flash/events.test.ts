import assert from "node:assert/strict";
import test from "node:test";
import { eventRows, exampleFaults } from "../../eval/event-examples.ts";
import { readText } from "../../src/flash/cues/cues.ts";
import { eventCatalogue, isOtherKind, otherKind } from "../../src/flash/events/catalogue.ts";
import { directionFor, eventGroups, eventKinds, leadingRole, roleAt } from "../../src/flash/events/events.ts";

const found = (text: string, body = "") => readText(text, body).events;
const names = (text: string, body = "") => found(text, body).map(({ kind }) => kind.name);

for (const [group, label] of eventGroups)
  test(`${label}: every row's examples are found, and no near miss is led by the row`, () => {
    const kinds = eventRows((each) => each === group);
    assert.ok(kinds.length > 0);
    assert.deepEqual(exampleFaults(kinds), []);
  });

test("the table has at least 200 kinds, each with a name of its own and three examples and two near misses", () => {
  assert.ok(eventKinds.length >= 200, `${eventKinds.length}`);
  const others = [...eventGroups.keys()].map(otherKind);
  assert.equal(new Set(eventCatalogue.map(({ name }) => name)).size, eventKinds.length + others.length);
  assert.deepEqual(others.filter(isOtherKind), others);
  for (const { name, examples, near_misses: nearMisses } of eventRows(() => true)) {
    assert.ok(new Set(examples).size >= 3 && new Set(nearMisses).size >= 2, name);
    assert.ok(!examples.some((text) => nearMisses.includes(text)), name);
  }
});

test("who does what to whom gives each company its part, in actives, passives and nouns", () => {
  for (const [text, target, acquirer] of [
    ["Lorne Packaging agrees to buy Brackenfell for 412p a share", "Brackenfell", "Lorne"],
    ["Brackenfell to be bought by Lorne Packaging for 412p a share", "Brackenfell", "Lorne"],
  ] as const) {
    const event = found(text).find(({ kind }) => kind.group === "takeovers");
    assert.ok(event !== undefined, text);
    const ofTarget = roleAt(event, text.indexOf(target));
    const ofAcquirer = roleAt(event, text.indexOf(acquirer));
    assert.deepEqual([ofTarget, ofAcquirer], ["target", "acquirer"], text);
    assert.ok(directionFor(event, ofTarget)[0] >= 3 && directionFor(event, ofAcquirer)[0] <= 1, text);
  }
});

test("denied, hoped for, told by a law firm: the words around a proof change what it says", () => {
  assert.ok(
    !names("Veldric denies report that it will withdraw its guidance").includes("guidance_withdrawn"),
  );
  assert.equal(names("Veldric may withdraw 2026 guidance")[0], "guidance_cut_possible");
  assert.deepEqual(
    names(
      "Rosen Law Firm urges investors who lost money in Veldric to join class action before the deadline",
    ),
    ["law_firm_notice"],
  );
});

test("a figure beside the expected one is a surprise, in both directions, losses included", () => {
  for (const [text, kind] of [
    ["US CPI rose 0.5% in May against 0.3% expected", "cpi_above_expected"],
    ["US CPI rose 0.2% in May against 0.3% expected", "cpi_below_expected"],
    ["Tarnbrook Q2 adjusted EPS $1.34 vs consensus $1.18", "earnings_beat"],
    ["Tarnbrook Q2 adjusted EPS $1.04 vs consensus $1.18", "earnings_miss"],
    ["Tarnbrook Q2 EPS -$0.20 vs -$0.25 expected", "earnings_beat"],
    ["Tarnbrook Q2 loss per share $0.30 vs loss of $0.25 expected", "earnings_miss"],
  ] as const)
    assert.ok(names(text).includes(kind), `${text}: ${names(text).join(" ")}`);
});

test("a company's forecast beside its own former one is raised or cut, whatever words join the two", () => {
  for (const [text, kind] of [
    ["Tarnbrook sees year EPS $12.77-$12.97, had seen $14.58-$14.78", "guidance_cut"],
    ["Tarnbrook Sees FY Rev $62B-$63B; Had Seen $60B-$61B", "guidance_raised"],
    ["Tarnbrook sees Q3 revenue $11.2B, previously saw $11.8B", "guidance_cut"],
    ["Tarnbrook sees FY EPS $9.92, vs prior view $9.55", "guidance_raised"],
    ["Tarnbrook now expects net sales down 3.5% to 4%, had expected a fall of 5% to 6%", "guidance_raised"],
    ["Tarnbrook expects costs of $1.9 billion, compared with prior guidance of $1.7 billion", "guidance_cut"],
    ["Tarnbrook sees FY loss 20C-25C vs prior view profit 10C-15C", "guidance_cut"],
  ] as const)
    assert.ok(names(text).includes(kind), `${text}: ${names(text).join(" ")}`);
  for (const text of [
    "Net debt was £12.4m, better than the £20m we had guided to, of which £6m is timing",
    "Tarnbrook Q2 EPS $1.34; analysts had expected $1.18",
  ])
    assert.ok(!names(text).some((name) => /^guidance_(?:raised|cut)$/.test(name)), text);
  assert.equal(names("Tarnbrook 3Q Adj EPS $2.09 Vs. $1.41 View")[0], "earnings_beat");
});

test("a quoted manager is an event only where nothing else is told", () => {
  assert.deepEqual(names("Tarnbrook cuts full-year forecast, says chief executive"), ["guidance_cut"]);
  assert.ok(names("Chairman of Tarnbrook praises staff").includes("executive_speech"));
});

test("a verb serves the kind of its object, and words that only look like a move are none", () => {
  for (const [text, kind] of [
    ["Patients on Tarnbrook's pill shed 12% of body weight", "stake_sold"],
    ["Justice Department drops probe of Tarnbrook's payment app", "product_cancelled"],
    ["Agency extends review of Tarnbrook's velotinib by three months", "investigation_widened"],
    ["Tarnbrook's cut in discounting lifts margins", "price_cut"],
    ["Tarnbrook closes its fab sooner than planned", "plant_ahead"],
    ["Cabin crews of Tarnbrook Air defy back-to-work order", "strike_ended"],
  ] as const)
    assert.ok(!names(text).includes(kind), text);
  for (const text of ["Tarnbrook and Veldric plan tie-up", "Tarnbrook scoops up another 8,178 bitcoins"])
    assert.deepEqual(
      readText(text, "").cues.filter(({ feature }) => feature.startsWith("up:")),
      [],
      text,
    );
});

test("of several events the weightiest leads, whatever the order, and each kind is told once", () => {
  const told = names(
    "Veldric declares quarterly dividend, withdraws 2026 guidance",
    "It withdraws 2026 guidance.",
  );
  assert.equal(told[0], "guidance_withdrawn");
  assert.equal(new Set(told).size, told.length);
});

test("evidence is the text at its offsets, within its sentence, in title and body", () => {
  const [title, body] = ["Veldric holds meeting", "The firm said on Monday: it withdraws 2026 guidance."];
  const text = `${title}\n${body}`;
  for (const event of found(title, body)) {
    assert.ok(event.start >= event.sentenceStart && event.end <= event.sentenceEnd);
    assert.ok(text.slice(event.start, event.end).trim() !== "");
    assert.ok(["subject", "other"].includes(leadingRole(event)) || event.kind.directions.size > 1);
  }
});
