import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { recordedFile, withRecorded } from "../../../server/test/support/recorded.ts";
import { type ListedTicker, parseSecTickers, SecTickersError } from "../../src/linking/sec-tickers.ts";
import { linkSymbols } from "../../src/linking/symbols.ts";
import { SymbolTable } from "../../src/linking/table/symbol-table.ts";

const data = (name: string): string => readFileSync(new URL(`../../data/${name}`, import.meta.url), "utf8");
const exchanges = data("exchanges.tsv");
const on = "2026-03-02";

const columns = "symbol short_symbol exchange type name country sector cik primary rank aliases".split(" ");
/** Five invented issuers, so that one may end without the list looking cut short. */
const lines: readonly (readonly string[])[] = [
  [
    "NYSE:VLQ",
    "VLQ",
    "NYSE",
    "stock",
    "Velquist Motors Inc",
    "",
    "",
    "1000001",
    "",
    "10",
    "Velquist Motors|Velquist",
  ],
  ["NASDAQ:ORDN", "ORDN", "NASDAQ", "stock", "Ordenne Labs Inc", "", "", "1000002", "", "11", "Ordenne"],
  ["AMEX:KRV", "KRV", "AMEX", "stock", "Karvesh Mining Corp", "", "", "1000003", "", "12", "Karvesh Mining"],
  [
    "NASDAQ:SILB",
    "SILB",
    "NASDAQ",
    "stock",
    "Silbrenner Foods Inc",
    "",
    "",
    "1000004",
    "",
    "13",
    "Silbrenner",
  ],
  ["NYSE:TRD", "TRD", "NYSE", "stock", "Tradewick Co", "", "", "1000005", "", "14", "Tradewick"],
  ["NYSE:TRD.A", "TRD.A", "NYSE", "stock", "Tradewick Co", "", "", "1000005", "NYSE:TRD", "14", ""],
];
const symbolsTsv = [columns, ...lines].map((cells) => cells.join("\t")).join("\n");

const row = (cik: number, name: string, ticker: string, exchange: string | null): readonly unknown[] => [
  cik,
  name,
  ticker,
  exchange,
];
const same = [
  row(1000001, "VELQUIST MOTORS INC /DE/", "VLQ", "NYSE"),
  row(1000002, "Ordenne Labs, Inc.", "ORDN", "Nasdaq"),
  row(1000003, "Karvesh Mining Corp", "KRV", "NYSE"),
  row(1000004, "Silbrenner Foods Inc", "SILB", "Nasdaq"),
  row(1000005, "Tradewick Co", "TRD", "NYSE"),
  row(1000005, "Tradewick Co", "TRD-A", "NYSE"),
];
const listOf = (rows: readonly (readonly unknown[])[]): readonly ListedTicker[] =>
  parseSecTickers(JSON.stringify({ fields: ["cik", "name", "ticker", "exchange"], data: rows })).rows;
const tableOf = (rows: readonly (readonly unknown[])[]): SymbolTable =>
  SymbolTable.parse([symbolsTsv], exchanges, { refreshed: { rows: listOf(rows), on } });
const without = (ticker: string) => same.filter((cells) => cells[2] !== ticker);
const linked = (table: SymbolTable, title: string, day?: string): readonly string[] =>
  linkSymbols(
    table,
    { title, body: "", publishedAt: day === undefined ? undefined : new Date(day) },
    { symbols: [], isins: [], ciks: [] },
  ).map(({ symbol }) => symbol);

test("a list that says what the table says changes nothing but CIKs", () => {
  const before = SymbolTable.parse([symbolsTsv], exchanges);
  assert.deepEqual(tableOf(same).entries, before.entries);
});

test("a new line is added with names of its own, one of a plain word only in context", () => {
  const table = tableOf([
    ...same,
    row(1000006, "QUORVANE THERAPEUTICS INC", "QRVN", "Nasdaq"),
    row(1000007, "Anchor Inc", "ANKR", "NYSE"),
    row(1000006, "QUORVANE THERAPEUTICS INC", "QRVNW", "Nasdaq"),
  ]);
  const entry = table.get("NASDAQ:QRVN");
  assert.deepEqual(
    [entry?.name, entry?.cik, entry?.validFrom],
    ["Quorvane Therapeutics Inc", "0001000006", on],
  );
  assert.deepEqual(linked(table, "Quorvane Therapeutics wins approval"), ["NASDAQ:QRVN"]);
  assert.deepEqual(linked(table, "Anchor dragged over cable"), []);
  assert.deepEqual(linked(table, "Anchor shares jump"), ["NYSE:ANKR"]);
  assert.equal(table.get("NASDAQ:QRVNW"), undefined);
});

test("a new share class belongs to the company's main line", () => {
  const table = tableOf([...same, row(1000004, "Silbrenner Foods Inc", "SILBB", "Nasdaq")]);
  assert.equal(table.get("NASDAQ:SILBB")?.primary, "NASDAQ:SILB");
});

