/**
 * Precision and recall of the tags, value by value, on lines about invented issuers: `node scoring/eval/tags.ts`.
 * tags.tsv is the set the rules are tuned on, tags-heldout.tsv was written apart. tags-traps.tsv is by another hand and read,
 * tags-traps-heldout.tsv by the same and never read, so its totals alone are printed; tags-variants.tsv has more of the traps
 * that were read. `-v` as argument prints the lines that differ in the sets that may be read.
 */
import { readFileSync } from "node:fs";
import { filingFacts, unstatedFilingFacts } from "@tapewire/contract/filings.ts";
import { tagDimensions } from "@tapewire/contract/tags.ts";
import { tagItem } from "../src/tags/tags.ts";
import type { Artifact, LinkedSymbol } from "../src/types.ts";

const dimensionOf = { c: "corp_activity", m: "market", k: "market_country", e: "economic_category" } as const;

interface Line {
  readonly title: string;
  readonly artifact: Artifact;
  readonly symbols: readonly LinkedSymbol[];
  /** `dimension:value`. */
  readonly expected: ReadonlySet<string>;
}

/** `US` is a stock listed there, `index:US` another type, `crypto` one without a country. */
function symbolOf(text: string, at: number): LinkedSymbol {
  const [first = "", second] = text.split(":");
  const stock = /^[A-Z]{2}$/.test(first);
  return {
    symbol: `TEST:S${at}`,
    exchange: "TEST",
    short_symbol: `S${at}`,
    logoid: null,
    name: "Orbitex Robotics",
    country: stock ? first : (second ?? null),
    type: stock ? "stock" : first,
    method: "hint",
    relevance: at === 0 ? 95 : 80,
    primary: at === 0,
  };
}

function artifactOf(form: string, title: string): Artifact {
  const [, name = form, items = ""] = /^(.*?)(?: ([\d.,]+))?$/.exec(form) ?? [];
  const isEightK = name.startsWith("8-K");
  const filing =
    form === "-"
      ? null
      : filingFacts.parse({
          form: isEightK ? name : form,
          items: isEightK ? items.split(",") : [],
          ...unstatedFilingFacts,
        });
  return {
    type: filing === null ? "news" : "filing",
    title,
    body: "",
    publishedAt: new Date(0),
    filing,
    categories: [],
  };
}

function expectedOf(text: string): ReadonlySet<string> {
  const labels = text.split(" ").flatMap((part) => {
    const [key = "", values = ""] = part.split("=");
    const dimension = Object.entries(dimensionOf).find(([short]) => short === key)?.[1];
    return dimension === undefined ? [] : values.split(",").map((value) => `${dimension}:${value}`);
  });
  return new Set(labels);
}

function readLines(name: string): readonly Line[] {
  const text = readFileSync(new URL(name, import.meta.url), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => {
      const [form = "-", symbols = "-", title = "", expected = ""] = line.split("\t");
      return {
        title,
        artifact: artifactOf(form, title),
        symbols: symbols === "-" ? [] : symbols.split(",").map(symbolOf),
        expected: expectedOf(expected),
      };
    });
}

function tagsOf({ artifact, symbols }: Line): ReadonlySet<string> {
  const tags = tagItem(artifact, symbols);
  return new Set(
    tagDimensions.flatMap((dimension) => (tags[dimension] ?? []).map((value) => `${dimension}:${value}`)),
  );
}

interface Count {
  hit: number;
  wrong: number;
  missed: number;
}

export interface TagScores {
  readonly lines: number;
  /** By `dimension:value`, and the sum of all under `all`. */
  readonly counts: ReadonlyMap<string, Count>;
  readonly differences: readonly string[];
}

/** Compares the tags of every line of a file beside this one with those expected. */
export function scoreTags(name: string): TagScores {
  const counts = new Map<string, Count>();
  const differences: string[] = [];
  const count = (label: string, key: keyof Count): void => {
    for (const name of [label, "all"]) {
      const entry = counts.get(name) ?? { hit: 0, wrong: 0, missed: 0 };
      entry[key] += 1;
      counts.set(name, entry);
    }
  };
  const lines = readLines(name);
  for (const line of lines) {
    const given = tagsOf(line);
    for (const label of given) count(label, line.expected.has(label) ? "hit" : "wrong");
    const missed = [...line.expected].filter((label) => !given.has(label));
    for (const label of missed) count(label, "missed");
    const wrong = [...given].filter((label) => !line.expected.has(label));
    if (missed.length + wrong.length > 0)
      differences.push(`${line.title}  +[${wrong.join(" ")}] -[${missed.join(" ")}]`);
  }
  return { lines: lines.length, counts, differences };
}

export const precision = ({ hit, wrong }: Count): number => hit / Math.max(1, hit + wrong);
export const recall = ({ hit, missed }: Count): number => hit / Math.max(1, hit + missed);

function microsPerItem(name: string): number {
  const lines = readLines(name);
  const rounds = 50;
  for (const line of lines) tagItem(line.artifact, line.symbols);
  const began = performance.now();
  for (let round = 0; round < rounds; round += 1)
    for (const line of lines) tagItem(line.artifact, line.symbols);
  return ((performance.now() - began) * 1000) / (rounds * lines.length);
}

function printTotals(name: string): void {
  const { lines, counts } = scoreTags(name);
  const all = counts.get("all") ?? { hit: 0, wrong: 0, missed: 0 };
  process.stdout.write(
    `${name}: ${lines} lines, ${microsPerItem(name).toFixed(1)} µs each\n  all  P ${precision(all).toFixed(3)}  R ${recall(all).toFixed(3)}\n`,
  );
}

function print(name: string, verbose: boolean): void {
  const { lines, counts, differences } = scoreTags(name);
  process.stdout.write(`${name}: ${lines} lines, ${microsPerItem(name).toFixed(1)} µs each\n`);
  const rows = [...counts].toSorted(([left], [right]) => (left < right ? -1 : 1));
  for (const [label, entry] of rows)
    process.stdout.write(
      `  ${label.padEnd(42)} n ${String(entry.hit + entry.missed).padStart(4)}  P ${precision(entry).toFixed(3)}  R ${recall(entry).toFixed(3)}\n`,
    );
  if (verbose) process.stdout.write(`${differences.map((line) => `  ${line}`).join("\n")}\n`);
}

if (import.meta.main) {
  print("tags.tsv", process.argv.includes("-v"));
  print("tags-heldout.tsv", false);
  print("tags-traps.tsv", process.argv.includes("-v"));
  print("tags-variants.tsv", process.argv.includes("-v"));
  printTotals("tags-traps-heldout.tsv");
}
