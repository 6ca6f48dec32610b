/**
 * Filings of 30 kB and headlines that pro judges in a second of CPU time of one core, and the median of a headline:
 * `node scoring/eval/pro-speed.ts [SECONDS]`. The texts are invented; the shares of the rules and of flash are told apart.
 */
import { unstatedFilingFacts } from "@tapewire/contract/filings.ts";
import { flash } from "../src/flash/flash.ts";
import { Encoder } from "../src/pro/encoder/encoder.ts";
import { pro, proByRules } from "../src/pro/pro.ts";
import type { Artifact, LinkedSymbol } from "../src/types.ts";

const names = ["Halvorn", "Brackwell", "Quillmark", "Tessaro", "Ondrey"];
const lengthWanted = 30_000;

const symbolOf = (name: string, index: number): LinkedSymbol => ({
  symbol: `DEMO:${name.slice(0, 4).toUpperCase()}`,
  exchange: "DEMO",
  short_symbol: name.slice(0, 4).toUpperCase(),
  logoid: null,
  name: `${name} Corp.`,
  country: "US",
  type: "stock",
  method: "hint",
  relevance: 100 - 20 * index,
  primary: index === 0,
});

function paragraph(name: string, turn: number): string {
  const [a, b] = [100 + ((turn * 37) % 800), 90 + ((turn * 53) % 700)];
  return [
    `Revenue for the first quarter of 2026 was $${a}.4 million compared to $${b}.1 million in the prior year period, driven by strong demand for the company's instruments.`,
    `Operating expenses increased ${turn % 30}% as ${name} expanded its sales force and opened two plants.`,
    `The company expects full-year revenue between $${a * 4} million and $${a * 4 + 50} million and gross margin of about ${40 + (turn % 9)}.5%.`,
    "We may be exposed to changes in the price of raw materials, and there can be no assurance that we will be able to pass them on.",
    `On March ${1 + (turn % 28)}, the board met in the offices of ${name} to review the plan of the integration, which is described in the notes to the statements.`,
  ].join(" ");
}

function row(turn: number): string {
  return `Other item ${turn}\t$\t${1_000 + turn}\t$\t${900 + turn}\t${turn % 40}%`;
}

function filing(number: number): Artifact {
  const name = names[number % names.length] ?? "Halvorn";
  const lines = [
    "Item 2.02. Results of Operations and Financial Condition",
    paragraph(name, number),
    "SIGNATURES",
    `${name} Corp.`,
    "Exhibit 99.1",
  ];
  let length = 0;
  for (let turn = number; length < lengthWanted; turn += 1) {
    const line =
      turn % 4 === 0
        ? Array.from({ length: 8 }, (_, index) => row(turn + index)).join("\n")
        : paragraph(name, turn);
    lines.push(line);
    length += line.length + 1;
  }
  return {
    type: "filing",
    title: `${name} Corp.: 8-K, results of operations`,
    body: lines.join("\n").slice(0, lengthWanted),
    publishedAt: new Date(0),
    filing: {
      form: "8-K",
      items: ["2.02", "9.01"],
      ...unstatedFilingFacts,
    },
    categories: [],
  };
}

/** CPU time of this thread: what else runs on the machine does not count. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

interface Speed {
  readonly perSecond: number;
  readonly medianMs: number;
}

async function speedOf(
  artifacts: readonly Artifact[],
  seconds: number,
  run: (artifact: Artifact, symbols: readonly LinkedSymbol[]) => unknown,
): Promise<Speed> {
  const symbols = names.map((name, index) => symbolOf(name, index));
  for (const artifact of artifacts.slice(0, 40)) await run(artifact, symbols.slice(0, 2));
  const began = cpuMs();
  const each: number[] = [];
  while (cpuMs() - began < 1_000 * seconds) {
    const artifact = artifacts[each.length % artifacts.length];
    const startedMs = cpuMs();
    if (artifact !== undefined) await run(artifact, symbols.slice(0, 1 + (each.length % 3)));
    each.push(cpuMs() - startedMs);
  }
  const medianMs = each.toSorted((a, b) => a - b)[each.length >> 1] ?? 0;
  return { perSecond: (1_000 * each.length) / (cpuMs() - began), medianMs };
}

const headline = (number: number): Artifact => {
  const [name, rival] = [names[number % names.length], names[(number + 1) % names.length]];
  const title = `${name} cuts full-year outlook as ${rival} wins its largest customer, shares fall ${3 + (number % 9)}%`;
  return { type: "news", title, body: "", publishedAt: new Date(0), filing: null, categories: [] };
};

const seconds = Number(process.argv[2] ?? 3);
const encoder = await Encoder.load();
const kinds = [
  [`filings of ${lengthWanted} characters`, Array.from({ length: 60 }, (_, number) => filing(number))],
  ["headlines", Array.from({ length: 60 }, (_, number) => headline(number))],
] as const;
const models = [
  ["pro", (artifact: Artifact, symbols: readonly LinkedSymbol[]) => pro(encoder, artifact, symbols)],
  [
    "its rules alone",
    (artifact: Artifact, symbols: readonly LinkedSymbol[]) => proByRules(artifact, symbols),
  ],
  ["flash", (artifact: Artifact, symbols: readonly LinkedSymbol[]) => flash(artifact, symbols)],
] as const;
for (const [kind, artifacts] of kinds)
  for (const [model, run] of models) {
    const { perSecond, medianMs } = await speedOf(artifacts, seconds, run);
    process.stdout.write(
      `${kind}, ${model}: ${perSecond.toFixed(0)} a second, median ${medianMs.toFixed(2)} ms\n`,
    );
  }
