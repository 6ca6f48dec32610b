import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readText } from "../src/flash/cues/cues.ts";
import { type Features, financeFeatures } from "../src/flash/heads/features.ts";
import { type Grams, gramsOf } from "../src/flash/heads/ngrams.ts";
import { weigh } from "../src/flash/sentiment.ts";

/** A labelled text as the heads see it. */
export interface Example {
  /** 0 negative, 1 neutral, 2 positive. */
  readonly label: number;
  readonly grams: Grams;
  readonly features: Features;
  /** -5..+5, the rules' direction alone. */
  readonly ruleDirection: number;
}

export interface Corpus {
  readonly name: string;
  readonly examples: readonly Example[];
}

/** The training sets; with an empty set its head has no opinion. */
export interface Sets {
  readonly headlines: Corpus;
  readonly tweets: Corpus;
  /** Our own plain sentences, written by the author of the rules: good for training, too easy for measuring. */
  readonly plain: Corpus;
  /** Our own sentences and wire headlines, written by someone who did not know the rules. */
  readonly prose: Corpus;
  readonly wire: Corpus;
}

const labels = ["negative", "neutral", "positive"];
const row = z.object({ text: z.string(), label: z.string() });

export function exampleOf(text: string, label: number): Example {
  const read = readText(text, "");
  return {
    label,
    grams: gramsOf(text, read.titleWords),
    features: financeFeatures(text, read),
    ruleDirection: weigh(read.cues, `${text}\n`).shortDirection,
  };
}

/** Reads a set without texts of another label (`mixed`). */
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

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const codes: Readonly<Record<string, number>> = { n: 0, "0": 1, p: 2 };

/** "EUR 4 mn ." in some collections, "EUR 4 mn." everywhere else. */
const unspaced = (text: string): string => text.replaceAll(/ ([.,;:)])/g, "$1").replaceAll(/ '(?=s\b)/g, "'");

/** Sentences of announcements about companies that do not exist; each in both spacings. */
export function readPlain(): Corpus {
  const examples = readFileSync(here("./prose.tsv"), "utf8")
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [code = "", text = ""] = line.split("\t");
      const label = codes[code] ?? 1;
      return [exampleOf(text, label), exampleOf(unspaced(text), label)];
    });
  return { name: "plain prose", examples };
}

export const dataFolder = here("../../../shared/data/scoring/train");

/** All sets, or null when the public ones are not on this machine. */
export function readSets(folder = dataFolder): Sets | null {
  const headlines = `${folder}/sentfin.jsonl`;
  const tweets = `${folder}/twitter_fin.jsonl`;
  if (!existsSync(headlines) || !existsSync(tweets)) return null;
  return {
    headlines: readSet(headlines, "headlines"),
    tweets: readSet(tweets, "tweets"),
    plain: readPlain(),
    prose: readSet(here("./company-prose.jsonl"), "company prose"),
    wire: readSet(here("./wire-headlines.jsonl"), "wire headlines"),
  };
}
