/**
 * Trains the heads of flash and measures them: `node scoring/training/train.ts [--check]`.
 * Reads ../shared/data/scoring/train and the lines in this folder; writes scoring/model. The same input gives the same bytes.
 * With --check nothing is written; the measures alone are printed.
 */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { encodeModel } from "../src/flash/heads/model-file.ts";
import { assemble } from "./assemble.ts";
import { calibrationPlot } from "./calibration-plot.ts";
import { dataFolder, readSets } from "./corpus.ts";
import { crossValidated, leftOut, type Measured } from "./measure.ts";

/** Raised with every change of rules or weights. */
const version = "0.3.0";

const folder = fileURLToPath(new URL("../model/", import.meta.url));
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const show = (value: number): string => (100 * value).toFixed(1).padStart(5);

function row({ name, measures, n }: Measured): string {
  const { accuracy, macroF1, f1, ece } = measures;
  return `${name.padEnd(44)} ${String(n).padStart(5)} ${show(accuracy)} ${show(macroF1)}  ${f1.map(show).join(" ")}  ${show(ece)}`;
}

function train(write: boolean): void {
  const sets = readSets();
  if (sets === null) {
    say(`no labelled sets at ${dataFolder}: nothing to train on; scoring/model stays as it is`);
    return;
  }
  say(`${"".padEnd(44)}     n   acc macro-F1 neg / neu / pos   ECE`);
  for (const measured of leftOut(sets)) say(row(measured));
  const validated = crossValidated(sets);
  for (const measured of validated) say(row(measured));
  if (!write) return;
  const file = `${JSON.stringify(encodeModel(assemble(sets), version), null, 2)}\n`;
  writeFileSync(`${folder}flash.json`, file);
  const digest = createHash("sha256").update(file).digest("hex");
  writeFileSync(`${folder}flash.json.sha256`, `${digest}  flash.json\n`);
  writeFileSync(`${folder}calibration.svg`, calibrationPlot(validated.slice(0, 4)));
  say(`wrote scoring/model/flash.json, ${file.length} bytes, sha256 ${digest}`);
}

train(!process.argv.includes("--check"));
