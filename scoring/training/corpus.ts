import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { readText } from "../src/flash/cues/cues.ts";
import { kindByName } from "../src/flash/events/events.ts";
import { headInputOf } from "../src/flash/heads/head-input.ts";
import type { HeadInput } from "../src/flash/heads/linear.ts";

/** A labelled text as the heads see it. */
export interface Example extends HeadInput {
  /** 0 negative, 1 neutral, 2 positive; of other heads, the index of the class. */
  readonly label: number;
}

/** A line in the form of GUIDE.md, with all that its author said. */
export interface Line extends Example {
  readonly author: string;
  /** Written as a user's post. */
  readonly isPost: boolean;
  readonly actionable: boolean;
  /** The group of its author's event; null where no kind of the table fits it. */
  readonly group: string | null;
  readonly pair: string | null;
}

export interface Corpus {
  readonly name: string;
  readonly examples: readonly Example[];
}

/** The training sets; with an empty set its head has no opinion. */
export interface Sets {
  readonly headlines: Corpus;
  readonly tweets: Corpus;
  /** Our own sentences and wire headlines. */
  readonly own: Corpus;
  readonly lines: readonly Line[];
}

export const sentimentLabels: readonly string[] = ["negative", "neutral", "positive"];
const row = z.object({ text: z.string(), label: z.string() });
const line = z.object({
  text: z.string(),
  body: z.string().optional(),
  kind: z.string(),
  label: z.enum(["negative", "neutral", "positive"]),
  actionable: z.boolean(),
  event: z.string(),
  /** Group of the table, where the author named one. */
  group: z.string().optional(),
  pair: z.string().nullish(),
});

export const exampleOf = (title: string, body: string, label: number): Example => ({
  ...headInputOf(title, readText(title, body)),
  label,
});

const rowsOf = (path: string): readonly unknown[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((text) => text.trim() !== "")
    .map((text) => JSON.parse(text));

/** Reads a set without texts of another label (`mixed`). */
const readSet = (path: string): readonly Example[] =>
  rowsOf(path)
    .map((found) => row.parse(found))
    .flatMap(({ text, label }) => {
      const at = sentimentLabels.indexOf(label);
      return at < 0 ? [] : [exampleOf(text, "", at)];
    });

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const codes: Readonly<Record<string, number>> = { n: 0, "0": 1, p: 2 };

/** "EUR 4 mn ." in some collections, "EUR 4 mn." everywhere else. */
const unspaced = (text: string): string => text.replaceAll(/ ([.,;:)])/g, "$1").replaceAll(/ '(?=s\b)/g, "'");

/** Sentences of announcements about companies that do not exist; each in both spacings. */
const readPlain = (): readonly Example[] =>
  readFileSync(here("./prose.tsv"), "utf8")
    .trim()
    .split("\n")
    .flatMap((text) => {
      const [code = "", sentence = ""] = text.split("\t");
      const label = codes[code] ?? 1;
      return [exampleOf(sentence, "", label), exampleOf(unspaced(sentence), "", label)];
    });

/** The authors' own words for events, folded into the kinds of the table. */
export function readEventNames(): ReadonlyMap<string, string> {
  const folder = here("./event-names/");
  const pairs = readdirSync(folder).flatMap((file) =>
    readFileSync(`${folder}${file}`, "utf8")
      .split("\n")
      .filter((text) => text.includes("\t"))
      .map((text): readonly [string, string] => {
        const [name = "", kind = ""] = text.split("\t");
        return [name.trim(), kind.trim()];
      }),
  );
  return new Map(pairs.filter(([, kind]) => kind === "none" || kindByName.has(kind)));
}

/** @returns the kind's group, "none" where the author saw no event, null where no kind fits */
export function groupOf(event: string, names: ReadonlyMap<string, string>): string | null {
  const kind = event === "none" || kindByName.has(event) ? event : names.get(event);
  if (kind === undefined) return null;
  return kind === "none" ? kind : (kindByName.get(kind)?.group ?? null);
}

export function readLines(path: string, author: string, names: ReadonlyMap<string, string>): readonly Line[] {
  return rowsOf(path).map((found) => {
    const { text, body, kind, label, actionable, event, group, pair } = line.parse(found);
    return {
      ...exampleOf(text, body ?? "", sentimentLabels.indexOf(label)),
      author,
      isPost: kind === "post",
      actionable,
      group: group ?? groupOf(event, names),
      pair: pair ?? null,
    };
  });
}

const dataFolder = here("../../../shared/data/scoring/");
export const trainFolder = `${dataFolder}train`;
export const linesFolder = `${dataFolder}lines`;

/** The authors' lines: those of the shared data, and those kept beside this file. */
export function readAllLines(folders = [linesFolder, here("./lines")]): readonly Line[] {
  const names = readEventNames();
  return folders.filter(existsSync).flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith(".jsonl"))
      .toSorted()
      .flatMap((file) => readLines(`${folder}/${file}`, file.replace(".jsonl", ""), names)),
  );
}

/** All sets, or null when the public ones are not on this machine. */
export function readSets(folder = trainFolder): Sets | null {
  const headlines = `${folder}/sentfin.jsonl`;
  const tweets = `${folder}/twitter_fin.jsonl`;
  if (!existsSync(headlines) || !existsSync(tweets)) return null;
  return {
    headlines: { name: "headlines", examples: readSet(headlines) },
    tweets: { name: "tweets", examples: readSet(tweets) },
    own: {
      name: "own sentences and headlines",
      examples: [
        ...readPlain(),
        ...readSet(here("./company-prose.jsonl")),
        ...readSet(here("./wire-headlines.jsonl")),
      ],
    },
    lines: readAllLines(),
  };
}
