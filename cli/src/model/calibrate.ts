/** calibrate FILE.jsonl --model DIR: fits how a classifier of the operator's is read, by labelled lines. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "@tapewire/server/config/config.ts";
import { StartError } from "@tapewire/server/runtime/start-error.ts";
import { calibrate as fit, type Labelled, shortage } from "@tapewire/server/score/model/fit.ts";
import { OwnModel, readModelFolder } from "@tapewire/server/score/model/own-model.ts";
import { CliError } from "../errors.ts";
import type { Options } from "../options.ts";
import { Progress } from "../progress.ts";
import { type LabelledLine, readLines } from "./lines.ts";

/** Lines that wait for the model at a time. */
const atOnce = 8;

export async function calibrate([, file]: string[], options: Options): Promise<number> {
  const { model: folder } = options;
  if (file === undefined || folder === undefined)
    throw new CliError("calibrate needs a file and --model DIR", 2);
  const lines = await readLines(file);
  const missing = shortage(lines);
  if (missing !== null) throw new CliError(`${file}: ${missing}`);
  await using model = await opened(folder);
  const rows = await scored(model, lines);
  const calibration = fit(rows, model.folder.digest);
  const target = join(model.folder.path, "calibration.json");
  await writeFile(target, `${JSON.stringify(calibration, null, 2)}\n`);
  if (options.json === true) console.log(JSON.stringify(calibration));
  else {
    const { ece, accuracy, temperature, steps, lines: read } = calibration;
    console.log(`lines        ${read}`);
    console.log(`accuracy     ${percent(accuracy)} of the classes`);
    console.log(`ECE          ${percent(ece.before)} as the model says, ${percent(ece.after)} calibrated`);
    console.log(`temperature  ${temperature}`);
    console.log(`directions   2 to 5 from a balance of ${steps.map((from) => from ?? "never").join(", ")}`);
    console.log(`written      ${target}; it is used from the next start`);
  }
  return 0;
}

/** The calibration that the folder has does not count: it is what is to be replaced. */
async function opened(folder: string): Promise<OwnModel> {
  try {
    const read = await readModelFolder(folder, { calibrated: false });
    return await OwnModel.open(read, { deadlineMs: 60_000 });
  } catch (error) {
    if (error instanceof ConfigError) throw new CliError(error.message, 2);
    if (error instanceof StartError) throw new CliError(error.message, error.exitCode);
    throw error;
  }
}

async function scored(model: OwnModel, lines: readonly LabelledLine[]): Promise<Labelled[]> {
  const progress = new Progress("lines read");
  const rows: Labelled[] = [];
  for (let from = 0; from < lines.length; from += atOnce) {
    const some = lines.slice(from, from + atOnce);
    rows.push(...(await Promise.all(some.map((line) => scoredLine(model, line)))));
    for (const _ of some) progress.add();
  }
  progress.end();
  return rows;
}

async function scoredLine(model: OwnModel, { where, ...line }: LabelledLine): Promise<Labelled> {
  const { scores, reason } = await model.scores(line, { waitMs: 600_000 });
  if (scores === null) throw new CliError(`${where}: ${reason}`);
  return { ...line, scores };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
