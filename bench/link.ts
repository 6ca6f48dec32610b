/**
 * Symbol linking on one core: headlines and bodies a second, on the labelled sentences of scoring/eval in the order
 * they are written (tickers, names, ratings, no company at all), two to a headline, after a warm-up. `npm run bench:link`.
 */
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { linkSymbols } from "@tapewire/scoring/linking/symbols.ts";
import type { SymbolHints } from "@tapewire/scoring/types.ts";
import { linkingTable, parseLinkingSet } from "../scoring/eval/linking.ts";

interface Text {
  readonly title: string;
  readonly body: string;
  readonly hints: SymbolHints;
}

const none: SymbolHints = { symbols: [], isins: [], ciks: [] };
const measuredMs = 3000;

const linesOf = (name: string) =>
  parseLinkingSet(readFileSync(new URL(`../scoring/eval/${name}`, import.meta.url), "utf8"));

/** Processor time of this process, ms; wall time would include other load on the machine. */
function spentMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Texts per second of processor time over at least `forMs` of it, in whole rounds. */
function rate(texts: readonly Text[], forMs: number): number {
  const started = spentMs();
  let done = 0;
  while (spentMs() - started < forMs) {
    for (const text of texts) linkSymbols(table, text, text.hints);
    done += texts.length;
  }
  return (done / (spentMs() - started)) * 1000;
}

const began = spentMs();
const table = linkingTable();
const loadMs = spentMs() - began;
const lines = [...linesOf("linking.tsv"), ...linesOf("linking-heldout.tsv")];
// Two sentences have the usual length of a headline.
const headlines = lines.map(({ title, hints }, index) => {
  const other = lines[(index * 7 + 1) % lines.length]?.title ?? "";
  return { title: `${title}; ${other}`, body: "", hints };
});
const prose = `${lines.map(({ title }) => title).join(". ")}.`;
const bodies = lines.map(({ title }, index) => {
  const start = (index * 997) % Math.max(1, prose.length - 5000);
  return { title, body: prose.slice(start, start + 5000), hints: none };
});

rate(headlines, 1000);
const length = headlines.reduce((sum, { title }) => sum + title.length, 0) / headlines.length;
console.log(`${cpus()[0]?.model}, Node ${process.version}, tables read in ${loadMs.toFixed(0)} ms`);
console.log(
  `${Math.round(rate(headlines, measuredMs))} headlines/s (mean ${length.toFixed(0)} characters), one core`,
);
rate(bodies, 500);
console.log(
  `${Math.round(rate(bodies, measuredMs))} items/s with a body of 5,000 characters, of which 1,000 are read`,
);
