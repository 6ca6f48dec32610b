/**
 * Compiles scoring/data/isins.tsv: `node tools/compile-isins.ts DIR`, DIR being database/equities of FinanceDatabase.
 * A code is kept when its check digit holds, it holds no CUSIP, its country is that of the exchange, and the line's
 * name is that of our table; the codes in scoring/data/symbol-corrections.tsv win. Same input, same bytes out.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { holdsCusip, isIsin } from "../scoring/src/linking/isin.ts";
import { SymbolTable } from "../scoring/src/linking/table/symbol-table.ts";
import type { SymbolEntry } from "../scoring/src/linking/types.ts";

/** Our exchange codes by the collection's file names. */
const files = Object.entries({
  AMS: "EURONEXT",
  ASX: "ASX",
  ATH: "ATHEX",
  BRU: "EURONEXT",
  BUD: "BET",
  CPH: "OMXCOP",
  EBS: "SIX",
  GER: "XETR",
  HEL: "OMXHEX",
  HKG: "HKEX",
  ICE: "OMXICE",
  ISE: "EURONEXT",
  IST: "BIST",
  JKT: "IDX",
  JNB: "JSE",
  JPX: "TSE",
  KLS: "MYX",
  KOE: "KRX",
  KSC: "KRX",
  LIS: "EURONEXT",
  LIT: "OMXVSE",
  LSE: "LSE",
  MCE: "BME",
  MIL: "MIL",
  NSE: "NSE",
  NSI: "NSE",
  NZE: "NZX",
  OSL: "OSL",
  PAR: "EURONEXT",
  PRA: "PSECZ",
  RIS: "OMXRSE",
  SAO: "BMFBOVESPA",
  SAU: "TADAWUL",
  SES: "SGX",
  SET: "SET",
  SHH: "SSE",
  SHZ: "SZSE",
  STO: "OMXSTO",
  TAI: "TWSE",
  TAL: "OMXTSE",
  TLV: "TASE",
  TWO: "TPEX",
  VIE: "VIE",
});

/** Countries whose companies commonly have their home listing in another country. */
const guests = new Set(["GG", "JE", "IM", "IE", "LU", "NL"]);

/** Records of a CSV file with quoted fields (RFC 4180). */
function parseCsv(text: string): readonly (readonly string[])[] {
  const records: string[][] = [[]];
  for (const match of text.matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|$)/g)) {
    const field = match[1] ?? "";
    records.at(-1)?.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
    if (match[2] !== ",") records.push([]);
  }
  return records;
}

const firstWord = (name: string): string => {
  const words = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.find((word) => word !== "" && !/^(?:the|ab|as|pt|oyj|sa|nv|ag)$/.test(word)) ?? "";
};

/** Among share classes with one code the shortest ticker is the common one. */
const byTicker = (a: SymbolEntry, b: SymbolEntry): number =>
  a.shortSymbol.length - b.shortSymbol.length || (a.symbol < b.symbol ? -1 : 1);

const data = (name: string): URL => new URL(`../scoring/data/${name}`, import.meta.url);
const read = (name: string): string => readFileSync(data(name), "utf8");

function collected(table: SymbolTable, directory: string): ReadonlyMap<string, SymbolEntry> {
  const lines = new Map<string, SymbolEntry[]>();
  for (const [file, exchange] of files) {
    const path = `${directory}/${file}.csv`;
    if (!existsSync(path)) continue;
    const [header = [], ...records] = parseCsv(readFileSync(path, "utf8"));
    const [symbolAt, nameAt, isinAt] = ["symbol", "name", "isin"].map((name) => header.indexOf(name));
    for (const record of records) {
      const isin = record[isinAt ?? -1] ?? "";
      const ticker = (record[symbolAt ?? -1] ?? "").replace(/\.[A-Z]+$/, "");
      const entry = isIsin(isin) && !holdsCusip(isin) ? table.line(exchange, ticker) : undefined;
      if (entry === undefined || firstWord(entry.name) !== firstWord(record[nameAt ?? -1] ?? "")) continue;
      if (entry.country !== isin.slice(0, 2) && !guests.has(isin.slice(0, 2))) continue;
      lines.set(isin, [...(lines.get(isin) ?? []), entry]);
    }
  }
  const single = [...lines].filter(([, found]) => new Set(found.map(({ primary }) => primary)).size === 1);
  return new Map(
    single.flatMap(([isin, found]) =>
      found
        .toSorted(byTicker)
        .slice(0, 1)
        .map((entry) => [isin, entry]),
    ),
  );
}

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error("want the directory database/equities of FinanceDatabase");
const table = SymbolTable.parse([read("symbols.tsv")], read("exchanges.tsv"));
const ours = read("symbol-corrections.tsv")
  .split("\n")
  .filter((line) => line.startsWith("isin\t"))
  .map((line) => line.split("\t"))
  .map(([, symbol = "", isin = ""]): [string, string] => [isin, symbol]);
const rows = new Map([
  ...[...collected(table, directory)].map(([isin, { symbol }]): [string, string] => [isin, symbol]),
  ...ours,
]);
const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
const head = [
  "# Facts about listed instruments; where they come from: NOTICE.md. Made by tools/compile-isins.ts.",
  "isin\tsymbol",
];
writeFileSync(data("isins.tsv"), `${[...head, ...sorted.map((row) => row.join("\t"))].join("\n")}\n`);
console.log(`${sorted.length} ISINs`);