test("a changed name leads and the old one still finds the company", () => {
  const table = tableOf([...without("ORDN"), row(1000002, "Threllow Systems Inc", "ORDN", "Nasdaq")]);
  assert.equal(table.get("NASDAQ:ORDN")?.name, "Threllow Systems Inc");
  assert.deepEqual(linked(table, "Threllow Systems reports results"), ["NASDAQ:ORDN"]);
  assert.deepEqual(linked(table, "Ordenne Labs Inc reports results"), ["NASDAQ:ORDN"]);
});

test("a line the list no longer has ends on its day: by name it is found in older items only", () => {
  const table = tableOf(without("SILB"));
  assert.equal(table.get("NASDAQ:SILB")?.validTo, on);
  assert.deepEqual(linked(table, "Silbrenner names a chief", "2026-01-05T00:00:00Z"), ["NASDAQ:SILB"]);
  assert.deepEqual(linked(table, "Silbrenner names a chief", "2026-04-05T00:00:00Z"), []);
});

test("nothing ends because of a list that was cut short", () => {
  const table = tableOf(same.slice(0, 3));
  assert.ok(table.entries.every(({ validTo }) => validTo === null));
});

test("a line that moved to another exchange keeps its old symbol as a former one, and its share classes", () => {
  const table = tableOf([...without("TRD"), row(1000005, "Tradewick Co", "TRD", "Nasdaq")]);
  assert.equal(table.get("NYSE:TRD"), undefined);
  assert.deepEqual(linked(table, "Maker (NYSE: TRD) speaks"), ["NASDAQ:TRD"]);
  assert.deepEqual(linked(table, "Tradewick names a chief"), ["NASDAQ:TRD"]);
  assert.equal(table.get("NYSE:TRD.A")?.primary, "NASDAQ:TRD");
});

test("NYSE in the list is NYSE American where our line is", () => {
  assert.equal(tableOf(same).get("AMEX:KRV")?.name, "Karvesh Mining Corp");
});

test("a ticker that went to another registrant means the old one in older items", () => {
  const table = tableOf([...without("VLQ"), row(1000009, "Vandrel Liquids Corp", "VLQ", "NYSE")]);
  assert.equal(table.get("NYSE:VLQ")?.name, "Vandrel Liquids Corp");
  const nameOn = (day: string): string | undefined => table.resolve("NYSE", "VLQ", day)?.name;
  assert.equal(nameOn("2026-03-05"), "Vandrel Liquids Corp");
  assert.equal(nameOn("2025-03-05"), "Velquist Motors Inc");
});

test("both shapes of the SEC's list are read; tickers come in our spelling", () => {
  assert.deepEqual(listOf([row(7, "Velquist Motors Inc", "VLQ-B", "CBOE")]), [
    { cik: "0000000007", name: "Velquist Motors Inc", ticker: "VLQ.B", exchange: "CBOE" },
  ]);
  const numbered = { 0: { cik_str: 7, ticker: "VLQ", title: "Velquist Motors Inc" } };
  assert.deepEqual(parseSecTickers(JSON.stringify(numbered)), {
    rows: [{ cik: "0000000007", name: "Velquist Motors Inc", ticker: "VLQ", exchange: null }],
    refused: 0,
  });
});

test("a list that is broken, of another shape or too long is refused whole", () => {
  const wrong = [
    "",
    "{",
    "[]",
    "null",
    "{}",
    '{"error": "rate exceeded"}',
    '{"fields": ["cik", "name", "ticker"], "data": [[1, "A", "A"]]}',
    '{"fields": ["cik", "name", "ticker", "exchange"], "data": []}',
    JSON.stringify({ fields: ["cik", "name", "ticker", "exchange"], data: [[0, "A", "A", "NYSE"]] }),
    JSON.stringify({ 0: { cik_str: 7, ticker: "<b>", title: "A" } }),
    " ".repeat(17 * 1024 * 1024),
  ];
  for (const text of wrong) assert.throws(() => parseSecTickers(text), SecTickersError, text.slice(0, 60));
});

test("single broken rows are left out and counted", () => {
  const rows = [
    ...Array.from({ length: 200 }, (_, index) => row(index + 1, `Velquist ${index}`, `V${index}`, "NYSE")),
    row(900, "", "BAD", "NYSE"),
    ["1", "Velquist", "BAD2", "NYSE"],
    null,
  ];
  const text = JSON.stringify({ fields: ["cik", "name", "ticker", "exchange"], data: rows });
  const { rows: kept, refused } = parseSecTickers(text);
  assert.deepEqual([kept.length, refused], [200, 3]);
});

test(
  "the recorded list of the SEC is read whole and lays over the shipped table without ending it",
  withRecorded,
  () => {
    const { rows, refused } = parseSecTickers(
      recordedFile("edgar/misc/company_tickers.json").toString("utf8"),
    );
    assert.equal(refused, 0);
    assert.ok(rows.length > 5000);
    const table = SymbolTable.parse([data("symbols.tsv")], exchanges, { refreshed: { rows, on } });
    assert.equal(table.get("NASDAQ:AAPL")?.cik, "0000320193");
    assert.equal(table.get("NASDAQ:AAPL")?.validTo, null);
    assert.equal(table.get("NYSE:BRK.B")?.validTo, null);
  },
);
