/**
 * Precision and recall of language detection on the labelled sets: `node scoring/eval/language.ts [--errors] [FILE…]`.
 * FILE defaults to the sets beside this file. Each line is detected without a declaration and, if it names none of its own
 * in a fourth column, once more as a wire would declare it: as English.
 */
import { readFileSync } from "node:fs";
import { detectLanguage } from "../src/language/language.ts";

/** A labelled text. */
export interface LanguageLine {
  readonly language: string;
  readonly title: string;
  readonly body: string;
  /** What its source declares; null where the line does not say. */
  readonly declared: string | null;
}

export interface LanguageFigures {
  readonly lines: number;
  /** Share of the languages found that are right, 0..1. */
  readonly precision: number;
  /** Share of the lines whose language is found, 0..1. */
  readonly recall: number;
}

/** @param text of language.tsv or a file like it: language, title, body, declared language; the last two may be missing */
export const parseLanguageSet = (text: string): readonly LanguageLine[] =>
  text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"))
    .filter(([language]) => language !== "language")
    .map(([language = "", title = "", body = "", declared = ""]) => ({
      language,
      title,
      body,
      declared: declared === "" ? null : declared,
    }));

const foundIn = ({ title, body, declared }: LanguageLine, assumed: string | null): string | null =>
  detectLanguage(title, body, declared ?? assumed);

/** @param assumed the declaration of lines that name none; null is none */
export function evaluateLanguage(lines: readonly LanguageLine[], assumed: string | null): LanguageFigures {
  const found = lines.map((line) => ({ line, language: foundIn(line, assumed) }));
  const answered = found.filter(({ language }) => language !== null);
  const right = answered.filter(({ line, language }) => line.language === language).length;
  return {
    lines: lines.length,
    precision: answered.length === 0 ? 1 : right / answered.length,
    recall: lines.length === 0 ? 1 : right / lines.length,
  };
}

function report(path: string, errors: boolean): string {
  const lines = parseLanguageSet(readFileSync(path, "utf8"));
  const share = (value: number): string => (100 * value).toFixed(1).padStart(6);
  const rows = [null, "en"].map((assumed) => {
    const { precision, recall } = evaluateLanguage(lines, assumed);
    return `  ${(assumed === null ? "undeclared" : "as English").padEnd(12)}${share(precision)}${share(recall)}`;
  });
  const bad = !errors
    ? []
    : lines.flatMap((line) => {
        const language = foundIn(line, null);
        return language === line.language
          ? []
          : [`  ${language}, not ${line.language}: ${line.title} | ${line.body}`];
      });
  const name = path.slice(path.lastIndexOf("/") + 1);
  return [`${name}: ${lines.length} lines   prec   rec`, ...rows, ...bad, ""].join("\n");
}

if (import.meta.main) {
  const args = process.argv.slice(2);
  const paths = args.filter((argument) => !argument.startsWith("--"));
  const beside = ["language", "language-heldout", "language-traps", "language-traps-heldout"].map(
    (name) => `${import.meta.dirname}/${name}.tsv`,
  );
  for (const path of paths.length > 0 ? paths : beside)
    process.stdout.write(`${report(path, args.includes("--errors") && !path.includes("heldout"))}\n`);
}
