/**
 * Trains the heads of flash and measures them: `node scoring/training/train.ts [--check] [--quick] [--authors NAME]
 * [--without NAME,NAME]`.
 * Reads ../shared/data/scoring and the lines in this folder; writes scoring/model. The same input gives the same bytes.
 * With --check nothing is written; the measures alone are printed. With --quick nothing is measured. With --authors only
 * authors whose name begins so are left out in turn. With --without the heads learn nothing of these authors, on whom they can then
 * be joined with the encoder (encoder/README.md).
 */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { encodeModel } from "../src/flash/heads/model-file.ts";
import { calibrationPlot } from "./calibration-plot.ts";
import { readSets, trainFolder } from "./corpus.ts";
import { withoutAuthor } from "./folds.ts";
import { trainHeads } from "./heads.ts";
import { crossValidated, leaveAuthorsOut, type Measured, type MeasuredAuthor } from "./measure.ts";

/** Raised with every change of rules or weights. */
const version = "0.11.3";

const folder = fileURLToPath(new URL("../model/", import.meta.url));
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const show = (value: number): string => (100 * value).toFixed(1).padStart(5);

const row = ({ name, measures, n }: Measured): string =>
  `${name.padEnd(28)} ${String(n).padStart(5)} ${show(measures.accuracy)} ${show(measures.macroF1)} ${show(measures.ece)}`;

const authorRow = (author: MeasuredAuthor): string =>
  `${row(author)} ${show(author.actionF1)} ${show(author.groupRight)} ${show(author.pairsRight)}`;

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function sayAuthors(authors: readonly MeasuredAuthor[]): void {
  say(`${"author left out".padEnd(28)}     n   acc    F1   ECE actF1 group pairs`);
  for (const author of authors) say(authorRow(author));
  const over = (value: (author: MeasuredAuthor) => number): string => show(mean(authors.map(value)));
  say(
    `${"mean".padEnd(34)} ${over(({ measures }) => measures.accuracy)} ${over(({ measures }) => measures.macroF1)} ${over(({ measures }) => measures.ece)} ${over(({ actionF1 }) => actionF1)} ${over(({ groupRight }) => groupRight)} ${over(({ pairsRight }) => pairsRight)}`,
  );
}

interface TrainOptions {
  readonly check: boolean;
  readonly quick: boolean;
  readonly authors: string;
  readonly without: readonly string[];
}

function train({ check, quick, authors: named, without }: TrainOptions): void {
  const all = readSets();
  if (all === null) {
    say(`no labelled sets at ${trainFolder}: nothing to train on; scoring/model stays as it is`);
    return;
  }
  const sets = without.reduce(withoutAuthor, all);
  if (!quick) {
    const authors = leaveAuthorsOut(sets, named);
    sayAuthors(authors);
    const validated = crossValidated(sets);
    for (const measured of validated) say(row(measured));
    if (!check)
      writeFileSync(`${folder}calibration.svg`, calibrationPlot([...validated, ...authors.slice(0, 2)]));
  }
  if (check) return;
  const file = `${JSON.stringify(encodeModel(trainHeads(sets), version), null, 2)}\n`;
  writeFileSync(`${folder}flash.json`, file);
  const digest = createHash("sha256").update(file).digest("hex");
  writeFileSync(`${folder}flash.json.sha256`, `${digest}  flash.json\n`);
  say(`wrote scoring/model/flash.json, ${file.length} bytes, sha256 ${digest}`);
}

const { values } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    quick: { type: "boolean", default: false },
    authors: { type: "string", default: "" },
    without: { type: "string", default: "" },
  },
});
train({ ...values, without: values.without.split(",").filter((name) => name !== "") });
