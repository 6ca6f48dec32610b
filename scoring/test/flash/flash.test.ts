import assert from "node:assert/strict";
import test from "node:test";
import { scoring, subScores, symbolAnalysis } from "@tapewire/contract/feeds.ts";
import fc from "fast-check";
import { growsLinearly } from "../../../server/test/support/growth.ts";
import { actionableFrom } from "../../src/actionable-threshold.ts";
import { flash } from "../../src/flash/flash.ts";
import { anyCharacter } from "../any-character.ts";
import { artifact, filing, link } from "../fixtures.ts";

const judge = (title: string, body = "") => flash(artifact(title, body), link(title, body));

const headlines: Readonly<Record<"up" | "flat" | "down", readonly string[]>> = {
  up: [
    "Orbitex Robotics profit rises 18% on strong orders",
    "Quantara Semiconductors beats quarterly estimates",
    "Brightwick Foods raises full-year outlook",
    "Brightwick Foods lifts dividend by 10%",
    "Veritarn Software announces $500 million share buyback",
    "Halvorn Biotech drug meets primary endpoint in late-stage trial",
    "Halvorn Biotech wins FDA approval for heart drug",
    "Kestrelle Aerospace wins $2 billion defence contract",
    "Graydelve Energy upgraded to buy at Oakham Securities",
    "Orbitex Robotics price target raised to $60",
    "Marrowdale Bancorp swings to profit",
    "Dravenport Motors narrows loss in first half",
    "Tidewyn Shipping costs fall 12% in the quarter",
    "Ferrowyn Steel net sales rose to EUR 93 million from EUR 85 million",
    "Ferrowyn Steel operating profit totalled EUR 13.1 mn compared with EUR 8.7 mn",
    "Novelara Media agrees to be acquired for $30 a share",
    "Novelara Media receives takeover bid from rival",
    "Veritarn Software revenue jumps to record high",
    "Orbitex Robotics shares soar 20%",
    "U.S. unemployment falls to 3.5%",
    "Judge rules: Dravenport Motors lawsuit dismissed",
    "Graydelve Energy reinstates quarterly dividend",
    "Kestrelle Aerospace order backlog grows",
    "Halvorn Biotech receives breakthrough therapy designation",
    "Quantara Semiconductors tops revenue forecasts",
    "Orbitex Robotics initiated with overweight at Oakham",
    "Brightwick Foods margins improve as costs decline",
    "Tidewyn Shipping regains Nasdaq compliance",
    "Marrowdale Bancorp deposits climb",
  ],
  flat: [
    "Orbitex Robotics to present at investor conference",
    "Brightwick Foods to hold annual meeting on May 4",
    "Veritarn Software schedules earnings call",
    "Kestrelle Aerospace opens office in Lyon",
    "Marrowdale Bancorp files annual report",
    "Halvorn Biotech names auditor",
    "Quantara Semiconductors to report results on Thursday",
    "Tidewyn Shipping publishes annual report",
    "Graydelve Energy holds investor day",
    "Novelara Media announces date of annual meeting",
    "Ferrowyn Steel changes registered office",
    "Dravenport Motors initiated at neutral by Oakham",
    "A look at the robot makers of Asia",
    "Orbitex Robotics appoints Jane Roe to board",
    "Form of notice to holders",
  ],
  down: [
    "Orbitex Robotics profit falls 18% as orders shrink",
    "Quantara Semiconductors misses quarterly estimates",
    "Brightwick Foods cuts full-year outlook",
    "Brightwick Foods suspends dividend",
    "Halvorn Biotech drug fails to meet primary endpoint",
    "Halvorn Biotech gets complete response letter from FDA",
    "FDA places clinical hold on Halvorn Biotech study",
    "Graydelve Energy downgraded to sell",
    "Orbitex Robotics price target cut to $20",
    "Marrowdale Bancorp swings to loss",
    "Dravenport Motors losses widen in first half",
    "Tidewyn Shipping costs rise 12% in the quarter",
    "Ferrowyn Steel net sales fell to EUR 85 million from EUR 93 million",
    "Ferrowyn Steel operating profit totalled EUR 8.7 mn compared with EUR 13.1 mn",
    "Novelara Media files for Chapter 11 bankruptcy",
    "Novelara Media warns of going concern doubt",
    "Veritarn Software hit by data breach",
    "Orbitex Robotics shares plunge 20%",
    "Regulator fines Marrowdale Bancorp over controls",
    "Dravenport Motors recalls 40,000 cars",
    "Halvorn Biotech prices $100 million public offering of common stock",
    "Kestrelle Aerospace loses contract with navy",
    "Merger of Novelara and rival terminated; deal collapses",
    "Veritarn Software sued by investors",
    "Orbitex Robotics to cut 2,000 jobs",
    "Tidewyn Shipping receives delisting notice",
    "Brightwick Foods issues profit warning",
    "Quantara Semiconductors sees weak demand, shares slump",
    "Marrowdale Bancorp to restate earlier results",
    "Graydelve Energy withdraws guidance",
    "Dravenport Motors halts production at main plant",
    "Orbitex Robotics profit did not rise",
  ],
};

