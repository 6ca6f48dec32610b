import assert from "node:assert/strict";
import { test } from "node:test";
import { flash } from "../../src/flash/flash.ts";
import { withForm } from "../../src/form-from-text.ts";
import { filing } from "../fixtures.ts";

const judged = (form: string, title: string, body = "", items: readonly string[] = []) =>
  flash(withForm(filing(form, items, title, body)), []).actionability;

test("an 8-K whose facts state no item is judged by the item that its title or its text names", () => {
  assert.ok(
    judged("8-K", "8-K - Orbitex Robotics - Item 4.02 Non-Reliance on Financial Statements").score >= 80,
  );
  assert.match(
    judged("8-K", "8-K: Orbitex Robotics", "Item 3.01. Notice of Delisting\nNasdaq wrote.").comment,
    /8-K item 3\.01/,
  );
  assert.match(judged("8-K", "8-K - Orbitex Robotics").comment, /no item stated/);
});

test("a headline behind the form's name counts, whatever the form", () => {
  for (const [form, title] of [
    [
      "10-Q",
      "10-Q: Orbitex Robotics says its auditors have substantial doubt about its ability to continue as a going concern",
    ],
    ["6-K", "6-K - Halvorn Biotech: phase 3 trial fails to meet its primary endpoint"],
    ["8-K", "8-K - Item 8.01 Other Events - Orbitex Robotics announces new $1 billion share buyback"],
  ] as const)
    assert.equal(judged(form, title).actionable, true, title);
  assert.equal(judged("10-Q", "10-Q - Orbitex Robotics").actionable, false);
  assert.equal(judged("6-K", "6-K - Halvorn Trial Failure Insurance").actionable, false);
});

test("an item that says nothing of what happened counts less than a small event that the text names", () => {
  const title = "Entry into a Material Definitive Agreement";
  const amended =
    "Orbitex Robotics entered into an amendment to its revolving credit agreement extending the maturity date to 2031. The pricing is unchanged.";
  assert.equal(judged("8-K", title, amended, ["1.01"]).actionable, false);
  assert.equal(
    judged("8-K", title, "Orbitex Robotics agreed to acquire Halvorn for $4 billion.", ["1.01"]).actionable,
    true,
  );
});

test("the amendment of a 13D is judged by what it says of the stake", () => {
  const title = "SC 13D/A - Orbitex Robotics - Halden Capital";
  for (const told of [
    "The Reporting Persons lowered their holding from 9.2% to 6.9%.",
    "Halden raises its stake to 14.1% from 12.3%.",
    "The Reporting Persons ceased to be the beneficial owners of more than five percent of the shares.",
    "On May 4 the Reporting Persons delivered a letter to the board and nominated three directors.",
  ])
    assert.equal(judged("SC 13D/A", title, told).actionable, true, told);
  for (const told of ["The holding is unchanged at 8.9%.", "The holding went from 8.9% to 9.1%."])
    assert.equal(judged("SC 13D/A", title, told).actionable, false, told);
});

test("papers for employees are routine in a deal that is known; the first word of a deal is not", () => {
  assert.equal(judged("425", "425 - Orbitex Robotics - employee FAQ on the merger").actionable, false);
  assert.equal(
    judged("425", "425 - Orbitex Robotics", "Halvorn agreed to buy Orbitex for $31 a share.").actionable,
    true,
  );
});

test("a late report counts for more where the reason is of weight", () => {
  const late = (reason: string) => judged("NT 10-Q", "NT 10-Q - Orbitex Robotics", reason);
  assert.equal(late("It has identified a material weakness and expects a net loss.").actionable, true);
  assert.equal(late("It needs additional days to obtain a valuation.").actionable, false);
});

test("several insiders who buy count for more than one", () => {
  const bought = (who: string) => judged("4", `Form 4 - Orbitex Robotics: ${who} bought shares`).score;
  assert.ok(bought("five insiders") >= 45 && bought("a director") < 45);
});
