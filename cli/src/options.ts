import { parseArgs } from "node:util";
import { CliError } from "./errors.ts";

/** The options of all commands. run.ts lists which command takes which. */
const options = {
  account: { type: "string" },
  actionable: { type: "boolean" },
  "admin-token": { type: "string" },
  after: { type: "string" },
  detailed: { type: "boolean" },
  "bar-length": { type: "string" },
  browser: { type: "boolean" },
  close: { type: "string" },
  copies: { type: "boolean" },
  "dry-run": { type: "boolean" },
  event: { type: "string" },
  exchange: { type: "string" },
  expires: { type: "string" },
  format: { type: "string" },
  "forward-to": { type: "string" },
  from: { type: "string" },
  horizons: { type: "string" },
  html: { type: "string" },
  index: { type: "string" },
  items: { type: "string" },
  help: { type: "boolean", short: "h" },
  json: { type: "boolean" },
  key: { type: "string" },
  late: { type: "boolean" },
  "min-actionability-score": { type: "string" },
  "min-conviction": { type: "string" },
  model: { type: "string" },
  months: { type: "string" },
  moved: { type: "string" },
  name: { type: "string" },
  prices: { type: "string" },
  plan: { type: "string" },
  q: { type: "string" },
  replay: { type: "string" },
  secret: { type: "string" },
  since: { type: "string" },
  snapshot: { type: "string" },
  source: { type: "string" },
  speed: { type: "string" },
  status: { type: "string" },
  symbol: { type: "string" },
  to: { type: "string" },
  type: { type: "string" },
  until: { type: "string" },
  url: { type: "string" },
  zone: { type: "string" },
} as const;

const strictly = (args: string[]) => parseArgs({ args, options, allowPositionals: true, strict: true });

export type Options = ReturnType<typeof strictly>["values"];

/**
 * A whole help would scroll the error away: the error names it.
 * @throws {CliError} for an option that no command has, one without its value, or one with a value that takes none
 */
export function parseOptions(args: string[]): ReturnType<typeof strictly> {
  try {
    return strictly(args);
  } catch (error) {
    const known = Object.keys(options);
    const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
    const other = tokens.find((token) => token.kind === "option" && !known.includes(token.name));
    if (other?.kind === "option") throw new CliError(`${unknown(other.rawName, known)}\n${seeHelp}`, 2);
    const [told = ""] = error instanceof Error ? error.message.split("\n") : [];
    throw new CliError(`${told}\n${seeHelp}`, 2);
  }
}

const everywhere: readonly (keyof Options)[] = ["admin-token", "help", "json", "key", "url"];

/** Refuses options that a command would ignore: a user would think that a filter applies. */
export function checkTaken(command: string, given: Options, takes: readonly (keyof Options)[]): void {
  const taken: readonly string[] = [...everywhere, ...takes];
  const other = Object.keys(given).find((option) => !taken.includes(option));
  if (other !== undefined) throw new CliError(`${command} does not take --${other}`, 2);
}

export const seeHelp = "--help shows all commands and options.";

/** @param given with its hyphens */
function unknown(given: string, known: readonly string[]): string {
  const near = nearest(given.replace(/^-+/, ""), known);
  return `unknown option ${given}${near === null ? "" : ` (did you mean --${near}?)`}`;
}

/** The word that was probably meant: one in three letters may differ, or an end may lack. */
export function nearest(given: string, words: readonly string[]): string | null {
  if (given.length < 2) return null;
  const [best] = words
    .map((word) => ({ word, changes: changesBetween(given, word) }))
    .filter(({ word, changes }) => changes <= Math.max(1, Math.floor(word.length / 3)))
    .sort((one, other) => one.changes - other.changes);
  const longer = given.length < 3 ? undefined : words.find((word) => word.startsWith(given));
  return best?.word ?? longer ?? null;
}

/** Letters to change, add or take away, as Levenshtein counts them. */
function changesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const letter of one) {
    const next = [(row[0] ?? 0) + 1];
    for (const [at, wanted] of [...other].entries())
      next.push(
        Math.min((row[at] ?? 0) + (letter === wanted ? 0 : 1), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
