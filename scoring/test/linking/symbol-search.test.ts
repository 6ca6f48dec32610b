import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { SymbolSearch } from "../../src/linking/table/symbol-search.ts";
import { SymbolTable } from "../../src/linking/table/symbol-table.ts";

const columns =
  "symbol short_symbol exchange type name country listing_country sector cik logoid primary rank aliases";
const exchanges = [
  "exchange\tname\tmic\tcountry\tpress_release_names",
  ...["NYSE", "NASDAQ", "FX", "COMEX", "XETR"].map((code) => `${code}\t${code}\t\tUS\t`),
].join("\n");

interface Row {
  readonly symbol: string;
  readonly name: string;
  readonly type?: string;
  readonly rank?: number;
  readonly primary?: string;
}

function tableOf(rows: readonly Row[]): SymbolTable {
  const lines = rows.map(({ symbol, name, type = "stock", rank = 9999, primary = "" }) => {
    const [exchange, ticker] = symbol.split(":");
    return [symbol, ticker, exchange, type, name, "", "", "", "", "", primary, rank, ""].join("\t");
  });
  return SymbolTable.parse([[columns.replaceAll(" ", "\t"), ...lines].join("\n")], exchanges);
}

const table = tableOf([
  { symbol: "NYSE:GS", name: "Goldman Sachs Group, Inc.", rank: 43 },
  { symbol: "NYSE:GOLD", name: "Gold.com, Inc.", rank: 2558 },
  { symbol: "COMEX:GC1!", name: "Gold futures", type: "commodity", rank: 0 },
  { symbol: "NYSE:NGD", name: "New Gold Inc.", rank: 700 },
  { symbol: "NYSE:BRK.A", name: "Berkshire Hathaway Inc.", rank: 8, primary: "NYSE:BRK.B" },
  { symbol: "NYSE:BRK.B", name: "Berkshire Hathaway Inc.", rank: 8 },
  { symbol: "NASDAQ:NSRGY", name: "Nestlé S.A.", type: "dr", rank: 50 },
  { symbol: "NYSE:T", name: "AT&T Inc.", rank: 86 },
  { symbol: "XETR:T", name: "Elsewhere AG", primary: "XETR:T" },
  { symbol: "FX:EURUSD", name: "Euro / US Dollar", type: "forex", rank: 0 },
]);
const search = new SymbolSearch(table);
const found = (query: string, most = 20) => search.find(query, most).map(({ symbol }) => symbol);

test("a query finds what its words begin: the ticker, or words of the name, whatever the case or accent", () => {
  assert.deepEqual(found("nestle"), ["NASDAQ:NSRGY"]);
  assert.deepEqual(found("NESTLÉ s"), ["NASDAQ:NSRGY"]);
  assert.deepEqual(found("hath"), ["NYSE:BRK.B", "NYSE:BRK.A"]);
  assert.deepEqual(found("inc berk"), ["NYSE:BRK.B", "NYSE:BRK.A"]);
  assert.deepEqual(found("at&t"), ["NYSE:T"]);
  assert.deepEqual(found("eurusd"), ["FX:EURUSD"]);
  assert.deepEqual(found("old"), []);
  assert.deepEqual(found("!?"), []);
});

test("shares come before other kinds of like size, then the larger; the ticker itself comes first", () => {
  assert.deepEqual(found("gol"), ["NYSE:GS", "COMEX:GC1!", "NYSE:NGD", "NYSE:GOLD"]);
  assert.deepEqual(found("gold"), ["NYSE:GOLD", "NYSE:GS", "COMEX:GC1!", "NYSE:NGD"]);
  assert.deepEqual(found("brk.a"), ["NYSE:BRK.A"]);
  assert.deepEqual(found("gold", 2), ["NYSE:GOLD", "NYSE:GS"]);
});

test("a ticker is found once, with its main line, also behind an exchange", () => {
  const [main] = table.byTicker("T");
  assert.deepEqual(found("t").slice(0, 1), [main?.symbol]);
  assert.equal(found("t").filter((symbol) => symbol.endsWith(":T")).length, 1);
  assert.deepEqual(found("NYSE:GS"), ["NYSE:GS"]);
  assert.deepEqual(found("NYSE:"), []);
});

test("searches find what a look at every entry finds, one after the other", () => {
  const word = fc.constantFrom("alpha", "alto", "al", "beta", "bet", "a1", "1a", "Älpha");
  const rows = fc.uniqueArray(
    fc.record({
      ticker: fc.constantFrom("AL", "ALT", "B", "BE", "A1", "ZZ"),
      name: fc.array(word, { maxLength: 3 }),
    }),
    { selector: ({ ticker }) => ticker, maxLength: 6 },
  );
  const queries = fc.array(
    fc.array(fc.constantFrom("a", "al", "alp", "b", "be", "1", "z"), { minLength: 1, maxLength: 3 }),
    {
      minLength: 3,
      maxLength: 6,
    },
  );
  fc.assert(
    fc.property(rows, queries, (drawn, asked) => {
      const made = tableOf(
        drawn.map(({ ticker, name }) => ({ symbol: `NYSE:${ticker}`, name: name.join(" ") })),
      );
      const own = new SymbolSearch(made);
      for (const words of asked) {
        const expected = drawn.filter(({ ticker, name }) => {
          const begun = [ticker.toLowerCase(), ...name.map((one) => one.replace("Ä", "a"))];
          return words.every((beginning) => begun.some((one) => one.startsWith(beginning)));
        });
        assert.deepEqual(
          own
            .find(words.join(" "), 20)
            .map(({ shortSymbol }) => shortSymbol)
            .sort(),
          expected.map(({ ticker }) => ticker).sort(),
        );
      }
    }),
  );
});
