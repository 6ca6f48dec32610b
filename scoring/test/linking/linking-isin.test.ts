import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { linkingTable } from "../../eval/linking.ts";
import { findIsins, holdsCusip, isIsin } from "../../src/linking/isin.ts";

const shipped = readFileSync(new URL("../../data/isins.tsv", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .slice(1)
  .map((line) => line.split("\t"));

test("the check digit decides: one digit or one swap off is no ISIN", () => {
  assert.ok(isIsin("US0378331005"));
  assert.ok(isIsin("AU0000XVGZA3"));
  for (const wrong of [
    "US0378331006",
    "US0373831005",
    "us0378331005",
    "US037833100",
    "US03783310055",
    "",
    "ÜS0378331005",
  ])
    assert.ok(!isIsin(wrong), wrong);
});

test("ISINs are found as whole words, and behind a lost separator", () => {
  const found = findIsins(
    "ISIN: DE0007164600, (FR0000121014) ISINDE0007236101 xDE0007164600 DE0007164600x DE0007164601",
  );
  assert.deepEqual(
    found.map(({ isin }) => isin),
    ["DE0007164600", "FR0000121014", "DE0007236101"],
  );
  assert.deepEqual(found[0]?.start, 6);
});

test("every shipped ISIN is valid, holds no CUSIP, stands once and names a line of ours", () => {
  const table = linkingTable();
  assert.ok(shipped.length > 1000);
  assert.equal(new Set(shipped.map(([isin]) => isin)).size, shipped.length);
  for (const [isin = "", symbol = ""] of shipped) {
    assert.ok(isIsin(isin) && !holdsCusip(isin), isin);
    assert.equal(table.byIsin(isin)?.symbol, symbol);
  }
});

test("every fact of the history names lines that exist, in days that follow each other", () => {
  const table = linkingTable();
  const rows = readFileSync(new URL("../../data/symbol-history.tsv", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .slice(1)
    .map((line) => line.split("\t"));
  assert.ok(rows.length >= 60);
  for (const [kind = "", was = "", symbol = "", from = "", to = ""] of rows) {
    assert.ok(["ticker", "name", "line"].includes(kind), kind);
    assert.ok(table.get(symbol) !== undefined, symbol);
    assert.equal(was === "", kind !== "ticker");
    for (const day of [from, to]) assert.match(day, /^(?:\d{4}-\d{2}-\d{2})?$/);
    assert.ok(from === "" || to === "" || from < to, `${was} ${from} ${to}`);
  }
});
