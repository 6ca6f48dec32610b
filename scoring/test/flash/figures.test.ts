import assert from "node:assert/strict";
import test from "node:test";
import { readText } from "../../src/flash/cues/cues.ts";
import { amountAt } from "../../src/flash/words/amounts.ts";
import { scan } from "../../src/flash/words/scan.ts";

const surprising = new Set(["earnings_beat", "earnings_miss", "sales_beat", "sales_miss"]);
const outcomes = (text: string): readonly string[] =>
  readText(text, "")
    .events.map(({ kind }) => kind.name)
    .filter((name) => surprising.has(name))
    .toSorted();

const cases: readonly (readonly [string, readonly string[]])[] = [
  ["Q2 EPS 38c vs 41c Est, Sales $1.92B vs $1.91B Est", ["earnings_miss", "sales_beat"]],
  ["EPS $0.45 Beats $0.41 Estimate, Sales $1.92B Miss $1.95B Estimate", ["earnings_beat", "sales_miss"]],
  ["EPS $0.31 Misses $0.35 Estimate, Sales $1.98B Beat $1.95B Estimate", ["earnings_miss", "sales_beat"]],
  ["Veldric Q1 adj. EPS 44¢ vs 41¢ est., revenue $1.90B vs $1.95B est.", ["earnings_beat", "sales_miss"]],
  ["Veldric Q3 EPS $0.38 vs $0.35 est; revenue $1.80B vs $1.90B est", ["earnings_beat", "sales_miss"]],
  ["Veldric Q3 38c EPS vs 41c est, $1.92B sales vs $1.91B est", ["earnings_miss", "sales_beat"]],
  [
    "Veldric earns 38 cents a share vs 41 cents expected on revenue of $1.92 billion vs $1.91 billion expected",
    ["earnings_miss", "sales_beat"],
  ],
  ["Veldric Q3 EPS 38c vs 35c a year ago, est 41c", ["earnings_miss"]],
  ["Veldric half-year profit 12p a share vs 10p forecast", ["earnings_beat"]],
  ["Veldric Q3 EPS 38c vs 35c YoY, est 41c; sales $1.92B vs $1.80B YoY", ["earnings_miss"]],
  [
    "Veldric Q3 GAAP EPS $(0.12), consensus $(0.05), revenue $88M, consensus $87M",
    ["earnings_miss", "sales_beat"],
  ],
  ["Veldric Q4 adj. EPS ($0.31) vs ($0.45) est, revenue $12M vs $11M est", ["earnings_beat", "sales_beat"]],
  ["Veldric EPS of 38 cents, 3 cents below consensus; revenue in line", ["earnings_miss"]],
  ["Veldric EPS of $0.41, below consensus of $0.45", ["earnings_miss"]],
  ["Veldric (VLD) Q3 EPS 38c vs 41c est", ["earnings_miss"]],
  // The dot of an abbreviation parts nothing, and the larger loss is the worse one.
  ["Veldric Q2 adj. loss per share 80c vs est. loss 65c", ["earnings_miss"]],
  ["Veldric Q2 net loss $1.1 bln vs. est. loss $0.9 bln", ["earnings_miss"]],
  ["Veldric Q2 net loss $0.8 bln, est. loss $0.9 bln", ["earnings_beat"]],
  ["Veldric prelim Q4 revenue $190 mln vs. est. $185 mln", ["sales_beat"]],
];
for (const [text, expected] of cases)
  test(`each figure belongs to its measure: ${text}`, () => assert.deepEqual(outcomes(text), expected));

test("a forecast range is as good as its middle, and prior guidance is what a forecast is set against", () => {
  const leads = (text: string) => readText(text, "").events[0]?.kind.name;
  for (const [text, kind] of [
    ["Veldric sees Q4 revenue $4.22B-$4.58B, est. $4.51B", "guidance_below_consensus"],
    ["Veldric sees FY EPS $2.50-$2.60, consensus $2.58", "guidance_below_consensus"],
    ["Veldric sees FY EPS $2.58-$2.64, consensus $2.58", "guidance_above_consensus"],
    ["Veldric sees FY EPS of $2.70 to $2.80, est. $2.58", "guidance_above_consensus"],
    ["Veldric says preliminary Q1 revenue about $5 bln vs prior guidance of $6.5 bln", "guidance_cut"],
  ] as const)
    assert.equal(leads(text), kind, text);
});

test("cents and pence are hundredths, however they are written", () => {
  const hundredthsOf = (text: string): number | undefined => amountAt(scan(text), 0)?.value;
  for (const text of ["38c", "38¢", "38 cents", "38p", "38 pence"])
    assert.ok(Math.abs((hundredthsOf(text) ?? 0) - 0.38) < 1e-9, text);
  assert.equal(hundredthsOf("38 per cent"), 38);
});

test("figures of the economy: minus signs, months and 'in line' are read as such, and a hair is no surprise", () => {
  const first = (text: string) => readText(text, "").events[0];
  for (const [text, kind] of [
    ["Empire State manufacturing index sinks to -20.0, economists expected -1.9", "pmi_below_expected"],
    ["US nonfarm payrolls rise 177,000 in April, about in line with 175,000 forecast", "payrolls_in_line"],
    ["US crude stocks fall 9.5 million barrels vs 1.2 million draw expected", "stocks_below_expected"],
    ["US crude stocks fall 0.5 million barrels vs 3.2 million draw expected", "stocks_above_expected"],
  ] as const)
    assert.equal(first(text)?.kind.name, kind, text);
  assert.equal(first("US nonfarm payrolls rise 272,000 in May, above 185,000 forecast")?.strength, 1);
  assert.equal(first("Spain services PMI 53.4 vs 53.5 expected")?.strength, 0.5);
});
