/**
 * Writes the labelled texts as the encoder reads them: `node scoring/training/encoder/rows.ts FILE`. One JSON object a line:
 * {author, style, text, body, company, label, short, long, actionable, group, pair}, null where the set does not say.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { kindByName } from "../../src/flash/events/events.ts";
import { groupOf, linesFolder, readEventNames, trainFolder } from "../corpus.ts";

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** How a set labels the sign: its own head learns it, since the sets do not mean the same by "neutral". */
type Style = "lines" | "headlines" | "tweets";

interface Row {
  readonly author: string;
  readonly style: Style;
  readonly text: string;
  readonly body: string;
  /** Of whom the sign is told; null: of the text's chief company. */
  readonly company: string | null;
  /** 0 negative, 1 neutral, 2 positive. */
  readonly label: number;
  readonly short: number | null;
  readonly long: number | null;
  readonly actionable: boolean | null;
  readonly group: string | null;
  readonly pair: string | null;
}

const labels: readonly string[] = ["negative", "neutral", "positive"];
const line = z.object({
  text: z.string(),
  body: z.string().nullish(),
  label: z.string(),
  short: z.number(),
  long: z.number(),
  actionable: z.boolean(),
  event: z.string(),
  group: z.string().optional(),
  companies: z.array(z.object({ name: z.string(), direction: z.number() })),
  pair: z.string().nullish(),
});
const labelled = z.object({ text: z.string(), label: z.string() });
const signOnly = {
  body: "",
  company: null,
  short: null,
  long: null,
  actionable: null,
  group: null,
  pair: null,
};

const rowsIn = (path: string): readonly unknown[] =>
  readFileSync(path, "utf8")
    .split("\n")
    .filter((text) => text.trim() !== "")
    .map((text) => JSON.parse(text));

const names = readEventNames();
const groups = [...new Set([...kindByName.values()].map(({ group }) => group)), "none"].toSorted();

/** A line, and one more for each company that it names, each with a sign of its own. */
function ofLine(author: string, found: unknown): readonly Row[] {
  const { text, body, label, short, long, actionable, event, group, companies, pair } = line.parse(found);
  const base = { author, style: "lines", text, body: body ?? "", pair: pair ?? null } as const;
  const whole: Row = {
    ...base,
    ...{ company: null, label: labels.indexOf(label), short, long, actionable },
    group: group ?? groupOf(event, names),
  };
  const own = companies.map(
    ({ name, direction }): Row => ({
      ...base,
      ...{ company: name, label: Math.sign(direction) + 1, short: direction, long: null },
      ...{ actionable: null, group: null, pair: null },
    }),
  );
  return [whole, ...own];
}

const ofSet = (author: string, style: Style, path: string): readonly Row[] =>
  rowsIn(path)
    .map((found) => labelled.parse(found))
    .filter(({ label }) => labels.includes(label))
    .map(({ text, label }) => ({ ...signOnly, author, style, text, label: labels.indexOf(label) }));

/** All lines of the folders, by the names of their authors. */
function ofFolders(...folders: readonly string[]): readonly Row[] {
  const files = folders
    .filter(existsSync)
    .flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)))
    .filter((path) => path.endsWith(".jsonl"));
  return files
    .map((path) => ({ path, author: basename(path, ".jsonl") }))
    .toSorted((a, b) => (a.author < b.author ? -1 : 1))
    .flatMap(({ path, author }) => rowsIn(path).flatMap((found) => ofLine(author, found)));
}

/** Sentences about companies that do not exist: a code of the sign, a tab, the sentence. */
const ofProse = (): readonly Row[] =>
  readFileSync(here("../prose.tsv"), "utf8")
    .trim()
    .split("\n")
    .map((text): Row => {
      const [code = "", sentence = ""] = text.split("\t");
      return { ...signOnly, author: "own", style: "lines", text: sentence, label: "n0p".indexOf(code) };
    });

const [target] = process.argv.slice(2);
if (target === undefined) throw new Error("usage: node scoring/training/encoder/rows.ts FILE");
const rows = [
  ...ofFolders(linesFolder),
  ...ofFolders(here("../lines"), here("./lines")),
  ...ofProse(),
  ...ofSet("own", "lines", here("../company-prose.jsonl")),
  ...ofSet("own", "lines", here("../wire-headlines.jsonl")),
  ...ofSet("sentfin", "headlines", join(trainFolder, "sentfin.jsonl")),
  ...ofSet("twitter_fin", "tweets", join(trainFolder, "twitter_fin.jsonl")),
];
writeFileSync(target, [{ groups }, ...rows].map((row) => `${JSON.stringify(row)}\n`).join(""));
