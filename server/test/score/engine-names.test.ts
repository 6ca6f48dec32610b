import assert from "node:assert/strict";
import { test } from "node:test";
import { Engine, recallNothing } from "../../src/score/engine.ts";

test("the engine links names in native script, and tickers as names where the source is Indian", async () => {
  const engine = new Engine();
  const linked = (title: string, country?: string) => {
    const artifact = {
      type: "news" as const,
      title,
      body: "",
      publishedAt: new Date("2026-03-02T14:30:00Z"),
      filing: null,
      categories: [],
    };
    const hints = { symbols: [], isins: [], ciks: [] };
    const judged = engine.judge(artifact, hints, { declared: null, country, recall: recallNothing });
    return { language: judged.language, symbols: judged.symbols.map(({ symbol }) => symbol) };
  };
  assert.deepEqual(linked("トヨタ、通期予想を上方修正"), { language: "ja", symbols: ["NYSE:TM"] });
  assert.deepEqual(linked("HDFCBANK slips in late trade", "IN").symbols, ["NYSE:HDB"]);
  assert.deepEqual(linked("HDFCBANK slips in late trade").symbols, []);
});
