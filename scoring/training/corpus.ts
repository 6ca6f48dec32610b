import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readText } from "../src/cues.ts";
import { type Features, financeFeatures } from "../src/features.ts";
import { type Grams, gramsOf } from "../src/ngrams.ts";
import { weigh } from "../src/sentiment.ts";

/** A labelled text as the heads see it. */
export interface Example {
  /** 0 negative, 1 neutral, 2 positive. */
  readonly label: number;
  readonly grams: Grams;
  readonly features: Features;
  /** -5..+5, what the rules alone say. */
  readonly ruleDirection: number;
}

export interface Corpus {
  readonly name: string;
  readonly examples: readonly Example[];
}

const labels = ["negative", "neutral", "positive"];
const row = z.object({ text: z.string(), label: z.string() });

export function exampleOf(text: string, label: number): Example {
  const { cues, titleWords } = readText(text, "");
  return {
    label,
    grams: gramsOf(text, titleWords),
    features: financeFeatures(text, cues, titleWords.length),
    ruleDirection: weigh(cues, `${text}\n`).shortDirection,
  };
}

/** Texts labelled otherwise (`mixed`) are left out. */
function readSet(path: string, name: string): Corpus {
  const rows = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => row.parse(JSON.parse(line)));
  return {
    name,
    examples: rows.flatMap(({ text, label }) =>
      labels.includes(label) ? [exampleOf(text, labels.indexOf(label))] : [],
    ),
  };
}

const codes: Readonly<Record<string, number>> = { n: 0, "0": 1, p: 2 };

/** "EUR 4 mn ." as some collections write it, and "EUR 4 mn." as everyone else does. */
const unspaced = (text: string): string => text.replaceAll(/ ([.,;:)])/g, "$1").replaceAll(/ '(?=s\b)/g, "'");

/** Sentences of company announcements, written for this project about companies that do not exist; each in both spacings. */
export function readProse(): Corpus {
  const path = fileURLToPath(new URL("./prose.tsv", import.meta.url));
  const examples = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [code = "", text = ""] = line.split("\t");
      const label = codes[code] ?? 1;
      return [exampleOf(text, label), exampleOf(unspaced(text), label)];
    });
  return { name: "company prose", examples };
}

export const dataFolder = fileURLToPath(new URL("../../../shared/data/scoring/train", import.meta.url));

/** The labelled sets, or null where they are not on this machine. */
export function readSets(folder = dataFolder): { headlines: Corpus; tweets: Corpus } | null {
  const headlines = `${folder}/sentfin.jsonl`;
  const tweets = `${folder}/twitter_fin.jsonl`;
  if (!existsSync(headlines) || !existsSync(tweets)) return null;
  return { headlines: readSet(headlines, "headlines"), tweets: readSet(tweets, "tweets") };
}
