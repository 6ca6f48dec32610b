/** What Docker would make of deploy/Dockerfile and .dockerignore, as far as files and commands go. */
import { globSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";

export const root = join(import.meta.dirname, "..", "..");

interface Pattern {
  readonly glob: string;
  readonly lets: boolean;
}

/** Of several patterns that match a file or one of its folders, the last one counts. */
export function contextFiles(): string[] {
  const patterns = readFileSync(join(root, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line): Pattern => ({ glob: line.replace(/^!/, ""), lets: line.startsWith("!") }));
  const tops = patterns.filter(({ lets }) => lets).map(({ glob }) => glob);
  return globSync([...tops, ...tops.map((top) => `${top}/**`)], {
    cwd: root,
    withFileTypes: true,
    exclude: (entry) => entry.name === "node_modules",
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => isLet(path, patterns))
    .sort();
}

function isLet(path: string, patterns: readonly Pattern[]): boolean {
  const parts = path.split("/");
  const ways = parts.map((_, at) => parts.slice(0, at + 1).join("/"));
  return patterns.findLast(({ glob }) => ways.some((way) => matchesGlob(way, glob)))?.lets ?? true;
}

export interface Stage {
  readonly from: string;
  readonly commands: readonly (readonly [string, string])[];
}

/** The stages of deploy/Dockerfile: instruction and rest of each line. */
export function stages(): Stage[] {
  const lines = readFileSync(join(root, "deploy", "Dockerfile"), "utf8").split("\n");
  const commands = lines.flatMap((line): (readonly [string, string])[] => {
    const [, word, rest] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    return word === undefined || rest === undefined ? [] : [[word, rest]];
  });
  const starts = commands.flatMap(([word], at) => (word === "FROM" ? [at] : []));
  return starts.map((start, at) => {
    const [, from = ""] = commands[start] ?? [];
    return { from, commands: commands.slice(start + 1, starts[at + 1]) };
  });
}

/** The RUN lines of a stage as a shell runs them, with the defaults of its arguments. */
export function runLines({ commands }: Stage): string[] {
  const values = new Map(
    commands.flatMap(([word, rest]) => {
      const [, name, value] = /^(\w+)=(\S*)$/.exec(word === "ARG" ? rest : "") ?? [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
  );
  return commands
    .filter(([word]) => word === "RUN")
    .map(([, rest]) => rest.replaceAll(/--mount=\S+ /g, ""))
    .map((line) => line.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole));
}
