import type { Section } from "../section.ts";
import type { AliasMatch } from "../types.ts";
import { list } from "./word-list.ts";

/** Names that are also words: the neighbours that show the word, and the ones that show the company. */

interface Sense {
  readonly before?: ReadonlySet<string>;
  readonly after?: ReadonlySet<string>;
}

/** Neighbours of the other meaning of names that need no proof otherwise. */
const otherSenses: ReadonlyMap<string, Sense> = new Map<string, Sense>([
  [
    "amazon",
    {
      before: list("the along across upper brazilian peruvian"),
      after: list(
        "rainforest forest forests basin deforestation river jungle region fires tribe tribes drought delta summit dieback soy",
      ),
    },
  ],
  ["oracle", { before: list("the an delphic blockchain price"), after: list("of bone bones") }],
  [
    "caterpillar",
    { before: list("the a hungry"), after: list("outbreak infestation species larvae plague invasion") },
  ],
  [
    "intel",
    {
      before: list("us israeli russian ukrainian western military spy foreign police british chinese"),
      after: list(
        "officials official agencies agency sharing committee report reports assessment community on briefing services failure",
      ),
    },
  ],
  ["eaton", { after: list("fire wildfire centre center") }],
  ["tesla", { before: list("nikola"), after: list("coil coils") }],
  ["hershey", { after: list("bar bars park bears pa") }],
  ["peloton", { before: list("the"), after: list("crash crashes splits rider riders") }],
  ["celsius", { before: list("degrees degree c"), after: list("above below or in") }],
  [
    "visa",
    {
      before: list("the a work student tourist h-1b h1b entry transit travel digital golden"),
      after: list(
        "delays delay rules rule application applications backlog waiver waivers holders fees program ban bans bond bonds curbs free restrictions policy regime lottery office offices overstays interviews requirements row extension",
      ),
    },
  ],
  ["nike", { before: list("the goddess"), after: list("of") }],
  [
    "shell",
    { before: list("a the sea turtle egg"), after: list("companies company game casing casings found") },
  ],
  ["huntington", { after: list("disease chorea therapy treatment drug patients trial gene beach") }],
  [
    "viking",
    {
      after: list("age era ship ships warriors warrior gods burial funds"),
    },
  ],
  ["parkinson", { after: list("disease therapy treatment drug patients trial") }],
  // The chair of the Federal Reserve, and who may follow him.
  [
    "powell",
    {
      before: list("chair chairman jerome fed's feds"),
      after: list(
        "says said tells told signals signaled warns warned sees hints pushes testifies testimony speech speaks term successor nominee on flags calls faces defends keeps urges reiterates repeats leaves plays stresses expects remarks comments",
      ),
    },
  ],
  ["rocket", { before: list("the a"), after: list("attack attacks fire fuel engine engines debris") }],
]);

const ofForest = /\b(?:fires?|forests?|rainforest|deforestation|indigenous|drought|tribes?)\b/i;
const ofMedicine = /\b(?:fda|drugs?|gene|therap\w+|trials?|disease|patients)\b/i;

/** "Along the Amazon", "Intel officials", "visa rules", "data for Huntington's filing": the word and not the company. */
export function hasOtherSense({ text, tokens }: Section, { first, last }: AliasMatch): boolean {
  if (last - first !== 1) return false;
  if (/^(?:huntington|parkinson|alzheimer|crohn)'s$/.test(tokens[first]?.word ?? "") && ofMedicine.test(text))
    return true;
  const sense = otherSenses.get((tokens[first]?.word ?? "").replace(/'s$/, ""));
  if (sense === undefined) return false;
  if (tokens[first]?.word === "amazon" && tokens[first - 1]?.word === "in" && ofForest.test(text))
    return true;
  const before = tokens[first - 1]?.word ?? "";
  const after = tokens[last]?.word ?? "";
  if (sense.after?.has(after) === true) return true;
  // "the Amazon driver": another noun of business follows the company's name.
  return (
    sense.before?.has(before) === true &&
    !/^(?:warehouse|driver|seller|ceo|chief|store|cloud|board)s?$/.test(after)
  );
}
