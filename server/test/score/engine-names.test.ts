import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, recallNothing } from "../../src/score/engine.ts";

const engine = new Engine();

function judged(title: string, country?: string) {
  const artifact = {
    type: "news" as const,
    title,
    body: "",
    publishedAt: new Date("2026-03-02T14:30:00Z"),
    filing: null,
    categories: [],
  };
  const hints = { symbols: [], isins: [], ciks: [] };
  return engine.judge(artifact, hints, { declared: null, country, recall: recallNothing });
}

const linked = (title: string, country?: string) =>
  judged(title, country).symbols.map(({ symbol }) => symbol);

test("the engine links names in native script, and tickers as names where the source is Indian", () => {
  const title = "トヨタ、通期予想を上方修正";
  assert.deepEqual([judged(title).language, linked(title)], ["ja", ["NYSE:TM"]]);
  assert.deepEqual(linked("HDFCBANK slips in late trade", "IN"), ["NYSE:HDB"]);
  assert.deepEqual(linked("HDFCBANK slips in late trade"), []);
});

test("an item on a takeover has the direction of the target, which is primary", () => {
  const title = "Halvorn Biotech agrees to buy Orbitex Robotics for $4.2 billion";
  const { symbols, verdict, detail, task } = judged(title);
  assert.deepEqual(linked(title), ["DEMO:OBTX", "DEMO:HLVN"]);
  assert.equal(symbols[0]?.primary, true);
  assert.equal(verdict?.sentiment.shortDirection, detail.analysis[0]?.sentiment_short);
  assert.ok(Number(verdict?.sentiment.shortDirection) > 0);
  assert.deepEqual(task?.symbols, symbols);
});
