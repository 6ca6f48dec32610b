import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { growsLinearly } from "../../../server/test/support/growth.ts";
import { linkSymbols } from "../../src/linking/symbols.ts";
import { link, linkedNames, table } from "../fixtures.ts";

const patterns: readonly (readonly [string, readonly string[]])[] = [
  ["(NASDAQ: AAPL)", ["NASDAQ:AAPL"]],
  ["(NYSE American: XTNT)", ["AMEX:XTNT"]],
  ["(TSX-V: ABRA)", ["TSXV:ABRA"]],
  ["(OTCQB: ABCFF)", ["OTC:ABCFF"]],
  ["(NasdaqGS:MSFT)", ["NASDAQ:MSFT"]],
  ["(Nasdaq : NVDA)", ["NASDAQ:NVDA"]],
  ["[NYSE: F]", ["NYSE:F"]],
  ['(NYSE:"JPM")', ["NYSE:JPM"]],
  ["(NASDAQ/TSX: SHOP)", ["NASDAQ:SHOP", "TSX:SHOP"]],
  ["(NYSE and TSX: RY)", ["NYSE:RY", "TSX:RY"]],
  ["(NASDAQ: GOOG, GOOGL)", ["NASDAQ:GOOG", "NASDAQ:GOOGL"]],
  ["(HKEX: 0700)", ["HKEX:700"]],
  ["(STO: VOLV-B)", ["OMXSTO:VOLV_B"]],
  ["(BME: SAN)", ["BME:SAN"]],
  ["(LSE: BP)", ["LSE:BP.", "NYSE:BP"]],
  ["(ASX: BHP; NYSE: BHP)", ["ASX:BHP", "NYSE:BHP"]],
  ["(TSXV: AAG; OTCQX: AAGFF)", ["TSXV:AAG", "OTC:AAGFF"]],
  ["(NYSE: BHP, ASX: BHP)", ["ASX:BHP", "NYSE:BHP"]],
  ["(DEMO: OBTX)", ["DEMO:OBTX"]],
];

for (const [text, wanted] of patterns)
  test(`the exchange pattern ${text} names ${wanted.join(" and ")}`, () => {
    const linked = link(`The issuer ${text} said today`);
    for (const symbol of wanted) assert.ok(linkedNames(linked).includes(symbol), linkedNames(linked).join());
    assert.ok(linked.every(({ method }) => method === "exchange_pattern"));
  });

test("a named foreign line brings the company's main line, which leads", () => {
  const [first, second] = link("Output report (ASX: BHP)");
  assert.equal(first?.symbol, "NYSE:BHP");
  assert.equal(second?.symbol, "ASX:BHP");
});

test("a ticker of another exchange of the country is that company's only where the text names it", () => {
  const named = link("Meridian Holdings (NYSE: MRDN) wins an order");
  assert.deepEqual(linkedNames(named), ["NASDAQ:MRDN"]);
  const other = link("Meridane Software (NYSE: MRDN) is taken over by Brightwick Foods");
  assert.ok(!linkedNames(other).includes("NASDAQ:MRDN") && linkedNames(other).includes("NYSE:MRDN"));
});

test("an unknown ticker in brackets after an exchange is a new listing and is kept", () => {
  const [first] = link("Newly Listed Thing (NASDAQ: ZZQQX) rings the bell");
  assert.deepEqual([first?.symbol, first?.exchange, first?.logoid], ["NASDAQ:ZZQQX", "NASDAQ", null]);
  assert.deepEqual(link("Meeting (London: 12 March) and (SET: THE) (Note: ABC)"), []);
});

const silent = [
  "Apple pie recipes for the weekend",
  "Grandma bakes an Apple pie in Ohio",
  "Target price raised at broker",
  "Visa application backlog grows",
  "Nasdaq closes higher",
  "NYSE to change trading hours",
  "CEO (CEO) says GDP (GDP) will rise",
  "The gap between rich and poor widens",
  "Reserve Bank of India keeps rates",
  "India and China trade grows",
];
for (const title of silent)
  test(`no company is read into "${title}"`, () => assert.deepEqual(linkedNames(link(title)), []));

