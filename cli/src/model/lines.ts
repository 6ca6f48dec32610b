/** Labelled lines for a calibration. */
import { readFile } from "node:fs/promises";
// The words for a mistake are those of the service.
import "@tapewire/contract/errors/errors.ts";
import { z } from "zod";
import { CliError } from "../errors.ts";

interface Labels {
  readonly title: string;
  readonly body: string;
  readonly label: "negative" | "neutral" | "positive";
  /** -5..+5; null: only the class is known. */
  readonly short: number | null;
}

export interface LabelledLine extends Labels {
  /** Its file and number, as errors name it. */
  readonly where: string;
}

const label = z.enum(["negative", "neutral", "positive"]);
const strength = z.number().min(-5).max(5);
const signs = ["negative", "neutral", "positive"] as const;

const simple = z
  .object({ title: z.string().min(1), body: z.string().default(""), sentiment: z.union([label, strength]) })
  .transform(({ title, body, sentiment }): Labels => {
    if (typeof sentiment === "string") return { title, body, label: sentiment, short: null };
    return { title, body, label: signs[1 + Math.sign(sentiment)] ?? "neutral", short: sentiment };
  });

/** The form of the lines that the shipped models were trained on. */
const trained = z
  .object({ text: z.string().min(1), body: z.string().default(""), label, short: strength.nullish() })
  .transform(({ text, body, label, short = null }): Labels => ({ title: text, body, label, short }));

/** @throws {CliError} naming the file and the line that is wrong */
export async function readLines(file: string): Promise<readonly LabelledLine[]> {
  let content: string;
  try {
    content = await readFile(file, "utf8");
  } catch (error) {
    throw new CliError(`cannot read ${file}: ${error instanceof Error ? error.message : error}`);
  }
  return content.split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    return [parsed(line, `${file}, line ${index + 1}`)];
  });
}

function parsed(line: string, where: string): LabelledLine {
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch {
    throw new CliError(`${where}: is not JSON`);
  }
  const isTrained = typeof given === "object" && given !== null && "text" in given;
  const read = isTrained ? trained.safeParse(given) : simple.safeParse(given);
  if (read.success) return { ...read.data, where };
  throw new CliError(`${where}: ${z.prettifyError(read.error)}`);
}
