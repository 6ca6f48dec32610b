import assert from "node:assert/strict";
import test from "node:test";
import { actionableFrom } from "../../src/actionable-threshold.ts";
import { scoreOf } from "../../src/flash/action-score.ts";
import { actionProbabilityOf } from "../../src/flash/actionability.ts";
import { eventKinds } from "../../src/flash/events/events.ts";
import { knownItems } from "../../src/flash/filing-priors.ts";
import { flash } from "../../src/flash/flash.ts";
import { artifact, filing, link } from "../fixtures.ts";

const judge = (title: string, itemsOnSymbolToday = 0) =>
  flash(artifact(title), link(title), () => ({ itemsOnSymbolToday })).actionability;

test("the head's threshold scores 45, and score and probability are each other's inverse", () => {
  for (const threshold of [0.3, 0.45, 0.6]) {
    assert.equal(scoreOf(threshold, threshold), actionableFrom);
    for (const probability of [0.05, 0.2, 0.5, 0.8, 0.95]) {
      const back = actionProbabilityOf(scoreOf(probability, threshold), threshold);
      assert.ok(Math.abs(back - probability) < 0.02, `${threshold} ${probability} ${back}`);
    }
  }
});

/** Headlines from the loudest kinds of news to the most routine. */
const ranks: readonly (readonly string[])[] = [
  ["files for bankruptcy", "to be acquired by Norvik for $2 billion", "withdraws 2026 guidance"],
  ["raises quarterly dividend", "wins $40 million order", "to cut 300 jobs"],
  ["declares quarterly dividend", "to present at conference", "files annual report", "names director"],
];

test("loud kinds score more than quiet ones, and those more than routine", () => {
  const means = ranks.map((titles) => {
    const scores = titles.map((title) => judge(`Orbitex Robotics ${title}`).score);
    return scores.reduce((sum, score) => sum + score, 0) / scores.length;
  });
  const [loud = 0, quiet = 0, routine = 0] = means;
  assert.ok(loud > quiet + 10 && quiet > routine + 10, means.join(" "));
});

test("what only frames an event is not read as the event", () => {
  for (const title of [
    "Orbitex Robotics files annual report on Form 20-F",
    "Orbitex Robotics issues correction to table in interim report",
    "Orbitex Robotics schedules third-quarter earnings call",
    "Exclusive: Orbitex Robotics to buy Norvik?",
  ])
    assert.equal(judge(title).actionable, false, title);
});

test("a percentage, a plain direction and a burst of items each raise the score", () => {
  const plain = judge("Orbitex Robotics costs").score;
  assert.ok(judge("Orbitex Robotics costs 12%").score > plain);
  assert.ok(judge("Orbitex Robotics costs", 6).score > plain);
  assert.ok(
    judge("Orbitex Robotics files for bankruptcy").score > judge("Orbitex Robotics bankrupt rival").score - 1,
  );
});

test("a criminal investigation is acted on, and so is a new chief on whose name the share moves", () => {
  for (const title of [
    "Federal prosecutors open criminal probe into Orbitex Robotics",
    "FBI searches Orbitex Robotics offices",
    "Orbitex Robotics names new CEO, shares jump 8%",
    "Orbitex Robotics names insider as chief executive, shares fall 9%",
  ])
    assert.equal(judge(title).actionable, true, title);
  for (const title of [
    "Orbitex Robotics names new CEO",
    "Orbitex Robotics names new CEO, shares edge up 0.5%",
  ])
    assert.equal(judge(title).actionable, false, title);
});

test("a report of a move alone is never actionable", () => {
  for (const title of [
    "Orbitex Robotics shares plunge 40% premarket",
    "Stock market today: Orbitex Robotics, Halvorn Biotech lead",
    "Orbitex Robotics hits all-time high",
    "Unusual options activity in Orbitex Robotics",
    "Why Orbitex Robotics stock jumped 20% today",
  ])
    assert.equal(judge(title, 20).actionable, false, title);
  assert.ok(eventKinds.filter(({ echo }) => echo).length >= 3);
});

test("trade halts with news to come are actionable, pauses and resumptions are not", () => {
  const halted = (code: string, title = "Orbitex Robotics: trading halted") =>
    flash(artifact(title, `Reason code ${code}`, { categories: ["trade halt"] }), []).actionability;
  for (const code of ["T1", "T2", "T12", "H10", "H4"]) {
    assert.equal(halted(code).actionable, true, code);
    assert.ok(halted(code).comment.includes(code));
  }
  for (const code of ["LUDP", "T8", "O1"]) assert.equal(halted(code).actionable, false, code);
  assert.equal(halted("T1", "Orbitex Robotics: trading resumes").actionable, false);
});

test("an 8-K without stated items is judged by those that its title names, a periodic report by the event of its title", () => {
  const title = "Item 4.02 Non-Reliance on Previously Issued Financial Statements - Orbitex Robotics";
  assert.equal(
    flash(filing("8-K", [], title), []).actionability.score,
    flash(filing("8-K", ["4.02"], title), []).actionability.score,
  );
  const doubt = "Substantial doubt about our ability to continue as a going concern exists";
  assert.ok(flash(filing("10-Q", [], doubt), []).actionability.score >= actionableFrom);
  assert.ok(flash(filing("10-Q", [], "10-Q - Orbitex Robotics"), []).actionability.score < actionableFrom);
});

test("every 8-K item has a prior; those that change who may be trusted lead, routine ones end", () => {
  assert.ok(knownItems.length >= 31, `${knownItems.length}`);
  const score = (item: string, body = "") =>
    flash(filing("8-K", [item], "8-K - Orbitex Robotics", body), []).actionability.score;
  for (const item of ["1.03", "1.05", "3.01", "4.02", "5.01"]) assert.ok(score(item) >= 80, item);
  for (const item of ["5.03", "5.05", "5.07", "9.01", "6.01"]) assert.ok(score(item) <= 10, item);
  assert.ok(
    score("5.02", "The Chief Executive Officer resigned.") > score("5.02", "A director was elected."),
  );
});
