import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fieldErrors } from "@tapewire/contract/errors/errors.ts";
import { listQuery, subscriptionFilters, webhookFilters } from "@tapewire/contract/filter.ts";
import { dictionary } from "../support/dictionary.ts";

const query = listQuery(dictionary);
const stream = subscriptionFilters(dictionary);
const webhook = webhookFilters(dictionary);

test("a symbol that no item can have is refused wherever symbols filter, and the answer tells what one is", () => {
  for (const wrong of [
    "A*",
    "*",
    "AA?",
    "NASDAQ:",
    "NASDAQ:A*",
    "(AAPL)",
    "<b>",
    "A%",
    "a;b",
    'A"',
    "{A}",
    "A|B",
  ]) {
    const told = [
      fieldErrors(query.safeParse({ symbol: `AAPL,${wrong}` }).error ?? assert.fail(wrong), "query"),
      fieldErrors(stream.safeParse({ symbols: ["AAPL", wrong] }).error ?? assert.fail(wrong), "body"),
      fieldErrors(webhook.safeParse({ symbols: ["AAPL", wrong] }).error ?? assert.fail(wrong), "body"),
    ].flat();
    assert.deepEqual(
      told.map(({ name }) => name.replace(/\[\d\]/, "")),
      ["symbol", "symbols", "symbols"],
    );
    for (const { detail } of told)
      assert.match(detail, /^'.+' is not a symbol, such as AAPL or NASDAQ:AAPL: .*no wildcards/, wrong);
  }
});

test("every way in which tickers are written is a symbol", () => {
  const written = [
    "BRK.B",
    "7203.T",
    "BTC-USD",
    "0700.HK",
    "^GSPC",
    "EURUSD=X",
    "ES=F",
    "aapl",
    "nasdaq:aapl",
  ];
  const rarer = [
    "BAC$B",
    "NVA/W",
    "M&M",
    "ZC1!",
    "AHCS@S",
    "OVX. P",
    "BTC+ETH",
    "#SPX",
    "Börse: 7203",
    "Ørsted",
  ];
  const table = readFileSync(new URL("../../../scoring/data/symbols.tsv", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .slice(1)
    .flatMap((line) => line.split("\t").slice(0, 2))
    .filter((symbol) => symbol !== "");
  assert.ok(table.length > 40_000, `${table.length}`);
  const refused = [...written, ...rarer, ...table].filter(
    (symbol) =>
      !query.safeParse({ symbol }).success ||
      !stream.safeParse({ symbols: [symbol] }).success ||
      !webhook.safeParse({ symbols: [symbol] }).success,
  );
  assert.deepEqual(refused, []);
});