const signs = { up: 1, flat: 0, down: -1 } as const;
for (const kind of ["up", "flat", "down"] as const)
  for (const title of headlines[kind])
    test(`${kind}: ${title}`, () => {
      const { sentiment } = judge(title);
      assert.equal(Math.sign(sentiment.shortDirection), signs[kind], sentiment.comment);
    });

test("the comment names the words that decided, in one line", () => {
  const { sentiment } = judge("Brightwick Foods lowers full-year revenue outlook");
  assert.equal(
    sentiment.comment,
    "Guidance cut ('lowers full-year revenue outlook'): bearish for Brightwick Foods",
  );
  assert.equal(
    judge("Halvorn Biotech names auditor").sentiment.comment,
    "Auditor changed, routine ('names auditor'): no clear direction for Halvorn Biotech",
  );
});

test("a hedged statement counts for less than a plain one", () => {
  const plain = judge("Halvorn Biotech wins FDA approval").sentiment.shortDirection;
  const hedged = judge("Halvorn Biotech could possibly win FDA approval").sentiment.shortDirection;
  assert.ok(hedged < plain, `${hedged} < ${plain}`);
});

test("an 8-K item speaks for itself", () => {
  const verdict = flash(filing("8-K", ["4.02"], "8-K - Orbitex Robotics"), []);
  assert.equal(
    verdict.sentiment.comment,
    "8-K item 4.02: earlier financial statements can no longer be relied on",
  );
  assert.ok(verdict.sentiment.shortDirection <= -3);
  assert.ok(verdict.actionability.actionable);
});

test("forms rank by what they can change", () => {
  const score = (form: string, items: readonly string[] = [], body = "") =>
    flash(filing(form, items, `${form} - Orbitex Robotics`, body), []).actionability.score;
  assert.ok(score("SC TO-T") > score("8-K", ["2.02"]));
  assert.ok(score("8-K", ["2.02"]) > score("10-Q"));
  assert.ok(score("10-Q") > score("424B2"));
  assert.ok(score("8-K", ["5.07"]) < 10);
});

test("Form 4: a purchase is good news, a sale a little bad, a grant nothing", () => {
  const direction = (body: string) =>
    flash(filing("4", [], "4 - Orbitex Robotics (Issuer)", body), []).sentiment.shortDirection;
  assert.equal(direction("Transaction code: P"), 2);
  assert.equal(direction("Transaction code: S"), -1);
  assert.equal(direction("Transaction code: A"), 0);
  assert.equal(direction(""), 0);
});

test("reports of moves, questions and law-firm notices are not actionable; results and guidance are", () => {
  for (const title of [
    "Orbitex Robotics shares jump 12% premarket",
    "Stock market today: Dow closes higher",
    "Orbitex Robotics hits 52-week high",
    "Is Orbitex Robotics a buy now?",
    "Investor alert: law firm reminds Orbitex Robotics shareholders of deadline",
    "Orbitex Robotics launches new website",
  ])
    assert.equal(judge(title).actionability.actionable, false, title);
  for (const title of [
    "Orbitex Robotics cuts full-year outlook",
    "Quantara Semiconductors quarterly profit beats estimates",
    "Novelara Media files for Chapter 11 bankruptcy",
    "Brightwick Foods announces $1 billion buyback",
  ])
    assert.equal(judge(title).actionability.actionable, true, title);
  assert.ok(actionableFrom > 0 && actionableFrom < 100);
});

