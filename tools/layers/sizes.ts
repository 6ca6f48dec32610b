/** Sizes: a file is one idea, a folder one subject, a test one sentence. Functions are held by Biome (biome.json). */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const most = { linesAFile: 300, linesATest: 60, filesAFolder: 15 } as const;

/** Tables that somebody looked up, line by line, and generated types: no idea is hidden in their length. */
const data: readonly string[] = [
  "scoring/src/tags/corporate.ts",
  "scoring/src/tags/economic.ts",
  "sdk/src/types.ts",
];

const written = "{contract,scoring,server,sdk,mcp,cli,dashboard}/{src,test,training,eval}/**/*.{ts,tsx}";
const beside = "{tools,bench,conformance,clients,deploy}/**/*.ts";

/** Every file, test and folder of product code below `root` that is too large, one line each. */
export function sizeViolations(root: string): string[] {
  const paths = globSync([written, beside], { cwd: root })
    .map((path) => path.replaceAll("\\", "/"))
    .sort();
  return [
    ...paths.flatMap((path) => {
      const lines = readFileSync(join(root, path), "utf8").trimEnd().split("\n");
      return [...longFile(path, lines), ...(path.includes("/test/") ? longTests(path, lines) : [])];
    }),
    ...fullFolders(paths),
  ];
}

const longFile = (path: string, { length }: readonly string[]): string[] =>
  length <= most.linesAFile || data.includes(path)
    ? []
    : [`${path}: ${length} lines; at most ${most.linesAFile}`];

const testBegins = /^(\s*)(?:await )?(?:\w+\.)?(?:test|it|suite|describe)\(/;

/** Biome cannot tell a test from a suite of tests, which may be long. In its formatting a call ends as far in as it begins. */
function longTests(path: string, lines: readonly string[]): string[] {
  return lines.flatMap((line, at) => {
    const indent = testBegins.exec(line)?.[1];
    if (indent === undefined || line.endsWith(");")) return [];
    const end = lines.findIndex((other, index) => index > at && /^[})]/.test(inside(other, indent)));
    const body = lines.slice(at + 1, end);
    const length = body.filter((one) => one.trim() !== "").length;
    if (length <= most.linesATest || body.some((one) => testBegins.test(one))) return [];
    return [`${path}:${at + 1}: a test of ${length} lines; at most ${most.linesATest}`];
  });
}

/** The line without the indentation; empty when it is not indented that far. */
const inside = (line: string, indent: string) => (line.startsWith(indent) ? line.slice(indent.length) : "");

function fullFolders(paths: readonly string[]): string[] {
  const byFolder = Map.groupBy(paths, (path) => dirname(path));
  return [...byFolder].flatMap(([folder, { length }]) =>
    length <= most.filesAFolder || !/^\w+\/src\b/.test(folder)
      ? []
      : [`${folder}: ${length} files; at most ${most.filesAFolder}`],
  );
}