const named: readonly (readonly [string, string])[] = [
  ["Apple's profit rises", "NASDAQ:AAPL"],
  ["Ford recalls 100,000 trucks", "NYSE:F"],
  ["Regulators fine Meta over data", "NASDAQ:META"],
  ["Orbitex wins defence contract", "DEMO:OBTX"],
  ["McDonald’s sales fall", "NYSE:MCD"],
  ["AT&T to cut jobs", "NYSE:T"],
  ["$AAPL slides in late trading", "NASDAQ:AAPL"],
  ["$BTC rallies", "CRYPTO:BTCUSD"],
  ["Apple Inc (AAPL) beats", "NASDAQ:AAPL"],
  ["EURUSD slips", "FX:EURUSD"],
  ["S&P 500 ends lower", "SP:SPX"],
];
for (const [title, symbol] of named)
  test(`"${title}" is about ${symbol}`, () => {
    const [first] = link(title);
    assert.equal(first?.symbol, symbol);
    assert.equal(first?.primary, true);
  });

const beside: readonly (readonly [string, string, readonly string[]])[] = [
  [
    "Pfizer denies it is considering a bid for Viking Therapeutics",
    "Viking shares had risen 14%.",
    ["NYSE:PFE", "NASDAQ:VKTX"],
  ],
  ["Viking shares rise as cruises sell out", "", ["NYSE:VIK"]],
  ["Viking Therapeutics and Viking Holdings report results", "", ["NASDAQ:VKTX", "NYSE:VIK"]],
  ["Occidental: Berkshire Hathaway discloses purchase of more shares", "", ["NYSE:OXY", "NYSE:BRK.B"]],
  ["Target: how to hit it every time", "", []],
  ["Delta reinstates forecast", "", ["NYSE:DAL"]],
  ["River delta floods as forecast is reinstated", "", []],
  ["Target same-store sales fall", "", ["NYSE:TGT"]],
  ["Target same-day goals", "", []],
  ["Bayer wins dismissal of lawsuit", "", ["XETR:BAYN"]],
  ["Philips settles respirator suits", "", ["NYSE:PHG"]],
  ["Judge blocks Tapestry takeover of Capri", "", ["NYSE:TPR", "NYSE:CPRI"]],
  ["Holidays on Capri grow dearer", "", []],
  ["Coinbase to replace Discover in S&P 500", "", ["NASDAQ:COIN"]],
  ["Robinhood left out of S&P 500", "", ["NASDAQ:HOOD"]],
];
for (const [title, body, symbols] of beside)
  test(`"${title}" is about ${symbols.join(" and ") || "no company"}`, () =>
    assert.deepEqual(new Set(linkedNames(link(title, body))), new Set(symbols)));

test("a broker in a rating line is not the subject", () => {
  assert.deepEqual(linkedNames(link("JPMorgan upgrades Apple to overweight")), ["NASDAQ:AAPL"]);
  assert.deepEqual(linkedNames(link("Orbitex Robotics cut to sell at Barclays")), ["DEMO:OBTX"]);
  assert.deepEqual(linkedNames(link("Halvorn Biotech price target raised by Goldman Sachs")), ["DEMO:HLVN"]);
});

test("a broker that is rated, or acts for itself, is the subject", () => {
  assert.deepEqual(linkedNames(link("Bernstein upgrades JPMorgan to outperform")), ["NYSE:JPM"]);
  assert.deepEqual(linkedNames(link("Goldman Sachs raises dividend")), ["NYSE:GS"]);
});

test("the first of two hints leads, although the text names both", () => {
  const body =
    "Quantara Semiconductors (DEMO: QNTA) lost 7.1%, and Halvorn Biotech (DEMO: HLVN) gave up 2.8%.";
  const title = "Demo exchange slides 1.9% as Quantara Semiconductors tumbles";
  const found = link(title, body, ["DEMO:QNTA", "DEMO:HLVN"]);
  assert.deepEqual(
    found.map(({ symbol, primary, relevance }) => [symbol, primary, relevance]),
    [
      ["DEMO:QNTA", true, 100],
      ["DEMO:HLVN", false, 100],
    ],
  );
});

