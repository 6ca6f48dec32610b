import { readFileSync } from "node:fs";
import type { FilingFacts } from "@tapewire/contract/filings.ts";
import { linkSymbols } from "../src/linking/symbols.ts";
import { SymbolTable } from "../src/linking/table/symbol-table.ts";
import type { Artifact, LinkedSymbol } from "../src/types.ts";

const data = (name: string): string => readFileSync(new URL(`../data/${name}`, import.meta.url), "utf8");

/** The committed tables, as the product loads them. */
export const table = SymbolTable.parse(
  [data("symbols.tsv"), data("demo-symbols.tsv")],
  data("exchanges.tsv"),
);

export const artifact = (title: string, body = "", over: Partial<Artifact> = {}): Artifact => ({
  type: "news",
  title,
  body,
  publishedAt: new Date("2026-03-02T14:30:00Z"),
  filing: null,
  categories: [],
  ...over,
});

export const filing = (form: string, items: readonly string[], title: string, body = ""): Artifact => {
  const facts: FilingFacts = {
    form,
    items: [...items],
    accession: "0000000000-26-000001",
    cik: null,
    filed: null,
    period: null,
    amends: null,
    parties: [],
    details: null,
  };
  return artifact(title, body, { type: "filing", filing: facts });
};

export const link = (
  title: string,
  body = "",
  symbols: readonly string[] = [],
  ciks: readonly string[] = [],
) => linkSymbols(table, { title, body }, { symbols, isins: [], ciks });

export const linkedNames = (linked: readonly LinkedSymbol[]): readonly string[] =>
  linked.map(({ symbol }) => symbol);
