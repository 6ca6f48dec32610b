/**
 * Precision, recall and F1 of symbol linking on the labelled sets: `node scoring/eval/linking.ts [--errors] [FILE…]`.
 * FILE defaults to the sets beside this file; their heads say what is counted. The lines of those called heldout are not printed:
 * nobody who writes rules reads them.
 */
import { readFileSync } from "node:fs";
import { linkSymbols } from "../src/linking/symbols.ts";
import { SymbolTable } from "../src/linking/table/symbol-table.ts";
import type { SymbolHints } from "../src/types.ts";

/** A labelled line. */
export interface LinkingLine {
  /** The pattern that the line is an example of. */
  readonly pattern: string;
  readonly title: string;
  readonly body: string;
  readonly hints: SymbolHints;
  readonly publishedAt: Date | undefined;
  /** Symbols, the subject first. */
  readonly expected: readonly string[];
}

interface Counts {
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
  /** Lines whose first symbol is of the expected first company, among those that expect any. */
  readonly leads: number;
  readonly subjects: number;
}

const dataText = (name: string): string => readFileSync(new URL(`../data/${name}`, import.meta.url), "utf8");

let committed: SymbolTable | null = null;

/** The committed tables with everything that linking uses; read once. */
export function linkingTable(): SymbolTable {
  const symbols = () => [dataText("symbols.tsv"), dataText("demo-symbols.tsv")];
  committed ??= SymbolTable.parse(symbols(), dataText("exchanges.tsv"), {
    history: dataText("symbol-history.tsv"),
    isins: dataText("isins.tsv"),
    nativeNames: dataText("native-names.tsv"),
  });
  return committed;
}

const listOf = (text: string, separator: string): readonly string[] =>
  text.split(separator).filter((part) => part !== "");

function hintsOf(text: string): SymbolHints {
  const hints = listOf(text, ", ");
  const after = (prefix: string): readonly string[] =>
    hints.filter((hint) => hint.startsWith(prefix)).map((hint) => hint.slice(prefix.length));
  return {
    symbols: hints.filter((hint) => !/^(?:isin|cik):/.test(hint)),
    isins: after("isin:"),
    ciks: after("cik:"),
  };
}

/** @param text of linking.tsv or a file like it */
export function parseLinkingSet(text: string): readonly LinkingLine[] {
  const [, ...lines] = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return lines.map((line) => {
    const [pattern = "", title = "", body = "", hints = "", on = "", expected = ""] = line.split("\t");
    const publishedAt = on === "" ? undefined : new Date(`${on}T15:00:00Z`);
    return { pattern, title, body, hints: hintsOf(hints), publishedAt, expected: listOf(expected, " ") };
  });
}

function companyOf(table: SymbolTable, symbol: string): string {
  return table.get(symbol)?.primary ?? symbol;
}

/** The symbols that linking finds in a line. */
export function linkedOf(table: SymbolTable, line: LinkingLine): readonly string[] {
  return linkSymbols(table, line, line.hints).map(({ symbol }) => symbol);
}

function countsOf(table: SymbolTable, line: LinkingLine, linked: readonly string[]): Counts {
  const expected = new Set(line.expected);
  const companies = new Set(line.expected.map((symbol) => companyOf(table, symbol)));
  const right = linked.filter((symbol) => expected.has(symbol)).length;
  const [subject] = line.expected;
  const [lead] = linked;
  const leads =
    subject !== undefined && lead !== undefined && companyOf(table, lead) === companyOf(table, subject);
  return {
    right,
    wrong: linked.filter((symbol) => !expected.has(symbol) && !companies.has(symbol)).length,
    missed: expected.size - right,
    leads: Number(leads),
    subjects: Number(subject !== undefined),
  };
}

const noCounts: Counts = { right: 0, wrong: 0, missed: 0, leads: 0, subjects: 0 };
const sum = (a: Counts, b: Counts): Counts => ({
  right: a.right + b.right,
  wrong: a.wrong + b.wrong,
  missed: a.missed + b.missed,
  leads: a.leads + b.leads,
  subjects: a.subjects + b.subjects,
});

export interface LinkingFigures {
  readonly lines: number;
  /** Micro averages over symbols, 0..1. */
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Share of the lines with a subject whose first symbol is that subject, 0..1. */
  readonly primary: number;
}

function figures(lines: number, { right, wrong, missed, leads, subjects }: Counts): LinkingFigures {
  const share = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);
  return {
    lines,
    precision: share(right, right + wrong),
    recall: share(right, right + missed),
    f1: share(2 * right, 2 * right + wrong + missed),
    primary: share(leads, subjects),
  };
}

/** @returns figures of each pattern, in file order, and of all lines under the name `all` */
export function evaluateLinking(
  table: SymbolTable,
  lines: readonly LinkingLine[],
): ReadonlyMap<string, LinkingFigures> {
  const patterns = [...new Set(lines.map(({ pattern }) => pattern))];
  const of = (chosen: readonly LinkingLine[]): LinkingFigures =>
    figures(
      chosen.length,
      chosen.map((line) => countsOf(table, line, linkedOf(table, line))).reduce(sum, noCounts),
    );
  return new Map([
    ...patterns.map((name): [string, LinkingFigures] => [
      name,
      of(lines.filter(({ pattern }) => pattern === name)),
    ]),
    ["all", of(lines)],
  ]);
}

/** What differs from the expected symbols, line by line. */
export const differences = (table: SymbolTable, lines: readonly LinkingLine[]): readonly string[] =>
  lines.flatMap((line) => {
    const linked = linkedOf(table, line);
    const { wrong, missed } = countsOf(table, line, linked);
    if (wrong + missed === 0) return [];
    return [`${line.pattern}: ${line.title}\n  want ${line.expected.join(" ")}\n  got  ${linked.join(" ")}`];
  });

function report(table: SymbolTable, path: string, errors: boolean): string {
  const lines = parseLinkingSet(readFileSync(path, "utf8"));
  const show = (value: number): string => (100 * value).toFixed(1).padStart(6);
  const rows = [...evaluateLinking(table, lines)].map(
    ([name, { lines: count, precision, recall, f1, primary }]) =>
      `${name.padEnd(18)}${String(count).padStart(6)}${[precision, recall, f1, primary].map(show).join("")}`,
  );
  const bad = errors ? differences(table, lines) : [];
  const head = `${"pattern".padEnd(18)} lines  prec   rec    F1  lead`;
  return [path.slice(path.lastIndexOf("/") + 1), head, ...rows, ...bad, ""].join("\n");
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  const paths = args.filter((argument) => !argument.startsWith("--"));
  const beside = [
    "linking",
    "linking-heldout",
    "linking-traps",
    "linking-traps-heldout",
    "linking-bare-heldout",
  ].map((name) => `${import.meta.dirname}/${name}.tsv`);
  const table = linkingTable();
  for (const path of paths.length > 0 ? paths : beside)
    process.stdout.write(`${report(table, path, args.includes("--errors") && !path.includes("heldout"))}\n`);
}
