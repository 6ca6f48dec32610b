/**
 * Speed of flash on one core, whole verdicts: `node scoring/eval/flash-speed.ts`. Headlines of the golden set, alone and with
 * a lead of 600 characters made of other lines of it.
 */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { flash } from "../src/flash/flash.ts";
import type { Artifact } from "../src/types.ts";

const leadLength = 600;
const rounds = 40;

const titles = readFileSync(new URL("./golden.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  .map((line) => z.object({ title: z.string() }).parse(JSON.parse(line)).title);

const artifactOf = (title: string, body: string): Artifact => ({
  type: "news",
  title,
  body,
  publishedAt: new Date(0),
  filing: null,
  categories: [],
});

/** The best of five runs, since the others measure how busy the machine was. */
function perSecond(items: readonly Artifact[]): number {
  const runs = Array.from({ length: 5 }, () => {
    const began = performance.now();
    for (let round = 0; round < rounds; round += 1) for (const item of items) flash(item, []);
    return (1000 * items.length * rounds) / (performance.now() - began);
  });
  return Math.round(Math.max(...runs));
}

const leads = titles.map((_, at) => [...titles.slice(at + 1), ...titles].join(". ").slice(0, leadLength));
const bare = perSecond(titles.map((title) => artifactOf(title, "")));
const full = perSecond(titles.map((title, at) => artifactOf(title, leads[at] ?? "")));
process.stdout.write(
  `headline alone: ${bare} items/s; with a lead of ${leadLength} characters: ${full} items/s\n`,
);
