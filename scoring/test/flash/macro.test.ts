import assert from "node:assert/strict";
import { test } from "node:test";
import { readText } from "../../src/flash/cues/cues.ts";
import { flash } from "../../src/flash/flash.ts";
import { artifact } from "../fixtures.ts";

const kinds = (title: string, body = ""): readonly string[] =>
  readText(title, body).events.map(({ kind }) => kind.name);

test("a figure that is compared with a forecast says nothing by its level", () => {
  assert.deepEqual(kinds("U.S. June core CPI rises 0.2% m/m vs 0.3% expected"), ["cpi_below_expected"]);
  assert.deepEqual(kinds("UK inflation slows to 2.9% in May vs 2.6% forecast"), ["cpi_above_expected"]);
  assert.deepEqual(kinds("UK inflation quickens to 3.1% in May"), ["inflation_quickened"]);
});

test("what an authority says stands behind its colon", () => {
  for (const [title, kind] of [
    ["Fed's Waller: would back a cut next month if hiring weakens", "central_bank_dovish"],
    ["ECB's Nagel: would support a hike if energy prices stay up", "central_bank_hawkish"],
    ["Trump: 100% tariff on films coming soon", "tariff_threatened"],
  ] as const)
    assert.ok(kinds(title).includes(kind), `${title}: ${kinds(title).join(" ")}`);
  // Any other colon parts clauses.
  assert.ok(!kinds("Norvik: would back a cut in fees next month").includes("central_bank_dovish"));
});

test("an outlook is no figure of growth, and a producers' club is no company", () => {
  assert.ok(
    !kinds("Rates are right if the economy evolves in line with the outlook").includes("gdp_in_line"),
  );
  const paused = [
    "OPEC+ agrees to pause output increases",
    "Eight members will hold production steady at 9 million barrels a day.",
  ] as const;
  assert.deepEqual(kinds(...paused), ["oil_output_paused"]);
  assert.match(flash(artifact(...paused), []).sentiment.comment, /bullish for crude oil/);
});

test("estimates of the trade are estimates, however they are told", () => {
  assert.ok(kinds("USDA pegs corn yield at 184.0 bu/ac; trade was at 182.1").includes("goods_crop_larger"));
  assert.ok(kinds("Natgas storage: +11 Bcf vs. +24 Bcf expected").includes("stocks_below_expected"));
  assert.ok(kinds("US crude stocks +6.0 mln bbls vs +1.0 mln seen").includes("stocks_above_expected"));
});

test("holders who are asked to vote have not voted", () => {
  assert.ok(!kinds("Fund sends a letter urging holders to vote against two directors").includes("vote_lost"));
});