test("hints come first, in their order, in any spelling of the exchange", () => {
  const linked = link("Quarterly results", "", ["Nasdaq:aapl", "Euronext Lisbon:BCP", "DEMO:OBTX"]);
  assert.deepEqual(linkedNames(linked).slice(0, 1), ["NASDAQ:AAPL"]);
  assert.ok(linkedNames(linked).includes("EURONEXT:BCP"));
  assert.ok(linked.every(({ method }) => method === "hint"));
});

test("an unknown hint is kept with its exchange, or as a bare ticker when it looks like one", () => {
  const linked = link("x", "", ["nyse american:zzqq", "ZZQQX", "not a ticker at all"]);
  assert.deepEqual(
    linked.map(({ symbol, exchange }) => [symbol, exchange]),
    [
      ["AMEX:ZZQQ", "AMEX"],
      ["ZZQQX", null],
    ],
  );
});

test("a CIK with several share lines gives the main line only", () => {
  assert.deepEqual(linkedNames(link("8-K", "", [], ["1652044"])), ["NASDAQ:GOOGL"]);
  assert.deepEqual(linkedNames(link("8-K", "", [], ["0000320193"])), ["NASDAQ:AAPL"]);
  assert.deepEqual(link("8-K", "", [], ["9999999999", "x"]), []);
});

test("names in the body count less than those in the headline, and only in its first 1,000 characters", () => {
  const linked = link("Halvorn Biotech names auditor", "The firm also audits Quantara Semiconductors.");
  assert.deepEqual(linkedNames(linked), ["DEMO:HLVN", "DEMO:QNTA"]);
  assert.deepEqual(linkedNames(link("x", `${"word ".repeat(250)}Orbitex Robotics`)), []);
});

test("every table lookup answers", () => {
  assert.equal(table.get("DEMO:OBTX")?.name, "Orbitex Robotics");
  assert.equal(table.get("DEMO:OBTX")?.country, null);
  assert.equal(table.byTicker("AAPL")[0]?.symbol, "NASDAQ:AAPL");
  assert.equal(table.byCik("320193")[0]?.cik, "0000320193");
  assert.equal(table.exchangeNamed("TSX Venture"), "TSXV");
  assert.ok(table.entries.length > 26_000);
});

test("no demo issuer shares a ticker or name with a real line", () => {
  const demo = table.entries.filter(({ exchange }) => exchange === "DEMO");
  assert.equal(demo.length, 12);
  for (const entry of demo) {
    assert.deepEqual(table.byTicker(entry.shortSymbol), [entry]);
    const word = entry.name.split(" ")[0] ?? "";
    assert.equal(table.entries.filter(({ name }) => name.includes(word)).length, 1, entry.name);
  }
});

test("any text gives at most 20 symbols, exactly one primary when any, relevance 0..100, the same every time", () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      "(NASDAQ: ",
      "AAPL)",
      "$TSLA ",
      "Apple's ",
      "NYSE:",
      " and ",
      "Microsoft ",
      "(",
      "]",
      ": ",
    ),
  );
  const text = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 3 }), (title, body, symbols) => {
      const once = linkSymbols(table, { title, body }, { symbols, isins: [], ciks: [] });
      assert.ok(once.length <= 20);
      assert.equal(once.filter(({ primary }) => primary).length, Math.min(1, once.length));
      assert.ok(
        once.every(({ relevance }) => Number.isInteger(relevance) && relevance >= 0 && relevance <= 100),
      );
      assert.equal(new Set(linkedNames(once)).size, once.length);
      assert.deepEqual(linkSymbols(table, { title, body }, { symbols, isins: [], ciks: [] }), once);
    }),
  );
});

test("hostile text is linked in time that grows no faster than it", () => {
  for (const unit of [":", "A", "$A", "(A:", "NYSE:A,", "a ", "NYSE and ", "J.P.", "'s ", "\u{1F600}"])
    assert.ok(
      growsLinearly((text) => link(text, text), unit),
      unit,
    );
});