test("in a deal the target gains and the buyer does not share it", () => {
  const title = "Brightwick Foods to acquire Novelara Media for $2 billion";
  const bySymbol = new Map(judge(title).symbols.map((entry) => [entry.symbol, entry.sentiment_short ?? 0]));
  assert.ok((bySymbol.get("DEMO:NVLR") ?? 0) >= 3);
  assert.ok((bySymbol.get("DEMO:BRWK") ?? 9) <= 1);
});

test("in a passive the buyer stands after the verb, and a bid comes from the buyer", () => {
  for (const title of [
    "Novelara Media to be acquired by Brightwick Foods for $2 billion",
    "Novelara Media is bought by Brightwick Foods",
    "Novelara Media gets takeover offer from Brightwick Foods",
  ]) {
    const bySymbol = new Map(judge(title).symbols.map((entry) => [entry.symbol, entry.sentiment_short ?? 0]));
    assert.ok((bySymbol.get("DEMO:NVLR") ?? 0) >= 3, title);
    assert.ok((bySymbol.get("DEMO:BRWK") ?? 9) <= 1, title);
  }
});

test("two companies in one headline are judged by their own words", () => {
  const { symbols } = judge("Orbitex Robotics profit jumps; Halvorn Biotech cuts guidance");
  const bySymbol = new Map(symbols.map((entry) => [entry.symbol, entry.sentiment_short ?? 0]));
  assert.ok((bySymbol.get("DEMO:OBTX") ?? 0) > 0);
  assert.ok((bySymbol.get("DEMO:HLVN") ?? 0) < 0);
});

test("the summary is at most three sentences of the body, null without one", () => {
  assert.equal(judge("Title").summary, null);
  const body =
    "Orbitex Robotics Inc. said sales rose in May. It expects more. The second half looks better still. Nobody disagreed with that view.";
  const { summary } = judge("Title", body);
  assert.ok(summary !== null && body.includes(summary.split(". ")[0] ?? ""));
  assert.ok((summary.match(/[.!?](?:\s|$)/g) ?? []).length <= 4);
});

const words = fc.constantFrom(
  ...headlines.up.slice(0, 8),
  ...headlines.down.slice(0, 8),
  "not",
  "despite",
  "may",
  ". ",
  "İstanbul",
  "ﬁ",
  "\u{1F680}",
  "from 3 mn to 5 mn",
  "\n",
);
const anyText = fc
  .array(fc.oneof(words, fc.string({ unit: anyCharacter })), { maxLength: 12 })
  .map((parts) => parts.join(" "));

test("any text: numbers in the contract's ranges, evidence is the text at its offsets, the same every time", () => {
  fc.assert(
    fc.property(anyText, anyText, (title, body) => {
      const symbols = link(title, body);
      const verdict = flash(artifact(title, body), symbols);
      const text = `${title}\n${body}`;
      for (const entry of verdict.symbols) {
        symbolAnalysis.parse(entry);
        assert.equal(entry.sentiment_score, 5 + (entry.sentiment_short ?? 0));
        for (const { text: quoted, start, end } of entry.evidence)
          assert.equal(text.slice(start, end), quoted);
      }
      subScores.parse(verdict.subScores);
      const { shape } = scoring;
      shape.sentiment_short.unwrap().parse(verdict.sentiment.shortDirection);
      shape.sentiment_long.unwrap().parse(verdict.sentiment.longDirection);
      shape.sentiment_conviction.unwrap().parse(verdict.sentiment.conviction);
      shape.actionability_score.unwrap().parse(verdict.actionability.score);
      for (const comment of [verdict.sentiment.comment, verdict.actionability.comment])
        assert.ok(comment !== "" && !comment.includes("\n"));
      assert.equal(verdict.symbols.length, symbols.length);
      assert.deepEqual(flash(artifact(title, body), symbols), verdict);
    }),
  );
});

test("hostile text is scored in time that grows no faster than it", () => {
  for (const unit of [
    "a",
    "cuts a b ",
    "from 1 to ",
    "raise ",
    "not ",
    ".",
    "files for ",
    "of ".repeat(7),
    "1,",
    "İ",
  ]) {
    assert.ok(
      growsLinearly((text) => flash(artifact(text, text), []), unit),
      unit,
    );
  }
});
